"""The word that was meant."""

from __future__ import annotations

from collections.abc import Iterable


def closest(word: str, known: Iterable[str]) -> str | None:
    """The known word nearest to `word`, or None when none is near.

    Letter case, underscores, hyphens and spaces do not count. Then the distance decides (insert, delete, replace, swap
    neighbours), at most a third of the longer word; at last a known word that begins with `word`, or the other way
    round.
    """
    wanted = _plain(word)
    if not wanted or len(wanted) > 64:
        return None
    best: tuple[int, str] | None = None
    beginning: list[tuple[int, str]] = []
    for candidate in sorted(set(known)):
        plain = _plain(candidate)
        if plain == wanted:
            return candidate
        limit = max(1, max(len(plain), len(wanted)) // 3)
        distance = _distance(wanted, plain, limit)
        if distance <= limit and distance < min(len(wanted), len(plain)) and (best is None or distance < best[0]):
            best = (distance, candidate)
        if min(len(plain), len(wanted)) >= 3 and (plain.startswith(wanted) or wanted.startswith(plain)):
            beginning.append((abs(len(plain) - len(wanted)), candidate))
    if best is not None:
        return best[1]
    return min(beginning)[1] if beginning else None


def _plain(word: str) -> str:
    return "".join(c for c in word.casefold() if c not in "_- ")


def _distance(a: str, b: str, limit: int) -> int:
    """Damerau-Levenshtein distance (optimal string alignment), or limit + 1 when it is larger."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row, before_last = row, [i], before
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        before = last
        if min(row) > limit:
            return limit + 1
    return row[-1]

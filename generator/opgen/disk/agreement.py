"""Texts in two languages: whether they still say the same, told from how they read when they last agreed.

One side changed alone makes the other stale; both changed agree again, and so does a change that is taken back.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from opgen.disk.plan import Pair

Side = Literal["en", "zh"]
Hashes = tuple[str, str]
Texts = tuple[str, str]


@dataclass(frozen=True)
class Stale:
    """changed: the side that somebody changed. before: what it said, None where that is not known."""

    pair: Pair
    changed: Side
    before: str | None


@dataclass(frozen=True)
class Agreement:
    """agreed: English and Chinese as they last agreed, hashes by field. texts: the same in words, where known."""

    agreed: Mapping[str, Hashes]
    texts: Mapping[str, Texts]
    stale: tuple[Stale, ...] = ()

    def dump(self) -> bytes:
        """The words of the texts, for the file that keeps them."""
        plain = {field: {"en": en, "zh": zh} for field, (en, zh) in sorted(self.texts.items())}
        return (json.dumps(plain, ensure_ascii=False, indent=1) + "\n").encode()


def load_texts(content: bytes | None) -> dict[str, Texts]:
    """What `Agreement.dump` wrote. Nothing where it cannot be read: it only serves to show what a text was."""
    try:
        plain = json.loads(content or b"{}")
        return {field: (str(pair["en"]), str(pair["zh"])) for field, pair in plain.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def text_hash(text: str) -> str:
    """Where a line is broken does not count."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def agree(
    pairs: Sequence[Pair],
    agreed: Mapping[str, Hashes],
    texts: Mapping[str, Texts],
    accepted: Collection[str] = (),
) -> Agreement:
    """Compares the pairs with how they last agreed. accepted: fields whose two texts somebody says agree now."""
    hashes = {pair.field: (text_hash(pair.en), text_hash(pair.zh)) for pair in pairs}
    partners = _partners(pairs, hashes, agreed)
    new_agreed: dict[str, Hashes] = {}
    new_texts: dict[str, Texts] = {}
    stale: list[Stale] = []
    for pair in pairs:
        now = hashes[pair.field]
        partner = partners.get(pair.field)
        was = agreed[partner] if partner is not None else now
        old = _known(texts.get(partner), was) if partner is not None else None
        if pair.field in accepted or (was[0] == now[0]) == (was[1] == now[1]):
            new_agreed[pair.field], new_texts[pair.field] = now, (pair.en, pair.zh)
            continue
        side: Side = "en" if was[0] != now[0] else "zh"
        new_agreed[pair.field] = was
        if old is not None:
            new_texts[pair.field] = old
        stale.append(Stale(pair, side, old[0 if side == "en" else 1] if old else None))
    return Agreement(new_agreed, new_texts, tuple(stale))


def _known(old: Texts | None, hashes: Hashes) -> Texts | None:
    """Texts, if they are those that the hashes were made of."""
    return old if old is not None and (text_hash(old[0]), text_hash(old[1])) == hashes else None


def _partners(pairs: Sequence[Pair], hashes: Mapping[str, Hashes], agreed: Mapping[str, Hashes]) -> dict[str, str]:
    """Which locked field is which field now: by name; items of lists, and what is left, by content first."""
    found: dict[str, str] = {}
    free = dict(agreed)

    def take(pair: Pair, partner: str | None) -> None:
        if partner is not None and pair.field not in found:
            found[pair.field] = partner
            del free[partner]

    for pair in pairs:
        if not pair.item and pair.field in free:
            take(pair, pair.field)
    for alike in (_same, _one_same):
        for pair in pairs:
            if pair.field not in found and pair.field in free and alike(free[pair.field], hashes[pair.field]):
                take(pair, pair.field)
        for pair in pairs:
            if pair.field not in found:
                take(pair, next((name for name, old in free.items() if alike(old, hashes[pair.field])), None))
    for pair in pairs:
        if pair.item and pair.field in free:
            take(pair, pair.field)
    return found


def _same(old: Hashes, now: Hashes) -> bool:
    return old == now


def _one_same(old: Hashes, now: Hashes) -> bool:
    return old[0] == now[0] or old[1] == now[1]

"""Names for the tiles that kernels of two kinds of types compute alike, in buffers of their own or where copies go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from opgen.formula.signature import Variant
from opgen.kernel.alike import Alike, Pair
from opgen.kernel.branches import HALF
from opgen.kernel.memory import STEMS, Held
from opgen.kernel.sharing import generic

Text = tuple[str, ...]
Texts = Mapping[Variant, Text]
_Types = tuple[tuple[str, str], ...]
_Rest = tuple[tuple[str, ...], object]  # absent inputs and attributes

_MOST = 4  # names at most: with more of them two texts are easier to read


@dataclass(frozen=True)
class Aliases:
    """kinds: choices of types that compute in the same buffers. names: by what they stand for in the first kind and in
    the second. texts: the computation of each variant, with the names."""

    kinds: tuple[frozenset[_Types], frozenset[_Types]]
    names: Mapping[Pair, str]
    texts: Texts

    def defined(self, condition: str) -> list[str]:
        """condition: what holds for the first kind."""
        why = "# where the types differ"
        if _half_first(self.kinds):
            why = "# float32 is computed where it lies, the half types in buffers of float32"
        lines = [f"{name} = T.meta_var({one} if {condition} else {other})" for (one, other), name in self.names.items()]
        return [why, *lines]


def aliases(texts: Texts, buffers: Iterable[Held], taken: Collection[str]) -> Aliases | None:
    """The names, None where there are not two kinds or they differ in too much.

    texts: the computation of each variant. buffers: all that they name. taken: names that tiles must not have.
    """
    kinds = _kinds(texts)
    if kinds is None:
        return None
    held = {buffer.name: buffer for buffer in buffers}
    found: dict[tuple[Variant, Variant], Alike] = {}
    for first in (v for v in texts if v.types in kinds[0]):
        for second in (v for v in texts if v.types in kinds[1] and _rest(v) == _rest(first)):
            found[first, second] = Alike(texts[first], texts[second], held)
    pairs = dict.fromkeys(pair for alike in found.values() for pair in alike.pairs())
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    if not differing or len(differing) > _MOST:
        return None
    names = _named(differing, held, taken)
    result: dict[Variant, Text] = {}
    for (first, second), alike in found.items():
        result[first], result[second] = alike.texts({pair: names.get(pair, pair[0]) for pair in pairs})
    if result.keys() != texts.keys():
        return None
    return Aliases(kinds, names, {variant: result[variant] for variant in texts})


def _rest(variant: Variant) -> _Rest:
    return variant.absent, variant.attrs


def _kinds(texts: Texts) -> tuple[frozenset[_Types], frozenset[_Types]] | None:
    """The two kinds of types, first half types, else those with the longer texts; None when there are not two."""
    by_types: dict[_Types, dict[_Rest, Text]] = {}
    for variant, text in texts.items():
        by_types.setdefault(variant.types, {})[_rest(variant)] = text
    groups: list[tuple[dict[_Rest, Text], set[_Types]]] = []
    for types, mine in by_types.items():
        alike = next((members for text, members in groups if text == mine), None)
        if alike is None:
            groups.append((mine, {types}))
        else:
            alike.add(types)
    if len(groups) != 2:
        return None
    groups.sort(key=lambda group: -sum(map(len, group[0].values())))
    first, second = (frozenset(types) for _, types in groups)
    return (second, first) if _half_first((second, first)) else (first, second)


def _named(pairs: Sequence[Pair], held: Mapping[str, Held], taken: Collection[str]) -> dict[Pair, str]:
    names: dict[Pair, str] = {}
    for pair in pairs:
        others = {*taken, *held, *names.values()}
        names[pair] = next(name for name in _candidates([held[_base(b)] for b in pair]) if name not in others)
    return names


def _candidates(pair: Sequence[Held]) -> Iterator[str]:
    """By the input that it comes from, else by the value in it, else by the output that it becomes."""
    ending = pair[0].form or "tile"
    slots = [b for b in pair if b.tensor]
    words = [b.tensor.split(", ")[0] for b in slots if not b.output or "," in b.tensor]
    if slots:
        words += [b.name.rpartition("_")[0].rstrip("0123456789") for b in pair if not b.tensor and not generic(b.name)]
    words += [b.tensor for b in slots] or [STEMS[""]]
    yield from (f"{word}_{ending}" for word in words)
    number = 2
    while True:
        yield f"{words[0]}{number}_{ending}"
        number += 1


def _half_first(kinds: tuple[Iterable[_Types], Iterable[_Types]]) -> bool:
    """Whether a type symbol is a half type in all of the first kind and in none of the second."""
    first, second = (list(map(dict, kind)) for kind in kinds)
    return any(
        all(types[symbol] in HALF for types in first) and not any(types[symbol] in HALF for types in second)
        for symbol in first[0]
    )


def _base(buffer: str) -> str:
    return buffer.partition("[")[0]

"""Type symbols, dtype attributes, and the combinations of types that they allow."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from opgen.facts.dtypes import ALIASES, DTYPES, SUB_BYTE
from opgen.formula.signature import Attr
from opgen.spec.collect import Collector, at, did_you_mean, listed

Combination = tuple[tuple[str, str], ...]

_MAX_ENUMERATED = 4096  # combinations looked at; OPG208 refuses far fewer


@dataclass(frozen=True)
class Types:
    """symbols: type symbol -> the types it can be. choices: dtype attribute -> the same. count: of combinations.
    combinations: none when there are too many to look at."""

    symbols: dict[str, tuple[str, ...]] = field(default_factory=dict)
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    count: int = 1
    combinations: tuple[Combination, ...] = ((),)

    def of(self, dtype: str) -> tuple[str, ...]:
        """The types that a tensor's `dtype` can be."""
        return self.symbols.get(dtype) or self.choices.get(dtype) or (dtype,)

    def known(self, dtype: str) -> bool:
        return dtype in DTYPES or dtype in self.symbols or dtype in self.choices


def build_types(data: Any, attrs: tuple[Attr, ...], pointer: str, out: Collector) -> Types:
    """`dtypes` of an operator, in either form, or None, with its dtype attributes. The form is right already."""
    rows: list[dict[str, Any]] = [data] if isinstance(data, dict) else data or [{}]
    names = list(rows[0])
    for number, row in enumerate(rows):
        if set(row) != set(names):
            missing = [name for name in names if name not in row]
            added = [name for name in row if name not in names]
            says = f"it lacks {listed(missing)}" if missing else f"it adds {listed(added)}"
            why = "A row of the table says one type, or one list of types, for every symbol."
            out.add(
                "OPG201",
                at(pointer, number),
                f"this row names other symbols: {says}",
                why,
                "Name all symbols in each row.",
            )
    symbols: dict[str, tuple[str, ...]] = {
        name: tuple(dict.fromkeys(itertools.chain.from_iterable(_cell(row.get(name)) for row in rows)))
        for name in names
    }
    choices = {a.name: tuple(str(v) for v in a.values) for a in attrs if a.type == "dtype"}
    columns = [[_cell(row.get(name)) for name in names] + list(choices.values()) for row in rows]
    count = sum(math.prod(len(cell) for cell in row) for row in columns)
    combinations: tuple[Combination, ...] = ()
    if count <= _MAX_ENUMERATED:
        keys = [*names, *choices]
        found = (tuple(zip(keys, chosen, strict=True)) for row in columns for chosen in itertools.product(*row))
        combinations = tuple(dict.fromkeys(found))
        count = len(combinations)
    return Types(symbols, choices, count, combinations)


def _cell(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value)


def unknown_type(word: str, types: Types) -> tuple[str, str, str]:
    """what, why and fix for a `dtype` that is nothing known."""
    fix = f"Types: {', '.join(DTYPES)}."
    if word.casefold() in SUB_BYTE or word.casefold().rstrip("0123456789") == "float8_e":
        why = "GE's tensor sizes and TileLang's copies count whole bytes."
        return f"`{word}` is smaller than a byte", why, f"Use int8 or uint8. {fix}"
    known = [*DTYPES, *types.symbols, *types.choices]
    alias = ALIASES.get(word.casefold())
    near = f"Did you mean `{alias}`?" if alias else did_you_mean(word, known)
    why = "A tensor's dtype is a type, a symbol of `dtypes`, or an attribute of type dtype."
    symbols = [*types.symbols, *types.choices]
    named = f" Declared here: {listed(symbols)}." if symbols else ""
    return f"unknown type `{word}`", why, f"{near} {fix}{named}".strip()


def undetermined(types: Types, bound: set[str], symbol: str) -> bool:
    """Whether the type of `symbol` does not follow from the symbols and attributes in `bound`."""
    seen: dict[Combination, str] = {}
    for combination in types.combinations:
        key = tuple(pair for pair in combination if pair[0] in bound)
        if seen.setdefault(key, dict(combination)[symbol]) != dict(combination)[symbol]:
            return True
    return False


def kinds(names: tuple[str, ...]) -> Iterator[str]:
    """The kinds that types have, each once."""
    yield from dict.fromkeys(DTYPES[name].kind for name in names)

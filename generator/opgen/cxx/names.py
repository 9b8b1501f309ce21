"""Names of generated C++."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.facts.dtypes import DTYPES


def guard(*parts: str) -> str:
    """Include guard of a file: guard("axpy_custom", "ge", "axpy_custom.h")."""
    return "".join(c.upper() if c.isalnum() else "_" for c in "_".join(parts)) + "_"


def ge_type(dtype: str) -> str:
    """`ge::DT_FLOAT`"""
    return f"ge::{DTYPES[dtype].ge}"


def distinct(names: Iterable[str], taken: Iterable[str] = ()) -> tuple[str, ...]:
    """The names with underscores appended where they meet one of `taken` or an earlier one."""
    used = set(taken)
    result = []
    for name in names:
        while name in used:
            name += "_"
        used.add(name)
        result.append(name)
    return tuple(result)


class Names:
    """Hands out identifiers, each once."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def new(self, *wishes: str) -> str:
        """The first wish that is free, else the last one with a number."""
        for wish in wishes:
            if wish not in self._taken:
                self._taken.add(wish)
                return wish
        number = 2
        while f"{wishes[-1]}{number}" in self._taken:
            number += 1
        return self.new(f"{wishes[-1]}{number}")

"""Scratch buffers of kernels that one script holds: it has all of them, whichever types or options it is built for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from opgen.formula.signature import Variant
from opgen.kernel.memory import Held, Layout


def shared(layouts: Mapping[Variant, Layout]) -> dict[Variant, Layout]:
    """The layouts with as few scratch buffers in all as the neediest of them has of a type, each with those that it
    does not use at its end. Kernels without the same inputs are functions of their own, which share nothing."""
    result = dict(layouts)
    for absent in dict.fromkeys(variant.absent for variant in layouts):
        together = {v: held for v, held in layouts.items() if v.absent == absent}
        result |= _with_spare(_renamed(together))
    return result


def _renamed(layouts: Mapping[Variant, Layout]) -> dict[Variant, Layout]:
    """Each layout with the buffers of those before it in place of its own, as far as they go: those first that hold
    values of the same names."""
    pool: dict[str, Held] = {}
    hints: dict[str, set[str]] = {}
    result = {}
    for variant, layout in layouts.items():
        values = _values(layout)
        own = [held for held in layout.buffers if not held.slotted]
        free = [held for name, held in pool.items() if name not in values]
        change: dict[str, Held] = {}
        for held in own:
            likes = [other for other in free if (other.dtype, other.form) == (held.dtype, held.form)]
            mine = values[held.name]
            taken = held
            if held.name not in pool and likes:
                taken = _likest(likes, hints, mine)
                free.remove(taken)
                change[held.name] = taken
            pool[taken.name] = taken
            hints.setdefault(taken.name, set()).update(mine)
        buffers = tuple(change.get(held.name, held) for held in layout.buffers)
        place = {register: change.get(held.name, held) for register, held in layout.place.items()}
        result[variant] = replace(layout, buffers=buffers, place=place)
    return result


def _likest(likes: list[Held], hints: Mapping[str, set[str]], mine: set[str]) -> Held:
    """The buffer that most of these values are in elsewhere, else the first."""
    return max(likes, key=lambda other: len(mine & hints[other.name]))


def _values(layout: Layout) -> dict[str, set[str]]:
    """What the values in each buffer are called."""
    values: dict[str, set[str]] = {held.name: set() for held in layout.buffers}
    for register, held in layout.place.items():
        values[held.name].add(register.hint)
    return values


def _with_spare(layouts: Mapping[Variant, Layout]) -> dict[Variant, Layout]:
    every = {held.name: held for layout in layouts.values() for held in layout.buffers if not held.slotted}
    result = {}
    for variant, layout in layouts.items():
        mine = {held.name for held in layout.buffers}
        spare = tuple(held for name, held in every.items() if name not in mine)
        result[variant] = replace(layout, buffers=(*layout.buffers, *spare))
    return result

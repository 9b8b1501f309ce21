"""Scratch buffers of the kernels that one script holds: values that are the same are in buffers of the same name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from opgen.formula.signature import Variant
from opgen.kernel.memory import Held, Layout
from opgen.kernel.vector import Instruction, Program, Register

Pool = dict[str, Held]
Wanted = Mapping[Register, Held]


def laid_out(
    programs: Mapping[Variant, Program], allocate: Callable[[Program, Wanted], Layout], taken: Collection[str]
) -> dict[Variant, Layout]:
    """The programs with their values on chip. A kernel without some inputs wants the places of that with all of them.

    allocate: finds places for one program, those that are wanted where it can. taken: names that buffers must not have.
    """
    layouts: dict[Variant, Layout] = {}
    for variant in sorted(programs, key=lambda v: len(v.absent)):
        whole = next(
            (v for v in layouts if not v.absent and (v.types, v.attrs) == (variant.types, variant.attrs)), None
        )
        wanted = {} if whole is None else dict(_places(programs[variant], layouts[whole]))
        layouts[variant] = allocate(programs[variant], wanted)
    return shared({variant: layouts[variant] for variant in programs}, taken)


def _places(program: Program, model: Layout) -> Iterator[tuple[Register, Held]]:
    for one, other in _pairs(program, model.program, _what_of):
        yield one.target, model.place[other.target]


def shared(layouts: Mapping[Variant, Layout], taken: Collection[str]) -> dict[Variant, Layout]:
    """The layouts with scratch buffers renamed after those of the variants before them, whose instructions are the most
    alike. taken: names that buffers must not have."""
    pool: Pool = {}
    result: dict[Variant, Layout] = {}
    for variant in sorted(layouts, key=lambda v: len(v.absent)):
        model = max(result, key=lambda other: _likeness(variant, other), default=None)
        result[variant] = _renamed(layouts[variant], None if model is None else result[model], pool, taken)
    return {variant: result[variant] for variant in layouts}


def _likeness(one: Variant, other: Variant) -> tuple[bool, bool, int]:
    return one.types == other.types, one.attrs == other.attrs, -len({*one.absent} ^ {*other.absent})


def _renamed(layout: Layout, model: Layout | None, pool: Pool, taken: Collection[str]) -> Layout:
    change: dict[str, Held] = {}
    left = dict(pool)
    if model is not None:
        for (mine, other), _ in Counter(_alike(layout, model)).most_common():
            if mine not in change and other in left:
                change[mine] = left.pop(other)
    for held in layout.buffers:
        if held.tensor or held.name in change:
            continue
        alike = [other for other in left.values() if _kind(other) == _kind(held)]
        name = held.name if held.name not in pool else _fresh(held.name, {*pool, *taken})
        change[held.name] = left.pop(alike[0].name) if alike else replace(held, name=name)
        pool[change[held.name].name] = change[held.name]
    buffers = tuple(change.get(held.name, held) for held in layout.buffers)
    place = {register: change.get(held.name, held) for register, held in layout.place.items()}
    return replace(layout, buffers=buffers, place=place)


def _alike(layout: Layout, model: Layout) -> Iterator[tuple[str, str]]:
    """Scratch buffers of the two that instructions that do the same name at the same place, each time that they do."""
    for what, weight in ((_what, 1), (_what_of, 4)):
        for one, other in _pairs(layout.program, model.program, what):
            for a, b in zip(_registers(one), _registers(other), strict=False):
                held, named = layout.place[a], model.place[b]
                if not held.tensor and not named.tensor and _kind(held) == _kind(named):
                    yield from ((held.name, named.name) for _ in range(weight))


def _pairs(
    program: Program, other: Program, what: Callable[[Instruction], object]
) -> Iterator[tuple[Instruction, Instruction]]:
    """Instructions of the two that do the same, in order."""
    mine, others = list(program.instructions()), list(other.instructions())
    matcher = SequenceMatcher(None, [what(i) for i in mine], [what(i) for i in others], autojunk=False)
    for first, second, length in matcher.get_matching_blocks():
        yield from zip(mine[first : first + length], others[second : second + length], strict=True)


def _what(instruction: Instruction) -> tuple[object, ...]:
    return instruction.op, instruction.mode, instruction.target.dtype, instruction.target.form, instruction.line


def _what_of(instruction: Instruction) -> tuple[object, ...]:
    """The same with the names that the values go back to, which tell gamma's broadcast from beta's."""
    return *_what(instruction), *(register.hint for register in _registers(instruction))


def _registers(instruction: Instruction) -> tuple[Register, ...]:
    return instruction.target, *instruction.reads


def _kind(held: Held) -> tuple[str, str]:
    return held.dtype, held.form


def _fresh(name: str, taken: Collection[str]) -> str:
    """ "work2_f32" -> "work3_f32", or the next number that is free."""
    stem, _, suffix = name.rpartition("_")
    stem, number = stem.rstrip("0123456789"), 2
    while f"{stem}{number}_{suffix}" in taken:
        number += 1
    return f"{stem}{number}_{suffix}"

"""Scratch buffers of the kernels that one script holds: values that are the same are in buffers of the same name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from opgen.formula.signature import Variant
from opgen.kernel.memory import MASK_STEM, STEMS, SUFFIX, Held, Layout, stem_of
from opgen.kernel.scalar import const
from opgen.kernel.vector import Instruction, Program, Register

Pool = dict[str, Held]
Wanted = Mapping[Register, Held]
_USUAL = (8, 512)  # rows and columns of a tile that memory is compared at


def laid_out(
    programs: Mapping[Variant, Program], allocate: Callable[[Program, Wanted], Layout], taken: Collection[str]
) -> dict[Variant, Layout]:
    """The programs with their values on chip, at the same places where that costs no memory: a kernel of other types
    wants those of the kernel that holds the most, and one without some inputs those of the same with all of them.

    allocate: finds places for one program, those that are wanted where it can. taken: names that buffers must not have.
    """
    layouts = {variant: allocate(programs[variant], {}) for variant in programs if not variant.absent}
    fullest = max(layouts, key=lambda v: (_scratch(layouts[v]), len(programs[v].body)), default=None)
    for variant in layouts:
        if fullest is not None and variant != fullest:
            alike = allocate(programs[variant], dict(_places(programs[variant], layouts[fullest])))
            if _needs(alike) <= _needs(layouts[variant]):
                layouts[variant] = alike
    for variant in sorted(programs.keys() - layouts.keys(), key=lambda v: len(v.absent)):
        whole = next(v for v in layouts if not v.absent and (v.types, v.attrs) == (variant.types, variant.attrs))
        layouts[variant] = allocate(programs[variant], dict(_places(programs[variant], layouts[whole])))
    return shared({variant: layouts[variant] for variant in programs}, taken)


def _needs(layout: Layout) -> tuple[int, int]:
    """Instructions, and bytes on chip."""
    return len(layout.program.body), layout.bytes(_USUAL, 2)


def _scratch(layout: Layout) -> int:
    return sum(not held.tensor for held in layout.buffers)


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
    return _called({variant: result[variant] for variant in layouts}, taken)


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
        name = held.name if held.name not in pool else fresh(held.name, {*pool, *taken})
        change[held.name] = left.pop(alike[0].name) if alike else replace(held, name=name)
        pool[change[held.name].name] = change[held.name]
    return _with(layout, change)


def _alike(layout: Layout, model: Layout) -> Iterator[tuple[str, str]]:
    """Scratch buffers of the two that instructions that do the same name at the same place, each time that they do."""
    for what, weight in ((_what, 1), (_what_of, 4)):
        for one, other in _pairs(layout.program, model.program, what):
            for a, b in zip(_registers(one), _registers(other), strict=False):
                held, named = layout.place[a], model.place[b]
                if not held.tensor and not named.tensor and _kind(held) == _kind(named):
                    yield from ((held.name, named.name) for _ in range(weight))


def _called(layouts: Mapping[Variant, Layout], taken: Collection[str]) -> dict[Variant, Layout]:
    """The layouts with buffers that are called by their form called after what they hold, if that is one thing."""
    held = {b.name: b for layout in layouts.values() for b in layout.buffers if not b.tensor}
    names = {name: name for name in held if not generic(name)}
    used = {*taken, *names.values(), *(b.name for layout in layouts.values() for b in layout.buffers if b.tensor)}
    words = {name: _word(layouts.values(), name) for name in held if name not in names}
    for name, word in words.items():
        own = f"{word}_{SUFFIX[held[name].dtype]}"
        if word and own not in used:
            names[name] = own
            used.add(own)
    for name in words:
        if name not in names:
            stem = stem_of(held[name].dtype, held[name].form)
            first = f"{stem}_{SUFFIX[held[name].dtype]}"
            names[name] = fresh(first, used) if first in used else first
            used.add(names[name])
    change = {name: replace(buffer, name=names[name]) for name, buffer in held.items()}
    return {variant: _with(layout, change) for variant, layout in layouts.items()}


def _with(layout: Layout, change: Mapping[str, Held]) -> Layout:
    """The layout with other scratch buffers."""
    buffers = tuple(change.get(held.name, held) for held in layout.buffers)
    place = {register: change.get(held.name, held) for register, held in layout.place.items()}
    return replace(layout, buffers=buffers, place=place)


def _word(layouts: Iterable[Layout], name: str) -> str:
    """What a buffer holds in all layouts that have it; nothing when that is several things."""
    holding = [layout for layout in layouts if any(b.name == name for b in layout.buffers)]
    words = {_held_in(layout, name) for layout in holding}
    return words.pop() if len(words) == 1 else ""


def _held_in(layout: Layout, name: str) -> str:
    """An input's values as they are brought to another type, and what they become in place; or one value."""
    program, place = layout.program, layout.place
    inside = [i for i in program.instructions() if place[i.target].name == name]
    inside = [i for i in inside if not i.padding] or inside
    if all(i.op == "fill" and i.operands == (const(1.0),) for i in inside):
        return "ones"
    first, *others = inside
    hint = first.target.hint
    loads = {x.register: x.tensor for x in (*program.loads, *program.vectors)}
    given = hint in {"inside", *loads.values()}
    grows = all(name in {place[r].name for r in i.reads} for i in others)
    if first.op == "cast" and first.reads[0] in loads and grows:
        return loads[first.reads[0]]
    if given and {i.target.hint for i in inside} == {hint}:
        return hint
    hinted = [i.target for i in inside if i.target.hint == hint] if grows else []
    return "" if _values(program, hint).isdisjoint(hinted) else hint


def _values(program: Program, hint: str) -> set[Register]:
    """Registers that hold what the formula calls so, before and after the casts to its type."""
    made = {i.target: i for i in program.instructions()}
    mine = [i for i in made.values() if i.target.hint == hint]
    last = [i for i in mine if i.line == min(i.line for i in mine)][-1]
    found = {last.target}
    while last.op == "cast" and last.reads[0] in made:
        last = made[last.reads[0]]
        found.add(last.target)
    return found


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


def generic(name: str) -> bool:
    """Whether a buffer is called by its form, not by what it holds."""
    return name.rpartition("_")[0].rstrip("0123456789") in (*STEMS.values(), MASK_STEM)


def fresh(name: str, taken: Collection[str]) -> str:
    """ "work2_f32" -> "work3_f32", or the next number that is free."""
    stem, _, suffix = name.rpartition("_")
    stem, number = stem.rstrip("0123456789"), 2
    while f"{stem}{number}_{suffix}" in taken:
        number += 1
    return f"{stem}{number}_{suffix}"

"""Tiles and on-chip memory of a generated kernel, from its plan."""

from __future__ import annotations

from opgen.docs import markdown
from opgen.docs.markdown import code
from opgen.docs.phrases import Language
from opgen.docs.subject import Subject
from opgen.docs.wording import grouped, with_labels
from opgen.facts.socs import PLATFORMS
from opgen.formula.signature import Variant
from opgen.kernel.plan import Buffer, VariantPlan

Memory = tuple[tuple[Buffer, ...], int, int]  # buffers, bytes of the compiler's own, bytes in all
MANY = 4  # kernels, from which on a table has one row for each


def _plans(subject: Subject) -> dict[Variant, VariantPlan]:
    return {plan.variant: plan for plan in subject.plan.variants}


def tiling(subject: Subject, language: Language) -> str:
    plans = _plans(subject)
    variants = [plan.variant for plan in subject.plan.variants]
    tiles = grouped(language, subject, variants, lambda v: (plans[v].tile, plans[v].rows, plans[v].columns))
    sizes = [tile for (tile, _, _), _ in tiles]
    many = _many([labels for _, labels in tiles], language)
    texts = (
        [language.say("tiling.range", low=min(sizes), high=max(sizes))]
        if many
        else [with_labels(_tile(tile, language), labels, language, len(tiles) == 1) for tile, labels in tiles]
    )
    slots = grouped(language, subject, variants, lambda v: plans[v].slots)
    buffering = [
        with_labels(language.say("tiling.double" if n == 2 else "tiling.single"), labels, language, len(slots) == 1)
        for n, labels in slots
    ]
    tiled = "tiling.tiles" if subject.plan.fixed else "tiling.tiles.most"
    parts = [
        language.say(tiled, tiles=language.one_of(texts)),
        language.one_of(buffering),
        language.say("tiling.cores", cores=subject.plan.cores),
    ]
    return language.parts(parts)


def _tile(tile: tuple[int, int, int], language: Language) -> str:
    """Elements, or in the rows schedule rows and columns."""
    elements, rows, columns = tile
    if rows:
        return language.counted("tiling.rows", rows, count=rows, columns=columns)
    return language.say("tiling.elements", count=elements)


def _many(groups: list[list[str]], language: Language) -> bool:
    """Whether the labels of the groups are too much for a sentence."""
    labels = [label for group in groups for label in group]
    return len(groups) > 1 and (len(labels) > MANY or any(language.parts(["", ""]) in label for label in labels))


def memory_sentence(subject: Subject, language: Language) -> str:
    if _on_cube(subject):
        return language.say("memory.sentence.cube")
    return language.say("memory.sentence", budget=subject.plan.budget)


def _on_cube(subject: Subject) -> bool:
    """Whether the cube core's memories hold the buffers."""
    return subject.plan.schedule == "matmul"


def memory(subject: Subject, language: Language) -> str:
    if _on_cube(subject):
        return _cube_memory(subject, language)
    plans = _plans(subject)
    used = grouped(language, subject, [p.variant for p in subject.plan.variants], lambda v: plans[v].used)
    sizes = [size for size, _ in used]
    many = _many([labels for _, labels in used], language)
    texts = (
        [language.say("memory.range", low=min(sizes), high=max(sizes))]
        if many
        else [
            with_labels(language.say("memory.bytes", count=n), labels, language, len(used) == 1) for n, labels in used
        ]
    )
    return language.say("memory.value", used=language.one_of(texts), budget=subject.plan.budget)


def _cube_memory(subject: Subject, language: Language) -> str:
    """What the sample's kernel takes of each memory."""
    budgets = PLATFORMS[subject.spec.platform]
    of = {"L1": budgets.l1, "L0A": budgets.l0a, "L0B": budgets.l0b, "L0C": budgets.l0c, "UB": budgets.unified_buffer}
    used: dict[str, int] = {}
    for buffer in _plans(subject)[subject.variant].buffers:
        used[buffer.memory] = used.get(buffer.memory, 0) + buffer.bytes
    if "UB" in used:
        used["UB"] += _plans(subject)[subject.variant].scratch
    values = [language.say("memory.of", memory=name, used=used[name], budget=of[name]) for name in of if name in used]
    return language.parts(values)


def memory_table(subject: Subject, language: Language) -> str:
    """The buffers of every kernel; kernels with the same buffers share their rows."""
    say, plans, cube = language.say, _plans(subject), _on_cube(subject)
    variants = [plan.variant for plan in subject.plan.variants]
    groups = grouped(language, subject, variants, lambda v: (plans[v].buffers, plans[v].scratch, plans[v].used))
    if len(groups) > MANY and not cube:
        return _memory_rows(groups, language)
    header = ["column.buffer", "column.dtype", "column.elements", "column.slots", "column.bytes"]
    rows: list[list[str]] = []
    none = say("none.given")
    for (buffers, scratch, used), labels in groups:
        lines = [[code(b.name), b.dtype, str(b.elements), str(b.slots), str(b.bytes)] for b in buffers]
        if cube:
            lines = [[*line, buffer.memory] for line, buffer in zip(lines, buffers, strict=True)]
            lines += [[say("memory.scratch"), none, none, none, str(scratch), "UB"]] if scratch else []
        else:
            lines += [[what, none, none, none, str(size)] for what, size in _others(buffers, scratch, used, language)]
            lines.append([say("memory.total"), none, none, none, str(used)])
        rows += [[language.clauses(labels), *line] for line in lines] if len(groups) > 1 else lines
    if cube:
        header.append("column.memory")
    if len(groups) > 1:
        header.insert(0, "column.variant")
    return markdown.table([say(name) for name in header], rows)


def _others(buffers: tuple[Buffer, ...], scratch: int, used: int, language: Language) -> list[tuple[str, int]]:
    """What takes memory beside the buffers, with its bytes: tensors of one element, the compiler."""
    scalars = used - scratch - sum(buffer.bytes for buffer in buffers)
    found = [(language.say("memory.scalars"), scalars), (language.say("memory.scratch"), scratch)]
    return [(what, size) for what, size in found if size]


def _memory_rows(groups: list[tuple[Memory, list[str]]], language: Language) -> str:
    """As `memory_table`, with one row a kernel."""
    header = ("column.variant", "column.buffers", "column.bytes")
    rows = []
    for (buffers, scratch, used), labels in groups:
        cell = [f"{code(b.name)} {b.slots} × {b.elements} {b.dtype}" for b in buffers]
        cell += [f"{what} {size}" for what, size in _others(buffers, scratch, used, language)]
        rows.append((language.clauses(labels), language.listing(cell), str(used)))
    return markdown.table([language.say(name) for name in header], rows)

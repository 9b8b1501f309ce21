"""Operator specification: the tensors and attributes, and what follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from opgen.docs import markdown
from opgen.docs.markdown import code, codes
from opgen.docs.phrases import Language
from opgen.docs.sections.overview import one_line_formula
from opgen.docs.sections.pipeline import kernel_file
from opgen.docs.subject import Subject, named_dims, rest_only, scientific, shape_text, value_text
from opgen.docs.wording import grouped, key_parts, names, phrase_of, sizes_part
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Dim, Tensor
from opgen.formula.sizes import Size, show
from opgen.kernel.plan import Buffer, VariantPlan

Row = tuple[str, str]
Memory = tuple[tuple[Buffer, ...], int, int]  # buffers, bytes of the compiler's own, bytes in all
MANY = 4  # kernels, from which on a table has one row for each


@dataclass(frozen=True)
class Specification:
    """One operator. heading: its type in a library, else "". tensors, facts: tables. formula: several lines, else "".
    combinations: table of types, else "". memory: table, else "", with its sentence."""

    heading: str
    tensors: str
    formula: str
    facts: str
    combinations: str
    memory_sentence: str
    memory: str


def specification(subject: Subject, language: Language, library: bool) -> Specification:
    generated = subject.interface.generated
    return Specification(
        heading=code(subject.operator.type) if library else "",
        tensors=_tensors(subject, language),
        formula="" if one_line_formula(subject) or subject.operator.formula is None else subject.operator.compute.strip(),
        facts=markdown.table((language.say("column.item"), language.say("column.content")), _facts(subject, language)),
        combinations="" if subject.free_choice else _combinations(subject),
        memory_sentence=language.say("memory.sentence", budget=subject.plan.budget) if generated else "",
        memory=_memory_table(subject, language) if generated else "",
    )


# Tensors and attributes


def _tensors(subject: Subject, language: Language) -> str:
    operator = subject.operator
    header = ("column.name", "column.kind", "column.dtype", "column.shape", "column.format", "column.meaning")
    rows = [_tensor(subject, tensor, language) for tensor in (*operator.inputs, *operator.outputs)]
    rows += [_attr(attr, language) for attr in operator.attrs]
    return markdown.table([language.say(name) for name in header], rows)


def _tensor(subject: Subject, tensor: Tensor, language: Language) -> tuple[str, ...]:
    kind = f"kind.{tensor.role}"
    if tensor.inplace:
        kind += ".inplace"
    elif tensor.optional:
        kind += ".optional"
    clauses = [phrase_of(language, tensor.doc)]
    if tensor.optional:
        clauses.append(language.say("default.input", value=value_text(tensor.default)))
    if tensor.role == "input":
        clauses.append(_element_range(subject, tensor, language))
    return (code(tensor.name), language.say(kind), tensor.dtype, _shape(subject, tensor, language), "ND", _cell(clauses, language))


def _cell(clauses: list[str], language: Language) -> str:
    return language.clauses([clause for clause in clauses if clause]) or language.say("none.given")


def _shape(subject: Subject, tensor: Tensor, language: Language) -> str:
    first = next((t for t in subject.operator.inputs if rest_only(t)), None)
    if not tensor.shape:
        text = language.say("shapes.scalar")
    elif rest_only(tensor) and first is not None:
        text = language.say("shape.any") if first.name == tensor.name else language.say("shape.like", name=code(first.name))
    else:
        text = code(shape_text(tensor.shape))
    if tensor.count is None:
        return text
    return language.say("shape.list", count=code(show(tensor.count)), shape=text)


def _element_range(subject: Subject, tensor: Tensor, language: Language) -> str:
    """The limits of the elements, if op.yaml gives any."""
    low, high = tensor.low, tensor.high
    usual = {_usual_range(dtype) for dtype in subject.types(tensor.dtype)}
    if low is None or high is None or (low, high) in usual:
        return ""
    limits = language.say("range.both", low=_limit(low), high=_limit(high))
    return language.say("range.elements", range=limits)


def _usual_range(dtype: str) -> tuple[int | float, int | float]:
    """Limits of the elements that op.yaml leaves open (OPYAML.md, section 1)."""
    found = DTYPES.get(dtype)
    if found is None or found.kind == "float":
        return -2, 2
    if found.kind == "bool":
        return 0, 1
    return (-100, 100) if found.low < 0 else (0, 100)


def _limit(value: int | float | Size) -> str:
    return code(show(value)) if isinstance(value, Size) else value_text(value)


def _attr(attr: Attr, language: Language) -> tuple[str, ...]:
    kind = "kind.attr" if attr.required else "kind.attr.optional"
    clauses = [phrase_of(language, attr.doc)]
    if attr.values:
        clauses.append(language.say("values", values=language.one_of([_value(v) for v in attr.values])))
    clauses.append(_range(attr.min, attr.max, language))
    if attr.default is not None:
        clauses.append(language.say("default.attr", value=_value(attr.default)))
    none = language.say("none.given")
    return (code(attr.name), language.say(kind), attr.type, none, none, _cell(clauses, language))


def _value(value: object) -> str:
    """A value in a sentence: numbers plain, everything else as code."""
    text = value_text(value)  # type: ignore[arg-type]
    return text if isinstance(value, (int, float)) and not isinstance(value, bool) else code(text)


def _range(low: int | float | None, high: int | float | None, language: Language) -> str:
    if low is not None and high is not None:
        return language.say("range.both", low=value_text(low), high=value_text(high))
    if low is not None:
        return language.say("range.low", low=value_text(low))
    return language.say("range.high", high=value_text(high)) if high is not None else ""


def _combinations(subject: Subject) -> str:
    names = subject.interface.symbols
    return markdown.table(names, [[dict(row)[name] for name in names] for row in subject.operator.combinations])


# Facts


def _facts(subject: Subject, language: Language) -> list[Row]:
    generated = subject.interface.generated
    rows = [
        *_formula(subject, language),
        *_types(subject, language),
        *[_dim(subject, dim, language) for dim in named_dims(subject.operator)],
        _elements(subject, language),
        (language.say("compiled.row"), _compiled(subject, language)),
        (language.say("runtime.row"), _runtime(subject, language)),
        (language.say("key.row"), _key(subject, language)),
        (language.say("kernel.row"), _kernel(subject, language)),
    ]
    if subject.operator.tiling.workspace is not None:
        size = code(show(subject.operator.tiling.workspace))
        rows.append((language.say("workspace.row"), language.say("workspace.value", bytes=size)))
    if generated:
        rows += [
            (language.say("tiling.row"), _tiling(subject, language)),
            (language.say("memory.row"), _memory(subject, language)),
        ]
    return [*rows, (language.say("precision.row"), _precision(subject, language)), _case(subject, language)]


def _formula(subject: Subject, language: Language) -> list[Row]:
    operator = subject.operator
    title = language.say("formula")
    if operator.formula is None:
        if operator.reference is not None:
            return [(title, language.say("formula.reference", file=code(operator.reference)))]
        return [(title, language.say("formula.none", file=code(operator.kernel or "")))]
    line = one_line_formula(subject)
    return [(title, code(line))] if line else []


def _types(subject: Subject, language: Language) -> list[Row]:
    if not subject.free_choice:
        return []
    return [
        (language.say("type.row", name=name), language.listing(subject.types(name)))
        for name in subject.interface.symbols
    ]


def _dim(subject: Subject, dim: Dim, language: Language) -> Row:
    say = language.say
    clauses = [phrase_of(language, dim.doc)]
    if dim.fixed or len(dim.values) == 1:
        clauses.append(say("values.fixed", value=str(dim.default)))
    elif dim.values:
        clauses.append(say("values", values=language.one_of([str(v) for v in dim.values])))
    else:
        clauses.append(_range(dim.min, dim.max, language))
    if dim.multiple_of != 1:
        clauses.append(say("multiple", number=dim.multiple_of))
    if dim.dynamic:
        clauses.append(say("dim.dynamic"))
    return say("dim.row", name=code(dim.name)), _cell(clauses, language)


def _elements(subject: Subject, language: Language) -> Row:
    limit = subject.plan.max_elements
    clauses = []
    if subject.interface.generated:
        values = subject.interface.dims[0].values
        if values:
            clauses.append(language.one_of([str(value) for value in values]))
        elif limit is not None:
            clauses.append(language.say("range.both", low=_fewest(subject), high=_most(subject, limit)))
    clauses.append(language.say("elements.empty"))
    return language.say("elements.row"), language.clauses(clauses)


def _fewest(subject: Subject) -> int:
    """The least number of elements that the dims allow."""
    return math.prod(min(d.values) if d.values else (int(str(d.default)) if d.fixed else max(d.min, d.multiple_of)) for d in named_dims(subject.operator))


def _most(subject: Subject, limit: int) -> int:
    """The greatest number of elements that the dims and the kernel allow."""
    product = 1
    for dim in subject.operator.dims:
        highest = dim.default if dim.fixed else max(dim.values, default=dim.max)
        if not isinstance(highest, int):
            return limit
        product *= highest
    return min(product, limit)


def _compiled(subject: Subject, language: Language) -> str:
    interface = subject.interface
    facts = list(interface.symbols)
    facts += _size_facts(subject, language, dynamic=False)
    facts += codes(a.name for a in interface.options)
    optional = [t.name for t in interface.optional]
    if optional:
        facts.append(language.say("fact.absent", names=names(language, optional)))
    return language.listing(facts) or language.say("nothing")


def _runtime(subject: Subject, language: Language) -> str:
    facts = codes(a.name for a in subject.operator.dynamic_attrs) + _size_facts(subject, language, dynamic=True)
    return language.listing(facts) or language.say("nothing")


def _size_facts(subject: Subject, language: Language, dynamic: bool) -> list[str]:
    sizes = [d.name for d in subject.interface.dims if d.dynamic == dynamic]
    if subject.interface.generated:
        return [language.say("fact.elements") for _ in sizes]
    return codes(sizes)


def _key(subject: Subject, language: Language) -> str:
    parts = _everything_in_key(subject, language)
    key = code(subject.key)
    clauses = [language.say("key.value", key=key, parts=language.all_of(parts)) if parts else language.say("key.alone", key=key)]
    if subject.spec.scenario == "eager":
        clauses.append(language.say("key.file", file=code(kernel_file(subject, subject.variant, subject.sizes))))
        if len(subject.kernels) > 1:
            clauses.append(language.say("key.count", count=len(subject.kernels)))
    return language.clauses(clauses)


def _everything_in_key(subject: Subject, language: Language) -> list[str]:
    """What the key names, also what has one value only."""
    parts = key_parts(language, subject)
    symbols, sizes = subject.interface.symbols, [d for d in subject.interface.dims if not d.dynamic]
    if symbols and not subject.chosen_symbols:
        parts.insert(0, language.counted("part.types", len(symbols)))
    if sizes and all(len(d.values) == 1 for d in sizes):
        parts.insert(1 if symbols else 0, sizes_part(language, subject, [d.name for d in sizes]))
    return parts


def _kernel(subject: Subject, language: Language) -> str:
    if subject.interface.generated:
        return language.say("kernel.value")
    return language.say("kernel.user", file=code(subject.interface.script))


def _plans(subject: Subject) -> dict[object, VariantPlan]:
    return {plan.variant: plan for plan in subject.plan.variants}


def _with_labels(text: str, labels: list[str], language: Language, alone: bool) -> str:
    return text if alone else language.say("list.with", text=text, more=language.listing(labels))


def _tiling(subject: Subject, language: Language) -> str:
    plans = _plans(subject)
    variants = [plan.variant for plan in subject.plan.variants]
    tiles = grouped(language, subject, variants, lambda v: plans[v].tile)
    sizes = [tile for tile, _ in tiles]
    many = sum(len(labels) for _, labels in tiles) > MANY and len(tiles) > 1
    texts = [language.say("tiling.range", low=min(sizes), high=max(sizes))] if many else [
        _with_labels(language.say("tiling.elements", count=tile), labels, language, len(tiles) == 1)
        for tile, labels in tiles
    ]
    slots = grouped(language, subject, variants, lambda v: plans[v].slots)
    buffering = [
        _with_labels(language.say("tiling.double" if n == 2 else "tiling.single"), labels, language, len(slots) == 1)
        for n, labels in slots
    ]
    return language.parts([language.say("tiling.tiles", tiles=language.one_of(texts)), language.one_of(buffering)])


def _memory(subject: Subject, language: Language) -> str:
    plans = _plans(subject)
    used = grouped(language, subject, [p.variant for p in subject.plan.variants], lambda v: plans[v].used)
    sizes = [size for size, _ in used]
    many = sum(len(labels) for _, labels in used) > MANY and len(used) > 1
    texts = [language.say("memory.range", low=min(sizes), high=max(sizes))] if many else [
        _with_labels(language.say("memory.bytes", count=n), labels, language, len(used) == 1) for n, labels in used
    ]
    return language.say("memory.value", used=language.one_of(texts), budget=subject.plan.budget)


def _memory_table(subject: Subject, language: Language) -> str:
    """The buffers of every kernel; kernels with the same buffers share their rows."""
    say, plans = language.say, _plans(subject)
    variants = [plan.variant for plan in subject.plan.variants]
    groups = grouped(language, subject, variants, lambda v: (plans[v].buffers, plans[v].scratch, plans[v].used))
    if len(groups) > MANY:
        return _memory_rows(groups, language)
    header = ["column.buffer", "column.dtype", "column.elements", "column.slots", "column.bytes"]
    rows: list[list[str]] = []
    none = say("none.given")
    for (buffers, scratch, used), labels in groups:
        lines = [[code(b.name), b.dtype, str(b.elements), str(b.slots), str(b.bytes)] for b in buffers]
        if scratch:
            lines.append([say("memory.scratch"), none, none, none, str(scratch)])
        lines.append([say("memory.total"), none, none, none, str(used)])
        rows += [[language.listing(labels), *line] for line in lines] if len(groups) > 1 else lines
    if len(groups) > 1:
        header.insert(0, "column.variant")
    return markdown.table([say(name) for name in header], rows)


def _memory_rows(groups: list[tuple[Memory, list[str]]], language: Language) -> str:
    """As `_memory_table`, with one row a kernel."""
    header = ("column.variant", "column.buffers", "column.bytes")
    rows = []
    for (buffers, scratch, used), labels in groups:
        cell = [f"{code(b.name)} {b.slots} × {b.elements} {b.dtype}" for b in buffers]
        if scratch:
            cell.append(f"{language.say('memory.scratch')} {scratch}")
        rows.append((language.listing(labels), language.listing(cell), str(used)))
    return markdown.table([language.say(name) for name in header], rows)


def _precision(subject: Subject, language: Language) -> str:
    if not subject.compared:
        return language.say("precision.none")
    tolerance = dict(subject.operator.tolerance)
    near = [name for name in subject.output_types if tolerance.get(name, 0) > 0]
    exact = [name for name in subject.output_types if name not in near]
    clauses = []
    if near:
        outputs = subject.operator.outputs
        actual = outputs[0].name if len(outputs) == 1 else "actual"
        formula = code(f"abs({actual} - expected) <= t * (1 + abs(expected))")
        texts = [scientific(tolerance[name]) for name in near]
        alone = len(subject.output_types) == 1
        values = language.listing([_with_labels(text, [name], language, alone) for text, name in zip(texts, near, strict=True)])
        clauses.append(language.say("precision.formula", formula=formula, values=values))
    if exact and near:
        clauses.append(language.say("precision.exact.types", types=language.all_of(exact)))
    elif exact:
        clauses.append(language.say("precision.exact"))
    return language.clauses(clauses)


def _case(subject: Subject, language: Language) -> Row:
    """The case that the sample runs: types, sizes, attributes."""
    operator, case = subject.operator, subject.operator.cases[0]
    types = subject.variant.types
    parts = [dtype for _, dtype in types] if len(types) == 1 else codes(f"{name} = {dtype}" for name, dtype in types)
    if all(rest_only(tensor) for tensor in subject.tensors):
        shape = code(shape_text(subject.shape(operator.inputs[0])))
        parts.append(language.say("case.shape", shape=shape))
    else:
        for name, size in case.dims:
            parts.append(code(f"{name} = {shape_text(size) if isinstance(size, tuple) else size}"))
    symbols = subject.interface.symbols
    parts += codes(f"{name} = {value_text(value)}" for name, value in case.attrs if name not in symbols)
    return language.say("case.row"), language.parts(parts)

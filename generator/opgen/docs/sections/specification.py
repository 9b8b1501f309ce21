"""Operator specification: the tensors and attributes, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.docs import markdown
from opgen.docs.markdown import code, codes
from opgen.docs.phrases import Language
from opgen.docs.sections.memory import memory, memory_sentence, memory_table, tiling
from opgen.docs.sections.overview import one_line_formula
from opgen.docs.sections.tensors import cell, limits, tensors
from opgen.docs.subject import Subject, fewest_elements, most_elements, rest_only, scientific, shape_text, value_text
from opgen.docs.wording import key_parts, names, phrase_of, sizes_part, with_labels
from opgen.formula.signature import Dim
from opgen.formula.sizes import show

Row = tuple[str, str]


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
        tensors=tensors(subject, language),
        formula=_lines(subject),
        facts=markdown.table((language.say("column.item"), language.say("column.content")), _facts(subject, language)),
        combinations="" if subject.free_choice else _combinations(subject),
        memory_sentence=memory_sentence(subject, language) if generated else "",
        memory=memory_table(subject, language) if generated else "",
    )


def _lines(subject: Subject) -> str:
    """The formula, when it has several lines."""
    written = subject.operator.formula is not None and one_line_formula(subject) is None
    return subject.operator.compute.strip() if written else ""


def _combinations(subject: Subject) -> str:
    names = subject.interface.symbols
    return markdown.table(names, [[dict(row)[name] for name in names] for row in subject.operator.combinations])


def _facts(subject: Subject, language: Language) -> list[Row]:
    generated = subject.interface.generated
    rows = [
        *_formula(subject, language),
        *_types(subject, language),
        *[_dim(dim, language) for dim in subject.operator.dims if not dim.rest or dim.doc.en],
        _elements(subject, language),
        (language.say("compiled.row"), _compiled(subject, language)),
        (language.say("runtime.row"), _runtime(subject, language)),
        (language.say("key.row"), _key(subject, language)),
        (language.say("kernel.row"), _kernel(subject, language)),
    ]
    if subject.workspace is not None:
        size = code(show(subject.workspace))
        rows.append((language.say("workspace.row"), language.say("workspace.value", bytes=size)))
    if generated:
        rows += [
            (language.say("tiling.row"), tiling(subject, language)),
            (language.say("memory.row"), memory(subject, language)),
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
        (language.counted("type.row", len(subject.types(name)), name=name), language.listing(subject.types(name)))
        for name in subject.interface.symbols
    ]


def _dim(dim: Dim, language: Language) -> Row:
    say = language.say
    clauses = [phrase_of(language, dim.doc)]
    if dim.fixed or len(dim.values) == 1:
        clauses.append(say("values.fixed", value=str(dim.default)))
    elif dim.rest:
        pass  # any number of sizes
    elif dim.values:
        clauses.append(say("values", values=language.one_of([str(v) for v in dim.values])))
    else:
        clauses.append(limits(dim.min, dim.max, language))
    if dim.multiple_of != 1:
        clauses.append(say("multiple", number=dim.multiple_of))
    if dim.dynamic:
        clauses.append(say("dim.dynamic"))
    return say("dim.row", name=code(dim.name)), cell(clauses, language)


def _elements(subject: Subject, language: Language) -> Row:
    limit = subject.plan.max_elements
    clauses = []
    if subject.interface.flat:
        values = subject.interface.dims[0].values
        if values:
            clauses.append(language.one_of([str(value) for value in values]))
        elif limit is not None:
            clauses.append(language.say("range.both", low=fewest_elements(subject), high=most_elements(subject, limit)))
    clauses.append(language.say("elements.empty"))
    return language.say("elements.row"), language.clauses(clauses)


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
    if subject.interface.flat:
        return [language.say("fact.elements") for _ in sizes]
    return codes(sizes)


def _key(subject: Subject, language: Language) -> str:
    parts = _everything_in_key(subject, language)
    key = code(subject.key)
    alone = language.say("key.alone", key=key)
    clauses = [language.say("key.value", key=key, parts=language.all_of(parts)) if parts else alone]
    if subject.spec.scenario == "eager":
        clauses.append(language.say("key.file", file=code(subject.kernel_file(subject.variant, subject.sizes))))
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
        labelled = [with_labels(text, [name], language, alone) for text, name in zip(texts, near, strict=True)]
        values = language.listing(labelled)
        clauses.append(language.say("precision.formula", formula=formula, values=values))
    if exact and near:
        clauses.append(language.say("precision.exact.types", types=language.all_of(exact)))
    elif exact:
        clauses.append(language.say("precision.exact"))
    return language.clauses(clauses)


def _case(subject: Subject, language: Language) -> Row:
    """The case that the sample runs: types, sizes, attributes."""
    case = subject.operator.cases[0]
    types = subject.variant.types
    parts = [dtype for _, dtype in types] if len(types) == 1 else codes(f"{name} = {dtype}" for name, dtype in types)
    if subject.free:
        full = next(tensor for tensor in subject.tensors if rest_only(tensor))
        shape = code(shape_text(subject.shape(full)))
        parts.append(language.say("case.shape", shape=shape))
    else:
        for name, size in case.dims:
            parts.append(code(f"{name} = {shape_text(size) if isinstance(size, tuple) else size}"))
    symbols = subject.interface.symbols
    parts += codes(f"{name} = {value_text(value)}" for name, value in case.attrs if name not in symbols)
    return language.say("case.row"), language.parts(parts)

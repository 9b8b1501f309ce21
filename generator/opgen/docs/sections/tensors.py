"""The table of an operator's inputs, outputs and attributes."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.docs import markdown
from opgen.docs.markdown import code
from opgen.docs.phrases import Language
from opgen.docs.subject import Subject, default_of, rest_only, shape_text, value_text
from opgen.docs.wording import phrase_of
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Tensor
from opgen.formula.sizes import Size, show


def tensors(subject: Subject, language: Language) -> str:
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
        clauses.append(language.say("default.input", value=value_text(default_of(tensor))))
    if tensor.role == "input":
        clauses.append(_element_range(subject, tensor, language))
    return (
        code(tensor.name),
        language.say(kind),
        tensor.dtype,
        _shape(subject, tensor, language),
        "ND",
        cell(clauses, language),
    )


def cell(clauses: list[str], language: Language) -> str:
    return language.clauses([clause for clause in clauses if clause]) or language.say("none.given")


def _shape(subject: Subject, tensor: Tensor, language: Language) -> str:
    first = next((t for t in subject.operator.inputs if rest_only(t)), None)
    if not tensor.shape:
        text = language.say("shapes.scalar")
    elif rest_only(tensor) and first is not None:
        text = (
            language.say("shape.any")
            if first.name == tensor.name
            else language.say("shape.like", name=code(first.name))
        )
    else:
        text = code(shape_text(tensor.shape))
    if tensor.count is None:
        return text
    return language.say("shape.list", count=code(show(tensor.count)), shape=text)


def _element_range(subject: Subject, tensor: Tensor, language: Language) -> str:
    """The limits of the elements, if op.yaml gives any."""
    text = element_limits(tensor, subject.types(tensor.dtype), language)
    return language.say("range.elements", range=text) if text else ""


def element_limits(tensor: Tensor, types: Iterable[str], language: Language) -> str:
    """From the least to the greatest element, if op.yaml says so. types: that the tensor can have."""
    low, high = tensor.low, tensor.high
    if low is None or high is None or (low, high) in {_usual_range(dtype) for dtype in types}:
        return ""
    return language.say("range.both", low=_limit(low), high=_limit(high))


def _usual_range(dtype: str) -> tuple[int | float, int | float]:
    """Limits of the elements that op.yaml leaves open."""
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
    clauses.append(limits(attr.min, attr.max, language))
    if attr.default is not None:
        clauses.append(language.say("default.attr", value=_value(attr.default)))
    none = language.say("none.given")
    return (code(attr.name), language.say(kind), attr.type, none, none, cell(clauses, language))


def _value(value: object) -> str:
    """A value in a sentence: numbers plain, everything else as code."""
    text = value_text(value)  # type: ignore[arg-type]
    return text if isinstance(value, (int, float)) and not isinstance(value, bool) else code(text)


def limits(low: int | float | None, high: int | float | None, language: Language) -> str:
    if low is not None and high is not None:
        return language.say("range.both", low=value_text(low), high=value_text(high))
    if low is not None:
        return language.say("range.low", low=value_text(low))
    return language.say("range.high", high=value_text(high)) if high is not None else ""

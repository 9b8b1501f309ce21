"""Use in your own graph: the C++ that creates a node."""

from __future__ import annotations

import math
from dataclasses import dataclass

from opgen.docs.markdown import code
from opgen.docs.phrases import Language
from opgen.docs.subject import AttrValue, Material, Subject, default_of, value_text
from opgen.docs.wording import names
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Tensor
from opgen.text.escape import cxx_string
from opgen.text.numbers import shortest

WIDTH = 110


@dataclass(frozen=True)
class Usage:
    """package, include, path, deploy: steps, deploy "" without one. snippet: C++. notes: sentences."""

    package: str
    include: str
    snippet: str
    notes: str
    path: str
    deploy: str


def usage(material: Material, language: Language) -> Usage:
    say, scenario = language.say, material.scenario.name
    offline = scenario == "offline"
    if material.library:
        include = say("use.includes")
    else:
        include = say("use.include", header=code(f"output/op_graph/include/{material.first.operator.name}.h"))
    return Usage(
        package=say("use.package.other" if scenario == "eager" else "use.package.one"),
        include=include,
        snippet="\n".join(_node(subject) for subject in material.subjects),
        notes=language.sentences([_notes(subject, language) for subject in material.subjects]),
        path=say("use.path.offline" if offline else "use.path.session"),
        deploy=say("use.deploy") if offline else "",
    )


def _notes(subject: Subject, language: Language) -> str:
    optional = subject.operator.optional_inputs
    if not optional:
        return ""
    defaults = language.all_of([code(f"{t.name} = {value_text(default_of(t))}") for t in optional])
    return language.counted(
        "use.optional", len(optional), names=names(language, [t.name for t in optional]), defaults=defaults
    )


def _node(subject: Subject) -> str:
    """The statement that creates a node of the operator."""
    operator = subject.operator
    head = f'auto {operator.name} = ge::op::{operator.type}("{operator.name}")'
    calls = [call for tensor in operator.inputs for call in _input(subject, tensor)]
    calls += [
        f".create_dynamic_output_{t.name}({subject.count(t)})" for t in subject.new_outputs if t.count is not None
    ]
    calls += [f".set_attr_{attr.name}({_literal(attr, subject.attrs[attr.name])})" for attr in operator.attrs]
    line = head + "".join(calls) + ";"
    if len(line) <= WIDTH:
        return line
    indent = " " * head.index("ge::op")
    return head + "".join(f"\n{indent}    {call}" for call in calls) + ";"


def _input(subject: Subject, tensor: Tensor) -> list[str]:
    if tensor.count is None:
        return [f".set_input_{tensor.name}({tensor.name})"]
    count = subject.count(tensor)
    calls = [f".create_dynamic_input_{tensor.name}({count})"]
    return calls + [f".set_dynamic_input_{tensor.name}({i}, {tensor.name}{i})" for i in range(count)]


def _literal(attr: Attr, value: AttrValue) -> str:
    """The value as set_attr_NAME takes it."""
    if attr.type == "dtype":
        return f"ge::{DTYPES[str(value)].ge}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return cxx_string(value)
    if value == ():  # set_attr_NAME({}) could be any of its overloads
        return f"std::vector<{'float' if attr.type == 'floats' else 'int64_t'}>()"
    if isinstance(value, tuple):
        return "{" + ", ".join(_number(attr, item) for item in value) + "}"
    return _number(attr, value)


def _number(attr: Attr, value: int | float) -> str:
    if attr.type not in ("float", "floats"):
        return str(value)
    if math.isinf(value):
        return f"{'-' if value < 0 else ''}std::numeric_limits<float>::infinity()"
    text = shortest(float(value))
    return text + ("F" if "." in text or "e" in text else ".0F")

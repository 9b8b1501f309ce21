"""Operators of different projects that cannot stand side by side (OPG620)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from opgen.facts.naming import snake
from opgen.spec.model import OpSpec
from opgen.text.findings import Finding

# What an op.yaml may say of its operators, read without YAML: a word too many costs time, and is looked at again.
_TYPES = re.compile(rb"""(?<!\w)op["']?\s*:\s*["']?([A-Za-z_]\w*)""")
_NAME = re.compile(rb"""^["']?name["']?\s*:\s*["']?([A-Za-z_]\w*)""", re.MULTILINE)
_NAMES = re.compile(rb"""^[\s-]*["']?name["']?\s*:\s*["']?([A-Za-z_]\w*)""", re.MULTILINE)
_SEVERAL = re.compile(rb"""^["']?ops["']?\s*:""", re.MULTILINE)


@dataclass(frozen=True)
class Identity:
    """One operator of a project. pointer: of its type in op.yaml."""

    type: str
    name: str
    scenario: str
    pointer: str


def hints(data: bytes) -> frozenset[str]:
    """Keys of an op.yaml: projects that share none cannot collide."""
    types = [match.decode() for match in _TYPES.findall(data)]
    names = [match.decode() for match in (_NAMES if _SEVERAL.search(data) else _NAME).findall(data)]
    return frozenset(word.casefold() for word in (*types, *map(snake, types), *names))


def identities(spec: OpSpec) -> Iterator[Identity]:
    for operator in spec.operators:
        yield Identity(operator.type, operator.name, spec.scenario, f"{operator.pointer}/op")


def collision(one: Identity, other: Identity, project: str) -> Finding | None:
    """What is wrong with `one` beside `other`, which is an operator of the project that is named. The same operator in
    another scenario is no collision."""
    if one.type == other.type:
        if one.scenario != other.scenario:
            return None
        what = f"the operator type `{one.type}` is that of {project} too"
    elif one.type.casefold() == other.type.casefold():
        what = f"the operator type `{one.type}` differs from `{other.type}` in {project} in letter case only"
    elif one.name.casefold() == other.name.casefold():
        what = f"the name `{one.name}` of `{one.type}` is that of `{other.type}` in {project} too"
    else:
        return None
    why = "GE finds an operator by its type, and file names follow from its name, on file systems that ignore case"
    return Finding("OPG620", what, why, "choose another type, or another `name`", pointer=one.pointer)

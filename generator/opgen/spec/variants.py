"""The variants of an operator: one kernel each, but for sizes."""

from __future__ import annotations

import itertools
from collections import OrderedDict

from opgen.formula.infer import resolve
from opgen.formula.ir import TypedFormula
from opgen.formula.signature import Variant
from opgen.spec.binding import closed_values
from opgen.spec.model import Case, Operator

_KEPT = 8  # operators whose typed formulas are remembered; memory stays flat over many projects

# Operator objects are compared as objects: two equal ones may have other formulas' offsets, and hashing one costs more
# than typing its formula. The object is kept with its entry, so that no other one can get its id meanwhile.
_typed: OrderedDict[int, tuple[Operator, dict[Variant, TypedFormula]]] = OrderedDict()


def variants(operator: Operator) -> tuple[Variant, ...]:
    """Types x static attributes with finite values x absent optional inputs. The first is what samples run."""
    sample = dict(operator.cases[0].attrs)
    names, choices = [], []
    for attr in operator.static_attrs:
        values = closed_values(attr)
        if values:
            first = sample[attr.name]
            names.append(attr.name)
            choices.append([first, *(value for value in values if value != first)])
    optional = [tensor.name for tensor in operator.optional_inputs]
    absences = [absent for count in range(len(optional) + 1) for absent in itertools.combinations(optional, count)]
    return tuple(
        Variant(types, tuple(zip(names, chosen, strict=True)), absent)
        for types in operator.combinations
        for chosen in itertools.product(*choices)
        for absent in absences
    )


def case_variant(operator: Operator, case: Case) -> Variant:
    """The variant that a test case runs, with every optional input connected."""
    values = dict(case.attrs)
    closed = tuple((a.name, values[a.name]) for a in operator.static_attrs if a.closed)
    return Variant(case.types, closed)


def typed(operator: Operator, variant: Variant) -> TypedFormula:
    """The formula of a checked operator, typed for a variant. ValueError: the operator has none, or it does not fit."""
    if operator.formula is None:
        raise ValueError(f"{operator.type} has no formula")
    entry = _typed.get(id(operator))
    if entry is None:
        entry = _typed[id(operator)] = (operator, {})
        if len(_typed) > _KEPT:
            _typed.popitem(last=False)
    known = entry[1].get(variant)
    if known is None:
        known, problems = resolve(operator.formula, operator.signature, variant)
        if known is None:
            raise ValueError("; ".join(problem.what for problem in problems))
        entry[1][variant] = known
    return known

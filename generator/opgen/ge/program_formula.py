"""ComputeExpected of common/NAME_case.h: the formula with the sizes of the first case."""

from __future__ import annotations

from opgen.cxx.arrays import SizedFormula
from opgen.cxx.expected import ExpectedCode, expected_code
from opgen.ge.program_model import ELEMENTS, CaseModel


def case_expected(model: CaseModel) -> ExpectedCode:
    """The function for a case that has a formula."""
    assert model.typed is not None
    rest = dict(model.case.dims).get("...", ())
    formula = SizedFormula(
        typed=model.typed,
        inputs=tuple((t.name, t.dims) for t in model.inputs),
        outputs=tuple((t.name, t.dims) for t in model.outputs),
        counts={t.name: t.count for t in model.outputs},
        sizes=dict(model.dims) | {a.attr.name: int(a.value) for a in model.attrs if isinstance(a.value, bool | int)},
        rest=rest if isinstance(rest, tuple) else (rest,),
        attrs={a.attr.name: a.constant for a in model.attrs},
        rounding=_rounded,
    )
    return expected_code(formula, model.operator.compute)


def _rounded(dtype: str, expression: str) -> str:
    """A double rounded to a half type."""
    return f"static_cast<double>({ELEMENTS[dtype]}({expression}))"

"""common/NAME_golden.py: input data and expected values from the user's NumPy reference, as files."""

from __future__ import annotations

import math

from opgen.ge.program_model import CaseAttr, CaseModel, CaseTensor
from opgen.templating import render
from opgen.text.escape import python_string


def golden_script(model: CaseModel) -> str:
    """The text of common/NAME_golden.py."""
    reference = model.operator.reference
    assert reference is not None
    return render(
        "common/golden.py.j2",
        reference=reference,
        reference_literal=python_string(reference),
        script=f"common/{model.operator.name}_golden.py",
        inputs=[_row(t, *_limits(t)) for t in model.inputs],
        outputs=[_row(t) for t in model.outputs],
        attributes="{" + ", ".join(f"{python_string(a.attr.name)}: {_value(a)}" for a in model.attrs) + "}",
    )


def _row(tensor: CaseTensor, *limits: str) -> str:
    fields = (
        python_string(tensor.name),
        python_string(tensor.dtype.name),
        repr(tensor.dims),
        *limits,
        repr(tensor.copies),
    )
    return f"({', '.join(fields)})"


def _limits(tensor: CaseTensor) -> tuple[str, str]:
    if tensor.dtype.name == "bool":
        return "0", "1"
    kind = float if tensor.dtype.kind == "float" else int
    low, high = (kind(min(max(v, tensor.dtype.low), tensor.dtype.high)) for v in (tensor.low, tensor.high))
    return repr(low), repr(high)


def _value(attr: CaseAttr) -> str:
    if isinstance(attr.value, tuple):
        return "[" + ", ".join(_number(item) for item in attr.value) + "]"
    if isinstance(attr.value, str):
        return python_string(attr.value)
    return _number(attr.value)


def _number(value: bool | int | float) -> str:
    if isinstance(value, float) and math.isinf(value):
        return 'float("-inf")' if value < 0 else 'float("inf")'
    return repr(value)

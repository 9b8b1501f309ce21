"""What the user's own NumPy reference holds when it is written."""

from __future__ import annotations

from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Tensor
from opgen.formula.sizes import show
from opgen.spec.model import Operator
from opgen.templating import render
from opgen.text.escape import one_line, python_docstring


def reference_skeleton(operator: Operator) -> str:
    """A NumPy reference that says that it is not written yet."""
    parameters = [t.name for t in operator.inputs]
    if operator.attrs:
        parameters += ["*", *(a.name for a in operator.attrs)]
    outputs = [t.name for t in operator.outputs]
    returns = (
        f"`{outputs[0]}`" if len(outputs) == 1 else f"the outputs {', '.join(f'`{o}`' for o in outputs)}, in order"
    )
    return render(
        "once/reference.py.j2",
        head=docstring_line(f"{operator.type}: {operator.summary.en}"),
        parameters=", ".join(parameters),
        returns=returns,
        notes=[docstring_line(f"{t.name}: {dtype_words(operator, t)}, shape {shape_words(t)}") for t in operator.inputs]
        + ["bfloat16 comes as float32, a list of tensors as a list, an absent input as its default."],
        type=operator.type,
    )


def docstring_line(text: str) -> str:
    """A text as a line of a docstring."""
    return python_docstring(one_line(text))


def dtype_words(operator: Operator, tensor: Tensor) -> str:
    if tensor.dtype in DTYPES:
        return tensor.dtype
    return " or ".join(dict.fromkeys(dict(row)[tensor.dtype] for row in operator.combinations))


def shape_words(tensor: Tensor) -> str:
    return f"[{', '.join(show(axis) for axis in tensor.shape)}]"

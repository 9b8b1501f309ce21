"""What a formula computes with a matrix product: nothing, `relu` on its way out, or work for the vector cores."""

from __future__ import annotations

from opgen.facts.operations import MATMUL_DTYPES
from opgen.formula.ir import Node, TypedFormula
from opgen.formula.signature import Shape, Tensor, Variant
from opgen.formula.sizes import Size, simplify
from opgen.kernel.forms import Form, single
from opgen.kernel.matmul_forms import Unfit, multiplies, product, products
from opgen.spec.model import Operator

WORKSPACE = "workspace"  # the sums in global memory, where the cube core leaves them to the vector cores

_STORED = {"float32": ("float32", "float16", "bfloat16"), "int32": ("int32",)}  # sums -> what copies make of them


def sums_of(dtype: str) -> str | None:
    """The type in which products of this type are summed up; None: the cube core does not multiply it."""
    return next((sums for factor, sums in MATMUL_DTYPES if factor == dtype), None)


def factor_of(operator: Operator, variant: Variant, formula: TypedFormula) -> str:
    """The type of what is multiplied."""
    name = product(formula).a.tensor
    return variant.dtype(next(t.dtype for t in operator.inputs if t.name == name))


def ends_in_relu(formula: TypedFormula) -> bool | None:
    """Whether the product goes out through `relu`, which the copy from L0C does. None: more is computed with it."""
    values = {a.name: a.value for a in formula.assignments}
    outputs = [a for a in formula.assignments if a.output]

    def meaning(node: Node) -> Node:
        while node.op == "local":
            node = values[str(node.value)]
        return node

    value = meaning(outputs[0].value)
    relu = value.op == "relu" and value.kind == "float"
    if relu:
        value = meaning(value.args[0])
    return relu if len(outputs) == 1 and value.op == "matmul" else None


def has_rest(operator: Operator) -> bool:
    """Whether vector cores work on the product: for one variant, then for all, so that all have one workspace."""
    from opgen.spec.variants import typed, variants

    if not multiplies(operator):
        return False
    for variant in variants(operator):
        formula = typed(operator, variant)
        try:
            sums = sums_of(factor_of(operator, variant, formula))
        except Unfit:
            return False
        stored = _STORED.get(sums or "", ())
        if ends_in_relu(formula) is None or any(variant.dtype(t.dtype) not in stored for t in operator.outputs):
            return True
    return False


def form_of(formula: TypedFormula, tensor: Tensor) -> Form | None:
    """What of the product a tensor has a value for: "" each element, "column", "row". None: it has one element.

    Unfit: something else.
    """
    node = next(products(formula))
    assert node.shape is not None
    full = _simple(node.shape)
    shape = _simple(tensor.shape)
    one = Size.const(1)
    if shape == full:
        return ""
    if single(tensor.shape):
        return None
    if shape[-1] == full[-1] and all(axis == one for axis in shape[:-1]):
        return "column"
    if shape == (*full[:-1], one):
        return "row"
    why = "Tensors beside the product have its shape, one row of it, one value a row `[..., 1]`, or one element."
    raise Unfit(f"the shape of `{tensor.name}` beside a matrix product", why)


def _simple(shape: Shape) -> Shape:
    return tuple(map(simplify, shape))

"""What the user's own PyPTO kernel holds when it is written: classes and parameters that fit the host code."""

from __future__ import annotations

from opgen.facts.pypto import NAMES
from opgen.kernel.pypto.plan import KeyField, PyptoPlan, TilingField
from opgen.kernel.reference import docstring_line
from opgen.spec.model import Operator
from opgen.templating import render
from opgen.text.escape import hash_comment


def kernel_skeleton(operator: Operator, plan: PyptoPlan) -> str:
    """A kernel with the right classes and parameters, and a loop to fill."""
    count = next((f.name for f in plan.data if f.type == "int" and not f.items), None)
    types = dict(plan.datatype)
    return render(
        "pypto/op_kernel/own_kernel.py.j2",
        name=operator.name,
        type=operator.type,
        head=docstring_line(f"Device kernel of {operator.type}: {operator.summary.en}"),
        constants=", ".join(dict.fromkeys([*types.values(), *(f.name for f in plan.key)])),
        arrays=any(f.items for f in plan.data),
        data=[_data(f) for f in plan.data],
        key=[line for f in plan.key for line in _key(f)],
        datatype=list(types.items()),
        parameters=[_parameter(operator, name, types) for name in plan.parameters],
        steps=f"tiling.{count}" if count else "1",
    )


def _data(field: TilingField) -> str:
    kind = f"{field.type}[{len(field.items)}]" if field.items else field.type
    comment = f"  # {hash_comment(field.doc.en)}" if field.doc.en else ""
    return f"{field.name}: {kind}{comment}"


def _key(field: KeyField) -> list[str]:
    comment = [f"# {hash_comment(field.doc.en.rstrip('.') + _meanings(field))}."] if field.doc.en else []
    return [*comment, f"{field.name} = TilingKeyField(bits={field.bits}, values={list(field.values)})"]


def _meanings(field: KeyField) -> str:
    """What the candidates stand for, where they are positions: ` (0: sum, 1: mean)`."""
    if not field.choices:
        return ""
    meant = (list(choice) if isinstance(choice, tuple) else choice for choice in field.choices)
    return f" ({', '.join(f'{value}: {choice}' for value, choice in zip(field.values, meant, strict=True))})"


def _parameter(operator: Operator, name: str, types: dict[str, str]) -> str:
    """A pointer of bytes where the type varies, else of its type."""
    if name in types:
        return f"{name}: pl.Ptr[pl.DT_UINT8]"
    tensors = {t.name: t for t in operator.inputs} | {f"{t.name}_ref": t for t in operator.outputs if t.inplace}
    tensor = tensors.get(name) or next(t for t in operator.outputs if t.name == name)
    dtype = dict(operator.combinations[0]).get(tensor.dtype, tensor.dtype)
    return f"{name}: pl.Ptr[pl.{NAMES[dtype]}]"

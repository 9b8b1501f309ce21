"""op_host/NAME_infershape.cpp: shape and data type of the outputs."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.cxx.layout import Expr, assignment, call, comment
from opgen.formula.signature import Tensor
from opgen.pypto.checks import null_check, registration, unless_success
from opgen.pypto.host import Host
from opgen.pypto.shapes import Shapes
from opgen.pypto.types import Types
from opgen.spec.model import Operator
from opgen.templating import render


def infershape(operator: Operator) -> str:
    host, shapes = Host(operator), Shapes(operator)
    types = Types(host)
    attrs = [*shapes.attrs, *(a for a in types.attrs if any(t.dtype == a.name for t in operator.outputs))]
    return render(
        "pypto/op_host/infershape.cpp.j2",
        name=operator.name,
        type=operator.type,
        brief=_brief([t.name for t in operator.outputs]),
        header=shapes.file,
        constants=[*host.index_constants((*operator.inputs, *operator.outputs)), *host.attr_constants(attrs)],
        registration=registration(
            f"IMPL_OP_INFERSHAPE({operator.type})",
            f".InferShape(InferShapeFor{operator.type})",
            f".InferDataType(InferDataTypeFor{operator.type})",
        ),
        table=types.table if types.derived else [],
        shapes=list(_shapes(host, shapes)),
        types=list(types.inference()),
    )


def _shapes(host: Host, shapes: Shapes) -> Iterator[str]:
    for tensor, local in host.inputs:
        yield assignment(f"    const gert::Shape* {local}", host.getter(tensor, "Shape"))
        if not tensor.optional:
            yield null_check(4, local)
    for tensor, local in host.outputs:
        yield assignment(f"    gert::Shape* {local}", host.getter(tensor, "Shape"))
        yield null_check(4, local)
    yield from host.read_attrs(shapes.attrs)
    yield ""
    given: list[Expr] = [local if t.optional else f"*{local}" for t, local in host.inputs]
    yield from find_sizes(host, shapes, given)
    for tensor, local in host.outputs:
        yield assignment(f"    *{local}", output_shape(host, shapes, tensor))


def find_sizes(host: Host, shapes: Shapes, given: list[Expr]) -> Iterator[str]:
    """Statements after which `sizes` has what the shapes tell. given: the shapes, as FindSizes takes them."""
    if shapes.members:
        yield f"    {shapes.namespace}::Sizes sizes;"
    attrs: list[Expr] = [f"*{host.attr_locals[a.name]}" for a in shapes.input_attrs]
    sizes: list[Expr] = ["sizes"] if shapes.members else []
    found = call(f"{shapes.namespace}::FindSizes", "context", *given, *attrs, *sizes)
    yield unless_success(found)


def output_shape(host: Host, shapes: Shapes, tensor: Tensor) -> str:
    """The call that makes the shape of an output."""
    args = ["sizes"] if shapes.output_sizes(tensor) else []
    args += [f"*{host.attr_locals[a.name]}" for a in shapes.output_attrs(tensor)]
    return f"{shapes.namespace}::{shapes.output_function(tensor)}({', '.join(args)})"


def _brief(outputs: list[str]) -> str:
    listed = " and ".join([", ".join(outputs[:-1]), outputs[-1]] if len(outputs) > 1 else outputs)
    what = "Shapes and data types" if len(outputs) > 1 else "Shape and data type"
    return comment(f"\\brief {what} of {listed}.", 0, " * ")

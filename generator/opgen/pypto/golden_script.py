"""examples/NAME_golden.py: input data and expected values from the user's NumPy reference, as files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Tensor
from opgen.formula.sizes import Size, evaluate
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.pypto.example_model import ExampleModel, ExampleTest
from opgen.pypto.samples import axes
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render
from opgen.text.escape import python_string


def golden_script(spec: OpSpec, operator: Operator, plan: PyptoPlan) -> str:
    """The text of examples/NAME_golden.py, of an operator with a reference."""
    del spec  # the operator is the only one
    assert operator.reference is not None
    model = ExampleModel(operator, plan)
    return render(
        "pypto/examples/golden.py.j2",
        reference=operator.reference,
        reference_literal=python_string(operator.reference),
        script=f"{operator.name}_golden.py",
        inputs=[_input(model, tensor) for tensor in operator.inputs],
        outputs=[_row(python_string(t.name), python_string(t.dtype)) for t in operator.outputs],
        columns=[_row(python_string(model.column_title(types)), _dict(types)) for types in operator.combinations],
        tests=[_row(*_test(model, test)) for test in model.tests],
    )


def _input(model: ExampleModel, tensor: Tensor) -> str:
    types = [DTYPES[dict(column).get(tensor.dtype, tensor.dtype)] for column in model.operator.combinations]
    low = max(_number(model, tensor.low), *(dtype.low for dtype in types))
    high = min(_number(model, tensor.high), *(dtype.high for dtype in types))
    kind = float if any(dtype.kind == "float" for dtype in types) else int
    limits = [repr(kind(low)), repr(kind(high))]
    return _row(python_string(tensor.name), python_string(tensor.dtype), *limits, _literal(tensor.default))


def _number(model: ExampleModel, limit: int | float | Size | None) -> int | float:
    """A limit, of sizes those of the first case."""
    sizes = {name: size for name, size in model.operator.cases[0].dims if isinstance(size, int)}
    assert limit is not None
    return evaluate(limit, sizes) if isinstance(limit, Size) else limit


def _test(model: ExampleModel, test: ExampleTest) -> Iterator[str]:
    numbers = {name: int(value) for name, value in test.attrs.items() if isinstance(value, bool | int)}

    def shape(tensor: Tensor) -> str:
        return "None" if tensor.name in test.absent else repr(axes(tensor.shape, test.sizes, numbers))

    yield f"[{', '.join(map(shape, model.operator.inputs))}]"
    yield f"[{', '.join(map(shape, model.operator.outputs))}]"
    values = [(a.name, test.attrs.get(a.name, a.default)) for a in model.operator.attrs]
    yield _dict(values)


def _dict(items: Iterable[tuple[str, object]]) -> str:
    return "{" + ", ".join(f"{python_string(name)}: {_literal(value)}" for name, value in items) + "}"


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, str):
        return python_string(value)
    if isinstance(value, float) and math.isinf(value):
        return 'float("-inf")' if value < 0 else 'float("inf")'
    return repr(value)


def _row(*items: str) -> str:
    return f"({', '.join(items)})"

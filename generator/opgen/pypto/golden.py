"""examples/NAME_golden.h: tests, input data, expected values and comparison, shared by both example programs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from opgen.cxx.layout import WIDTH, Expr, assignment, call, columns, statement
from opgen.facts.dtypes import DType
from opgen.formula.signature import Tensor
from opgen.formula.sizes import Size
from opgen.kernel.pypto.plan import REST, PyptoPlan
from opgen.pypto.example_model import NUMBER, ExampleModel, Member, element
from opgen.pypto.expected_values import ExpectedFunctions, expected_functions
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render
from opgen.text.escape import cxx_string
from opgen.text.numbers import shortest

_HALVES = ("float16", "bfloat16")


def golden_header(spec: OpSpec, operator: Operator, plan: PyptoPlan) -> str:
    """The text of examples/NAME_golden.h."""
    del spec  # the operator is the only one
    model = ExampleModel(operator, plan)
    code = expected_functions(model) if model.golden == "formula" else None
    halves = [d.name for d in model.dtypes if d.name in _HALVES]
    if model.golden == "formula":
        halves = [name for name in _HALVES if name in halves or _rounds_to(code, name)]
    return render(
        "pypto/examples/golden.h.j2",
        name=operator.name,
        guard=f"{operator.name.upper()}_GOLDEN_H",
        golden=model.golden,
        includes=sorted(_includes(model, code, halves)),
        members=[
            *([f"int64_t {NUMBER};"] if model.golden == "reference" else []),
            *(f"{member.type} {member.name};" for member in model.member_list),
        ],
        script=f"{operator.name}_golden.py",
        reads=[line for t in operator.inputs for line in _read_input(model, t)],
        reads_expected=[_read_expected(model, t) for t in operator.outputs],
        cases=[model.initializer(test) for test in model.tests if not test.around],
        rest="other sizes" if plan.schedule == "user" else "around the sizes of tiles",
        around=[model.initializer(test) for test in model.tests if test.around],
        halves=[element(name) for name in halves],
        half_classes={"Float16": "ShortFloat<10, -14>", "BFloat16": "ShortFloat<7, -126>"},
        has_bool=any(d.name == "bool" for d in model.dtypes),
        types=[_type_info(model, dtype) for dtype in model.dtypes],
        whole=any(d.kind != "float" for d in model.dtypes),
        real=any(d.kind == "float" for d in model.dtypes),
        shapes=list(_shapes(model)),
        head=model.template,
        arguments=model.arguments,
        inputs=[f"std::vector<{model.element(t)}> {t.name};" for t in operator.inputs],
        outputs=[f"std::vector<{model.element(t)}> {t.name};" for t in operator.outputs],
        expected=[f"std::vector<Wide<{model.element(t)}>> {t.name};" for t in operator.outputs],
        make_inputs=[line for t in operator.inputs for line in _make_input(model, t)],
        compute=code.text if code else "",
        describe=_describe(model),
        check_head=_check_head(model),
        checks=[_check(t.name, first=number == 0) for number, t in enumerate(operator.outputs)],
        unchecked=cxx_string(_unchecked(operator))[1:-1],
    )


def _includes(model: ExampleModel, code: ExpectedFunctions | None, halves: list[str]) -> set[str]:
    found = {"cstddef", "cstdint", "cstdio", "string", "vector"}
    found |= {"algorithm", "cmath", "fstream", "stdexcept"} if model.golden == "reference" else {"random"}
    if halves:
        found |= {"algorithm", "cmath", "limits"}
    if code is not None:
        found |= {"algorithm", "cmath", "limits", *code.includes}
    return found


def _rounds_to(code: ExpectedFunctions | None, dtype: str) -> bool:
    return code is not None and f"({element(dtype)}(" in code.text


def _type_info(model: ExampleModel, dtype: DType) -> dict[str, str]:
    tolerance = dict(model.operator.tolerance).get(dtype.name, 0.0)
    return {
        "element": element(dtype.name),
        "wide": "double" if dtype.kind == "float" else "int64_t",
        "tolerance": shortest(tolerance) if tolerance else "0.0",
    }


def _shapes(model: ExampleModel) -> Iterator[str]:
    """The functions that give the shapes of tensors."""
    for shape, function in model.shape_functions.items():
        if shape == (Size.rest(),):
            continue
        axes = [model.size(axis) for axis in shape if axis.op != "rest"]
        rest = f"test.{model.members[REST]}" if Size.rest() in shape else ""
        test = "test" if rest or any("test." in axis for axis in axes) else ""
        head = f"inline std::vector<int64_t> {function}({f'const TestCase& {test}'.rstrip()})"
        body = f"return {{{', '.join(axes)}}};"
        whole = f"{head} {{ {body} }}"
        if rest:
            lines = [f"    std::vector<int64_t> shape = {rest};", *(f"    shape.push_back({axis});" for axis in axes)]
            yield "\n".join([head, "{", *lines, "    return shape;", "}"])
        else:
            yield whole if columns(whole) <= WIDTH else "\n".join([head, "{", f"    {body}", "}"])


def _make_input(model: ExampleModel, tensor: Tensor) -> Iterator[str]:
    limits = [_limit(model, tensor, low=True), _limit(model, tensor, low=False)]
    count = f"ElementCount({model.shape(tensor)})"
    made = call(f"RandomValues<{model.element(tensor)}>", "generator", count, *limits)
    if tensor.optional:
        yield f"    if (test.{model.members[tensor.name]}) {{"
        yield assignment(f"        inputs.{tensor.name}", made)
        yield "    }"
        return
    yield assignment(f"    inputs.{tensor.name}", made)


def _read_input(model: ExampleModel, tensor: Tensor) -> Iterator[str]:
    read = _read(model, tensor, model.element(tensor), "in")
    if tensor.optional:
        yield f"    if (test.{model.members[tensor.name]}) {{"
        yield assignment(f"        inputs.{tensor.name}", read)
        yield "    }"
        return
    yield assignment(f"    inputs.{tensor.name}", read)


def _read_expected(model: ExampleModel, tensor: Tensor) -> str:
    return assignment(f"    expected.{tensor.name}", _read(model, tensor, f"Wide<{model.element(tensor)}>", "expected"))


def _read(model: ExampleModel, tensor: Tensor, kind: str, ending: str) -> Expr:
    file = call("GoldenFile", "types", "test", f'"{tensor.name}.{ending}"')
    return call(f"ReadValues<{kind}>", file, f"ElementCount({model.shape(tensor)})")


def _limit(model: ExampleModel, tensor: Tensor, *, low: bool) -> str:
    """The least or greatest value of an input, within what every column's type holds."""
    limit = tensor.low if low else tensor.high
    if isinstance(limit, Size):
        return f"static_cast<double>({model.size(limit)})"
    assert limit is not None
    names = {dict(types).get(tensor.dtype, tensor.dtype) for types in model.operator.combinations}
    own = [dtype for dtype in model.dtypes if dtype.name in names]
    value = max(limit, *(d.low for d in own)) if low else min(limit, *(d.high for d in own))
    if all(d.kind != "float" for d in own):
        return str(int(value))
    return shortest(float(value))


def _describe(model: ExampleModel) -> str:
    """The function that puts a test into words: `[64, 1024]  alpha=0.5`."""
    head = f"inline std::string Describe({'const TestCase& test' if model.member_list else 'const TestCase&'})"
    parts: list[str] = []  # a member each
    for member in model.member_list:
        label = ("  " if parts else "") + ("" if member.source == REST else f"{member.name}=")
        text = f'"{label}"' if parts or member.type != "bool" else f'std::string("{label}")'
        parts.append(f"{text} + {_words(member)}" if label else _words(member))
    body = f"return {' + '.join(parts) or chr(34) * 2};"
    if columns(f"{head} {{ {body} }}") <= WIDTH:
        return f"{head} {{ {body} }}"
    if columns(body) + 4 <= WIDTH:
        return "\n".join([head, "{", f"    {body}", "}"])
    # Two pointers cannot be added: where a part begins with a literal, what follows must be a string.
    alone = [re.sub(r'^("[^"]*") \+ \(', r"std::string(\1) + (", part) for part in parts]
    lines = [f"    text += {part};" for part in alone]
    return "\n".join([head, "{", "    std::string text;", *lines, "    return text;", "}"])


def _words(member: Member) -> str:
    value = f"test.{member.name}"
    match member.type:
        case "std::vector<int64_t>" | "std::vector<float>":
            return f"Listed({value})"
        case "std::string":
            return value
        case "bool":
            return f'({value} ? "true" : "false")'
        case "float":
            return f"Shown({value})"
        case _:
            return f"std::to_string({value})"


def _check_head(model: ExampleModel) -> str:
    own = model.arguments
    parameters = (
        "const char* types",
        "const TestCase& test",
        f"const Inputs{own}&{'' if model.golden == 'reference' else ' inputs'}",
        f"const Outputs{own}& outputs",
    )
    return statement("bool " if own else "inline bool ", call("CheckResult", *parameters), "")


def _check(name: str, *, first: bool) -> str:
    value = call("CountWrong", f'"{name}"', f"outputs.{name}", f"expected.{name}", "largest")
    if first:
        return assignment("    size_t wrong", value)
    return statement("    wrong += ", value, ";")


def _unchecked(operator: Operator) -> str:
    names = " and ".join(t.name for t in operator.outputs)
    return f"No golden values: {names} {'is' if len(operator.outputs) == 1 else 'are'} not compared"

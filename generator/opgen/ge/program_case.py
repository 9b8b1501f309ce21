"""common/NAME_case.h: the case that the programs run, its input data, and the check of the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.cxx.expected import ExpectedCode
from opgen.cxx.layout import Call, Expr, assignment, call, statement
from opgen.cxx.literals import attr_value
from opgen.cxx.names import ge_type, guard
from opgen.ge.program_formula import case_expected
from opgen.ge.program_model import CaseAttr, CaseModel, CaseTensor
from opgen.templating import render
from opgen.text.numbers import shortest

# C++ type of an attribute's constant.
_ATTR_TYPES = {"bool": "bool", "int": "int64_t", "float": "float", "dtype": "ge::DataType"}
_ITEM_TYPES = {"ints": "int64_t", "floats": "float"}


def case_header(model: CaseModel) -> str:
    """The text of common/NAME_case.h."""
    name = model.operator.name
    code = case_expected(model) if model.golden == "formula" else None
    constants = list(_constants(model))
    return render(
        "common/case.h.j2",
        guard=guard(name, "common", f"{name}_case.h"),
        system_includes=_system_includes(model, code, constants),
        includes=_includes(model),
        constants=constants,
        input_members=[_member(t, t.element) for t in model.inputs],
        output_members=[_member(t, t.element) for t in model.outputs],
        expected_members=[_member(t, expected_type(t)) for t in model.outputs],
        golden=model.golden,
        golden_script=f"{name}_golden.py",
        make_inputs=[line for t in model.inputs for line in _make_input(model, t)],
        expected=code.text if code else "",
        read_expected=[line for t in model.outputs for line in _read_expected(t)],
        comparison=list(_comparison(model)) if model.golden != "none" else [],
        unchecked=model.unchecked,
    )


def expected_type(tensor: CaseTensor) -> str:
    """C++ type of an expected value: not rounded, so wider than what the output holds."""
    if tensor.dtype.kind == "float":
        return "double"
    return "uint64_t" if tensor.dtype.name == "uint64" else "int64_t"


def _constants(model: CaseModel) -> Iterator[str]:
    seen: set[str] = set()
    lines: dict[str, list[str]] = {"type": [], "shape": [], "count": []}
    for tensor in model.tensors:
        sizes = ", ".join(map(str, tensor.dims))
        for kind, name, text in (
            ("type", tensor.type, f"constexpr ge::DataType {tensor.type} = {ge_type(tensor.dtype.name)};"),
            ("shape", tensor.shape, f"constexpr std::array<int64_t, {len(tensor.dims)}> {tensor.shape} = {{{sizes}}};"),
            ("count", tensor.count, f"constexpr size_t {tensor.count} = {tensor.elements}U;"),
        ):
            if name not in seen:
                seen.add(name)
                lines[kind].append(text)
    yield from lines["type"] + lines["shape"] + lines["count"]
    for tensor in model.tensors:
        if tensor.copies is not None:
            yield f"constexpr uint32_t {tensor.copies_name} = {tensor.copies}U;  // tensors of {tensor.name}"
    for attr in model.attrs:
        yield _attr_constant(attr)
    values = {t.name: model.tolerance(t) for t in model.outputs}
    for constant, output in {constant: output for output, constant in reversed(model.tolerances)}.items():
        yield f"constexpr double {constant} = {shortest(values[output])};"


def _attr_constant(attr: CaseAttr) -> str:
    value = attr_value(attr.attr, attr.value)
    if attr.attr.type == "string":
        return f"constexpr char {attr.constant}[] = {value};"
    if isinstance(attr.value, tuple):
        kind = f"std::array<{_ITEM_TYPES[attr.attr.type]}, {len(attr.value)}>"
        return statement(f"constexpr {kind} {attr.constant} = ", Call("{", tuple(value[1:-1].split(", ")), "}"), ";")
    return f"constexpr {_ATTR_TYPES[attr.attr.type]} {attr.constant} = {value};"


def _member(tensor: CaseTensor, element: str) -> str:
    if tensor.copies is None:
        return f"std::vector<{element}> {tensor.name};"
    return f"std::array<std::vector<{element}>, {tensor.copies_name}> {tensor.name};"


def _make_input(model: CaseModel, tensor: CaseTensor) -> Iterator[str]:
    if tensor.copies is None:
        yield assignment(f"  inputs.{tensor.name}", _values(model, tensor))
        return
    if model.golden == "reference":
        yield f"  for (size_t k = 0U; k < {tensor.copies_name}; ++k) {{"
        yield assignment(f"    inputs.{tensor.name}[k]", _values(model, tensor, "k"))
    else:
        yield f"  for (std::vector<{tensor.element}> &values : inputs.{tensor.name}) {{"
        yield assignment("    values", _values(model, tensor))
    yield "  }"


def _values(model: CaseModel, tensor: CaseTensor, index: str = "") -> Expr:
    if model.golden == "reference":
        return call(f"ReadValues<{tensor.element}>", _path(tensor, index, "in"), tensor.count)
    return call(f"RandomValues<{tensor.element}>", "generator", tensor.count, *_limits(tensor))


def _path(tensor: CaseTensor, index: str, ending: str) -> str:
    """Expression for the file of a tensor, or of the one number `index` of a list."""
    number = f'" + std::to_string({index}) + "' if index else ""
    return f'folder + "/{tensor.name}{number}.{ending}"'


def _limits(tensor: CaseTensor) -> tuple[str, str]:
    if tensor.dtype.name == "bool":
        return "0", "1"
    if tensor.dtype.kind == "float":
        low, high = (min(max(float(v), tensor.dtype.low), tensor.dtype.high) for v in (tensor.low, tensor.high))
        return shortest(low), shortest(high)
    least, greatest = int(tensor.dtype.low), int(tensor.dtype.high)
    low_int, high_int = (min(max(int(v), least), greatest) for v in (tensor.low, tensor.high))
    return _whole(low_int), _whole(high_int)


def _whole(value: int) -> str:
    if value == -(2**63):
        return "INT64_MIN"
    return f"{value}U" if value >= 2**63 else str(value)


def _comparison(model: CaseModel) -> Iterator[str]:
    for tensor in model.outputs:
        if tensor.copies is None:
            yield _compare(model, tensor)
        else:
            yield f"  for (size_t k = 0U; k < {tensor.copies_name}; ++k) {{"
            yield "  " + _compare(model, tensor, "k").replace("\n", "\n  ")
            yield "  }"


def _compare(model: CaseModel, tensor: CaseTensor, index: str = "") -> str:
    title = f'"{tensor.name}"' + (f" + std::to_string({index})" if index else "")
    element = f"{tensor.name}[{index}]" if index else tensor.name
    tolerance = dict(model.tolerances)[tensor.name]
    return statement("  ", call("check.Compare", title, f"outputs.{element}", f"expected.{element}", tolerance), ";")


def _read_expected(tensor: CaseTensor) -> Iterator[str]:
    def read(index: str) -> Expr:
        return call(f"ReadValues<{expected_type(tensor)}>", _path(tensor, index, "expected"), tensor.count)

    if tensor.copies is None:
        yield assignment(f"  expected.{tensor.name}", read(""))
        return
    yield f"  for (size_t k = 0U; k < {tensor.copies_name}; ++k) {{"
    yield assignment(f"    expected.{tensor.name}[k]", read("k"))
    yield "  }"


def _includes(model: CaseModel) -> list[str]:
    includes = ["graph/types.h"]
    if model.half:
        includes.append("half.h")
    if model.golden != "none":
        includes.append("precision_check.h")
    includes.append("raw_values.h" if model.golden == "reference" else "random_values.h")
    return includes


def _system_includes(model: CaseModel, code: ExpectedCode | None, constants: Sequence[str]) -> list[str]:
    includes = {"array", "cstddef", "cstdint", "vector"}
    if code:
        includes |= code.includes
    if any("numeric_limits" in line for line in constants):
        includes.add("limits")
    if model.golden == "reference":
        includes.add("string")
    else:
        includes.add("random")
    if model.golden != "none" and any(t.copies is not None for t in model.outputs):
        includes.add("string")
    if model.golden == "none":
        includes.add("iostream")
    return sorted(includes)

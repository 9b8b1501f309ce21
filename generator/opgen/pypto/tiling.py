"""op_host/NAME_tiling.cpp: tiling data, tiling key, block dim and workspace."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.cxx.layout import Call, Expr, assignment, braces, call, comment, flat, joined, statement
from opgen.cxx.literals import attr_value, integer, real, string
from opgen.formula.signature import Attr
from opgen.formula.sizes import names
from opgen.kernel.forms import rows_of
from opgen.kernel.pypto.plan import FIELD_CXX, PyptoPlan, data_layout
from opgen.pypto.checks import null_check, op_check, registration, short_function
from opgen.pypto.host import Host
from opgen.pypto.inference import find_sizes, output_shape
from opgen.pypto.shapes import Shapes
from opgen.pypto.types import Types
from opgen.pypto.values import Choice, Values
from opgen.spec.model import Operator
from opgen.templating import render


def tiling(operator: Operator, plan: PyptoPlan) -> str:
    host, shapes = Host(operator), Shapes(operator)
    types, values = Types(host), Values(host, shapes, plan)
    _, size = data_layout(plan.data)
    used = sum(f.bytes for f in plan.data)
    checked = [a for a in operator.attrs if a.type != "dtype" and (_limited(a) or a.name in values.attrs)]
    key = Call("GET_TPL_TILING_KEY(", tuple(values.key_argument(f) for f in plan.key), ")")
    definitions = list(values.definitions())
    late = list(values.key_definitions())
    assigned = list(values.assignments())
    return render(
        "pypto/op_host/tiling.cpp.j2",
        name=operator.name,
        type=operator.type,
        brief=comment(f"\\brief Tiles, blocks and kernel instance of {operator.type}.", 0, " * "),
        derived=comment(
            f"{operator.type}TilingData and GET_TPL_TILING_KEY come from headers that the build derives from "
            f"op_kernel/{operator.name}.py and includes ahead of this file.",
            0,
            " * ",
        ),
        layout=comment(
            f"Tells the framework the size of {operator.type}TilingData; nothing is ever written through this class. "
            "Its name differs from the generated class, which it would hide otherwise."
        ),
        header=shapes.file,
        namespace=shapes.namespace,
        includes=_includes(types, values),
        fields=[_mirror_field(f.name, FIELD_CXX[f.type], len(f.items)) for f in plan.data],
        indices=[
            *host.index_constants((*operator.inputs, *operator.outputs)),
            *host.attr_constants((*checked, *types.attrs, *shapes.attrs)),
        ],
        blocks=list(_blocks(operator, plan)),
        choices=[_choice_list(operator, c) for c in values.choices],
        table=types.table if types.needs_table else [],
        is_supported=types.is_supported,
        type_checks=list(types.checks()),
        sizes=bool(shapes.members),
        shape_checks=list(_shape_checks(host, shapes)),
        functions=values.functions(),
        inline=False,
        attributes=[*host.read_attrs(checked), *(c for a in checked for c in _attr_checks(host, a, values))],
        leaves=list(_leaves(host, types, values)),
        device_cores="device_cores" in values.leaves,
        definitions=definitions,
        padded=size > used,
        gaps=size > used and _gap_inside(plan),
        assignments=assigned,
        late=late,
        key=assignment("    const uint64_t tilingKey", key),
        key_check=_key_check(plan, values),
        cores=statement("    context->SetBlockDim(", call("static_cast<uint32_t>", values.code(plan.cores)), ");"),
        may_be_empty=bool(shapes.members),
        workspace=assignment("    workspaces[0]", _workspace(plan, values)),
        registration=registration(
            f"IMPL_OP_OPTILING({operator.type})",
            f".Tiling(TilingFor{operator.type})",
            f".TilingParse<{operator.type}CompileInfo>(TilingParseFor{operator.type})",
        ),
        parse=short_function(
            Call(
                f"ge::graphStatus TilingParseFor{operator.type}(",
                ("[[maybe_unused]] gert::TilingParseContext* context",),
                ")",
            ),
            "ge::GRAPH_SUCCESS",
        ),
    )


def _workspace(plan: PyptoPlan, values: Values) -> str:
    system = "platform.GetLibApiWorkSpaceSize()"
    return system if plan.workspace.number == 0 else f"{system} + static_cast<size_t>({values.code(plan.workspace)})"


def _includes(types: Types, values: Values) -> list[str]:
    found = ["cstdint"]
    text = " ".join([*values.definitions(), values.code(values.plan.cores), values.code(values.plan.workspace)])
    if "std::m" in text or types.needs_table or values.choices:
        found.append("algorithm")
    if values.choices:
        found.append("array")
    kinds = {a.name: a.type for a in values.host.operator.attrs}
    if any(kinds[c.attr] == "string" for c in values.choices):
        found.append("string_view")
    if any(kinds[c.attr] in ("ints", "floats") for c in values.choices):
        found.append("vector")
    if types.needs_table:
        found.append("iterator")
    return sorted(found)


def _mirror_field(name: str, kind: str, length: int) -> str:
    if length:
        return f"TILING_DATA_FIELD_DEF_ARR({kind}, {length}, {name});"
    return f"TILING_DATA_FIELD_DEF({kind}, {name});"


def _blocks(operator: Operator, plan: PyptoPlan) -> Iterator[str]:
    for block in plan.blocks:
        if block.value.number is not None:
            most = " at most" if any(block.name in names(size) for _, size in plan.helpers) else ""
            yield comment(f"{block.doc.en.rstrip('.')}{most}, as in op_kernel/{operator.name}.py.")
            yield f"constexpr int64_t {block.constant} = {block.value.number};"


def _gap_inside(plan: PyptoPlan) -> bool:
    places, _ = data_layout(plan.data)
    ends = [place.offset + place.field.bytes for place in places]
    return any(end < place.offset for end, place in zip(ends, places[1:], strict=False))


def _shape_checks(host: Host, shapes: Shapes) -> Iterator[str]:
    for tensor, local in host.tensors:
        yield assignment(f"    const gert::StorageShape* {local}", host.getter(tensor, "Shape"))
        if not tensor.optional:
            yield null_check(4, local)
    yield from host.read_attrs(shapes.attrs)
    given: list[Expr] = []
    for tensor, local in host.inputs:
        shape = f"{local}->GetStorageShape()"
        given.append(f"{local} == nullptr ? nullptr : &{shape}" if tensor.optional else shape)
    lines = list(find_sizes(host, shapes, given))
    yield from lines[1:] if shapes.members else lines
    if shapes.members:
        yield op_check(4, "!sizes.AreKnown()", '"the shapes of the inputs are not known"')
    rows = rows_of(host.operator)
    if rows is not None:
        empty = f"sizes.{shapes.members[rows.last.name]} == 0"
        yield op_check(4, empty, f'"{rows.last.name} is 0: a row has no elements"')
    for tensor, local in host.outputs:
        wrong = f"{local}->GetStorageShape() != {output_shape(host, shapes, tensor)}"
        yield op_check(4, wrong, f'"the shape of {tensor.name} does not follow from those of the inputs"')


def _limited(attr: Attr) -> bool:
    return attr.type != "bool" and bool(attr.values or attr.min is not None or attr.max is not None)


def _attr_checks(host: Host, attr: Attr, values: Values) -> Iterator[str]:
    local = host.attr_locals[attr.name]
    choice = next((c for c in values.choices if c.attr == attr.name), None)
    if choice is not None:
        yield from _choose(local, attr, choice)
        return
    if not _limited(attr):
        return
    if attr.type in ("ints", "floats"):
        yield from _list_checks(local, attr)
        return
    place = {"int": "%ld", "float": "%f", "string": "%s"}[attr.type]
    shown = local if attr.type == "string" else f"*{local}"
    if attr.values:
        tests: list[Expr] = [_differs(local, attr, v) for v in attr.values]
        allowed = " or ".join(_plain(v) for v in attr.values)
        yield op_check(4, joined("&&", tests), string(f"{attr.name} is {place}, must be {allowed}"), shown)
        return
    bounds = [(sign, bound) for sign, bound in ((">=", attr.min), ("<=", attr.max)) if bound is not None]
    if attr.type == "float":  # written so that NaN is refused
        tests = [f"!(*{local} {sign} {_number(attr, bound)})" for sign, bound in bounds]
    else:
        tests = [f"*{local} {_NEGATED[sign]} {_number(attr, bound)}" for sign, bound in bounds]
    yield op_check(4, joined("||", tests), string(f"{attr.name} is {place}, must be {_range(attr)}"), shown)


_NEGATED = {">=": "<", "<=": ">"}


def _differs(local: str, attr: Attr, value: object) -> str:
    literal = attr_value(attr, value)  # type: ignore[arg-type]
    return f"std::string_view({local}) != {literal}" if attr.type == "string" else f"*{local} != {literal}"


def _list_checks(local: str, attr: Attr) -> Iterator[str]:
    item = "float" if attr.type == "floats" else "int64_t"
    bounds = [(sign, bound) for sign, bound in (("<", attr.min), (">", attr.max)) if bound is not None]
    tests = [f"value {sign} {_number(attr, bound)}" for sign, bound in bounds]
    yield f"    for (size_t i = 0; i < {local}->GetSize(); ++i) {{"
    yield f"        const {item} value = {local}->GetData()[i];"
    place = "%f" if attr.type == "floats" else "%ld"
    message = string(f"{attr.name} holds {place}, must be {_range(attr)}")
    yield op_check(8, joined("||", tests), message, "value")
    yield "    }"


def _range(attr: Attr) -> str:
    if attr.min is not None and attr.max is not None:
        return f"from {_plain(attr.min)} to {_plain(attr.max)}"
    return f"{_plain(attr.min)} or more" if attr.min is not None else f"{_plain(attr.max)} or less"


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_plain, value))}]"
    return str(value)


def _number(attr: Attr, value: int | float) -> str:
    return real(float(value)) if attr.type in ("float", "floats") else integer(int(value))


def _choice_list(operator: Operator, choice: Choice) -> str:
    """The definition of the list of an attribute's values."""
    attr = next(a for a in operator.attrs if a.name == choice.attr)
    element = {"string": "std::string_view", "int": "int64_t", "float": "float"}.get(attr.type, "")
    kind = "constexpr"
    items: list[Expr] = [attr_value(attr, v) for v in choice.values]  # type: ignore[arg-type]
    value = braces(*items)
    if not element:
        kind, element = "const", f"std::vector<{'float' if attr.type == 'floats' else 'int64_t'}>"
        value = braces(braces(*items))
    head = f"{kind} std::array<{element}, {len(choice.values)}> {choice.constant} = "
    return statement(head, value, ";")


def _choose(local: str, attr: Attr, choice: Choice) -> Iterator[str]:
    """Statements that find the index of an attribute's value."""
    wanted = local if attr.type == "string" else f"*{local}"
    if attr.type in ("ints", "floats"):
        item = "float" if attr.type == "floats" else "int64_t"
        wanted = f"{local}Value"
        data = f"{local}->GetData()"
        yield f"    const std::vector<{item}> {wanted}({data}, {data} + {local}->GetSize());"
    found = call("std::find", f"{choice.constant}.begin()", f"{choice.constant}.end()", wanted)
    yield assignment(f"    const int64_t {choice.variable}", f"{flat(found)} - {choice.constant}.begin()")
    allowed = " or ".join(_plain(v) for v in choice.values)
    place = {"string": "%s", "int": "%ld", "float": "%f"}.get(attr.type)
    message = f"{attr.name} is {place}, must be {allowed}" if place else f"{attr.name} must be {allowed}"
    values = [wanted] if place else []
    wrong = f"{choice.variable} == static_cast<int64_t>({choice.constant}.size())"
    yield op_check(4, wrong, string(message), *values)


def _leaves(host: Host, types: Types, values: Values) -> Iterator[str]:
    """Definitions of what expressions read besides sizes and attributes."""
    inputs = {t.name: t for t in host.operator.inputs}
    for name, variable in values.leaves.items():
        if name == "...":
            yield f"    const int64_t {variable} = sizes.{values.shapes.members['...']}.GetShapeSize();"
        elif name in values.presences:
            tensor = inputs[values.presences[name]]
            yield assignment(f"    const bool {variable}", host.getter(tensor, "Shape"), " != nullptr;")
        elif name.startswith("itemsize("):
            teller = types.bound[name[9:-1]]
            dtype = f"{flat(host.getter(teller, 'Desc'))}->GetDataType()"
            yield assignment(f"    const int64_t {variable}", call("ge::GetSizeByDataType", dtype))


def _key_check(plan: PyptoPlan, values: Values) -> str:
    computed = [f for f in plan.key if f.value.number is None]
    shown = ", ".join(f"{f.name} %lu" for f in computed)
    message = f"no kernel for {shown}" if computed else "the kernel has another tiling key"
    return op_check(4, "tilingKey == INVALID_TILING_KEY", string(message), *map(values.key_argument, computed))

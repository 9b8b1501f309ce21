"""tests/ut/op_host: what InferShape and tiling must give, derived from the plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from opgen.cxx.layout import WIDTH, Call, Expr, assignment, braces, call, hanging, statement
from opgen.cxx.literals import attr_value, string
from opgen.cxx.names import ge_type
from opgen.cxx.reg_op import choices
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Tensor
from opgen.kernel.forms import rows_of
from opgen.kernel.pypto.plan import PyptoPlan, data_layout
from opgen.pypto.host import Host
from opgen.pypto.inferred import UNKNOWN_DIM, UNKNOWN_RANK, Dims, infer
from opgen.pypto.samples import Sample, launched, samples
from opgen.pypto.shapes import Shapes
from opgen.spec.model import Operator
from opgen.templating import render

CORES = 64  # of the device that the executor of the operator repositories makes up

_PARAMETERS = {
    "bool": ("bool", "bool"),
    "int": ("int64_t", "int64_t"),
    "float": ("float", "float"),
    "string": ("const std::string&", "std::string"),
    "dtype": ("int64_t", "int64_t"),
    "ints": ("const std::vector<int64_t>&", "std::vector<int64_t>"),
    "floats": ("const std::vector<float>&", "std::vector<float>"),
}


@dataclass(frozen=True)
class Test:
    """macro, fixture, name: "TEST_F", of a class, of the test. lines: its statements."""

    macro: str
    fixture: str
    name: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        head = f"{self.macro}({self.fixture}, {self.name})"
        short = f"{head} {{ {self.lines[0].strip()} }}"
        if len(self.lines) == 1 and "\n" not in short and len(short) <= WIDTH:
            return short
        return "\n".join([head, "{", *self.lines, "}"])


def tiling_tests(operator: Operator, plan: PyptoPlan) -> str:
    host = Host(operator)
    attrs = _attr_parameters(host)
    tensors: list[Expr] = [f"const {'Optional' if t.optional else 'Tensor'}& {local}" for t, local in host.tensors]
    own = plan.workspace.number != 0
    return render(
        "pypto/tests/ut/op_host/test_tiling.cpp.j2",
        type=operator.type,
        words=_words_comment(plan),
        own_workspace=own,
        attrs=bool(operator.attrs),
        optional=bool(operator.optional_inputs),
        inputs=tuple(_connected(host)) if operator.optional_inputs else (),
        parameters=statement("    ", Call("gert::TilingContextPara Para(", (*tensors, *attrs), ")"), ""),
        context=hanging("        return ", _context(host)),
        tests=[*_good(host, plan, own), *_bad_shapes(host), *_empty_rows(host), *_bad_types(host), *_bad_attrs(host)],
    )


def _attr_parameters(host: Host) -> list[Expr]:
    return [f"{_PARAMETERS[a.type][0]} {host.attr_locals[a.name]}" for a in host.operator.attrs]


def _made_attrs(host: Host) -> list[Expr]:
    made: list[Expr] = []
    for attr in host.operator.attrs:
        value = call(f"AttrValue::CreateFrom<{_PARAMETERS[attr.type][1]}>", host.attr_locals[attr.name])
        made.append(call("Attr", f'"{attr.name}"', value))
    return made


def _context(host: Host) -> Expr:
    some = bool(host.operator.optional_inputs)
    inputs: Expr = "inputs" if some else braces(*(local for _, local in host.inputs))
    outputs = braces(*(local for _, local in host.outputs))
    args: list[Expr] = [f'"{host.operator.type}"', inputs, outputs, braces(*_made_attrs(host))]
    if some:
        args += ["counts", braces(*("1" for _ in host.outputs))]
    return call("gert::TilingContextPara", *args, "&compileInfo_")


def _connected(host: Host) -> Iterator[str]:
    """Statements that gather the inputs that are connected, and how many tensors stand for each."""
    yield "        std::vector<Tensor> inputs;"
    yield "        std::vector<uint32_t> counts;"
    for tensor, local in host.inputs:
        yield f"        {'AddOptional' if tensor.optional else 'Add'}({local}, inputs, counts);"


def _words_comment(plan: PyptoPlan) -> str:
    places, size = data_layout(plan.data)
    words: list[list[str]] = [[] for _ in range(-(-size // 8))]
    for place in places:
        length = max(1, len(place.field.items))
        step = place.field.bytes // length
        for number in range(length):
            name = f"{place.field.name}[{number}]" if place.field.items else place.field.name
            words[(place.offset + number * step) // 8].append(name)
    return ", ".join(names[0] if len(names) == 1 else f"({' '.join(names)})" for names in words)


# Arguments of Para


def _tensor(sample: Sample, tensor: Tensor) -> Expr:
    if tensor.name in sample.absent:
        return "NOT_CONNECTED"
    return _described(sample.shape(tensor), sample.dtype(tensor))


def _described(dims: Dims, dtype: str) -> Expr:
    return call("Describe", f"{{{', '.join(map(str, dims))}}}", ge_type(dtype))


def _para(host: Host, sample: Sample, changed: dict[str, Expr] | None = None) -> Expr:
    """changed: what stands for a variable in place of what the sample has."""
    changed = changed or {}
    args: list[Expr] = [changed.get(local) or _tensor(sample, t) for t, local in host.tensors]
    values = dict(sample.attrs)
    args += [changed.get(host.attr_locals[a.name]) or attr_argument(a, values[a.name]) for a in host.operator.attrs]
    return call("Para", *args)


def attr_argument(attr: Attr, value: object) -> str:
    return attr_value(attr, value)  # type: ignore[arg-type]


# Tests


def _good(host: Host, plan: PyptoPlan, own: bool) -> Iterator[Test]:
    for sample in samples(host.operator, plan, CORES):
        found = launched(host.operator, plan, sample, CORES)
        if found is None:
            continue
        words = string("".join(f"{word} " for word in found.words))
        workspace = [str(found.workspace)] if own else []
        key = f"{found.key}U" if found.key >= 2**63 else str(found.key)
        yield _test(
            host,
            sample.name,
            assignment("    const auto para", _para(host, sample)),
            statement("    ", call("Expect", "para", key, str(found.blocks), words, *workspace), ";"),
        )


def _test(host: Host, name: str, *lines: str) -> Test:
    return Test("TEST_F", f"{host.operator.type}Tiling", name, lines)


def _refused(para: Expr) -> str:
    return statement("    ", call("ExpectFailure", para), ";")


def _bad_shapes(host: Host) -> Iterator[Test]:
    """A size that one tensor has and the others have not."""
    operator = host.operator
    case = operator.cases[0]
    sample = Sample("", case.dims, case.attrs, case.types)
    given = [sample.shape(t) for t in operator.inputs]
    lines = []
    for number, (tensor, local) in enumerate(host.tensors):
        shape = sample.shape(tensor)
        if not shape:
            continue
        wrong = (*shape[:-1], shape[-1] + 1)
        if tensor.role == "input":
            tried = [wrong if n == number else dims for n, dims in enumerate(given)]
            outputs = infer(operator, tried, sample.numbers)
            if outputs is not None and outputs == tuple(sample.shape(t) for t in operator.outputs):
                continue  # nothing follows from this axis
        lines.append(_refused(_para(host, sample, {local: _described(wrong, sample.dtype(tensor))})))
    if lines:
        yield _test(host, "shapes_must_agree", *lines)


def _empty_rows(host: Host) -> Iterator[Test]:
    """Rows without elements, of which nothing can be computed."""
    rows = rows_of(host.operator)
    if rows is None:
        return
    case = host.operator.cases[0]
    dims = tuple((name, 0 if name == rows.last.name else size) for name, size in case.dims)
    yield _test(host, "rows_must_have_elements", _refused(_para(host, Sample("", dims, case.attrs, case.types))))


def _bad_types(host: Host) -> Iterator[Test]:
    operator = host.operator
    case = operator.cases[0]
    sample = Sample("", case.dims, case.attrs, case.types)
    unequal = []
    for tensor, local in host.tensors:
        others = [dtype for dtype in _other_types(operator, tensor, sample) if dtype]
        alone = tensor.role == "input" and sum(t.dtype == tensor.dtype for t, _ in host.tensors) == 1
        if others and not alone:
            unequal.append(_refused(_para(host, sample, {local: _described(sample.shape(tensor), others[0])})))
    if unequal:
        yield _test(host, "data_types_must_agree", *unequal)
    symbol = next((s for s in operator.type_symbols), None)
    if symbol is not None:
        taken = {*choices(operator, symbol)}
        other = next((dtype for dtype in ("int32", "float32", "int8", "uint64") if dtype not in taken), None)
        if other is not None:
            types = tuple((name, other if name == symbol else dtype) for name, dtype in sample.types)
            yield _test(host, "data_type_must_be_supported", _refused(_para(host, replace(sample, types=types))))


def _other_types(operator: Operator, tensor: Tensor, sample: Sample) -> Iterator[str]:
    """Types that a tensor may have, but not beside the others of the sample."""
    own = sample.dtype(tensor)
    allowed = choices(operator, tensor.dtype) if tensor.dtype not in DTYPES else ("float32", "int32")
    yield from (dtype for dtype in allowed if dtype != own)


def _bad_attrs(host: Host) -> Iterator[Test]:
    operator = host.operator
    case = operator.cases[0]
    sample = Sample("", case.dims, case.attrs, case.types)
    for attr in operator.attrs:
        value = _outside(attr)
        if value is not None:
            line = _refused(_para(host, sample, {host.attr_locals[attr.name]: attr_argument(attr, value)}))
            yield _test(host, f"{attr.name}_must_be_allowed", line)


def _outside(attr: Attr) -> object | None:
    """A value that the host refuses."""
    match attr.type:
        case "string":
            return f"no_{'_or_'.join(map(str, attr.values))}" if attr.values else None
        case "int" | "float":
            if attr.values:
                return max(v for v in attr.values if isinstance(v, (int, float))) + 1
            if attr.max is not None:
                return attr.max + 1
            return None if attr.min is None else attr.min - 1
        case _:
            return None


# InferShape


def infershape_tests(operator: Operator) -> str:
    host, shapes = Host(operator), Shapes(operator)
    inputs: list[Expr] = [f"const Dims& {local}" for _, local in host.inputs]
    attrs = _attr_parameters(host) if shapes.attrs else []
    outputs: list[Expr] = [f"const Dims& {local}" for _, local in host.outputs]
    described = [f"Describe({local}, {ge_type(_first_type(host, t))})" for t, local in host.inputs]
    results = [f"Describe({{}}, {ge_type(_first_type(host, t))})" for t, _ in host.outputs]
    args: list[Expr] = [f'"{operator.type}"', braces(*described), braces(*results)]
    if shapes.attrs:
        args.append(braces(*_made_attrs(host)))
    return render(
        "pypto/tests/ut/op_host/test_infershape.cpp.j2",
        type=operator.type,
        attrs=bool(shapes.attrs),
        signature=statement("", Call("void Expect(", (*inputs, *attrs, "ge::graphStatus status", *outputs), ")"), ""),
        context=hanging("    gert::InfershapeContextPara ", call("para", *args)),
        check=statement(
            "    ", call("ExecuteTestCase", "para", "status", braces(*(local for _, local in host.outputs))), ";"
        ),
        tests=list(_inferences(host, shapes)),
    )


def _first_type(host: Host, tensor: Tensor) -> str:
    return dict(host.operator.cases[0].types).get(tensor.dtype, tensor.dtype)


def _inferences(host: Host, shapes: Shapes) -> Iterator[Test]:
    def test(name: str, lines: list[str]) -> Test:
        return Test("TEST", f"{host.operator.type}Infershape", name, tuple(dict.fromkeys(lines)))

    operator = host.operator
    case = operator.cases[0]
    sample = Sample("", case.dims, case.attrs, case.types)
    given = [sample.shape(t) for t in operator.inputs]
    for number, case in enumerate(operator.cases, 1):
        one = Sample("", case.dims, case.attrs, case.types)
        name = "sample" if number == 1 else f"case_{number}"
        yield test(name, [_expected(host, shapes, one, [one.shape(t) for t in operator.inputs])])
    dims, ranks, wrong = [], [], []
    for number, shape in enumerate(given):
        if shape:
            unknown = [(UNKNOWN_DIM, *s[1:]) if n == number else s for n, s in enumerate(given)]
            dims.append(_expected(host, shapes, sample, unknown))
            other = [(*s[:-1], s[-1] + 1) if n == number else s for n, s in enumerate(given)]
            if infer(operator, other, sample.numbers) is None:
                wrong.append(_expected(host, shapes, sample, other))
        without = [UNKNOWN_RANK if n == number else s for n, s in enumerate(given)]
        ranks.append(_expected(host, shapes, sample, without))
    everything = [tuple(UNKNOWN_DIM for _ in shape) for shape in given]
    dims.append(_expected(host, shapes, sample, everything))
    ranks.append(_expected(host, shapes, sample, [UNKNOWN_RANK] * len(given)))
    yield test("unknown_dims", dims)
    yield test("unknown_ranks", ranks)
    wrong += _wrong_ranks(host, shapes, sample, given)
    if wrong:
        yield test("shapes_that_do_not_agree", wrong)


def _wrong_ranks(host: Host, shapes: Shapes, sample: Sample, given: list[Dims]) -> Iterator[str]:
    for number in range(len(given)):
        other = [(*s, 1) if n == number else s for n, s in enumerate(given)]
        if infer(host.operator, other, sample.numbers) is None:
            yield _expected(host, shapes, sample, other)


def _expected(host: Host, shapes: Shapes, sample: Sample, given: Sequence[Dims]) -> str:
    outputs = infer(host.operator, given, sample.numbers)
    values = dict(sample.attrs)
    attrs = [attr_argument(a, values[a.name]) for a in host.operator.attrs] if shapes.attrs else []
    status = "ge::GRAPH_FAILED" if outputs is None else "ge::GRAPH_SUCCESS"
    results: Sequence[Dims] = [()] * len(host.outputs) if outputs is None else outputs
    return statement("    ", call("Expect", *map(_list, given), *attrs, status, *map(_list, results)), ";")


def _list(dims: Dims) -> str:
    return f"{{{', '.join(map(str, dims))}}}"

"""Names, kinds, shapes and stores of formulas, and the variants in which they are wrong."""

from __future__ import annotations

import math

import pytest
from formula_cases import ALPHA, EPS, FLAG, MODE, OPERATORS, REDUCTION, ROWS, problems, signature, typed, variants
from opgen.formula.infer import resolve
from opgen.formula.ir import Node
from opgen.formula.shapes import shape_text
from opgen.formula.signature import Attr, Signature, Variant
from opgen.formula.syntax import parse

AXPY = signature("x: T[...]; y: T[...]", "z: T[...]", ALPHA)
INTS = signature("x: int32[N]; f: float32[N]; b: bool[N]", "y: int32[N]", Attr("k", "int", 3))


def _value(source: str, sig: Signature, **choices: object) -> Node:
    """The value of the last line."""
    return typed(source, sig, **choices).assignments[-1].value


# Kinds


@pytest.mark.parametrize(
    ("expression", "kind"),
    [
        ("x + x", "int"),
        ("x + f", "float"),
        ("x * 2", "int"),
        ("x * 2.0", "float"),
        ("-f", "float"),
        ("x ** 2", "int"),
        ("f ** 2", "float"),
        ("f ** -1", "float"),
        ("x ** 0.5", "float"),
        ("f / 2", "float"),
        ("k / 2 + x", "float"),
        ("k // 2 + x", "int"),
        ("N % 4 + x", "int"),
        ("x < f", "bool"),
        ("b == b", "bool"),
        ("~b & (x > 0)", "bool"),
        ("abs(x)", "int"),
        ("round(f)", "float"),
        ("relu(x)", "int"),
        ("maximum(x, 1)", "int"),
        ("maximum(x, f)", "float"),
        ("clip(x, 0, k)", "int"),
        ("where(b, x, 0)", "int"),
        ("where(b, x, f)", "float"),
        ("where(b, b, x > 0)", "bool"),
        ("sqrt(2) * f", "float"),
        ("exp(f)", "float"),
        ("cast(x, float16)", "float"),
        ("cast(f, int8)", "int"),
        ("cast(f, bool)", "bool"),
        ("sum(x, axis=-1)", "int"),
        ("sum(b, axis=-1)", "int"),
        ("mean(x, axis=-1)", "float"),
        ("max(f, axis=-1)", "float"),
        ("argmax(f, axis=-1)", "int"),
        ("arange(N)", "int"),
        ("concat([x, f], axis=-1)", "float"),
        ("inf * f", "float"),
    ],
)
def test_kind_of_a_result(expression: str, kind: str) -> None:
    formula = parse(f"t = {expression}\ny = x")
    result, _ = resolve(formula, INTS, Variant())
    assert result is not None
    assert result.assignments[0].value.kind == kind


@pytest.mark.parametrize(
    ("expression", "at"),
    [
        ("x / 2", 0),
        ("2 / x", 4),
        ("f // 2", 0),
        ("x // 2", 0),
        ("k % f", 4),
        ("x ** k", 0),
        ("k ** -1", 0),
        ("x ** 65", 5),
        ("1 + b", 4),
        ("-b", 1),
        ("b < b", 0),
        ("b == 0", 0),
        ("x & x", 0),
        ("~f", 1),
        ("b & x > 0", 4),
        ("exp(x)", 4),
        ("gelu(b)", 5),
        ("leaky_relu(f, b)", 14),
        ("abs(b)", 4),
        ("maximum(x, b)", 11),
        ("where(x, f, f)", 6),
        ("where(b, b, f)", 0),
        ("mean(b, axis=-1)", 5),
        ("argmax(b, axis=-1)", 7),
        ("concat([b, f], axis=-1)", 0),
        ("5 // 0", 5),
        ("mode + f", 0),
    ],
)
def test_a_wrong_kind_is_opg304_at_the_operand(expression: str, at: int) -> None:
    sig = Signature(INTS.dims, INTS.inputs, INTS.outputs, (*INTS.attrs, Attr("mode", "string", "a", ("a",))))
    found = problems(f"t = {expression}\ny = x", sig, mode="a")
    assert [(p.rule, p.offset) for p in found] == [("OPG304", 4 + at)]


def test_a_wrong_kind_says_for_which_types() -> None:
    sig = signature("x: T[N]", "y: float32[N]")
    assert typed("y = x / 2", sig, T="float16").assignments
    found = problems("y = x / 2", sig, T="int32")
    assert [(p.rule, p.offset) for p in found] == [("OPG304", 4)]
    assert "T = int32" in found[0].what


# Weak scalars


def test_literals_attributes_dims_and_absent_inputs_have_no_shape() -> None:
    sig = signature("x: T[N]; b: T[N] = 0", "y: T[N]", ALPHA)
    formula = typed("s = alpha * N + b - 1\ny = x * s", sig, absent=("b",))
    scalar = formula.assignments[0].value
    assert scalar.shape is None and scalar.kind == "float"
    assert [node.value for node in formula.walk() if node.op == "const"] == [0.0, 1]
    assert shape_text(formula.assignments[1].value.shape) == "[N]"


def test_an_absent_input_has_the_kind_of_its_type() -> None:
    sig = signature("x: T[N]; z: int32[N] = 0; m: bool[N] = True", "y: T[N]")
    formula = typed("y = where(m, x + z, x)", sig, absent=("z", "m"))
    constants = {node.value: node.kind for node in formula.walk() if node.op == "const"}
    assert constants == {0: "int", True: "bool"}


def test_literal_whole_numbers_are_computed_and_attributes_stay() -> None:
    assert _value("z = x + (2 * 3 - 1) // 2 * y", AXPY).args[1].args[0].value == 2
    assert _value("z = maximum(x + y, -inf)", AXPY).args[1].value == -math.inf
    product = _value("z = x + (1 / (1 - alpha)) * y", AXPY).args[1].args[0]
    assert [node.op for node in product.walk()] == ["const", "const", "attr", "sub", "div"]


def test_static_closed_attributes_are_constants_and_open_ones_stay_names() -> None:
    sig = signature(
        "x: T[N]", "y: T[N]", Attr("k", "int", 1, (1, 2)), Attr("n", "int", 3), Attr("s", "float", 1, (1, 2))
    )
    formula = typed("y = x * k + n * s", sig, k=2, s=1)
    leaves = [(node.op, node.kind, node.value) for node in formula.walk() if not node.args]
    assert leaves == [("load", "float", "x"), ("const", "int", 2), ("attr", "int", "n"), ("const", "float", 1.0)]


# Static choices


def test_only_the_chosen_side_of_a_condition_is_checked() -> None:
    sig = signature("x: T[R, C]", "y: T[R]", REDUCTION)
    source = 'y = mean(x, axis=-1) if reduction == "mean" else sum(x, axis=-1)'
    assert _value(source, sig, reduction="mean").op == "mean"
    assert _value(source, sig, reduction="sum").op == "sum"
    wrong = 'y = x if reduction == "mean" else sum(x, axis=-1)'
    assert not problems(wrong, sig, reduction="sum")
    assert [p.rule for p in problems(wrong, sig, reduction="mean")] == ["OPG307"]


@pytest.mark.parametrize(
    ("condition", "chosen"),
    [
        ("flag", 1),
        ("not flag", 2),
        ("flag == True", 1),
        ("flag != True", 2),
        ("k == 3", 1),
        ("k != 3", 2),
        ("k", 1),
        ("D == float16", 1),
        ("D != float16", 2),
        ("True", 1),
        ("1 == 2", 2),
        ("not False", 1),
    ],
)
def test_conditions_are_folded(condition: str, chosen: int) -> None:
    attrs = (
        Attr("flag", "bool", False),
        Attr("k", "int", 3, (3, 4)),
        Attr("D", "dtype", "float16", ("float16", "int8")),
    )
    sig = signature("x: T[N]", "y: T[N]", *attrs)
    value = _value(f"y = x * (1.5 if {condition} else 2.5)", sig, flag=True, k=3, D="float16")
    assert value.args[1].value == chosen + 0.5


@pytest.mark.parametrize(
    ("condition", "rule"),
    [
        ("alpha == 1.0", "OPG304"),  # dynamic
        ("n == 1", "OPG304"),  # open
        ("x", "OPG304"),
        ("C == 1", "OPG304"),
        ('reduction == "avg"', "OPG206"),
        ("reduction == 3", "OPG304"),
        ("reduction", "OPG304"),
        ("reducton", "OPG302"),
    ],
)
def test_a_condition_that_is_not_static_is_an_error(condition: str, rule: str) -> None:
    sig = signature("x: T[C]", "y: T[C]", ALPHA, Attr("n", "int", 1), REDUCTION)
    source = f"y = x if {condition} else x + 1"
    found = problems(source, sig, reduction="sum")
    assert [p.rule for p in found] == [rule]
    assert found[0].offset >= source.index(condition)


def test_an_option_follows_an_attribute() -> None:
    sig = signature("x: T[...]", "y: T[...]", MODE)
    assert _value("y = gelu(x, approximate=approximate)", sig, approximate="tanh").value == "tanh"
    assert _value("y = gelu(x)", sig, approximate="tanh").value == "none"
    found = problems('y = gelu(x, approximate="erf")', sig, approximate="tanh")
    assert [(p.rule, p.offset) for p in found] == [("OPG303", 24)]


def test_cast_takes_types_symbols_and_dtype_attributes() -> None:
    sig = signature("x: T[...]", "y: D[...]", Attr("D", "dtype", "float16", ("float16", "int32")))
    assert _value("y = cast(x, D)", sig, D="int32").value == "int32"
    assert _value("y = cast(cast(x, T), D)", sig, D="int32", T="bfloat16").args[0].value == "bfloat16"
    found = problems("y = cast(x, fp16)", sig, D="int32")
    assert [(p.rule, p.offset) for p in found] == [("OPG201", 12)]
    assert "`float16`" in found[0].fix


# Names


@pytest.mark.parametrize(
    ("source", "at", "fix"),
    [
        ("z = x + alhpa * y", "alhpa", "`alpha`"),
        ("z = x + late\nlate = y", "late", "earlier line"),
        ("z = z + x", "z + x", "earlier line"),
        ("z = x + exp", "exp", "`exp(x)`"),
        ("z = x + float16", "float16", "cast"),
        ("z = x * pi", "pi", "3.14"),
        ("z = x * true", "true", "`True`"),
    ],
)
def test_an_unknown_name_is_opg302(source: str, at: str, fix: str) -> None:
    found = [p for p in problems(source, AXPY) if p.rule == "OPG302"]
    assert [p.offset for p in found] == [source.index(at, 4)]
    assert fix in found[0].fix


def test_sizes_in_a_formula_name_dims_and_int_attributes() -> None:
    sig = signature("x: T[R, 2 * C]", "y: T[R, C]", Attr("k", "int", 1), EPS)
    assert not problems("y = x[..., k:C + k]", sig)
    for size, fix in [("D", "C, R, k"), ("eps", "int attributes"), ("t", "dims"), ("x", "dims")]:
        source = f"t = R + 1\ny = x[..., {size}:] * t"
        found = problems(source, sig)
        assert [(p.rule, p.offset) for p in found] == [("OPG302", source.index(f"{size}:]"))], size
        assert fix in found[0].fix


def test_one_unknown_name_does_not_make_others() -> None:
    found = problems("h = x + nothing\ng = exp(h)\nz = g + h", AXPY)
    assert [p.rule for p in found] == ["OPG302"]


# Assignments


@pytest.mark.parametrize(
    ("source", "at"),
    [
        ("h = x\nh = y\nz = h", "h = y"),
        ("z = x\nz = y", "z = y"),
        ("x = y\nz = x", "x = y"),
        ("alpha = 2.0\nz = x", "alpha"),
        ("h = x + y", "h"),
    ],
)
def test_outputs_and_temporaries_are_assigned_once(source: str, at: str) -> None:
    found = [p for p in problems(source, AXPY) if p.rule == "OPG306"]
    assert [p.offset for p in found] == [source.index(at)]


def test_an_in_place_output_is_read_old_before_its_line_and_new_after() -> None:
    sig = signature("x: T[N]; r: T[N]", "y: T[N]; !r")
    formula = typed("h = r * 2\nr = x + r\ny = r + h", sig)
    read = [[(n.op, n.value) for n in a.value.walk() if n.op in ("load", "local")] for a in formula.assignments]
    assert read == [[("load", "r")], [("load", "x"), ("load", "r")], [("local", "r"), ("local", "h")]]
    assert [(a.name, a.output, a.dtype) for a in formula.assignments] == [
        ("h", False, ""),
        ("r", True, "float32"),
        ("y", True, "float32"),
    ]


# Shapes


@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        ("..., C", "..., C", "[..., C]"),
        ("..., C", "C", "[..., C]"),
        ("..., C", "..., 1", "[..., C]"),
        ("..., C", "1", "[..., C]"),
        ("...", "", "[...]"),
        ("R, 1", "1, C", "[R, C]"),
        ("B, 1, C", "S, C", "[B, S, C]"),
        ("2 * C", "C * 2", "[2 * C]"),
        ("C + C", "2 * C", "[2 * C]"),
    ],
)
def test_shapes_broadcast_as_in_numpy(first: str, second: str, result: str) -> None:
    sig = signature(f"a: T[{first}]; b: T[{second}]", f"y: T{result}")
    assert shape_text(_value("y = a + b", sig).shape) == result
    assert shape_text(_value("y = b * a", sig).shape) == result


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("R, C", "C, R"),
        ("..., C", "R, C"),
        ("...", "1"),
        ("...", "C"),
        ("C", "2 * C"),
        ("4", "C"),
        ("..., C", "..., R, C"),
    ],
)
def test_other_shapes_are_opg305(first: str, second: str) -> None:
    sig = signature(f"a: T[{first}]; b: T[{second}]", "y: T[N]")
    found = problems("t = 1 + a * b\ny = a", sig)
    assert ("OPG305", 8) in [(p.rule, p.offset) for p in found]


def test_a_shape_may_follow_a_static_attribute() -> None:
    weight = "b: T[N if transpose_b else K, K if transpose_b else N]"
    sig = signature(f"a: T[M, K]; {weight}", "c: T[M, N]", FLAG)
    for flag in (False, True):
        value = _value("c = matmul(a, b, transpose_b=transpose_b)", sig, transpose_b=flag)
        assert (value.value, shape_text(value.shape)) == ((False, flag), "[M, N]")
    found = problems("c = a @ b", sig, transpose_b=True)
    assert [(p.rule, p.offset) for p in found] == [("OPG305", 4)]
    assert "transpose_b = true" in found[0].what


@pytest.mark.parametrize(
    ("a", "b", "call", "result"),
    [
        ("M, K", "K, N", "a @ b", "[M, N]"),
        ("K, M", "K, N", "matmul(a, b, transpose_a=True)", "[M, N]"),
        ("..., K", "N, K", "matmul(a, b, transpose_b=True)", "[..., N]"),
        ("B, 1, M, K", "H, K, N", "a @ b", "[B, H, M, N]"),
        ("..., M, K", "..., K, N", "a @ b", "[..., M, N]"),
        ("..., M, K", "K, N", "a @ b", "[..., M, N]"),
    ],
)
def test_a_product_takes_the_last_two_axes(a: str, b: str, call: str, result: str) -> None:
    sig = signature(f"a: T[{a}]; b: T[{b}]", f"y: T{result}")
    assert shape_text(_value(f"y = {call}", sig).shape) == result


@pytest.mark.parametrize(
    ("a", "b"), [("K", "K, N"), ("M, K", "K"), ("M, K", "N, K"), ("..., K", "..., K, N"), ("M, ...", "")]
)
def test_what_is_no_matrix_product_is_opg305(a: str, b: str) -> None:
    sig = signature(f"a: T[{a}]; b: T[{b}]", "y: T[M, N]")
    assert [p.rule for p in problems("y = a @ b", sig)] == ["OPG305"]


def test_a_product_has_one_kind() -> None:
    sig = signature("a: T[M, K]; b: float32[K, N]", "y: T[M, N]")
    assert [p.rule for p in problems("y = a @ b", sig, T="int32")] == ["OPG304"]


def test_a_reduction_keeps_its_axis() -> None:
    assert shape_text(_value("t = sum(x, axis=-1)\ny = x / t", ROWS).args[1].shape) == "[..., 1]"
    for sig in (AXPY, signature("x: T[]", "z: T[]")):
        found = problems("z = sum(x, axis=-1)", sig)
        assert [(p.rule, p.offset) for p in found] == [("OPG305", 4)]


@pytest.mark.parametrize(
    ("index", "result", "node"),
    [
        ("..., :C", "[R, C]", "slice"),
        ("..., C:", "[R, C]", "slice"),
        ("..., 1:C + 1", "[R, C]", "slice"),
        ("..., -C:", "[R, C]", "slice"),
        ("..., :-C", "[R, C]", "slice"),
        (":, None, :", "[R, 1, 2 * C]", "expand"),
        (":, None", "[R, 1, 2 * C]", "expand"),
        ("None", "[1, R, 2 * C]", "expand"),
        ("..., None", "[R, 2 * C, 1]", "expand"),
        (":, None, C:", "[R, 1, C]", "expand"),
        ("...", "[R, 2 * C]", "load"),
        (":, :", "[R, 2 * C]", "load"),
    ],
)
def test_an_index_gives_a_shape(index: str, result: str, node: str) -> None:
    sig = signature("x: T[R, 2 * C]", "y: T[R, 2 * C]")
    value = typed(f"t = x[{index}]\ny = x", sig).assignments[0].value
    assert (value.op, shape_text(value.shape)) == (node, result)


@pytest.mark.parametrize(
    "index",
    [
        "0:1, :",
        ":, :, :",
        "..., C:C",
        "..., :3 * C",
        "..., :2 * C + 1",
        "..., 2 * C:",
        "..., C:1",
        "..., -3:0",
        "..., ...",
        "..., 2:1",
    ],
)
def test_an_index_that_does_not_fit_is_opg305(index: str) -> None:
    sig = signature("x: T[R, 2 * C]", "y: T[R, 2 * C]")
    source = f"t = x[{index}]\ny = x"
    found = problems(source, sig)
    assert [p.rule for p in found] == ["OPG305"]
    assert source.index("[") < found[0].offset < source.index("]")


def test_an_index_does_not_reach_into_the_rest() -> None:
    assert shape_text(typed("t = x[..., None, :]\ny = x", ROWS).assignments[0].value.shape) == "[..., 1, C]"
    for index in (":, :", "None, ...", "None"):
        source = f"t = x[{index}]\ny = x"
        found = problems(source, ROWS)
        assert [(p.rule, p.offset) for p in found] == [("OPG305", 6)]


def test_joined_tensors_agree_before_the_last_axis() -> None:
    sig = signature("a: T[R, C]; b: T[R, D]; c: T[S, C]", "y: T[R, C + D]")
    assert shape_text(_value("y = concat([a, b], axis=-1)", sig).shape) == "[R, C + D]"
    assert [p.rule for p in problems("t = concat([a, c], axis=-1)\ny = concat([a, b], axis=-1)", sig)] == ["OPG305"]
    assert [p.rule for p in problems("t = concat([a, 1], axis=-1)\ny = concat([a, b], axis=-1)", sig)] == ["OPG305"]


def test_arange_counts_a_size() -> None:
    assert shape_text(typed("t = arange(2 * C)\ny = x", ROWS).assignments[0].value.shape) == "[2 * C]"
    assert [p.rule for p in problems("t = arange(0)\ny = x", ROWS)] == ["OPG305"]


# Stores


@pytest.mark.parametrize(
    ("dtype", "value", "fits"),
    [
        ("bool", "b", True),
        ("int8", "b", True),
        ("float16", "b", True),
        ("int8", "i", True),
        ("float16", "i", True),
        ("bool", "i", False),
        ("float16", "f", True),
        ("int32", "f", False),
        ("bool", "f", False),
    ],
)
def test_a_value_is_stored_where_nothing_is_lost(dtype: str, value: str, fits: bool) -> None:
    sig = signature("b: bool[N]; i: int32[N]; f: float32[N]", f"y: {dtype}[N]")
    found = problems(f"y = {value}", sig)
    assert [(p.rule, p.offset) for p in found] == ([] if fits else [("OPG307", 4)])
    assert not problems(f"y = cast({value}, {dtype})", sig)


def test_a_store_drops_the_axis_of_a_reduction_only() -> None:
    sums = signature("x: T[R, C]; b: T[R, 1]", "y: T[R]")
    assert not problems("y = sum(x, axis=-1)", sums)
    assert not problems("y = log(sum(x, axis=-1)) + 1", sums)
    assert not problems("m = max(x, axis=-1)\ny = m", sums)
    found = problems("y = b", sums)
    assert [(p.rule, p.offset) for p in found] == [("OPG307", 4)]
    kept = signature("x: T[R, C]", "y: T[R, 1]")
    assert not problems("y = sum(x, axis=-1)", kept)


@pytest.mark.parametrize("value", ["b", "1.0", "alpha", "x[..., None]", "sum(x, axis=-1)"])
def test_nothing_is_broadcast_at_a_store(value: str) -> None:
    sig = signature("x: T[R, C]; b: T[C]", "y: T[R, C]", ALPHA)
    found = problems(f"y = {value}", sig)
    assert [(p.rule, p.offset) for p in found] == [("OPG307", 4)]


def test_a_scalar_fills_a_tensor_without_axes() -> None:
    assert not problems("y = alpha * 2", signature("x: T[N]", "y: T[]", ALPHA))


# Whole operators: every type, static value and subset of absent inputs


@pytest.mark.parametrize("name", OPERATORS)
def test_whole_operators_resolve_for_all_variants(name: str) -> None:
    source, sig = OPERATORS[name]
    for choice in variants(sig, "float32", "float16", "bfloat16"):
        result, found = resolve(parse(source), sig, choice)
        assert not found and result is not None
        assert {a.name for a in result.assignments if a.output} == {tensor.name for tensor in sig.outputs}


def test_cast_resolves_for_every_pair_of_types() -> None:
    sig = signature("x: T[...]", "y: D[...]", Attr("D", "dtype", "float16", ("float16", "float32", "bool", "int32")))
    for source in ("float32", "bool", "uint8", "int64"):
        for target in ("float16", "float32", "bool", "int32"):
            assert typed("y = cast(x, D)", sig, T=source, D=target).assignments[0].dtype == target

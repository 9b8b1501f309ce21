"""The vector unit on the CPU, by type, against NumPy. One kernel holds many operations, a row of the output each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from cpu_support import Array, call, compiled, from_memory, launcher, to_memory
from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import CASTS
from opgen.formula.evaluate import round_to

__all__ = ["launcher"]

N = 256
FLOATS = ("float32", "float16")
INTEGERS = ("int16", "int32")
WIDE = {"float16": np.float32, "float32": np.float32, "int16": np.int64, "int32": np.int64}

# text of the call -> what it computes; `o` is the destination, `a` and `b` are sources, `s` is 3.
ARITHMETIC: dict[str, Any] = {
    "add(o, a, b)": lambda a, b: a + b,
    "sub(o, a, b)": lambda a, b: a - b,
    "mul(o, a, b)": lambda a, b: a * b,
    "max(o, a, b)": np.maximum,
    "min(o, a, b)": np.minimum,
    "add(o, a, s)": lambda a, b: a + 3,
    "sub(o, a, s)": lambda a, b: a - 3,
    "mul(o, a, s)": lambda a, b: a * 3,
    "max(o, a, s)": lambda a, b: np.maximum(a, 3),
    "min(o, a, s)": lambda a, b: np.minimum(a, 3),
    "add(o, o, a)": lambda a, b: a + 1,  # the destination starts as 1
    "fill(o, s)": lambda a, b: a * 0 + 3,
    "createvecindex(o, 5)": lambda a, b: a * 0 + 5 + np.arange(N),
}
FLOATING: dict[str, Any] = {
    "div(o, a, b)": lambda a, b: a / b,
    "div(o, a, s)": lambda a, b: a * a.dtype.type(1 / 3),
    "exp(o, a)": lambda a, b: np.exp(a),
    "ln(o, b)": lambda a, b: np.log(b),
    "sqrt(o, b)": lambda a, b: np.sqrt(b),
    "rsqrt(o, b)": lambda a, b: 1 / np.sqrt(b),
    "reciprocal(o, b)": lambda a, b: 1 / b,
    "abs(o, a)": lambda a, b: np.abs(a),
    "relu(o, a)": lambda a, b: np.maximum(a, 0),
    "sigmoid(o, a)": lambda a, b: 1 / (1 + np.exp(-a)),
    "silu(o, a)": lambda a, b: a / (1 + np.exp(-a)),
    "sin(o, a)": lambda a, b: np.sin(a),
    "cos(o, a)": lambda a, b: np.cos(a),
    "pow(o, b, a)": lambda a, b: np.power(b, a),
    "leaky_relu(o, a, 0.25)": lambda a, b: np.where(a < 0, a / 4, a),
    "axpy(o, a, 0.5)": lambda a, b: a / 2 + 1,
    "mul_add_dst(o, a, b)": lambda a, b: a * b + 1,
    "clamp_min(o, a, -1.0, N)": lambda a, b: np.maximum(a, -1),
    "clamp_max(o, a, 1.0, N)": lambda a, b: np.minimum(a, 1),
    "clamp(o, a, -1.0, 1.0, N)": lambda a, b: np.clip(a, -1, 1),
    "round(o, a, N)": lambda a, b: np.rint(a),
    "arith_progression(o, 0.5, 0.25, N)": lambda a, b: a * 0 + 0.5 + 0.25 * np.arange(N, dtype=a.dtype),
}
BITS: dict[str, Any] = {
    "bitwise_and(o, a, b)": lambda a, b: a & b,
    "bitwise_or(o, a, b)": lambda a, b: a | b,
    "bitwise_xor(o, a, b)": lambda a, b: a ^ b,
    "bitwise_not(o, a)": lambda a, b: ~a,
    "bitwise_lshift(o, a, 3)": lambda a, b: a << 3,
    "bitwise_rshift(o, a, 3)": lambda a, b: a >> 3,
}


def table(dtype: str) -> dict[str, Any]:
    more = FLOATING if dtype in FLOATS else BITS if dtype == "int16" else {}
    return {**ARITHMETIC, **more}


def rows_kernel(dtype: str, rows: list[str], scalar: str) -> str:
    """out[i, :] = the i-th call of T.tile."""
    body = "".join(
        f"""
                T.tile.fill(o, {scalar.replace("3", "1")})
                T.tile.{row.replace("s)", scalar + ")").replace("N", str(N))}
                T.copy(o, out[{number}, 0])
"""
        for number, row in enumerate(rows)
    )
    return f"""
@T.prim_func
def main(x: T.Tensor(({N},), "{dtype}"), y: T.Tensor(({N},), "{dtype}"), out: T.Tensor(({len(rows)}, {N}), "{dtype}")):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub(({N},), "{dtype}")
        b = T.alloc_ub(({N},), "{dtype}")
        o = T.alloc_ub(({N},), "{dtype}")
        with T.Scope("V"):
            if vid == 0:
                T.copy(x, a)
                T.copy(y, b)
{body}
"""


def close(actual: Array, wanted: Array, dtype: str, what: str) -> None:
    """To the last bit but one or two."""
    if DTYPES[dtype].kind != "float":
        np.testing.assert_array_equal(actual, wanted, what)
        return
    limit = {"float32": 4e-7, "float16": 1e-3, "bfloat16": 8e-3}[dtype]
    np.testing.assert_allclose(actual.astype(np.float64), wanted.astype(np.float64), limit, limit, err_msg=what)


def test_vector_operations(launcher: Path, tmp_path: Path) -> None:
    tables = {dtype: table(dtype) for dtype in (*FLOATS, *INTEGERS)}
    kernels = {d: rows_kernel(d, list(rows), "3.0" if d in FLOATS else "3") for d, rows in tables.items()}
    libraries = compiled(launcher, tmp_path, kernels)
    rng = np.random.default_rng(1)
    for dtype, rows in tables.items():
        if dtype in FLOATS:
            x, y = rng.uniform(-4, 4, N), rng.uniform(0.5, 4, N)
        else:
            info = np.iinfo(dtype)  # overflow wraps around
            x, y = rng.integers(info.min, info.max, N), rng.integers(info.min, info.max, N)
        a, b = to_memory(x, dtype), to_memory(y, dtype)
        out = call(libraries[dtype], a, b, np.zeros((len(rows), N), dtype))[2]
        for actual, (text, compute) in zip(out, rows.items(), strict=True):
            with np.errstate(all="ignore"):
                wanted = np.asarray(compute(a.astype(WIDE[dtype]), b.astype(WIDE[dtype]))).astype(dtype)
            close(actual, wanted, dtype, f"{dtype}: {text}")


RELATIONS = {
    "EQ": np.equal,
    "NE": np.not_equal,
    "GT": np.greater,
    "GE": np.greater_equal,
    "LT": np.less,
    "LE": np.less_equal,
}


def compare_kernel(dtype: str) -> str:
    body = "".join(
        f"""
                T.tile.compare(bits, a, {b}, "{mode}")
                T.copy(bits, masks[{2 * number + (b != "b")}, 0])
                T.tile.select(o, bits, a, {other}, "VSEL_TENSOR_{"TENSOR" if other == "b" else "SCALAR"}_MODE")
                T.copy(o, out[{2 * number + (b != "b")}, 0])
"""
        for number, mode in enumerate(RELATIONS)
        for b, other in (("b", "b"), ("1.0", "7.0"))
    )
    rows = 2 * len(RELATIONS)
    return f"""
@T.prim_func
def main(
    x: T.Tensor(({N},), "{dtype}"),
    y: T.Tensor(({N},), "{dtype}"),
    masks: T.Tensor(({rows}, {N // 8}), "uint8"),
    out: T.Tensor(({rows}, {N}), "{dtype}"),
):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub(({N},), "{dtype}")
        b = T.alloc_ub(({N},), "{dtype}")
        o = T.alloc_ub(({N},), "{dtype}")
        bits = T.alloc_ub(({N // 8},), "uint8")
        with T.Scope("V"):
            if vid == 0:
                T.copy(x, a)
                T.copy(y, b)
{body}
"""


def test_comparison_and_selection(launcher: Path, tmp_path: Path) -> None:
    libraries = compiled(launcher, tmp_path, {dtype: compare_kernel(dtype) for dtype in FLOATS})
    rng = np.random.default_rng(2)
    rows = 2 * len(RELATIONS)
    for dtype, library in libraries.items():
        a, b = (rng.integers(-2, 3, N).astype(dtype) for _ in range(2))
        a[3], b[5], a[7], b[7] = (np.nan,) * 4
        masks, out = call(library, a, b, np.zeros((rows, N // 8), np.uint8), np.zeros((rows, N), dtype))[2:]
        for number, (mode, relation) in enumerate(RELATIONS.items()):
            for row, right, other in ((2 * number, b, b), (2 * number + 1, dtype_one(dtype), 7)):
                holds = relation(a, right)
                bits = np.unpackbits(masks[row], bitorder="little").astype(bool)
                np.testing.assert_array_equal(bits, holds, f"{dtype} {mode}")
                np.testing.assert_array_equal(out[row], np.where(holds, a, other), f"{dtype} {mode}")


def dtype_one(dtype: str) -> Any:
    return np.dtype(dtype).type(1)


# ---- casts ----

_PRECISION = {"float16": (11, -14), "bfloat16": (8, -126)}  # significant bits, least normal exponent
_ROUNDED = {
    "CAST_RINT": np.rint,
    "CAST_NONE": np.rint,
    "CAST_FLOOR": np.floor,
    "CAST_CEIL": np.ceil,
    "CAST_TRUNC": np.trunc,
    "CAST_ROUND": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    "CAST_ODD": lambda x: np.where(x == np.floor(x), x, 2 * np.floor(x / 2) + 1),
}


def cast(values: Array, source: str, target: str, mode: str) -> Array:
    """The documented result, in float64 or int64: everything is rounded in units of the target's last place."""
    if target in _PRECISION:
        bits, least = _PRECISION[target]
        _, exponent = np.frexp(values)
        unit = np.ldexp(1.0, np.maximum(exponent - 1, least) - (bits - 1))
        return np.asarray(_ROUNDED[mode](values / unit) * unit)
    if target == "float32" and source != "float32":
        return values.astype(np.float32).astype(np.float64)
    whole = _ROUNDED[mode](values)
    if target == "float32":
        return np.asarray(whole)
    return np.asarray(whole).astype(np.int64)


def cast_kernel(target: str, pairs: list[tuple[str, str]]) -> str:
    sources = sorted({source for source, _ in pairs})
    parameters = "".join(f'    from_{s}: T.Tensor(({N},), "{s}"),\n' for s in sources)
    buffers = "".join(f'        {s}_ub = T.alloc_ub(({N},), "{s}")\n' for s in sources)
    loads = "".join(f"                T.copy(from_{s}, {s}_ub)\n" for s in sources)
    body = "".join(
        f"""
                T.tile.cast(o, {source}_ub, "{mode}", {N})
                T.copy(o, out[{row}, 0])
"""
        for row, (source, mode) in enumerate(pairs)
    )
    return f"""
@T.prim_func
def main(
{parameters}    out: T.Tensor(({len(pairs)}, {N}), "{target}"),
):
    with T.Kernel(1, is_npu=True) as (cid, vid):
{buffers}        o = T.alloc_ub(({N},), "{target}")
        with T.Scope("V"):
            if vid == 0:
{loads}{body}
"""


def samples(dtype: str) -> Array:
    rng = np.random.default_rng(3)
    if DTYPES[dtype].kind == "int":
        return rng.integers(max(DTYPES[dtype].low, -9000), min(DTYPES[dtype].high, 9000), N, endpoint=True)
    values = rng.uniform(-100, 100, N)
    values[:8] = [0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.0, -0.0]
    values[8:24] = np.ldexp(rng.uniform(-1, 1, 16), -16)  # subnormal in float16
    return round_to(values, dtype).astype(np.float64)


def test_casts_of_every_pair_and_mode(launcher: Path, tmp_path: Path) -> None:
    by_target: dict[str, list[tuple[str, str]]] = {}
    for (source, target), modes in CASTS.items():
        by_target.setdefault(target, []).extend((source, mode) for mode in modes)
    libraries = compiled(launcher, tmp_path, {t: cast_kernel(t, pairs) for t, pairs in by_target.items()})
    for target, pairs in by_target.items():
        sources = sorted({source for source, _ in pairs})
        unsigned = target.startswith("u")
        values = {s: np.abs(samples(s)) if unsigned else samples(s) for s in sources}
        inputs = [to_memory(values[s], s) for s in sources]
        out = call(libraries[target], *inputs, to_memory(np.zeros((len(pairs), N)), target))[-1]
        for actual, (source, mode) in zip(out, pairs, strict=True):
            wanted = cast(values[source], source, target, mode)
            got = from_memory(actual, target)
            np.testing.assert_array_equal(got, wanted.astype(got.dtype), f"{source} -> {target}, {mode}")


HALVES = """
@T.prim_func
def main(
    x: T.Tensor((65536,), "{half}"),
    wide: T.Tensor((65536,), "float32"),
    y: T.Tensor((65536,), "float32"),
    back: T.Tensor((65536,), "{half}"),
):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((4096,), "{half}")
        b = T.alloc_ub((4096,), "float32")
        with T.Scope("V"):
            if vid == 0:
                for i in T.serial(16):
                    T.copy(x[i * 4096 : i * 4096 + 4096], a)
                    T.tile.cast(b, a, "CAST_NONE", 4096)
                    T.copy(b, wide[i * 4096 : i * 4096 + 4096])
                    T.copy(y[i * 4096 : i * 4096 + 4096], b)
                    T.tile.cast(a, b, "CAST_RINT", 4096)
                    T.copy(a, back[i * 4096 : i * 4096 + 4096])
"""


def test_half_types_to_the_last_bit(launcher: Path, tmp_path: Path) -> None:
    """All 65536 values of each to float32, and float32 around every boundary back."""
    kernels = {half: HALVES.format(half=half) for half in ("float16", "bfloat16")}
    libraries = compiled(launcher, tmp_path, kernels)
    bits = np.arange(65536, dtype=np.uint16)
    rng = np.random.default_rng(4)
    for half, library in libraries.items():
        x = bits.view(np.float16) if half == "float16" else bits
        exact = x.astype(np.float32) if half == "float16" else from_memory(bits, half)
        # Neighbours in float32 of what lies midway between two values of the half type, and of these values.
        shift = rng.integers(-1, 2, 65536)
        midway = exact.view(np.uint32) + (rng.integers(0, 2, 65536) * (4096 if half == "float16" else 32768)) + shift
        y = midway.astype(np.uint32).view(np.float32)
        wide, back = np.zeros(65536, np.float32), np.zeros_like(x)
        wide, back = (call(library, x, wide, y, back)[i] for i in (1, 3))
        np.testing.assert_array_equal(wide, exact)
        got = from_memory(back, half)
        with np.errstate(all="ignore"):
            wanted = y.astype(np.float16) if half == "float16" else round_to(y, half)
        np.testing.assert_array_equal(got, wanted)
        np.testing.assert_array_equal(np.signbit(got[~np.isnan(y)]), np.signbit(y[~np.isnan(y)]))


SORTING = """
@T.prim_func
def main(
    x: T.Tensor((50,), "float32"),
    offsets: T.Tensor((64,), "uint32"),
    sorted_: T.Tensor((128,), "float32"),
    best: T.Tensor((20,), "float32"),
    merged: T.Tensor((256,), "float32"),
    picked: T.Tensor((3, 32), "float32"),
    taken: T.Tensor((64,), "float32"),
    rows: T.Tensor((3, 8, 8), "float32"),
):
    with T.Kernel(1, is_npu=True) as (cid, vid):
        a = T.alloc_ub((64,), "float32")
        where = T.alloc_ub((64,), "uint32")
        pairs = T.alloc_ub((128,), "float32")
        few = T.alloc_ub((20,), "float32")
        many = T.alloc_ub((256,), "float32")
        half = T.alloc_ub((32,), "float32")
        out = T.alloc_ub((64,), "float32")
        square = T.alloc_ub((8, 8), "float32")
        result = T.alloc_ub((8, 8), "float32")
        column = T.alloc_ub((8,), "float32")
        with T.Scope("V"):
            if vid == 0:
                T.copy(x, a[0:50])
                T.tile.sort(pairs, a, 50)
                T.copy(pairs, sorted_)
                T.copy(x, a[0:50])
                T.tile.topk(few, a, 10, 50)
                T.copy(few, best)
                T.tile.merge_sort(many, pairs, pairs)
                T.copy(many, merged)
                T.tile.gather_mask(half, a, "P0101")
                T.copy(half, picked[0, 0:32])
                T.tile.gather_mask(half, a, "P1010")
                T.copy(half, picked[1, 0:32])
                T.tile.fill(half, 0.0)
                T.tile.gather_mask(half, a, "P0100")
                T.copy(half, picked[2, 0:32])
                T.copy(offsets, where)
                T.tile.gather(out, a, where, 0)
                T.copy(out, taken)
                for i in T.serial(8):
                    T.copy(x[i * 5 : i * 5 + 8], square[i, :])
                T.copy(x[1:9], column)
                T.tile.row_expand_mul_experiment(result, square, column)
                T.copy(result, rows[0, 0, 0])
                T.tile.row_expand_sub_experiment(result, square, column)
                T.copy(result, rows[1, 0, 0])
                T.tile.transpose(result, square)
                T.copy(result, rows[2, 0, 0])
"""


def test_sorting_and_gathering(launcher: Path, tmp_path: Path) -> None:
    library = compiled(launcher, tmp_path, {"sorting": SORTING})["sorting"]
    rng = np.random.default_rng(9)
    x = rng.integers(-20, 20, 50).astype(np.float32)  # with equal values
    offsets = (4 * rng.integers(0, 50, 64)).astype(np.uint32)
    shapes = [(128,), (20,), (256,), (3, 32), (64,), (3, 8, 8)]
    sorted_, best, merged, picked, taken, rows = call(library, x, offsets, *(np.zeros(s, np.float32) for s in shapes))[
        2:
    ]
    whole = np.concatenate([x, np.full(14, -np.inf, np.float32)])
    order = np.argsort(-whole, kind="stable")
    pairs = np.stack([whole[order], order], 1).astype(np.float32)
    np.testing.assert_array_equal(sorted_.reshape(-1, 2), pairs)
    np.testing.assert_array_equal(best.reshape(-1, 2), pairs[:10])
    np.testing.assert_array_equal(merged.reshape(-1, 2), merged_of(pairs))
    np.testing.assert_array_equal(picked[0], whole[0::2])
    np.testing.assert_array_equal(picked[1], whole[1::2])
    np.testing.assert_array_equal(picked[2][:16], whole[2::4])
    np.testing.assert_array_equal(taken, whole[offsets // 4])
    square = np.stack([x[i * 5 : i * 5 + 8] for i in range(8)])
    np.testing.assert_array_equal(rows, [square * x[1:9, None], square - x[1:9, None], square.T])


def merged_of(pairs: Array) -> Array:
    """The pairs twice, where those of the first list stand before those of the second."""
    both = np.concatenate([pairs, pairs])
    return both[np.argsort(-both[:, 0], kind="stable")]

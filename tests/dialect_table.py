"""Operations that look at more than one element: reductions, broadcasts, moves, sorting and matrix products."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from dialect_conformance import FLOATS, Conformance, all_elementwise, casts, data, tolerance_of
from dialect_specials import specials
from dialect_support import kernel
from opgen.facts.operations import OPERATIONS


def shaped() -> Iterator[Conformance]:
    yield from reductions()
    yield from broadcasts()
    yield from moves()
    yield from named()
    yield from sorting()


def _case(
    name: str, body: str, inputs: dict[str, Any], out: tuple[tuple[int, ...], str], expected: Any, tolerance: float = 0
) -> Conformance:
    """One block in which both vector cores do the same; equal values may be stored twice."""
    parameters = [
        f'{n}: T.Tensor({v.shape}, "{"bfloat16" if n.endswith("_bf16") else v.dtype}")' for n, v in inputs.items()
    ]
    parameters.append(f'z: T.Tensor({out[0]}, "{out[1]}")')
    text = kernel(body, ", ".join(parameters), out=f"[{len(inputs)}]")
    return Conformance(name, text, inputs, ("z", out[0], out[1]), expected, tolerance)


_JOIN: dict[str, Callable[..., Any]] = {"sum": np.sum, "max": np.max, "min": np.min}


def reductions() -> Iterator[Conformance]:
    for kind, function in _JOIN.items():
        for dtype in ("float32",) if kind == "sum" else FLOATS:
            x = data(dtype, (8, 64), 1)
            wide = x.astype(np.float64)
            for dim in (0, 1, -1, -2):
                count = 64 if dim in (0, -2) else 8
                body = (
                    f'v = T.alloc_ub((8, 64), "{dtype}")\nr = T.alloc_ub(({count},), "{dtype}")\n'
                    f"T.copy(x, v)\nT.reduce_{kind}(v, r, dim={dim})\nT.copy(r, z)\n"
                )
                yield _case(
                    f"reduce_{kind}-{dtype}-{dim}", body, {"x": x}, ((count,), dtype), function(wide, axis=dim),
                    tolerance_of(dtype, 10),
                )  # fmt: skip
            body = (
                f'v = T.alloc_ub((8, 64), "{dtype}")\nr = T.alloc_ub((4,), "{dtype}")\n'
                f"T.copy(x, v)\nT.reduce_{kind}(v, r, dim=-1, real_shape=[4, 64])\nT.copy(r, z)\n"
            )
            yield _case(
                f"reduce_{kind}-{dtype}-real", body, {"x": x}, ((4,), dtype), function(wide[:4], axis=1),
                tolerance_of(dtype, 10),
            )  # fmt: skip
            body = (
                f'v = T.alloc_ub((512,), "{dtype}")\nr = T.alloc_ub((1,), "{dtype}")\n'
                f"T.copy(x, v)\nT.tile.fill(r, 5.0)\nT.reduce_{kind}(v, r, dim=-1, clear=False)\nT.copy(r, z)\n"
            )
            flat = x.ravel()
            yield _case(
                f"reduce_{kind}-{dtype}-merge", body, {"x": flat}, ((1,), dtype),
                [function(np.append(flat.astype(np.float64), 5.0))], tolerance_of(dtype, 40),
            )  # fmt: skip
    x = data("float16", (8, 64), 2)
    body = (
        'v = T.alloc_ub((8, 64), "float16")\nr = T.alloc_ub((8,), "float16")\n'
        "T.copy(x, v)\nT.reduce_sum(v, r, dim=-1)\nT.copy(r, z)\n"
    )
    yield _case("reduce_sum-float16", body, {"x": x}, ((8,), "float16"), x.astype(np.float64).sum(1), 1e-2)


def broadcasts() -> Iterator[Conformance]:
    for dtype in OPERATIONS["broadcast"].dtypes:
        for name, shape, axis, of in (
            ("columns", (1, 64), None, lambda x: np.broadcast_to(x, (32, 64))),
            ("flat-0", (64,), 0, lambda x: np.broadcast_to(x, (32, 64))),
            ("flat-1", (32,), 1, lambda x: np.broadcast_to(x[:, None], (32, 64))),
        ):
            source = data(dtype, math.prod(shape), 3).reshape(shape)
            body = (
                f'v = T.alloc_ub((32, 64), "{dtype}")\nu = T.alloc_ub({shape}, "{dtype}")\n'
                f"T.copy(x, u)\nT.tile.broadcast(v, u, axis={axis})\nT.copy(v, z)\n"
            )
            yield _case(f"broadcast-{name}-{dtype}", body, {"x": source}, ((32, 64), dtype), of(source))
        if dtype in FLOATS:
            source = data(dtype, (32, 16), 3)
            body = (
                f'v = T.alloc_ub((32, 64), "{dtype}")\nw = T.alloc_ub((32, 16), "{dtype}")\n'
                f'u = T.alloc_ub((32, 1), "{dtype}")\nT.copy(x, w)\nT.reduce_max(w, u, dim=-1)\n'
                "T.tile.broadcast(v, u, axis=None)\nT.copy(v, z)\n"
            )
            wanted = np.broadcast_to(source.astype(np.float64).max(axis=1, keepdims=True), (32, 64))
            yield _case(f"broadcast-rows-{dtype}", body, {"x": source}, ((32, 64), dtype), wanted)


def named() -> Iterator[Conformance]:
    """T.meta_var: a name for a buffer or for a slot of one, as Python decides."""
    x = data("float32", (2, 8, 64), 6)
    for apart in (True, False):
        body = f"""
            v = T.alloc_ub((2, 8, 64), "float32")
            w = T.alloc_ub((8, 64), "float32")
            T.copy(x[0, 0, 0], v[0, :, :])
            T.copy(x[1, 0, 0], v[1, :, :])
            for i in T.serial(2):
                tile = T.meta_var(w if {apart} else v[i % 2, :, :])
                if {apart}:
                    T.copy(v[i % 2, :, :], tile)
                T.tile.mul(tile, tile, 2.0)
                T.tile.add(v[i % 2, :, :], tile, 1.0)
            T.copy(v[0, :, :], z[0, 0, 0])
            T.copy(v[1, :, :], z[1, 0, 0])
        """
        wanted = 2.0 * x.astype(np.float64) + 1
        yield _case(f"meta_var-{apart}", body, {"x": x}, (x.shape, "float32"), wanted, tolerance_of("float32"))


def moves() -> Iterator[Conformance]:
    x = data("float16", (21, 100), 4)
    padded = np.full((32, 112), -5.0)
    padded[:21, :100] = x
    body = 'v = T.alloc_ub((32, 112), "float16")\nT.copy(x[0, 0], v, pad_value=-5.0)\nT.copy(v, z)\n'
    yield _case("copy-pad", body, {"x": x}, ((32, 112), "float16"), padded)
    body = 'v = T.alloc_ub((8, 48), "float16")\nT.copy(x[8:16, 16:64], v)\nT.copy(v, z)\n'
    yield _case("copy-box", body, {"x": x}, ((8, 48), "float16"), x[8:16, 16:64])
    w = data("float16", (10, 3, 48), 4)
    body = (
        'v = T.alloc_ub((2, 8, 16), "float16")\nT.copy(w[1:9, 2, 0:16], v[1, :, :])\n'
        "T.copy(v[1, :, :], z[0:8, 0, 0:16])\n"
    )
    yield _case("copy-rows-apart", body, {"w": w}, ((8, 1, 16), "float16"), w[1:9, 2:3, :16])
    u = data("float16", (2, 10, 3, 48), 5)
    body = (
        'v = T.alloc_ub((2, 8, 16), "float16")\nT.copy(u[1, 1:9, 2, 0:16], v[1, :, :])\n'
        "T.copy(v[1, :, :], z[0, 0:8, 0, 0:16])\n"
    )
    yield _case("copy-rows-apart-in-blocks", body, {"u": u}, ((1, 8, 1, 16), "float16"), u[1:2, 1:9, 2:3, :16])
    body = 'v = T.alloc_ub((8, 16), "float16")\nT.copy(x[0:8, 3:4], v, pad_value=2.0)\nT.copy(v, z)\n'
    wanted = np.full((8, 16), 2, np.float16)
    wanted[:, :1] = x[:8, 3:4]
    yield _case("copy-one-column", body, {"x": x}, ((8, 16), "float16"), wanted)
    body = 'v = T.alloc_ub((16, 16), "float16")\nT.copy(x[0, 0], v)\nT.copy(v, z[8, 96])\nT.copy(v, z[0, 0])\n'
    square = np.zeros((16, 112))
    square[:, :16] = x[:16, :16]
    square[8:, 96:] = x[:8, :16]
    zeros = 'w = T.alloc_ub((16, 112), "float16")\nT.tile.fill(w, 0.0)\nT.copy(w, z)\nT.barrier_all()\n'
    alone = "if vid == 0:\n" + textwrap.indent(zeros + body, "    ")
    yield _case("copy-clipped-store", alone, {"x": x}, ((16, 112), "float16"), square)
    body = (
        'v = T.alloc_ub((16, 16), "float16")\nw = T.alloc_ub((16, 16), "float16")\nT.copy(x[0:16, 0:16], v)\n'
        "T.tile.transpose(w, v)\nT.copy(w, z)\n"
    )
    yield _case("transpose", body, {"x": x}, ((16, 16), "float16"), x[:16, :16].T)
    table = data("float32", 128, 5)
    places = np.random.default_rng(6).integers(0, 128, 64)
    body = (
        't = T.alloc_ub((128,), "float32")\no = T.alloc_ub((64,), "uint32")\nv = T.alloc_ub((64,), "float32")\n'
        "T.copy(x, t)\nT.copy(offsets, o)\nT.tile.gather(v, t, o, 0)\nT.copy(v, z)\n"
    )
    inputs = {"x": table, "offsets": (places * 4).astype(np.uint32)}
    yield _case("gather", body, inputs, ((64,), "float32"), table[places])
    for pattern, chosen in (("P0101", table[::2]), ("P1010", table[1::2]), ("P0100", table[2::4]), ("P1111", table)):
        body = (
            f't = T.alloc_ub((128,), "float32")\nv = T.alloc_ub(({len(chosen)},), "float32")\nT.copy(x, t)\n'
            f'T.tile.gather_mask(v, t, "{pattern}")\nT.copy(v, z)\n'
        )
        yield _case(f"gather_mask-{pattern}", body, {"x": table}, ((len(chosen),), "float32"), chosen)
    for dtype in OPERATIONS["createvecindex"].dtypes:
        body = f'v = T.alloc_ub((64,), "{dtype}")\nT.tile.createvecindex(v, 3)\nT.copy(v, z)\n'
        yield _case(f"createvecindex-{dtype}", body, {}, ((64,), dtype), np.arange(3, 67))
        body = f'v = T.alloc_ub((64,), "{dtype}")\nT.tile.arith_progression(v, 5, 2, 64)\nT.copy(v, z)\n'
        yield _case(f"arith_progression-{dtype}", body, {}, ((64,), dtype), 5 + 2 * np.arange(64))
    wide = data("float32", (8, 64), 8)
    body = (
        'v = T.alloc_ub((8, 64), "float32")\nr = T.alloc_ub((8,), "float32")\nT.copy(x, v)\nT.copy(s, r)\n'
        "for i in T.serial(8):\n    T.tile.mul(v[i, :], v[i, :], r[i])\nT.copy(v, z)\n"
    )
    factors = data("float32", 8, 9)
    yield _case(
        "element-operand",
        body,
        {"x": wide, "s": factors},
        ((8, 64), "float32"),
        wide * factors[:, None].astype(float),
        2e-6,
    )


def sorting() -> Iterator[Conformance]:
    x = data("float32", 90, 10)
    order = np.argsort(-x, kind="stable")
    pairs = np.stack([x[order], order], 1)
    body = (
        'v = T.alloc_ub((96,), "float32")\np = T.alloc_ub((16,), "float32")\nT.copy(x[0:90], v[0:90])\n'
        "T.tile.topk(p, v, 8, 90)\nT.copy(p, z)\n"
    )
    yield _case("topk", body, {"x": x}, ((16,), "float32"), pairs[:8].ravel())
    body = (
        'v = T.alloc_ub((64,), "float32")\np = T.alloc_ub((128,), "float32")\nT.copy(x[0:64], v)\n'
        "T.tile.sort(p, v, 64)\nT.copy(p, z)\n"
    )
    order = np.argsort(-x[:64], kind="stable")
    yield _case("sort", body, {"x": x}, ((128,), "float32"), np.stack([x[order], order], 1).ravel())
    first, second = (
        np.array([[5, 0], [3, 1], [1, 2], [0, 3]], np.float32),
        np.array([[4, 8], [2, 9], [1, 10], [-1, 11]]),
    )
    both = np.concatenate([first, second.astype(np.float32)])
    merged = both[np.argsort(-both[:, 0], kind="stable")]
    body = (
        'a = T.alloc_ub((8,), "float32")\nb = T.alloc_ub((8,), "float32")\nv = T.alloc_ub((16,), "float32")\n'
        "T.copy(x, a)\nT.copy(y, b)\nT.tile.merge_sort(v, a, b)\nT.copy(v, z)\n"
    )
    inputs = {"x": first.ravel(), "y": second.astype(np.float32).ravel()}
    yield _case("merge_sort", body, inputs, ((16,), "float32"), merged.ravel())


# ---- matrix products ----


def products() -> Iterator[Conformance]:
    for dtype, sums in (("float16", "float32"), ("float32", "float32"), ("int8", "int32")):
        m, n, k = 32, 64 if dtype == "int8" else 48, 64
        for left, right in ((False, False), (False, True), (True, False)):
            a, b = data(dtype, (k, m) if left else (m, k), 1), data(dtype, (n, k) if right else (k, n), 2)
            body = (
                f'p = T.alloc_L1({a.shape}, "{dtype}")\nq = T.alloc_L1({b.shape}, "{dtype}")\n'
                f'r = T.alloc_L0C(({m}, {n}), "{sums}")\nT.copy(a, p)\nT.copy(b, q)\n'
                f"T.gemm_v0(p, q, r, transpose_A={left}, transpose_B={right}, init=True)\nT.copy(r, z[0, 0])\n"
            )
            wide = (a.T if left else a).astype(np.float64) @ (b.T if right else b).astype(np.float64)
            yield _case(
                f"gemm-{dtype}-{int(left)}{int(right)}",
                body,
                {"a": a, "b": b},
                ((m, n), sums),
                wide,
                1e-5 * (dtype != "int8"),
            )
    a, b = data("bfloat16", (16, 32), 5), data("bfloat16", (32, 16), 6)
    body = (
        'p = T.alloc_L1((16, 32), "bfloat16")\nq = T.alloc_L1((32, 16), "bfloat16")\n'
        'r = T.alloc_L0C((16, 16), "float32")\nT.copy(a_bf16, p)\nT.copy(b_bf16, q)\n'
        "T.gemm_v0(p, q, r, init=True)\nT.copy(r, z[0, 0])\n"
    )
    wide = a.astype(np.float64) @ b.astype(np.float64)
    yield _case("gemm-bfloat16", body, {"a_bf16": a, "b_bf16": b}, ((16, 16), "float32"), wide, 1e-5)
    a, b = data("float16", (30, 70), 3), data("float16", (70, 40), 4)
    body = (
        'p = T.alloc_L1((32, 64), "float16")\nq = T.alloc_L1((64, 48), "float16")\n'
        'r = T.alloc_L0C((32, 48), "float32")\n'
        "for i in T.serial(2):\n    T.copy(a[0, i * 64], p)\n    T.copy(b[i * 64, 0], q)\n"
        "    T.gemm_v0(p, q, r, init=(i == 0))\nT.copy(r, z[0, 0], enable_relu=True)\n"
    )
    wide = np.maximum(a.astype(np.float64) @ b.astype(np.float64), 0)
    yield _case("gemm-tails-relu", body, {"a": a, "b": b}, ((30, 40), "float16"), wide, 1e-3)


def conformance() -> Iterator[Conformance]:
    """The whole table."""
    yield from all_elementwise()
    yield from casts()
    yield from shaped()
    yield from products()
    yield from specials()

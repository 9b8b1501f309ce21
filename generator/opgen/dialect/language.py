"""The module that stands for tilelang.language."""
# ruff: noqa: N803 (parameters are named as kernels name them)

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.dialect import copies, cross, cube, kernels, shaped, vector
from opgen.dialect.buffers import Buffer
from opgen.dialect.expression import Symbol
from opgen.dialect.global_memory import Tensor
from opgen.dialect.indexing import Element, Region, integer
from opgen.dialect.machine import Abandon, Core, here
from opgen.dialect.order import PIPES
from opgen.dialect.places import caller
from opgen.dialect.scalars import FUNCTIONS
from opgen.facts.dtypes import DTYPES
from opgen.text.suggest import closest

_MISSING = {
    "dynamic": 'write T.symbolic("n"); T.dynamic and T.dyn do not exist',
    "dyn": 'write T.symbolic("n"); T.dynamic and T.dyn do not exist',
    "alloc_local": "use T.alloc_var for a scalar, T.alloc_ub for a tile",
}


class LanguageModule(types.ModuleType):
    """Names that it does not have are a mistake of the kernel."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        whole = f"{self.__name__.replace('tilelang.language', 'T')}.{name}"
        raise AttributeError(f"{whole} does not exist{_hint(self, name)}")


def _hint(module: types.ModuleType, name: str) -> str:
    if name in _MISSING:
        return f": {_MISSING[name]}"
    near = closest(name, [known for known in vars(module) if not known.startswith("_")])
    return f"; did you mean {near}?" if near else ""


def operation(function: Callable[..., None], target: int = 0) -> Callable[..., None]:
    """A statement of a kernel: one that cannot be carried out is left out, and what it was to write counts as written.

    target: which argument it writes to.
    """

    def statement(*args: Any, **options: Any) -> None:
        core = here()
        core.spot = caller()
        try:
            function(core, *args, **options)
        except Abandon:
            if len(args) > target:
                _forgive(core, args[target])

    statement.__name__ = function.__name__
    return statement


def _forgive(core: Core, target: Any) -> None:
    """Nobody shall hear of it again."""
    owner = target.owner if isinstance(target, (Region, Element)) else target
    if isinstance(owner, Buffer):
        owner.forgive(core)
    elif isinstance(owner, Tensor):
        owner.written[...] = True


# ---- copies and matrix products ----


def _copy(
    core: Core, src: Any, dst: Any, enable_relu: bool = False, transpose: Any = False, pad_value: Any = None
) -> None:
    copies.copy(core, src, dst, bool(enable_relu), bool(transpose), pad_value)


def _gemm(
    core: Core,
    A: Any,
    B: Any,
    C: Any,
    transpose_A: bool = False,
    transpose_B: bool = False,
    init: Any = False,
) -> None:
    cube.gemm(core, A, B, C, transpose_A, transpose_B, init)


def _mma(core: Core, A: Any, B: Any, C: Any, init: Any = False) -> None:
    cube.mma(core, A, B, C, init)


# ---- order ----


def _pipe(core: Core, name: str) -> int:
    word = str(name).lower()
    if word not in PIPES:
        core.report("OPG743", f'there is no pipe "{name}"', fix=f"pipes are {', '.join(PIPES)}")
        raise Abandon
    return PIPES.index(word)


def _set_flag(core: Core, src: str, dst: str, event: Any) -> None:
    source, target = _pipe(core, src), _pipe(core, dst)
    if _foreign(core, source, target):
        return
    core.launch.count("set_flag")
    _own_event(core, integer(event))
    core.set_flag(source, target, integer(event))


def _wait_flag(core: Core, src: str, dst: str, event: Any) -> None:
    source, target = _pipe(core, src), _pipe(core, dst)
    if _foreign(core, source, target):
        return
    core.launch.count("wait_flag")
    core.wait_flag(source, target, integer(event))


def _foreign(core: Core, *pipes: int) -> bool:
    """Whether a flag is none of this core's. Outside T.Scope the compiler sorts flags by their pipes."""
    if core.scopes:
        return not core.inside()
    kinds = {PIPES[pipe] for pipe in pipes}
    if kinds & {"m", "mte1", "fix"}:
        return not core.cube
    return core.cube if kinds & {"v", "mte3"} else False


def _own_event(core: Core, event: int) -> None:
    if core.launch.settings.generated and event in (0, 1):
        core.report(
            "OPG723",
            f"event {event} belongs to the compiler's own code",
            why="Clipped loads and gemm_v0 set the events 0 and 1 themselves.",
            fix="use the events 2 to 7",
        )


def _pipe_barrier(core: Core, pipe: str) -> None:
    if str(pipe).lower() == "all":
        _barrier_all(core)
        return
    number = _pipe(core, pipe)
    if not _foreign(core, number):
        core.launch.count("pipe_barrier")
        core.order.barrier(number)


def _barrier_all(core: Core) -> None:
    if core.inside():
        core.launch.count("barrier_all")
        core.order.barrier_all()


def _set_cross_flag(core: Core, pipe: str, flag: Any, mode: int = 2) -> None:
    cross.set_cross_flag(core, str(pipe), integer(flag), mode)


def _wait_cross_flag(core: Core, flag: Any, pipe: str = "") -> None:
    cross.wait_cross_flag(core, integer(flag))


# ---- reductions ----


def _reduction(name: str) -> Callable[..., None]:
    def reduce(
        core: Core, buffer: Any, out: Any, dim: int = -1, *args: Any, clear: Any = True, real_shape: Any = None
    ) -> None:
        for arg in args:
            if isinstance(arg, bool):
                clear = arg
            else:
                real_shape = arg
        shaped.reduce(core, name, buffer, out, dim, bool(clear), real_shape)

    return reduce


# ---- T.tile ----


def _square_root(x: Any) -> Any:
    return np.sqrt(x)


_UNARY: dict[str, Callable[..., Any]] = {
    "exp": np.exp,
    "ln": np.log,
    "sqrt": _square_root,
    "rsqrt": lambda x: np.float32(1) / np.sqrt(x),
    "reciprocal": lambda x: np.float32(1) / x,
    "abs": np.abs,
    "relu": lambda x: np.maximum(x, 0),
    "bitwise_not": np.invert,
    "sigmoid": lambda x: np.float32(1) / (np.float32(1) + np.exp(-x)),
    "silu": lambda x: x / (np.float32(1) + np.exp(-x)),
    "sin": np.sin,
    "cos": np.cos,
}
_BINARY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "max": np.maximum,
    "min": np.minimum,
    "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or,
    "bitwise_xor": np.bitwise_xor,
    "bitwise_lshift": np.left_shift,
    "bitwise_rshift": np.right_shift,
    "pow": np.power,
    "leaky_relu": lambda x, slope: np.where(x < 0, x * slope, x),
}


def _unary(name: str) -> Callable[..., None]:
    return lambda core, dst, src: vector.unary(core, name, dst, src, _UNARY[name])


def _binary(name: str) -> Callable[..., None]:
    return lambda core, dst, src0, src1: vector.binary(core, name, dst, src0, src1, _BINARY[name])


def _row_expand(name: str) -> Callable[..., None]:
    return lambda core, dst, src0, src1, tmp=None: shaped.row_expand(core, name, dst, src0, src1, tmp)


_TILE: dict[str, Callable[..., None]] = {
    **{name: _unary(name) for name in _UNARY},
    **{name: _binary(name) for name in _BINARY},
    "axpy": lambda core, dst, src0, scalar_value: vector.accumulate(core, "axpy", dst, [src0], scalar_value),
    "mul_add_dst": lambda core, dst, src0, src1: vector.accumulate(core, "mul_add_dst", dst, [src0, src1]),
    "round": lambda core, out, buffer, count: vector.counted(core, "round", out, buffer, count, np.rint),
    "clamp_max": lambda core, out, buffer, scalar_value, count: vector.counted(
        core, "clamp_max", out, buffer, count, np.minimum, scalar_value
    ),
    "clamp_min": lambda core, out, buffer, scalar_value, count: vector.counted(
        core, "clamp_min", out, buffer, count, np.maximum, scalar_value
    ),
    "clamp": lambda core, out, buffer, min_scalar, max_scalar, count: vector.counted(
        core,
        "clamp",
        out,
        buffer,
        count,
        lambda x, low, high: np.minimum(np.maximum(x, low), high),
        min_scalar,
        max_scalar,
    ),
    "fill": lambda core, buffer, value: vector.fill(core, buffer, value),
    "clear": lambda core, buffer: vector.fill(core, buffer, 0),
    "createvecindex": lambda core, dst, first: vector.progression(core, "createvecindex", dst, first, 1, None),
    "arith_progression": lambda core, buffer, first_value, diff_value, count: vector.progression(
        core, "arith_progression", buffer, first_value, diff_value, count
    ),
    "cast": lambda core, dst, src, mode, count: vector.cast(core, dst, src, mode, count),
    "compare": lambda core, dst, src0, src1, mode: vector.compare(core, dst, src0, src1, mode),
    "select": lambda core, dst, selMask, src0, src1, selMode: vector.select(core, dst, selMask, src0, src1, selMode),
    "broadcast": lambda core, dst, src, axis=None: shaped.broadcast(core, dst, src, axis),
    "transpose": lambda core, dst, src: shaped.transpose(core, dst, src),
    "gather": lambda core, dst, src, src_offset, src_base_addr: shaped.gather(
        core, dst, src, src_offset, src_base_addr
    ),
    "gather_mask": lambda core, dst, src, src1Pattern: shaped.gather_mask(core, dst, src, src1Pattern),
    "sort": lambda core, dst, src, actual_num: shaped.sort(core, "sort", dst, src, None, actual_num),
    "topk": lambda core, dst, src, K, actual_num: shaped.sort(core, "topk", dst, src, integer(K), actual_num),
    "merge_sort": lambda core, dst, *sources: shaped.merge_sort(core, dst, list(sources)),
    "init_sort_buf": lambda core, buffer, num, rsv: shaped.init_sort_buf(core, buffer, num, rsv),
    "atomic_add": lambda core, dst, src: copies.atomic_add(core, dst, src),
    "row_expand_sub_experiment": _row_expand("row_expand_sub_experiment"),
    "row_expand_div_experiment": _row_expand("row_expand_div_experiment"),
}

# Operations that exist and that the checker does not carry out.
_UNKNOWN_TILE = (
    "sort32", "gatherb", "brcb", "brcb_experiment", "bilinear_interpolation", "wholereducemax", "wholereducemin",
    "wholereducesum", "block_reduce_max", "block_reduce_min", "block_reduce_sum", "row_expand_mul",
    "row_expand_mul_experiment", "sub_experiment", "abs_experiment", "mins_experiment", "reduce_sum_experiment",
    "reduce_sum_mask_experiment", "gathermask_experiment", "fill_experiment", "sum_experiment",
    "datacachecleanandinvalid_experiment",
)  # fmt: skip
_UNKNOWN = (
    "reinterpretcast", "view", "gemm", "set_deq_scale", "shmem_put_nbi", "shmem_get_nbi", "shmem_ub_put_nbi",
    "shmem_ub_get_nbi", "call_extern", "call_intrin", "cumsum", "reduce_abssum", "reduce_absmax", "atomic_add",
    "loop_break", "init_flag", "clear_flag",
)  # fmt: skip


def _unknown(name: str) -> Callable[..., None]:
    def statement(core: Core, *_: Any, **__: Any) -> None:
        core.unknown(name)
        raise Abandon

    return operation(statement)


def _nothing(*_: Any, **__: Any) -> None:
    """Annotations and prints."""


def language() -> LanguageModule:
    module = LanguageModule("tilelang.language")
    names: dict[str, Any] = {
        "prim_func": kernels.prim_func,
        "meta_var": lambda value: value,
        "macro": lambda function=None, **_: function if function is not None else (lambda inner: inner),
        "Tensor": kernels.TensorType,
        "Buffer": kernels.TensorType,
        "Kernel": kernels.Kernel,
        "Scope": kernels.Scope,
        "symbolic": lambda name, dtype="int32": Symbol(name),
        "alloc_ub": lambda shape, dtype: kernels.alloc("UB", shape, dtype),
        "alloc_L1": lambda shape, dtype: kernels.alloc("L1", shape, dtype),
        "alloc_L0A": lambda shape, dtype: kernels.alloc("L0A", shape, dtype),
        "alloc_L0B": lambda shape, dtype: kernels.alloc("L0B", shape, dtype),
        "alloc_L0C": lambda shape, dtype: kernels.alloc("L0C", shape, dtype),
        "alloc_shared": kernels.alloc_shared,
        "alloc_fragment": kernels.alloc_fragment,
        "alloc_var": kernels.alloc_var,
        "reshape": kernels.reshape,
        "serial": kernels.serial,
        "unroll": kernels.serial,
        "vectorized": kernels.serial,
        "Pipelined": kernels.pipelined,
        "Persistent": kernels.persistent,
        "Parallel": kernels.parallel,
        "use_swizzle": kernels.use_swizzle,
        "npu_use_swizzle": kernels.use_swizzle,
        "copy": operation(_copy, 1),
        "gemm_v0": operation(_gemm, 2),
        "mma": operation(_mma, 2),
        "set_flag": operation(_set_flag),
        "wait_flag": operation(_wait_flag),
        "pipe_barrier": operation(_pipe_barrier),
        "barrier_all": operation(_barrier_all),
        "set_cross_flag": operation(_set_cross_flag),
        "wait_cross_flag": operation(_wait_cross_flag),
        "sync_all": operation(lambda core: cross.sync_all(core)),
        **{f"reduce_{kind}": operation(_reduction(f"reduce_{kind}"), 1) for kind in ("sum", "max", "min")},
        **{name: _unknown(f"T.{name}") for name in _UNKNOWN},
        **dict.fromkeys(
            ("annotate_address", "annotate_layout", "annotate_padding", "func_attr", "printf", "print"), _nothing
        ),
        "dump_tensor": _nothing,
        "evaluate": _nothing,
        **FUNCTIONS,
        **{name: kernels.ScalarType(name) for name in DTYPES},
    }
    vars(module).update(names)
    tile = LanguageModule("tilelang.language.tile")
    vars(tile).update({name: operation(function) for name, function in _TILE.items()})
    vars(tile).update({name: _unknown(f"T.tile.{name}") for name in _UNKNOWN_TILE})
    vars(module)["tile"] = tile
    return module

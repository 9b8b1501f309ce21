"""`tilelang` as a script of the dialect sees it: names of T, compile, jit, pass configurations."""

from __future__ import annotations

import enum
import functools
import logging
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import tilelang.language as mainline
from tvm import tirx
from tvm.script.ir_builder import tirx as ir

from . import building, copies, lowering, matrices, memory, selecting, sync, tracing, vector

# Names of TileLang's language that TileLang-Ascend does not have.
_ABSENT = {
    *("dynamic", "dyn", "const", "empty", "fill", "clear", "gemm", "gemm_sp", "tma_copy", "async_copy", "Unroll"),
    *("alloc_local", "alloc_barrier", "alloc_tmem", "alloc_descriptor", "alloc_reducer"),
    *("annotate_compile_flags", "annotate_pass_configs"),
}

# What has no effect on results.
_HINTS = ("annotate_address", "annotate_layout", "annotate_padding", "func_attr", "printf", "print", "dump_tensor")

_PLATFORMS = ("auto", "A2", "A3", "A5")
_TARGETS = ("auto", "ascendc", "pto")


AUTO_CV_SYNC = "tl.ascend_auto_cross_core_sync"

# Configurations of TileLang-Ascend's compiler; TileLang itself goes on reading its own.
_CONFIGS = {
    "TL_ASCEND_AUTO_SYNC": "tl.ascend_auto_sync",
    "TL_ASCEND_MEMORY_PLANNING": "tl.ascend_memory_planning",
    "TL_ASCEND_AUTO_CV_COMBINE": "tl.ascend_auto_cv_combine",
    "TL_ASCEND_AUTO_CV_SYNC": AUTO_CV_SYNC,
}


class CompiledKernel:
    """What tilelang.compile returns: a library on disk."""

    def __init__(self, library: str, text: str) -> None:
        self.adapter = SimpleNamespace(lib=SimpleNamespace(_name=library), libpath=library)
        self._text = text

    def get_kernel_source(self) -> str:
        """The C++ text."""
        return self._text

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("this build compiles kernels; it does not run them on tensors of PyTorch")


def compile(
    func: Any,
    out_idx: Any = None,
    workspace_idx: Any = None,
    target: str = "auto",
    target_host: Any = None,
    platform: str = "auto",
    execution_backend: str = "cython",
    verbose: bool = False,
    pass_configs: dict[Any, Any] | None = None,
    debug_root_path: Any = None,
) -> CompiledKernel:
    """tilelang.compile: the kernel's library, built for this machine's CPU."""
    if target not in _TARGETS:
        raise ValueError(f"tilelang.compile: target {target!r}: must be one of {', '.join(_TARGETS)}")
    if platform not in _PLATFORMS:
        raise ValueError(f"tilelang.compile: platform {platform!r}: must be one of {', '.join(_PLATFORMS)}")
    configs = {getattr(key, "value", key): value for key, value in (pass_configs or {}).items()}
    text = lowering.source(func, bool(configs.get(AUTO_CV_SYNC)))
    return CompiledKernel(str(building.build(text, lowering.headers())), text)


def jit(function: Any = None, **options: Any) -> Any:
    """tilelang.jit: a factory whose calls compile what it returns."""

    def decorate(factory: Any) -> Any:
        @functools.wraps(factory)
        def made(*args: Any, **kwargs: Any) -> CompiledKernel:
            return compile(factory(*args, **kwargs), **options)

        return made

    return decorate(function) if callable(function) else decorate


def _parallel(*extents: Any, coalesced_width: Any = None) -> Any:
    return ir.grid(*extents)


def _pipelined(start: Any, stop: Any = None, num_stages: int = 0, **scheduling: Any) -> Any:
    return mainline.serial(start) if stop is None else mainline.serial(start, stop)


def _unroll(*bounds: Any, **scheduling: Any) -> Any:
    return mainline.serial(*bounds)


def _symbolic(name: str, dtype: str = "int32") -> Any:
    return tirx.Var(name, dtype)


def _swizzle(cid: Any, m: int, n: int, k: int, block_m: int, block_n: int, *order: Any, **more: Any) -> Any:
    """Another order of the tiles, which changes no result; ids beyond the last tile start over."""
    if m % block_m or n % block_n:
        raise ValueError("T.use_swizzle: M and N must be multiples of their tiles")
    return cid % ((m // block_m) * (n // block_n))


def _nothing(*args: Any, **kwargs: Any) -> None:
    """For hints to the compiler, and for what prints."""


def _missing(name: str, owner: str) -> Any:
    raise AttributeError(f"{owner}.{name}: not in TileLang-Ascend, or not known to opgen's CPU build")


def _language() -> ModuleType:
    """The module that scripts call T."""
    language = ModuleType("tilelang.language")
    for name in dir(mainline):
        if not name.startswith("_") and name not in _ABSENT:
            setattr(language, name, getattr(mainline, name))
    tile = ModuleType("tilelang.language.tile")
    for operations in (vector, selecting):
        for name, value in vars(operations).items():
            if not name.startswith("_") and getattr(value, "__module__", "") == operations.__name__:
                setattr(tile, name, value)
    tile.atomic_add = copies.atomic_add  # type: ignore[attr-defined]
    ours: dict[str, Any] = {
        "Kernel": tracing.kernel,
        "Scope": tracing.scope,
        "Tensor": memory.tensor,
        "alloc_ub": memory.alloc_ub,
        "alloc_L1": memory.alloc_l1,
        "alloc_L0A": memory.alloc_l0a,
        "alloc_L0B": memory.alloc_l0b,
        "alloc_L0C": memory.alloc_l0c,
        "alloc_shared": memory.alloc_anywhere,
        "alloc_fragment": memory.alloc_anywhere,
        "copy": copies.copy,
        "reduce_sum": matrices.reduce_sum,
        "reduce_max": matrices.reduce_max,
        "reduce_min": matrices.reduce_min,
        "gemm_v0": matrices.gemm_v0,
        "mma": matrices.mma,
        "set_flag": sync.set_flag,
        "wait_flag": sync.wait_flag,
        "pipe_barrier": sync.pipe_barrier,
        "barrier_all": sync.barrier_all,
        "set_cross_flag": sync.set_cross_flag,
        "wait_cross_flag": sync.wait_cross_flag,
        "sync_all": sync.sync_all,
        "Parallel": _parallel,
        "Pipelined": _pipelined,
        "unroll": _unroll,
        "symbolic": _symbolic,
        "use_swizzle": _swizzle,
        "npu_use_swizzle": _swizzle,
        **dict.fromkeys(_HINTS, _nothing),
        "tile": tile,
    }
    for name, value in ours.items():
        setattr(language, name, value)
    language.__getattr__ = functools.partial(_missing, owner="T")  # type: ignore[method-assign]
    tile.__getattr__ = functools.partial(_missing, owner="T.tile")  # type: ignore[method-assign]
    return language


def install(module: ModuleType) -> None:
    """Puts the dialect in the place of TileLang's own names."""
    logging.getLogger("tilelang").setLevel(logging.CRITICAL + 1)  # exceptions say it
    memory.install_elements()
    language = _language()
    module.language = language  # type: ignore[attr-defined]
    sys.modules["tilelang.language.tile"] = language.tile
    target = ModuleType("tilelang.utils.target")  # scripts pin what it says, so that all machines place buffers alike
    target.check_npu_availability = lambda: False  # type: ignore[attr-defined]
    sys.modules[target.__name__] = target
    module.utils.target = target
    known = {member.name: member.value for member in module.PassConfigKey}
    keys = enum.Enum("PassConfigKey", {**known, **_CONFIGS}, type=str)  # type: ignore[misc]
    for name, value in {"compile": compile, "jit": jit, "PassConfigKey": keys, "disable_cache": _nothing}.items():
        setattr(module, name, value)

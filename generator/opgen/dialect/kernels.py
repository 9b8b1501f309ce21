"""Kernels as scripts define them: parameters, the grid, buffers, loops."""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from opgen.dialect.buffers import Buffer, Variable
from opgen.dialect.expression import Expression, Symbol, plain, symbols_of
from opgen.dialect.indexing import Element, Region, dtype_name, integer
from opgen.dialect.machine import Abandon, Core, here, running
from opgen.dialect.places import Spot, assigned_name, caller


class ScalarType:
    """T.float32 and its like: the type of a scalar parameter, an element type, and a conversion."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, value: Any = 0) -> Any:
        from opgen.dialect.scalars import convert

        return convert(value, self.name)

    def __repr__(self) -> str:
        return self.name


class TensorType:
    """T.Tensor((m, n), "float16"): the annotation of a parameter."""

    def __init__(self, shape: Any, dtype: Any = "float32", *_: Any, **__: Any) -> None:
        self.shape = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        self.dtype = dtype_name(dtype)
        self.spot = caller()

    def __class_getitem__(cls, keys: Any) -> TensorType:
        if isinstance(keys, tuple) and len(keys) == 2 and not isinstance(keys[1], int):
            return cls(keys[0], keys[1])
        return cls(keys)

    @property
    def symbols(self) -> frozenset[str]:
        return frozenset[str]().union(*(symbols_of(axis) for axis in self.shape))


class PrimFunc:
    """A kernel. parameters: name -> TensorType or ScalarType."""

    def __init__(self, function: Callable[..., None], parameters: dict[str, TensorType | ScalarType]) -> None:
        self.function = function
        self.parameters = parameters
        self.name = function.__name__
        code = function.__code__
        self.spot = Spot(code, -1, code.co_firstlineno)
        self.shadowed: tuple[str, ...] = ()  # names in annotations that the compiler takes from the module instead

    @property
    def symbols(self) -> tuple[str, ...]:
        """Symbolic sizes, in order of first appearance."""
        found: dict[str, None] = {}
        for parameter in self.parameters.values():
            if isinstance(parameter, TensorType):
                for axis in parameter.shape:
                    names = [axis.name] if isinstance(axis, Symbol) else sorted(symbols_of(axis))
                    found.update(dict.fromkeys(names))
        return tuple(found)

    def with_attr(self, *_: Any) -> PrimFunc:
        return self


def prim_func(function: Callable[..., None] | None = None, **_: Any) -> Any:
    if function is None:
        return prim_func
    frame = sys._getframe(1)
    scope = {**frame.f_globals, **frame.f_locals}
    parameters: dict[str, TensorType | ScalarType] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        annotation = parameter.annotation
        if isinstance(annotation, str):
            annotation = eval(annotation, scope)
        if annotation is TensorType or not isinstance(annotation, (TensorType, ScalarType)):
            raise TypeError(f"the parameter {name} of {function.__name__} is neither T.Tensor(...) nor a scalar type")
        parameters[name] = annotation
    kernel = PrimFunc(function, parameters)
    kernel.shadowed = _shadowed(function, frame.f_locals if frame.f_locals is not frame.f_globals else {})
    return kernel


def _shadowed(function: Callable[..., None], outer: Mapping[str, Any]) -> tuple[str, ...]:
    """Names that only annotations read: the compiler looks for them in the module, not in the function around."""
    module = function.__globals__
    free = function.__code__.co_freevars
    names = [n for n in outer if n not in free and n in module and module[n] is not outer[n] and module[n] != outer[n]]
    if not names:
        return ()
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return ()
    read = {
        node.id
        for parameter in ast.walk(tree)
        if isinstance(parameter, ast.arg) and parameter.annotation is not None
        for node in ast.walk(parameter.annotation)
        if isinstance(node, ast.Name)
    }
    return tuple(sorted(name for name in names if name in read))


class Kernel:
    """with T.Kernel(blocks, is_npu=True) as (cid, vid)."""

    def __init__(self, *blocks: Any, threads: Any = None, is_npu: bool = False, **_: Any) -> None:
        if not is_npu:
            raise TypeError("T.Kernel(...) without is_npu=True is no kernel for Ascend")
        if len(blocks) != 1:
            raise TypeError(f"T.Kernel has one axis of blocks on Ascend, not {len(blocks)}")
        self.blocks = integer(blocks[0])
        self.reduced = threads is not None

    def __enter__(self) -> Any:
        core = here()
        launch = core.launch
        launch.blocks = self.blocks
        launch.reduced = self.reduced
        if core.block >= self.blocks or (self.reduced and core.sub == 1):
            raise Abandon
        return core.block if self.reduced else (core.block, max(core.sub, 0))

    def __exit__(self, *_: object) -> None:
        return None


class Scope:
    """with T.Scope("V") or ("C")."""

    def __init__(self, name: str) -> None:
        if name not in ("V", "C"):
            raise ValueError(f'T.Scope takes "V" or "C", not "{name}"')
        self.name = name

    def __enter__(self) -> None:
        core = here()
        core.scopes.append(self.name)
        if self.name == "C":
            core.launch.has_cube = True

    def __exit__(self, *_: object) -> None:
        here().scopes.pop()


# ---- buffers ----


def alloc(memory: str, shape: Any, dtype: Any) -> Buffer:
    core = here()
    _constant(core)
    axes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    for axis in axes:
        if isinstance(axis, Expression) and axis.symbols:
            core.report(
                "OPG743",
                f"a buffer whose shape contains the symbolic size {', '.join(sorted(axis.symbols))}",
                why="Buffers on chip have constant shapes.",
                fix="use a constant tile; copies are clipped at the end of the tensor",
            )
    # With threads= the compiler spreads each UB buffer over two vector cores, row by row.
    shared_by = 2 if core.launch.reduced and memory == "UB" else 1
    buffer = Buffer(memory, axes, dtype, caller(), shared_by)
    core.budget.buffers.append(buffer)
    return buffer


def _constant(core: Core) -> None:
    """Reports a buffer's shape, of the call that runs, with names that the kernel assigns."""
    spot = caller()
    names = _varying_shapes(spot.code).get(spot.line, ()) if spot.code is core.launch.spot.code else ()
    for name in names:
        core.report(
            "OPG743",
            f"a buffer whose shape contains {name}, which the kernel assigns",
            why="What a kernel assigns is a variable on the device, a plain number too. Shapes on chip are constant.",
            fix=f"assign {name} in front of the kernel",
        )


@lru_cache(maxsize=64)
def _varying_shapes(code: Any) -> dict[int, tuple[str, ...]]:
    """Line of a call that has a shape -> names in the shape that the function assigns."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, SyntaxError):
        return {}
    assigned = {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign))
        # Tuples stay Python's; so does what T.meta_var gives.
        and not isinstance(node.value, (ast.Tuple, ast.List) if _one_name(node) else ())
        and not (isinstance(node.value, ast.Call) and ast.unparse(node.value.func).endswith("meta_var"))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in ast.walk(target)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    found: dict[int, tuple[str, ...]] = {}
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            word = call.func.attr
            if word.startswith("alloc_") and word != "alloc_var":
                shapes = [k.value for k in call.keywords if k.arg == "shape"] + call.args[:1]
                read = {node.id for shape in shapes for node in ast.walk(shape) if isinstance(node, ast.Name)}
                line = code.co_firstlineno + call.lineno - 1
                found[line] = (*found.get(line, ()), *sorted(read & assigned))
    return found


def _one_name(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> bool:
    return isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)


def alloc_shared(shape: Any, dtype: Any, scope: str = "") -> Buffer:
    """L1 when a matrix product reads it, else UB."""
    spot = caller()
    return alloc("L1" if assigned_name(spot) in _matrices(spot.code)[0] else "UB", shape, dtype)


def alloc_fragment(shape: Any, dtype: Any, scope: str = "") -> Buffer:
    """L0A, L0B or L0C by its place in a matrix product, else UB."""
    spot = caller()
    name = assigned_name(spot)
    _, first, second, sums = _matrices(spot.code)
    memory = "L0C" if name in sums else "L0A" if name in first else "L0B" if name in second else "UB"
    return alloc(memory, shape, dtype)


@lru_cache(maxsize=64)
def _matrices(code: Any) -> tuple[frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
    """Names that T.gemm_v0 takes as A or B, that T.mma takes as A and as B, and that either takes as C."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, SyntaxError):
        return frozenset(), frozenset(), frozenset(), frozenset()
    inputs, first, second, sums = set(), set(), set(), set()
    for call in ast.walk(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and len(call.args) >= 3):
            continue
        names = [arg.value if isinstance(arg, ast.Subscript) else arg for arg in call.args[:3]]
        words = [name.id if isinstance(name, ast.Name) else "" for name in names]
        if call.func.attr == "gemm_v0":
            inputs |= set(words[:2])
            sums.add(words[2])
        elif call.func.attr == "mma":
            first.add(words[0])
            second.add(words[1])
            sums.add(words[2])
    return frozenset(inputs), frozenset(first), frozenset(second), frozenset(sums)


def alloc_var(dtype: Any, *args: Any, scope: str = "local.var", init: Any = None) -> Buffer:
    buffer = Variable("var", (1,), dtype, caller())
    given = [arg for arg in args if not isinstance(arg, str)]
    start = given[0] if given else init
    if start is not None:
        buffer.data[0] = plain(start)
    return buffer


def reshape(buffer: Buffer, shape: Any) -> Buffer:
    here().report(
        "OPG743",
        "T.reshape ends the compilation",
        why="In tilelang-ascend 0.1.4 it builds a buffer in a way that its language does not have any more.",
        fix="allocate the buffer with the shape that the instruction wants",
    )
    return buffer.view(tuple(integer(axis) for axis in shape))


# ---- loops ----


def serial(start: Any, stop: Any = None, *_: Any, **__: Any) -> range:
    return range(integer(start)) if stop is None else range(integer(start), integer(stop))


def pipelined(start: Any, stop: Any = None, num_stages: int = 0, **_: Any) -> range:
    return serial(start, stop)


def persistent(domain: Any, wave_size: Any, index: Any, group_size: Any = 8) -> Iterator[tuple[int, ...]]:
    """The tiles of one block out of `wave_size`."""
    axes = [integer(axis) for axis in domain]
    mine = integer(index)
    for number, tile in enumerate(itertools.product(*map(range, axes))):
        if number % integer(wave_size) == mine:
            yield tile


def parallel(*extents: Any, **_: Any) -> Iterator[Any]:
    """All elements at once, with arrays for indices; one by one where the body decides by them."""
    core = here()
    axes = [integer(axis) for axis in extents]
    core.parallel = True
    try:
        if core.launch.one_by_one:
            for index in itertools.product(*map(range, axes)):
                yield index if len(axes) > 1 else index[0]
        elif all(axes):
            grid = np.meshgrid(*(np.arange(axis) for axis in axes), indexing="ij")
            yield tuple(grid) if len(axes) > 1 else grid[0]
    finally:
        core.parallel = False


def use_swizzle(cid: Any, m: Any, n: Any, k: Any, block_m: Any, block_n: Any, *_: Any, **__: Any) -> int:
    """Another order of the tiles. Ids beyond the last one start over."""
    tiles = (integer(m) // integer(block_m)) * (integer(n) // integer(block_n))
    return integer(cid) % max(1, tiles)


def is_running() -> bool:
    return running()


__all__ = ["Element", "Kernel", "PrimFunc", "Region", "ScalarType", "Scope", "TensorType", "prim_func"]

"""The module that stands for pypto_pro.language while a kernel file runs."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from opgen.dialect.pypto import masks, moves, reductions, rings, scalars, system, tensors, tiles, vector, words
from opgen.dialect.pypto.jit import Jit
from opgen.dialect.pypto.worker import FrontEndError, here
from opgen.text.suggest import closest

# Names of the language that the checker knows of and does not carry out.
UNKNOWN = (
    "Vf", "addc_relu", "add_relu_cast", "argsort", "dequant", "dump_data", "fill_index", "gather", "gatherb",
    "gathermask", "histogram", "insert", "make_tuple", "matmul", "matmul_acc", "matmul_mx", "matmul_mx_acc", "move",
    "mrgsort", "mrgsort2", "mul_cast", "partadd", "partmax", "partmin", "partmul", "quant", "reset_mask", "scatter",
    "set_mask_count", "set_mask_norm", "set_stride", "set_vec_mask", "simt", "sort32", "ssbuf_load", "ssbuf_store",
    "struct", "struct_array", "sub_relu_cast", "transpose", "pipeline",
)  # fmt: skip


class _Unknown:
    """Something that is not carried out."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> _Unknown:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Unknown(f"{self._name}.{name}")

    def __call__(self, *given: Any, **_: Any) -> Any:
        here().unknown(self._name)
        for value in given:
            if isinstance(value, tiles.Tile):
                value.known(value.shape)[...] = True
        return None


def vector_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of registers, which is not carried out."""
    return _Unknown(f"the vector function {function.__name__}")


def _nothing(*_: Any, **__: Any) -> None:
    """printf and the like."""


def _asserted(condition: Any, *_: Any, **__: Any) -> None:
    if not condition:
        here().report("OPG830", "pl.pto_assert fails", why="The kernel stops there with an error on the device.")


class Language(types.ModuleType):
    """Says which name was meant when one is missing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        near = closest(name, names())
        raise FrontEndError(f"pypto_pro.language has no {name}", fix=f"write pl.{near}" if near else "", rule="OPG825")


def _dynamic() -> dict[str, Any]:
    return {
        "Ptr": tensors.Pointer,
        "Tensor": TensorAnnotation,
        "Scalar": ScalarAnnotation,
        "DYNAMIC": "pl.DYNAMIC",
        "STATIC": "pl.STATIC",
        "TileType": tiles.TileType,
        "Tile": tiles.Tile,
    }


class TensorAnnotation:
    """pl.Tensor[[...], dtype] in a signature, which offline kernels do not have."""

    def __class_getitem__(cls, keys: Any) -> type[TensorAnnotation]:
        return cls


class ScalarAnnotation:
    def __class_getitem__(cls, keys: Any) -> type[ScalarAnnotation]:
        return cls


def _words() -> dict[str, Any]:
    table: dict[str, Any] = dict(words.TYPES)
    for enum in (
        words.MemorySpace, words.TensorLayout, words.TilePad, words.FillPadMode, words.PipeType, words.RoundMode,
        words.AtomicType, words.SyncCoreType, words.SyncAllMode,
    ):  # fmt: skip
        table[enum.__name__] = enum
    table.update({layout.name: layout for layout in words.TensorLayout})
    for name in ("ReluPreMode", "STPhase", "AccPhase", "AccToVecMode", "QuantMode", "CacheLine", "DcciDst",
                 "CrossCoreSyncMode"):  # fmt: skip
        table[name] = _Unknown(f"pl.{name}")
    return table


def _operations() -> dict[str, Callable[..., Any]]:
    table: dict[str, Callable[..., Any]] = {
        "load": moves.load, "load_tile": moves.load_tile, "store": moves.store, "store_tile": moves.store_tile,
        "cast": vector.cast, "axpy": vector.axpy, "addc": vector.addc, "xor": vector.xor, "expands": vector.expands,
        "select": masks.select, "sum": reductions.sum, "fillpad": reductions.fillpad,
        "maximum": reductions.extreme("maximum", np.maximum), "minimum": reductions.extreme("minimum", np.minimum),
        "argmax": reductions.position("argmax"), "argmin": reductions.position("argmin"),
        "expand_mul": reductions.expanded("expand_mul", np.multiply),
        "expand_sub": reductions.expanded("expand_sub", np.subtract),
        "expand_div": reductions.expanded("expand_div", vector.BINARY["div"]),
        "expand_max": reductions.expanded("expand_max", np.maximum),
        "expand_min": reductions.expanded("expand_min", np.minimum),
    }  # fmt: skip
    table |= {name: vector.unary(name) for name in vector.UNARY}
    table |= {name: vector.binary(name, compute) for name, compute in vector.BINARY.items()}
    table |= {name: vector.in_place(name) for name in vector.IN_PLACE}
    table |= {name: masks.comparison(name) for name in masks.RELATIONS}
    return table


def _rest() -> dict[str, Any]:
    return {
        "make_tensor": tensors.make_tensor, "make_ptr": tensors.make_ptr, "addptr": tensors.addptr,
        "make_tile": rings.make_tile, "make_tile_group": rings.make_tile_group,
        "set_validshape": rings.set_validshape, "getval": scalars.getval, "setval": scalars.setval,
        "min": scalars.minimum, "max": scalars.maximum, "const": scalars.const, "range": system.loop,
        "section_vector": system.section_vector, "section_cube": system.section_cube,
        "get_block_idx": system.get_block_idx, "get_block_num": system.get_block_num,
        "get_subblock_idx": system.get_subblock_idx, "get_subblock_num": system.get_subblock_num,
        "printf": _nothing, "pto_assert": _asserted, "trap": _nothing, "constexpr": lambda value: value,
    }  # fmt: skip


_TABLE: dict[str, Any] = {}


def table() -> dict[str, Any]:
    """Every name but jit."""
    if not _TABLE:
        _TABLE.update(_dynamic() | _words() | _operations() | _rest())
        _TABLE["system"] = system.namespace()
        _TABLE.update({name: _Unknown(f"pl.{name}") for name in UNKNOWN})
    return _TABLE


def names() -> frozenset[str]:
    return frozenset(table()) | {"jit", "kernel", "inline", "function", "vector_function"}


def system_names() -> frozenset[str]:
    return frozenset(vars(table()["system"]))


def language(found: Callable[[Jit], None]) -> types.ModuleType:
    """found: is told of every function that pl.jit decorates."""
    module = Language("pypto_pro.language")

    def jit(function: Any = None, **options: Any) -> Any:
        if function is None:
            return lambda inner: jit(inner, **options)
        kernel = Jit(function, options)
        found(kernel)
        return kernel

    vars(module).update(table())
    vars(module).update(jit=jit, inline=lambda function: function, vector_function=vector_function, __path__=[])
    return module

"""Modules that stand for tilelang, torch and torch_npu while a kernel script runs."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from opgen.dialect.kernels import PrimFunc
from opgen.dialect.language import language
from opgen.dialect.scalars import ceildiv

_VALUES = {
    "TL_ASCEND_AUTO_SYNC": "tl.ascend_auto_sync",
    "TL_ASCEND_MEMORY_PLANNING": "tl.ascend_memory_planning",
    "TL_ASCEND_AUTO_CV_COMBINE": "tl.ascend_auto_cv_combine",
    "TL_ASCEND_AUTO_CV_SYNC": "tl.ascend_auto_cross_core_sync",
}

Compile = Callable[[PrimFunc, dict[str, Any]], None]


class Anything:
    """Stands for objects of PyTorch: takes every attribute, call and operator. shape: if it is a tensor that was made
    with one."""

    def __init__(self, name: str, shape: tuple[int, ...] | None = None) -> None:
        self._name = name
        if shape is not None:
            self.shape = shape

    @property
    def name(self) -> str:
        return self._name.rpartition(".")[2]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "shape":
            raise AttributeError(f"the stand-in for {self._name} holds no data and has no {name}")
        shape = vars(self).get("shape") if name in _KEEPERS else None
        return Anything(f"{self._name}.{name}", shape)

    def __call__(self, *args: Any, **_: Any) -> Any:
        if self.name in _MAKERS:
            sizes = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
            if all(isinstance(size, int) for size in sizes):
                return Anything("torch.Tensor", tuple(sizes))
        return self

    def __enter__(self) -> Anything:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self._name

    def __hash__(self) -> int:
        return hash(self._name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Anything) and other._name == self._name

    def _self(self, *_: Any) -> Anything:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __matmul__ = _self
    __neg__ = __pow__ = __getitem__ = __lt__ = __le__ = __gt__ = __ge__ = __abs__ = _self

    def __setitem__(self, *_: Any) -> None:
        return None


_MAKERS = ("randn", "rand", "zeros", "ones", "empty", "randint")
# Methods of tensors that leave the shape as it is.
_KEEPERS = ("npu", "cuda", "cpu", "to", "half", "float", "bfloat16", "int", "contiguous", "clone", "detach", "abs")


class LooseModule(types.ModuleType):
    """A module that has every name."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(f"{self.__name__}.{name}")


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes modules below the stand-ins' that nobody has written."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if name.split(".")[0] not in _ROOTS:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        return LooseModule(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """There is nothing to execute."""


class PassConfigKeys:
    """Names of pass configurations; those that the checker does not look at are there too."""

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return _VALUES.get(name, name.lower())


_ROOTS = ("tilelang", "torch", "torch_npu")


class Kernel:
    """What tilelang.compile returns. Calling it does nothing; its library is an empty file."""

    def __init__(self, function: PrimFunc, library: str) -> None:
        self.prim_func = function
        self.lib = types.SimpleNamespace(_name=library)
        self.adapter = types.SimpleNamespace(lib=self.lib, libpath=library)

    def __call__(self, *_: Any, **__: Any) -> Anything:
        return Anything("torch.Tensor")

    def get_kernel_source(self) -> str:
        return ""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(f"kernel.{name}")


def _tilelang(compile_one: Compile, library: str) -> dict[str, types.ModuleType]:
    def compile(func: Any = None, *_: Any, **options: Any) -> Kernel:
        if not isinstance(func, PrimFunc):
            raise TypeError("tilelang.compile takes a function that is decorated with @T.prim_func")
        compile_one(func, options)
        return Kernel(func, library)

    def jit(function: Any = None, *_: Any, **options: Any) -> Any:
        if function is None:
            return lambda inner: jit(inner, **options)

        def factory(*args: Any, **named: Any) -> Kernel:
            made = function(*args, **named) if not isinstance(function, PrimFunc) else function
            return compile(made, **options)

        factory.__name__ = getattr(function, "__name__", "kernel")
        return factory

    def lower(func: Any, *_: Any, **options: Any) -> Any:
        compile(func, **options)
        return types.SimpleNamespace(kernel_source="", params=[], device_mod=None)

    root = LooseModule("tilelang")
    words = language()
    utils, target = LooseModule("tilelang.utils"), LooseModule("tilelang.utils.target")
    math_module = LooseModule("tilelang.math")
    vars(math_module).update(next_power_of_2=lambda n: 1 << max(0, int(n) - 1).bit_length(), cdiv=ceildiv)
    jit_module, engine = LooseModule("tilelang.jit"), LooseModule("tilelang.engine")
    vars(target).update(check_npu_availability=lambda: True)
    vars(utils).update(target=target)
    vars(engine).update(lower=lower)
    vars(jit_module).update(jit=jit, compile=compile)
    vars(root).update(
        language=words,
        utils=utils,
        engine=engine,
        compile=compile,
        jit=jit,
        lower=lower,
        PassConfigKey=PassConfigKeys(),
        math=math_module,
        disable_cache=lambda: None,
        enable_cache=lambda: None,
        cache=types.SimpleNamespace(clear_cache=lambda: None),
        __version__="0.1.4",
        __path__=[],
    )
    for package in (words, utils):
        vars(package)["__path__"] = []
    return {
        "tilelang": root,
        "tilelang.language": words,
        "tilelang.language.tile": words.tile,
        "tilelang.utils": utils,
        "tilelang.utils.target": target,
        "tilelang.engine": engine,
        "tilelang.jit": jit_module,
        "tilelang.math": math_module,
    }


def torch_modules() -> dict[str, types.ModuleType]:
    """torch and torch_npu, without data."""
    modules: dict[str, types.ModuleType] = {}
    for name in ("torch", "torch.nn", "torch.nn.functional", "torch.testing", "torch_npu"):
        modules[name] = LooseModule(name)
        vars(modules[name])["__path__"] = []
    vars(modules["torch"]).update(testing=modules["torch.testing"], nn=modules["torch.nn"], npu=Anything("torch.npu"))
    vars(modules["torch.nn"]).update(functional=modules["torch.nn.functional"])
    return modules


@contextmanager
def installed(compile_one: Compile) -> Iterator[None]:
    """While it lasts, `import tilelang` and `import torch` find the stand-ins."""
    with tempfile.TemporaryDirectory(prefix="opgen-lint-") as folder:
        library = Path(folder) / "kernel_lib.so"
        library.write_bytes(b"")
        modules = {**_tilelang(compile_one, str(library)), **torch_modules()}
        before = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] in _ROOTS}
        sys.modules.update(modules)
        finder = Finder()
        sys.meta_path.insert(0, finder)
        try:
            yield
        finally:
            sys.meta_path.remove(finder)
            for name in list(sys.modules):
                if name.split(".")[0] in _ROOTS:
                    del sys.modules[name]
            sys.modules.update(before)

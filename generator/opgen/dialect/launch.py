"""Calls a kernel once: all its blocks, with given sizes and data."""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from opgen.dialect import expression
from opgen.dialect.expression import Symbol
from opgen.dialect.global_memory import Tensor
from opgen.dialect.indexing import held
from opgen.dialect.kernels import PrimFunc, TensorType
from opgen.dialect.machine import CUBE, Abandon, Core, Launch, NeedsTurns, Settings, switch
from opgen.dialect.numbers import rounded
from opgen.dialect.places import Spot
from opgen.dialect.report import Array, KernelReport, Parameter
from opgen.dialect.scalars import convert
from opgen.dialect.timing import launch_cycles
from opgen.dialect.turns import Turns
from opgen.facts.dtypes import DTYPES

LIMIT = 4096  # blocks
LARGEST = 2**28  # elements of a tensor
PERIOD = 2**20 + 7  # of made-up data; a prime, so that no two tiles are alike


class Options:
    """How a kernel was compiled. outputs: numbers of the parameters that the wrapper allocates."""

    def __init__(self, settings: Settings, outputs: tuple[int, ...], workspaces: tuple[int, ...]) -> None:
        self.settings = settings
        self.outputs = outputs
        self.workspaces = workspaces


def run(
    kernel: PrimFunc, options: Options, dims: Mapping[str, int], inputs: Mapping[str, Any] | None
) -> tuple[KernelReport, Launch]:
    """inputs: elements or values by parameter; what is not given is made up, the same each time.

    ValueError: inputs that do not fit, or tensors that are too large.
    """
    try:
        return _run(kernel, options, dims, inputs or {})
    finally:
        expression.bind({})


def _run(
    kernel: PrimFunc, options: Options, dims: Mapping[str, int], inputs: Mapping[str, Any]
) -> tuple[KernelReport, Launch]:
    grid, sides, cube, one_by_one = False, False, False, False
    while True:
        attempt = _Attempt(kernel, options, dims, inputs, cube, sides, grid)
        attempt.launch.one_by_one = one_by_one
        try:
            attempt.run()
        except ValueError as error:
            if one_by_one or "truth value of an array" not in str(error):
                raise
            one_by_one = True
            continue
        except NeedsTurns as wanted:
            sides, grid = True, grid or wanted.grid
            cube = attempt.launch.has_cube or cube
            continue
        if attempt.launch.has_cube and not cube:
            cube = True
            continue
        return attempt.report(), attempt.launch


class _Attempt:
    """cube: cube cores take part. sides: the cores of a block run by turns; grid: all cores do."""

    def __init__(
        self,
        kernel: PrimFunc,
        options: Options,
        dims: Mapping[str, int],
        inputs: Mapping[str, Any],
        cube: bool,
        sides: bool,
        grid: bool,
    ) -> None:
        self.kernel = kernel
        self.options = options
        self.dims = dict(dims)
        self.cube, self.sides, self.grid = cube, sides, grid
        names = list(kernel.parameters)
        workspaces = frozenset(
            {name for name in names if "workspace" in name} | {names[i] for i in options.workspaces if i < len(names)}
        )
        self.launch = Launch(options.settings, kernel.name, kernel.spot, workspaces)
        self.launch.has_cube = cube
        self.launch.side_by_side = grid
        self.lengths: dict[int, float] = {}  # cycles of each block
        self.copying = self.hidden = 0.0
        expression.bind(self.dims)
        self.arguments = [self._argument(i, name, inputs) for i, name in enumerate(names)]

    def _argument(self, number: int, name: str, inputs: Mapping[str, Any]) -> Any:
        wanted = self.kernel.parameters[name]
        if not isinstance(wanted, TensorType):
            return convert(inputs.get(name, 1 if DTYPES[wanted.name].kind == "int" else 0.5), wanted.name)
        size = math.prod(int(expression.plain(axis)) for axis in wanted.shape)
        if size > LARGEST:
            raise ValueError(
                f"{name} has {size} elements"
                + (
                    ", and indices are int32"
                    if size >= 2**31
                    else f", and the checker takes {LARGEST}: use smaller sizes"
                )
            )
        symbols = tuple(axis.name if isinstance(axis, Symbol) else "" for axis in wanted.shape)
        tensor = Tensor(name, wanted.shape, wanted.dtype, wanted.spot, symbols)
        if name in inputs:
            given = np.asarray(inputs[name])
            if given.size != tensor.size:
                raise ValueError(f"{name} has {tensor.size} elements in this call, and {given.size} were given")
            tensor.data[...] = rounded(given.reshape(tensor.shape), wanted.dtype)
        elif number in self.options.outputs:
            tensor.data[...] = _unwritten(wanted.dtype)
        else:
            tensor.data[...] = made_up(name, wanted.dtype, tensor.size).reshape(tensor.shape)
        self.launch.tensors[name] = tensor
        return tensor

    def run(self) -> None:
        try:
            self._run()
        finally:
            switch(None)

    def _run(self) -> None:
        launch = self.launch
        first = [self._core(0, sub) for sub in self._subs()]
        if self.grid:
            # The number of blocks is known once the first core has begun; it stops there.
            probe = Turns([self._core(0, 0)], self._probe, switch)
            probe.run()
            blocks = min(launch.blocks or 0, LIMIT)
            self._together([self._core(block, sub) for block in range(blocks) for sub in self._subs()])
            return
        self._group(first)
        for block in range(1, min(launch.blocks or 0, LIMIT)):
            self._group([self._core(block, sub) for sub in self._subs()])

    def _subs(self) -> tuple[int, ...]:
        return (CUBE, 0, 1) if self.cube else (0, 1)

    def _core(self, block: int, sub: int) -> Core:
        return Core(self.launch, block, sub)

    def _probe(self, core: Core) -> None:
        from opgen.dialect.kernels import Kernel

        class Known(BaseException):
            pass

        enter = Kernel.__enter__

        def stop(kernel: Kernel) -> Any:
            core.launch.blocks = kernel.blocks
            raise Known

        Kernel.__enter__ = stop  # type: ignore[method-assign]
        try:
            self.kernel.function(*self.arguments)
        except Known:
            pass
        finally:
            Kernel.__enter__ = enter  # type: ignore[method-assign]

    def _group(self, cores: list[Core]) -> None:
        if self.sides:
            self._together(cores)
            return
        for core in cores:
            switch(core)
            self._body(core)
            self._end(core)

    def _together(self, cores: list[Core]) -> None:
        if not cores:
            return
        self.launch.turns = Turns(cores, self._body, switch)
        self.launch.turns.run()
        for core in cores:
            self._end(core)

    def _body(self, core: Core) -> None:
        try:
            with np.errstate(all="ignore"):
                self.kernel.function(*self.arguments)
        except Abandon:
            core.scopes.clear()

    def _end(self, core: Core) -> None:
        if core.block >= (self.launch.blocks or 0):
            return
        core.budget.check(core)
        core.end(self.kernel.spot)
        time = core.order.time
        self.lengths[core.block] = max(self.lengths.get(core.block, 0.0), time.finished)
        copying, hidden = time.hidden()
        self.copying, self.hidden = self.copying + copying, self.hidden + hidden

    # ---- what it tells ----

    def report(self) -> KernelReport:
        launch = self.launch
        self._check_outputs()
        launch.counters.tiles = max(launch.stores.values(), default=0)
        if not launch.settings.auto_sync:
            launch.counters.cycles = launch_cycles(self.lengths, launch.settings.platform.cores)
            launch.counters.copying, launch.counters.hidden = self.copying, self.hidden
        parameters = tuple(
            Parameter(name, "tensor", wanted.dtype, launch.tensors[name].shape)
            if isinstance(wanted, TensorType)
            else Parameter(name, "scalar", wanted.name, ())
            for name, wanted in self.kernel.parameters.items()
        )
        outputs = {t.name: t.data for t in launch.tensors.values() if t.stored}
        return KernelReport(
            self.kernel.name,
            parameters,
            self.dims,
            launch.blocks or 0,
            launch.recorder.findings(),
            outputs,
            launch.counters,
            launch.recorder.complete,
        )

    def _check_outputs(self) -> None:
        launch = self.launch
        if launch.recorder.failed or not launch.recorder.complete:
            return  # what is not written may be a consequence
        for number, (name, tensor) in enumerate(launch.tensors.items()):
            wanted = number in self.options.outputs or (
                launch.settings.generated and tensor.stored and not tensor.was_read
            )
            if wanted and name not in launch.workspaces and tensor.size and not tensor.written.all():
                first = int(np.argmin(tensor.written.ravel()))
                missing = int(tensor.size - tensor.written.sum())
                launch.recorder.add(
                    "OPG732",
                    tensor.spot,
                    f"not all of the output {name} is written",
                    f": {missing} of {tensor.size} elements are not, the first is {first}",
                    "The memory of an output holds whatever was there before.",
                    "let the tiles of all (cid, vid) and rounds cover the tensor",
                    "error" if launch.settings.generated else "warning",
                )


def _unwritten(dtype: str) -> Any:
    return np.nan if DTYPES[dtype].kind == "float" else 0


def made_up(name: str, dtype: str, size: int) -> Array:
    """Data for a tensor: the same in each run. Integers are small, so that they can be indices."""
    random = np.random.default_rng(zlib.crc32(name.encode()))
    some = min(size, PERIOD)
    if DTYPES[dtype].kind == "float":
        values = rounded(random.standard_normal(some, np.float32), dtype)
    else:
        values = random.integers(0, 2 if dtype == "bool" else 8, some).astype(held(dtype))
    return values if some == size else np.resize(values, size)


def spot_of(kernel: PrimFunc) -> Spot:
    return kernel.spot

"""Runs a kernel once: every worker of a launch, one after the other, or by turns when they wait for each other."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from opgen.dialect.machine import Abandon
from opgen.dialect.places import is_ours, place, spot_of
from opgen.dialect.pypto.elements import as_bytes, from_bytes
from opgen.dialect.pypto.jit import Jit
from opgen.dialect.pypto.requests import Argument, Request
from opgen.dialect.pypto.run_time import RunTime
from opgen.dialect.pypto.tensors import LARGEST, GlobalBuffer, Pointer
from opgen.dialect.pypto.words import data_type
from opgen.dialect.pypto.worker import GARBAGE, FrontEndError, Launch, NeedsTurns, Worker, switch
from opgen.dialect.report import KernelReport, Parameter
from opgen.dialect.turns import Turns
from opgen.facts.dtypes import DTYPES
from opgen.text.findings import CannotWork, Place


def run(kernel: Jit, request: Request, generated: bool) -> KernelReport:
    """The kernel has the parameters that the request's arguments name, then workspace and tiling."""
    try:
        return _Attempt(kernel, request, generated, False).run()
    except NeedsTurns:
        return _Attempt(kernel, request, generated, True).run()


def refusal(kernel: Jit, request: Request) -> tuple[FrontEndError, Place] | None:
    """What the front end would refuse of this instance of the kernel, and where."""
    attempt = _Attempt(kernel, request, False, True)
    attempt.run()
    if attempt.refused is None:
        return None
    return attempt.refused, place(_innermost(attempt.refused))


class _Attempt:
    def __init__(self, kernel: Jit, request: Request, generated: bool, by_turns: bool) -> None:
        self.kernel, self.request, self.by_turns = kernel, request, by_turns
        self.refused: FrontEndError | None = None
        self.launch = Launch(kernel.name, request.blocks, request.subblocks, kernel.auto_mutex, generated)
        self.tiling = types.SimpleNamespace(**{name: _field(value) for name, value in request.tiling.items()})
        for argument in request.arguments:
            if not argument.absent and not argument.same_as:
                self.launch.buffers[argument.name] = _buffer(argument)
        for argument in request.arguments:
            if argument.same_as:
                self.launch.buffers[argument.name] = self.launch.buffers[argument.same_as]
        size = request.workspace
        memory = None if size is None else np.full(size, GARBAGE, np.uint8)
        self.launch.buffers["workspace"] = GlobalBuffer("workspace", memory, "", "workspace")

    def run(self) -> KernelReport:
        workers = [Worker(self.launch, index) for index in range(self.launch.workers)]
        constants = {name: data_type(dtype) for name, dtype in self.request.datatypes.items()}
        with _constants(self.kernel, {**constants, **self.request.key}):
            try:
                if self.by_turns:
                    self.launch.turns = Turns(workers, self._body, switch)
                    self.launch.turns.run()
                else:
                    for worker in workers:
                        switch(worker)
                        try:
                            self._body(worker)
                        except Abandon:
                            break  # every other worker fails at the same place
            finally:
                switch(None)
        return self._report()

    def _body(self, worker: Worker) -> None:
        arguments = [self._pointer(argument) for argument in self.request.arguments]
        last = self.kernel.parameters[-2] if len(self.kernel.parameters) > 1 else ""
        arguments.append(Pointer(self.launch.buffers["workspace"], 0, self.kernel.pointee(last)))
        try:
            self.kernel.function(*arguments, self.tiling)
        except FrontEndError as error:
            self.refused = error
            where = _innermost(error)
            self.launch.recorder.add(error.rule, where, error.what, "", error.why, error.fix)
            raise Abandon from None
        except (CannotWork, MemoryError):
            raise
        except Exception as error:
            said = f"{type(error).__name__}: {error}".splitlines()[0]
            self.launch.recorder.add("OPG830", _innermost(error), f"the kernel fails: {said}")
            raise Abandon from None
        worker.finish(self.kernel.spot)

    def _pointer(self, argument: Argument) -> Pointer | None:
        if argument.absent:
            return None
        return Pointer(self.launch.buffers[argument.name], 0, self.kernel.pointee(argument.name))

    def _report(self) -> KernelReport:
        launch, request = self.launch, self.request
        self._check_outputs()
        launch.counters.tiles = launch.counters.copies_out
        held = {a.name: launch.buffers[a.name] for a in request.arguments if not a.absent}
        outputs = {
            a.name: from_bytes(held[a.name].data, a.dtype)
            for a in request.arguments
            if a.role != "input" and not held[a.name].grows
        }
        parameters = tuple(
            Parameter(a.name, "tensor", a.dtype, (len(held[a.name].data) // held[a.name].unit,))
            for a in request.arguments
            if a.name in held
        )
        dims = {name: value for name, value in request.tiling.items() if isinstance(value, int)}
        return KernelReport(
            self.kernel.name, parameters, dims, launch.workers, launch.recorder.findings(), outputs, launch.counters,
            launch.recorder.complete,
        )  # fmt: skip

    def _check_outputs(self) -> None:
        if self.launch.recorder.failed or not self.launch.recorder.complete:
            return  # what is not written may be a consequence
        for name, buffer in self.launch.buffers.items():
            if buffer.role != "output" or buffer.grows or buffer.ever.all():
                continue
            missing = int(buffer.ever.size - buffer.ever.sum())
            first = int(np.argmin(buffer.ever))
            self.launch.recorder.add(
                "OPG840",
                self.kernel.spot,
                f"not all of the output {name} is stored",
                f": {missing} of {buffer.ever.size} elements are not, the first is {first}",
                "The memory of an output holds whatever was there before.",
                "let the tiles of all workers cover the tensor, its tail included",
            )


def _field(value: Any) -> Any:
    """A field of TilingData as the kernel sees it: int64, float32 or bool."""
    if isinstance(value, tuple):
        return [_field(one) for one in value]
    if isinstance(value, bool):
        return value
    return np.float32(value) if isinstance(value, float) else RunTime(value)


def _buffer(argument: Argument) -> GlobalBuffer:
    size = DTYPES[argument.dtype].size if argument.dtype else 1
    if argument.values is not None:
        data = as_bytes(argument.values, argument.dtype)
    elif argument.size is not None:
        if argument.size * size > LARGEST:
            raise CannotWork(f"{argument.name} has {argument.size * size} bytes, and the checker takes {LARGEST}")
        data = np.full(argument.size * size, GARBAGE, np.uint8)
    else:
        return GlobalBuffer(argument.name, None, argument.dtype, argument.role)
    return GlobalBuffer(argument.name, data, argument.dtype, argument.role)


@contextmanager
def _constants(kernel: Jit, values: Mapping[str, Any]) -> Iterator[None]:
    """Fields of the key and types of tensors are names that the kernel and its helpers see."""
    scope = kernel.function.__globals__
    before = {name: scope[name] for name in values if name in scope}
    scope.update(values)
    try:
        yield
    finally:
        for name in values:
            del scope[name]
        scope.update(before)


def _innermost(error: BaseException) -> Any:
    """The last instruction of the traceback that is the kernel's own."""
    found = None
    trace = error.__traceback__
    while trace is not None:
        if not is_ours(trace.tb_frame.f_code.co_filename):
            found = spot_of(trace.tb_frame, trace.tb_lasti, trace.tb_lineno)
        trace = trace.tb_next
    assert found is not None
    return found

"""The device of the stand-in: computes the kernels that aclnn functions launch, from the kernel file's own text.

`serve(KERNEL)` reads launches from stdin and answers on stdout, in the form that the stand-in's src/device.h tells.
Each block has two vector cores.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from opgen.dialect.pypto import launch
from opgen.dialect.pypto.elements import as_bytes, from_bytes
from opgen.dialect.pypto.jit import Jit
from opgen.dialect.pypto.modules import load
from opgen.dialect.pypto.requests import Argument, Number, Request
from opgen.facts.dtypes import DTYPES
from opgen.sim.host import TYPE_NUMBERS
from opgen.sim.pypto_headers import DataField, KernelHeaders, KeyField, kernel_headers

_SUBBLOCKS = 2
_FORMATS = {"int": "q", "float": "f", "bool": "?"}

_NAMES = {number: name for name, number in TYPE_NUMBERS.items()}


def launcher(folder: Path, kernel: Path) -> Path:
    """An executable file that serves a kernel, for STANDIN_DEVICE."""
    root = Path(__file__).resolve().parents[2]
    path = folder / "device"
    path.write_text(
        f"#!{sys.executable}\n"
        f"import sys\nsys.path.insert(0, {str(root)!r})\n"
        f"from opgen.verify.pypto_device import serve\nserve({str(kernel)!r})\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path


def serve(kernel: str) -> None:
    """Answers launches until stdin ends."""
    source, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what the kernel file prints
    path = Path(kernel)
    headers = kernel_headers(path.read_text(encoding="utf-8"))
    jit = load(path)[0]
    while head := source.readline():
        _answer(jit, headers, head.decode().split(), source, answers)
        answers.flush()


def _answer(jit: Jit, headers: KernelHeaders, head: list[str], source: BinaryIO, answers: BinaryIO) -> None:
    _, op, key, blocks, workspace, size, count = head
    lines = [source.readline().decode().split() for _ in range(int(count))]
    tiling = source.read(int(size))
    arguments, types = [], {}
    for name, role, number, bytes_, same_as, *_ in lines:
        dtype = _NAMES[int(number)] if role != "absent" else ""
        types[name] = dtype
        if role == "absent":
            arguments.append(Argument(name, "input", "float32", absent=True))
        elif role == "input":
            shared = any(line[4] == name for line in lines)
            values = from_bytes(np.frombuffer(source.read(int(bytes_)), np.uint8), dtype)
            arguments.append(Argument(name, "both" if shared else "input", dtype, values))
        elif same_as != "-":
            arguments.append(Argument(name, "both", dtype, same_as=same_as))
        else:
            arguments.append(Argument(name, "output", dtype, size=int(bytes_) // DTYPES[dtype].size))
    request = Request(
        dict(_fields(headers.data, tiling)),
        dict(_chosen(headers.key, int(key))),
        {variable: types[parameter] for parameter, variable in jit.datatype.items() if types.get(parameter)},
        tuple(arguments),
        int(blocks),
        _SUBBLOCKS,
        int(workspace),
    )
    report = launch.run(jit, request, generated=False)
    wrong = [finding for finding in report.findings if finding.severity == "error"]
    if wrong:
        place = wrong[0].place
        said = f"{f'line {place.line}: ' if place else ''}{wrong[0].what} ({wrong[0].rule})"
        answers.write(f"error {op}: {said}\n".replace("\n", " ").strip().encode() + b"\n")
        return
    answers.write(b"ok\n")
    for name, role, number, *_ in lines:
        if role == "output":
            answers.write(as_bytes(report.outputs[name], _NAMES[int(number)]).tobytes())


def _fields(fields: tuple[DataField, ...], data: bytes) -> Iterator[tuple[str, Number | tuple[Number, ...]]]:
    """The values in the bytes of TilingData."""
    for field in fields:
        values = struct.unpack_from(f"<{max(field.count, 1)}{_FORMATS[field.kind]}", data, field.offset)
        yield field.name, values if field.count else values[0]


def _chosen(fields: tuple[KeyField, ...], key: int) -> Iterator[tuple[str, int]]:
    """The values that a packed key stands for."""
    for field in fields:
        yield field.name, field.values[(key >> field.offset) & ((1 << field.bits) - 1)]

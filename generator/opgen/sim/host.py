"""Host code of an operator in the stand-in: how it is compiled, and what its functions answer.

The sources become one library, in the form in which the operator repositories build them: the tiling sources get the
headers derived from the kernel, and no others do. `bin/host_run` of the stand-in calls the functions in it.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Kind = Literal["int", "float", "bool", "string", "ints", "floats"]
AttrValue = bool | int | float | str | tuple[int, ...] | tuple[float, ...]
Shape = tuple[int, ...]

SUCCESS = 0  # ge::GRAPH_SUCCESS
UNDEFINED = 28  # ge::DT_UNDEFINED
# CANN's numbers of the types.
TYPE_NUMBERS = {
    "float32": 0,
    "float16": 1,
    "int8": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 6,
    "uint16": 7,
    "uint32": 8,
    "int64": 9,
    "uint64": 10,
    "bool": 12,
    "bfloat16": 27,
}

_OPTIONS = {0: "ignore", 1: "optional", 2: "required", 3: "dynamic", 4: "virtual"}
_FLAGS = ("-std=c++17", "-D_GLIBCXX_USE_CXX11_ABI=0", "-fPIC", "-Wall", "-Wextra", "-Werror")
_INCLUDES = ("include", "include/graph", "include/external", "include/ge", "opp/built-in/op_proto/inc")


@dataclass(frozen=True)
class Tensor:
    """dtype: CANN's number of the type."""

    dtype: int
    shape: Shape


@dataclass(frozen=True)
class HostCase:
    """What a function is called for. inputs, outputs: in the order of the definition; None where an optional input is
    not connected. attrs: in the order of the definition, complete. cores: cube cores of the device; it has twice as
    many vector cores."""

    op: str
    inputs: tuple[Tensor | None, ...]
    outputs: tuple[Tensor, ...]
    attrs: tuple[tuple[str, Kind, AttrValue], ...] = ()
    cores: int = 32


@dataclass(frozen=True)
class TilingAnswer:
    """key: None when it was not set. blocks: 0 when it was not set. workspaces, in bytes. data: TilingData over zeros;
    unwritten: offsets of its bytes that nothing wrote."""

    status: int
    key: int | None = None
    blocks: int = 0
    workspaces: tuple[int, ...] = ()
    data: bytes = b""
    unwritten: tuple[int, ...] = ()


@dataclass(frozen=True)
class Param:
    """An input or output of a definition. types, formats, unknown_formats: CANN's numbers, one a column. lists: whether
    types and formats come from DataTypeList and FormatList. again: it is defined twice."""

    name: str
    kind: str
    types: tuple[int, ...]
    formats: tuple[int, ...]
    unknown_formats: tuple[int, ...]
    lists: tuple[bool, bool]
    contiguous: bool
    follows: str
    again: bool


@dataclass(frozen=True)
class AttrDef:
    """An attribute of a definition. type: op_build's word, "float" or "listInt". value: as text, None without one."""

    name: str
    kind: str
    type: str
    value: str | None
    again: bool


@dataclass(frozen=True)
class LayoutField:
    """A field of the registered layout of TilingData. count: 0 for a single value. offset: in bytes."""

    name: str
    type: str
    count: int
    offset: int


@dataclass
class Definition:
    """What OP_ADD made known of a type. socs: chip -> its settings. layout: the class of REGISTER_TILING_DATA_CLASS and
    its fields; size: its bytes."""

    type: str
    inputs: list[Param] = field(default_factory=list)
    outputs: list[Param] = field(default_factory=list)
    attrs: list[AttrDef] = field(default_factory=list)
    socs: dict[str, dict[str, str]] = field(default_factory=dict)
    layout: str = ""
    size: int = 0
    fields: list[LayoutField] = field(default_factory=list)


class HostCrash(Exception):
    """The host code ended the program, or cannot be loaded. The message is what it said."""


def compile_command(
    home: Path, source: Path, into: Path, *, headers: Sequence[Path] = (), ut: bool = False
) -> list[str]:
    """Compiles one file. home: the stand-in. headers: included ahead of it, in this order. ut: a unit test."""
    includes = [f"-I{home / folder}" for folder in (*(("ut/include",) if ut else ()), *_INCLUDES)]
    ahead = [part for header in headers for part in ("-include", str(header))]
    return ["g++", *_FLAGS, *includes, *ahead, "-c", str(source), "-o", str(into)]


def link_command(home: Path, objects: Sequence[Path], library: Path) -> list[str]:
    return ["g++", "-shared", *map(str, objects), *_linked(home), "-Wl,--no-undefined", "-o", str(library)]


def program_command(home: Path, objects: Sequence[Path], library: Path, program: Path) -> list[str]:
    """Links a program that registers what `library` registers."""
    own = ["-Wl,--no-as-needed", str(library), f"-Wl,-rpath,{library.parent}", f"-Wl,-rpath,{home / 'lib64'}"]
    return ["g++", *map(str, objects), *own, *_linked(home), "-o", str(program)]


def ut_main(home: Path) -> Path:
    """The source of `main` of unit tests."""
    return home / "ut" / "main.cc"


def _linked(home: Path) -> list[str]:
    return [f"-L{home / 'lib64'}", "-lcann_standin"]


@dataclass(frozen=True)
class HostLibrary:
    """home: the stand-in. path: a library of host code. Methods raise HostCrash."""

    home: Path
    path: Path

    def definitions(self) -> tuple[Definition, ...]:
        return tuple(_definitions(self._ask([["definitions"]])[0]))

    def shapes(self, cases: Sequence[HostCase]) -> list[tuple[int, tuple[Shape, ...]]]:
        """InferShape: the status, and the shapes of the outputs."""
        return [
            (_status(lines), tuple(_numbers(line[5:]) for line in lines if line.startswith("dims ")))
            for lines in self._ask([list(_lines(case, "shape")) for case in cases])
        ]

    def types(self, cases: Sequence[HostCase]) -> list[tuple[int, tuple[int, ...]]]:
        """InferDataType: the status, and CANN's numbers of the types of the outputs."""
        return [
            (_status(lines), tuple(int(line[5:]) for line in lines if line.startswith("type ")))
            for lines in self._ask([list(_lines(case, "type")) for case in cases])
        ]

    def tilings(self, cases: Sequence[HostCase]) -> list[TilingAnswer]:
        """TilingParse and Tiling."""
        return [_tiling(lines) for lines in self._ask([list(_lines(case, "tiling")) for case in cases])]

    def _ask(self, requests: Sequence[Sequence[str]]) -> list[list[str]]:
        """The answer to each request: its lines."""
        done = subprocess.run(
            [self.home / "bin" / "host_run", self.path],
            input="".join(f"{line}\n" for request in requests for line in request),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
        answers: list[list[str]] = [[]]
        for line in done.stdout.splitlines():
            if not line:
                answers.append([])
            elif not line.startswith("["):  # what a macro of CANN prints
                answers[-1].append(line)
        if done.returncode or len(answers) != len(requests) + 1:
            said = done.stderr.strip().splitlines()
            raise HostCrash("\n".join([f"the host code ended with code {done.returncode}", *said[-10:]]))
        return answers[:-1]


def _lines(case: HostCase, what: str) -> Iterator[str]:
    yield f"case {case.op}"
    for role, tensors in (("input", case.inputs), ("output", case.outputs)):
        for tensor in tensors:
            yield role if tensor is None else f"{role} {tensor.dtype}:{','.join(map(str, tensor.shape))}"
    for name, kind, value in case.attrs:
        yield f"attr {name} {kind} {_text(value)}"
    yield f"cores {case.cores} {2 * case.cores}"
    yield what


def _text(value: AttrValue) -> str:
    if isinstance(value, tuple):
        return ",".join(map(_text, value))
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)


def _status(lines: Sequence[str]) -> int:
    return int(next(line for line in lines if line.startswith("status "))[7:])


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(item) for item in text.split(",") if item)


def _tiling(lines: Sequence[str]) -> TilingAnswer:
    status = _status(lines)
    if status != SUCCESS:
        return TilingAnswer(status)
    known = dict(line.partition(" ")[::2] for line in lines)
    zeros, ones = (bytes.fromhex(line[5:]) for line in lines if line.startswith("data "))
    return TilingAnswer(
        status,
        int(known["key"]) if "key" in known else None,
        int(known["blocks"]),
        _numbers(known["workspaces"]),
        zeros,
        tuple(offset for offset, (a, b) in enumerate(zip(zeros, ones, strict=True)) if a != b),
    )


def _definitions(lines: Sequence[str]) -> Iterator[Definition]:
    known: Definition | None = None
    for line in lines:
        word, _, rest = line.partition(" ")
        name, _, said = rest.partition(" ")
        if word == "op":
            if known is not None:
                yield known
            known = Definition(name)
            continue
        assert known is not None
        match word:
            case "input" | "output":
                (known.inputs if word == "input" else known.outputs).append(_param(name, said))
            case "attr":
                known.attrs.append(_attr(name, said))
            case "soc":
                known.socs[name] = {}
            case "config":
                known.socs[list(known.socs)[-1]][name] = said
            case "layout":
                known.layout, known.size = name, int(said)
            case "field":
                kind, count, offset = said.split(" ")
                known.fields.append(LayoutField(name, kind, int(count), int(offset)))
    if known is not None:
        yield known


def _words(said: str) -> Mapping[str, str]:
    return dict(word.partition("=")[::2] for word in said.split(" "))


def _param(name: str, said: str) -> Param:
    words = _words(said)
    return Param(
        name,
        _OPTIONS[int(words["kind"])],
        _numbers(words["types"]),
        _numbers(words["formats"]),
        _numbers(words["unknown"]),
        (words["lists"][0] == "1", words["lists"][1] == "1"),
        words["contiguous"] == "1",
        words["follows"],
        words["again"] == "1",
    )


def _attr(name: str, said: str) -> AttrDef:
    head, _, value = said.partition(" value=")
    words = _words(head)
    return AttrDef(
        name,
        _OPTIONS[int(words["kind"])],
        words["type"],
        value if words["has_value"] == "1" else None,
        words["again"] == "1",
    )

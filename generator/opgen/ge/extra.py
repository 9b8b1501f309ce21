"""The user's own files, written once: what each is for and what it holds at first."""

from __future__ import annotations

from pathlib import PurePosixPath

from opgen.cxx.names import guard
from opgen.formula.signature import Text
from opgen.spec.model import OpSpec

_ROLES = {
    ".h": Text("your declarations, included by the operator", "您的声明，由算子实现包含"),
    ".cpp": Text("your code in the operator library", "您加入算子库的代码"),
    ".cmake": Text(
        "your part of the build, included at the end of CMakeLists.txt", "您的构建配置，在 CMakeLists.txt 末尾包含"
    ),
    ".sh": Text("your part of run.sh, before its first step", "您的脚本，在 run.sh 的第一步之前执行"),
}

_FIRST = {
    ".cpp": "// Yours: compiled into the operator library. Generating the project again leaves this file alone.\n",
    ".cmake": "# Yours: included at the end of CMakeLists.txt. Generating the project again leaves this file alone.\n",
    ".sh": "# shellcheck shell=bash\n"
    "# Yours: read by run.sh before its first step. Generating the project again leaves this file alone.\n",
}


def suffix(path: str) -> str:
    return PurePosixPath(path).suffix


def extra_role(path: str) -> Text:
    """What a file under `extra` is for."""
    return _ROLES[suffix(path)]


def extra_text(spec: OpSpec, path: str) -> str:
    """What a file under `extra` holds when it is written."""
    if suffix(path) != ".h":
        return _FIRST[suffix(path)]
    name = guard(spec.project, path)
    return (
        "// Yours: included by the operator. Generating the project again leaves this file alone.\n"
        f"#ifndef {name}\n#define {name}\n\n#endif  // {name}\n"
    )


def extras(spec: OpSpec, wanted: str) -> tuple[str, ...]:
    """The files under `extra` with one suffix."""
    return tuple(path for path in spec.extra if suffix(path) == wanted)

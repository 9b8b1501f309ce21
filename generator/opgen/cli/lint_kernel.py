"""opgen lint-kernel: executes a kernel under the rules of the chip and tells what breaks them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console, shown
from opgen.facts.dtypes import ALIASES, DTYPES
from opgen.text.findings import CannotWork

if TYPE_CHECKING:
    from opgen.dialect import Report

_EPILOG = """\
The script runs in a process of its own with its ARGUMENTS; tilelang, torch and torch_npu are not needed.
Every tilelang.compile(...) and every call of a @tilelang.jit factory is one kernel.
Sizes that are symbolic are tried with 1, a tile and a bit, and three rounds and a bit, unless --dims names them.
A kernel of PyPTO Pro, which imports pypto_pro, is held to the rules of the offline build by its text, and executed for
the sizes of the op.yaml that it belongs to, or with the fields of TilingData that --dims gives.

exit codes: 0 nothing found, 1 something found, 2 no kernel was compiled"""


def run(words: Sequence[str], console: Console) -> int:
    own = list(words).index("--") if "--" in words else len(words)
    parser = Parser("lint-kernel", COMMANDS["lint-kernel"], _EPILOG)
    parser.add_argument("file", metavar="FILE", help="the kernel script; its own ARGUMENTS stand behind --")
    parser.add_argument(
        "--dims",
        nargs="+",
        type=_size,
        default=[],
        metavar="NAME=SIZE",
        help="values of symbolic sizes, or of TilingData: --dims n=4096",
    )
    parser.add_argument(
        "--types", nargs="+", type=_type, default=[], metavar="NAME=TYPE", help="PyPTO: datatype variables; float16"
    )
    parser.add_format()
    parser.add_strict()
    arguments = parser.read(words[:own])
    path = Path(arguments.file)
    if not path.is_file():
        raise CannotWork(f"{shown(path)} is no file", "name the script that compiles the kernel")
    if _is_pypto(path):
        return _pypto(path, arguments, console)
    from opgen.dialect import check_script

    report = check_script(path, words[own + 1 :], dict(arguments.dims))
    _refuse_unknown(dict(arguments.dims), report)
    _tell(report, arguments, console)
    return _conclusion(report, path, console, arguments.strict)


def _refuse_unknown(dims: dict[str, int], report: Report) -> None:
    """Sizes of --dims that no kernel has."""
    known = dict.fromkeys(size for kernel in report.kernels for size in kernel.dims)
    for name in dims:
        if report.kernels and name not in known:
            fix = f"symbolic sizes are {', '.join(known)}" if known else "all sizes are compiled in: leave --dims out"
            raise CannotWork(f"--dims {name}: no kernel of the script has a symbolic size of this name", fix)


def _is_pypto(path: Path) -> bool:
    text = path.read_text(encoding="utf-8", errors="replace")
    if "pypto_pro" not in text:
        return False
    from opgen.dialect.pypto.text.source import is_pypto

    return is_pypto(text)


def _pypto(path: Path, arguments: argparse.Namespace, console: Console) -> int:
    from opgen.verify.pypto_lint import lint_pypto

    linted = lint_pypto(path, dict(arguments.dims), dict(arguments.types))
    report = linted.report
    _tell(report, arguments, console)
    worst = {finding.severity for finding in report.findings}
    runs = len(report.kernels)
    what = f"text and {runs} launch{'es' if runs > 1 else ''} checked" if runs else "text checked"
    console.note(what + ("" if worst else ": nothing found"))
    if linted.missing and "error" not in worst:
        fields = " ".join(f"{name}=..." for name in linted.missing)
        console.note(f"to run the kernel too, give the fields of TilingData: --dims {fields}")
    return 1 if "error" in worst or (arguments.strict and worst) else 0


def _tell(report: Report, arguments: argparse.Namespace, console: Console) -> None:
    if report.findings or arguments.format != "text":
        console.findings(report.findings, report.sources, arguments.format, data=True)


def _conclusion(report: Report, path: Path, console: Console, strict: bool) -> int:
    if not report.kernels:
        script_failed = any(finding.rule == "OPG701" for finding in report.findings)
        fix = "" if script_failed else "it has to call tilelang.compile, or a factory under @tilelang.jit"
        console.error(f"{shown(path)} compiled no kernel", fix)
        return 2
    names = dict.fromkeys(kernel.name for kernel in report.kernels)
    calls = len(report.kernels)
    what = f"{len(names)} kernel{'s' if len(names) > 1 else ''}" + (f", {calls} calls" if calls > len(names) else "")
    worst = {finding.severity for finding in report.findings}
    console.note(f"{what} checked" + ("" if worst else ": nothing found"))
    return 1 if "error" in worst or (strict and worst) else 0


def _size(word: str) -> tuple[str, int]:
    name, equals, value = word.partition("=")
    if not name.isidentifier() or not equals or not value.isdecimal() or int(value) < 1:
        raise argparse.ArgumentTypeError(f'"{word}" is not NAME=SIZE')
    return name, int(value)


def _type(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    known = ALIASES.get(value, value)
    if not name.isidentifier() or not equals or known not in DTYPES:
        raise argparse.ArgumentTypeError(f'"{word}" is not NAME=TYPE')
    return name, known

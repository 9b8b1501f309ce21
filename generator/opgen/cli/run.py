"""opgen run: a project's own run.sh, with CANN and an NPU or in the stand-in."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console, shown
from opgen.cli.projects import Project, one
from opgen.text.findings import CannotWork, Refused
from opgen.verify.copies import copy_project
from opgen.verify.process import interruptible
from opgen.verify.runner import BUILD, RUN, Ran, forget_other_configuration, run_project
from opgen.verify.surroundings import Surroundings, surroundings

_EPILOG = """\
auto takes CANN where there is a toolkit (ASCEND_HOME_PATH) and an NPU (/dev/davinci*), else the stand-in:
the project's run.sh as it is, against libraries that behave like CANN's, with kernels compiled for the CPU."""

LOG = f"{BUILD}/opgen-run.log"


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("run", COMMANDS["run"], _EPILOG)
    parser.add_argument("path", nargs="?", metavar="PATH", default=".", help="a project or its op.yaml (default: here)")
    parser.add_argument(
        "--on", type=parser.one_of(("auto", "cann", "standin")), default="auto", metavar="WHERE",
        help="auto, cann or standin (default: auto)",
    )  # fmt: skip
    parser.add_argument("--sanitize", action="store_true", help="build with ASan and UBSan, in a temporary copy")
    parser.add_argument("--keep", action="store_true", help="keep temporary folders and say where they are")
    parser.add_argument("--log", metavar="FILE", help=f"the log of the run (default: {LOG} in the project)")
    arguments = parser.read(words)
    project = one(arguments.path)
    if not (project.folder / RUN).is_file() and b"pypto" in project.data and _is_pypto(project):
        why = f"{project.name} is for an operator repository, whose build.sh builds and runs it"
        raise CannotWork(why, f"`opgen show {project.argument}` has the command, `opgen verify` needs no CANN")
    if not (project.folder / RUN).is_file():
        raise CannotWork(f"{project.shown(RUN)} is missing", f"`opgen generate {project.argument}` writes it")
    with interruptible():
        return _run(project, arguments.on, arguments.sanitize, arguments.keep, arguments.log, console)


def _is_pypto(project: Project) -> bool:
    try:
        return project.spec()[0].scenario == "pypto"
    except Refused:
        return False


def _run(project: Project, on: str, sanitize: bool, keep: bool, log: str | None, console: Console) -> int:
    scratch = Path(tempfile.mkdtemp(prefix="opgen-run-"))
    try:
        where = surroundings(on, scratch, console.note, sanitize)  # type: ignore[arg-type]
        console.note(f"{shown(project.folder)} {where.about}")
        wanted = _wanted(project, console)
        folder = _folder(project, scratch, sanitize, console)
        if forget_other_configuration(folder, where.environment):
            console.note(f"{shown(folder / BUILD)} was configured for something else and is configured again")
        file = Path(log) if log else _log(project)
        ran = run_project(folder, _environment(where, scratch), wanted, file, console.line)
    finally:
        if keep:
            console.note(f"kept {shown(scratch)}")
        else:
            shutil.rmtree(scratch, ignore_errors=True)
    return _verdict(ran, file, console)


def _verdict(ran: Ran, log: Path, console: Console) -> int:
    if ran.succeeded:
        told = "the run passed" if ran.wanted else "the run ended well and compared nothing"
        console.note(f"{told}; log: {shown(log)}")
        return 0
    console.error(ran.failure, f"the log has it all: {shown(log)}")
    return 1


def _environment(where: Surroundings, scratch: Path) -> dict[str, str]:
    """With a folder for temporary files that goes when the run is over, however it ends."""
    temporary = scratch / "tmp"
    temporary.mkdir()
    return {**where.environment, "TMPDIR": str(temporary)}


def _folder(project: Project, scratch: Path, sanitize: bool, console: Console) -> Path:
    """Where the project is run: its own folder if that is possible."""
    if writable(project.folder) and not sanitize:
        return project.folder.absolute()
    copy = copy_project(project.folder, scratch / "project")
    why = "instrumented programs stay out of the project" if sanitize else "the project's folder is read-only"
    console.note(f"runs in a temporary copy: {why}")
    return copy


def _log(project: Project) -> Path:
    if writable(project.folder):
        return project.folder / LOG
    handle, name = tempfile.mkstemp(prefix=f"opgen-run-{project.folder.absolute().name}-", suffix=".log")
    os.close(handle)
    return Path(name)


def writable(folder: Path) -> bool:
    """Whether a run can write into a project: its build/ and output/, or the folder itself."""
    return all(os.access(path, os.W_OK) for path in (folder, folder / BUILD, folder / "output") if path.exists())


def _wanted(project: Project, console: Console) -> int:
    """How many precision checks a good run passes; says when run.sh is not what op.yaml says now."""
    try:
        if not project.unchanged():
            _say_drift(project, console)
        spec, _ = project.spec()
    except Refused as refused:
        count = len(refused.findings)
        console.note(
            f"{project.name} has {count} finding{'s' if count > 1 else ''} (`opgen check {project.argument}`); "
            "what is on disk is run"
        )
        return int((project.folder / "common" / "precision_check.h").is_file())
    return sum(operator.formula is not None or operator.reference is not None for operator in spec.operators)


def _say_drift(project: Project, console: Console) -> None:
    from opgen.disk.compare import compare
    from opgen.disk.drift import drift

    count = len(list(drift(compare(project.plan(), project.folder), project.argument)))
    if count:
        files = f"{count} file{'s are' if count > 1 else ' is'}"
        console.note(f"{files} not in sync with op.yaml (`opgen diff {project.argument}`); what is on disk is run")

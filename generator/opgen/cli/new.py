"""opgen new: a project from the onboarding template. Everything is made in a staging folder and moved at the end."""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console, shown
from opgen.cli.projects import SPEC
from opgen.text.findings import CannotWork, Refused

if TYPE_CHECKING:
    from opgen.disk.plan import Plan

_SCENARIOS = ("eager", "online", "offline", "pypto")
_EPILOG = """\
examples:
  opgen new add_custom --scenario offline
  opgen new AxpyCustom --scenario online --formula "z = x + alpha * y" --dtype float16,float32 --shape "..., C"
  opgen new linear_custom --formula "y = x @ w + bias" --shape x=M,K --shape w=K,N --shape bias=N --shape y=M,N
  opgen new my_custom --kernel my_kernel.py --formula "y = exp(x)"
  opgen new add_example --scenario pypto"""


def run(words: Sequence[str], console: Console) -> int:
    parser = _parser()
    arguments = parser.read(words)
    sources: dict[str, str] = {"--formula": arguments.formula or ""}
    try:
        return _new(arguments, console, sources)
    except Refused as refused:
        console.findings(refused.findings, sources, arguments.format)
        console.note("nothing was written")
        return 2


def _parser() -> Parser:
    parser = Parser("new", COMMANDS["new"], _EPILOG)
    one_of = parser.one_of
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="folder and project: add_custom, or the operator type: AddCustom")
    add("-o", "--output", metavar="DIR", default=".", help="where DIR/NAME is written (default: here)")
    add(
        "--scenario",
        type=one_of(_SCENARIOS),
        default="offline",
        metavar="S",
        help="eager, online, offline (default) or pypto",
    )
    add("--formula", metavar="F", help='what is computed: "z = x + alpha * y"; inputs, outputs and attributes follow')
    add("--dtype", action="append", default=[], metavar="T", help="element types: float16,float32; may be repeated")
    add(
        "--shape",
        action="append",
        default=[],
        metavar="S",
        help='shape of all tensors: "..., C" or 4096 (default: ...); of one tensor: "b=K, N"; may be repeated',
    )
    add("--kernel", metavar="FILE", help="your own kernel script; a file that is there is copied")
    add("--op", metavar="TYPE", help="operator type, where it is not NAME in UpperCamel")
    add("--soc", metavar="CHIP", help="target chip")
    add("--cann", metavar="V", help="lowest CANN version: 9.1 or 9.2")
    add("--summary-en", metavar="TEXT", help="what it does, one English sentence")
    add("--summary-zh", metavar="TEXT", help="the same in Chinese")
    add("--keep", action="store_true", help="keep the staging folder when something fails")
    parser.add_format()
    return parser


def _new(arguments: Namespace, console: Console, sources: dict[str, str]) -> int:
    from opgen.cli.onboarding import identity, values
    from opgen.cli.schema import installed_for, modeline

    who = identity(arguments.name if arguments.name is not None else _ask(), arguments.op)
    if arguments.scenario == "pypto" and who.project:
        raise CannotWork(f'in pypto, the folder of {who.op} cannot be called "{who.name}"', "leave --op out")
    parent = Path(arguments.output)
    target = parent / who.name
    _refuse_used(target)
    schema = installed_for(target)
    chosen = values(
        who,
        scenario=arguments.scenario,
        dtypes=tuple(t.strip() for given in arguments.dtype for t in given.strip("[] ").split(",") if t.strip()),
        shapes=tuple(arguments.shape),
        formula=arguments.formula,
        kernel=arguments.kernel,
        soc=arguments.soc,
        cann=arguments.cann,
        summary=(arguments.summary_en, arguments.summary_zh),
        modeline=modeline(schema) if schema else "",
    )
    made = _make_folder(parent)
    try:
        staging = Path(tempfile.mkdtemp(prefix=".opgen-new-", dir=parent))
    except OSError as error:
        _unmake(made)
        raise CannotWork(f"cannot write in {shown(parent)}: {error.strerror}") from error
    try:
        staged = _render(chosen, staging, who.name)
        if arguments.kernel and Path(arguments.kernel).is_file():
            _copy_kernel(Path(arguments.kernel), staged, arguments.scenario)
        plan = _fill(staged, shown(target / SPEC), sources)
        _move(staged, target)
    except BaseException:
        if arguments.keep:
            console.note(f"staging folder: {shown(staging)}")
        else:
            shutil.rmtree(staging, ignore_errors=True)
            _unmake(made)
        raise
    shutil.rmtree(staging, ignore_errors=True)
    _report(target, arguments.scenario, plan, console, sources, arguments.format)
    return 0


def _ask() -> str:
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        raise CannotWork("new: NAME is missing", "opgen new add_custom")
    sys.stderr.write("NAME (such as add_custom): ")
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def _refuse_used(target: Path) -> None:
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise CannotWork(f"{shown(target)} is there already and is no folder", "choose another NAME or -o DIR")
    if target.is_dir() and any(target.iterdir()):
        fix = "choose another NAME or -o DIR"
        if (target / SPEC).is_file():
            fix = f"`opgen generate {shlex.quote(shown(target))}` brings it in line with its {SPEC}"
        raise CannotWork(f"{shown(target)} is there already and is not empty", fix)


def _make_folder(folder: Path) -> list[Path]:
    """Makes a folder and those above it. Returns what it made, inner ones first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _unmake(missing)
        raise CannotWork(
            f"cannot make the folder {shown(folder)}: {error.strerror}", "choose another -o DIR"
        ) from error
    return missing


def _unmake(made: Sequence[Path]) -> None:
    for folder in made:
        with suppress(OSError):
            folder.rmdir()


def _render(chosen: dict[str, str], staging: Path, name: str) -> Path:
    """The onboarding template, filled, as cookiecutter does it. Its `cookiecutter()` is not used: it renders values as
    templates and writes into the user's home. Hooks are not run: the loader checks what they would."""
    import json

    from cookiecutter.generate import generate_files

    from opgen.resources import folder

    template = folder("cookiecutter-op")
    defaults = json.loads((template / "cookiecutter.json").read_text("utf-8"))
    plain = {
        key: value[0] if isinstance(value, list) else value
        for key, value in defaults.items()
        if not key.startswith("_")
    }
    generate_files(template, {"cookiecutter": {**plain, **chosen}}, staging, accept_hooks=False)
    return staging / name


def _copy_kernel(kernel: Path, staged: Path, scenario: str) -> None:
    target = staged / kernel.name
    if scenario == "pypto":
        target = staged / "op_kernel" / f"{staged.name}.py"
        target.parent.mkdir()
    shutil.copyfile(kernel, target)


def _fill(staged: Path, name: str, sources: dict[str, str]) -> Plan:
    """Checks op.yaml and writes all that follows from it. name: what findings call the op.yaml to come."""
    from opgen.disk.write import write
    from opgen.project.plan import plan_project
    from opgen.project.settings import settings_of
    from opgen.spec.loader import check

    data = (staged / SPEC).read_bytes()
    sources[name] = data.decode("utf-8")
    settings = settings_of(staged)
    spec, findings = check(data, name, settings.defaults)
    if spec is None:
        raise Refused(findings)
    plan = plan_project(spec, data, name, findings, settings)
    write(plan, staged)
    return plan


def _move(staged: Path, target: Path) -> None:
    try:
        if target.is_dir():
            target.rmdir()  # it is empty; Windows moves nothing onto a folder
        staged.rename(target)
    except OSError as error:
        raise CannotWork(f"cannot write {shown(target)}: {error.strerror}", "nothing was written") from error


def _report(target: Path, scenario: str, plan: Plan, console: Console, sources: dict[str, str], format: str) -> None:
    if format == "json":
        console.findings(plan.findings, {}, "json")
        return
    if plan.findings:
        console.findings(plan.findings, sources, "github" if format == "github" else "text")
    for path in [SPEC, *(file.path for file in plan)]:
        console.status("create", shown(target / path))
    here = shlex.quote(shown(target))
    console.note(f"next: edit {shown(target / SPEC)}, then `opgen generate {here}`")
    if scenario == "pypto":
        console.note(f"      `opgen verify {here}` checks host code and kernel without CANN; no NPU is needed")
    else:
        console.note(
            f"      `opgen run {here}` builds and runs it, `opgen verify {here}` looks closer; no NPU is needed"
        )

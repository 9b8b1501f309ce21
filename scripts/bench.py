"""CPU time of opgen's commands, beside cookiecutter and copier rendering a template of equal size.

    python scripts/bench.py [--rounds 7] [--many 100] [--unchanged 1000]

Every figure is user plus system time of a process of its own, the median of the rounds. Wall time is not shown: it says
more about the machine's other work than about the programs.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

OPGEN = (sys.executable, "-m", "opgen")
SCRIPTS = Path(sys.executable).parent


@dataclass(frozen=True)
class Usage:
    """Of one process: seconds of user plus system time, mebibytes of peak memory."""

    cpu: float
    memory: float


def measure(command: Sequence[str], folder: Path, accept: frozenset[int] = frozenset({0})) -> Usage:
    """Runs a command. Raises CalledProcessError for an exit code that is not accepted."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=quiet, stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    process.returncode = code
    if code not in accept:
        raise subprocess.CalledProcessError(code, command)
    return Usage(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


@dataclass(frozen=True)
class Row:
    name: str
    prepare: Callable[[Path], None]
    command: Sequence[str]
    rounds: int
    goal: float | None = None  # milliseconds
    accept: frozenset[int] = frozenset({0})


def nothing(_: Path) -> None:
    pass


def new_project(folder: Path) -> None:
    measure([*OPGEN, "new", "add_custom", "--scenario", "offline"], folder)


def changed_project(folder: Path) -> None:
    new_project(folder)
    spec = folder / "add_custom" / "op.yaml"
    spec.write_text(spec.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")


def many(count: int, generated: bool) -> Callable[[Path], None]:
    def prepare(folder: Path) -> None:
        new_project(folder)
        origin = folder / "add_custom"
        for i in range(count):
            copy = folder / f"add_custom_{i}"
            copy.mkdir()
            text = (origin / "op.yaml").read_text(encoding="utf-8")
            text = text.replace("AddCustom", f"AddCustom{i}").replace("add_custom", f"add_custom_{i}")
            (copy / "op.yaml").write_text(text, encoding="utf-8")
        shutil.rmtree(origin)
        if generated:
            measure([*OPGEN, "generate", "."], folder)

    return prepare


def project_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and ".opgen" not in path.parts:
            yield path


def run_once(folder: Path) -> None:
    """A project, and everything that a run needs: stand-in, TileLang for the CPU, compiled kernel."""
    new_project(folder)
    measure([*OPGEN, "run", "add_custom", "--on", "standin"], folder)
    shutil.rmtree(folder / "add_custom" / "build")
    shutil.rmtree(folder / "add_custom" / "output")


def peer_templates(folder: Path) -> None:
    """A cookiecutter and a copier template with the files of a project, its names made variables."""
    new_project(folder)
    origin = folder / "add_custom"
    for tool, opening in (("cookiecutter", "{{cookiecutter.name}}"), ("copier", "{{name}}")):
        root = folder / tool / ("{{cookiecutter.name}}" if tool == "cookiecutter" else "")
        for path in project_files(origin):
            relative = path.relative_to(origin).as_posix().replace("add_custom", opening)
            target = root / (relative + (".jinja" if tool == "copier" else ""))
            target.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            for before, after in (("{{", "{ {"), ("{%", "{ %"), ("{#", "{ #"), ("{add_", "{ add_")):
                text = text.replace(before, after)
            target.write_text(text.replace("add_custom", opening), encoding="utf-8")
    (folder / "cookiecutter" / "cookiecutter.json").write_text(json.dumps({"name": "add_custom"}), encoding="utf-8")
    (folder / "copier" / "copier.yml").write_text("name: {type: str, default: add_custom}\n", encoding="utf-8")
    shutil.rmtree(origin)


def rows(rounds: int, changed: int, unchanged: int) -> list[Row]:
    cookiecutter = (str(SCRIPTS / "cookiecutter"), "--no-input", "-o", "out", "cookiecutter")
    copier = (str(SCRIPTS / "copier"), "copy", "--defaults", "--quiet", "copier", "out")
    check = (*OPGEN, "check", "add_custom")
    build = "from opgen.sim import build; build.ensure(print)"
    build_stand_in = ("env", "XDG_CACHE_HOME=cache", sys.executable, "-c", build)
    few = max(1, rounds // 3)
    return [
        Row("opgen --version", nothing, (*OPGEN, "--version"), rounds, 60),
        Row("opgen check, nothing changed", new_project, check, rounds, 120),
        Row(
            "opgen check, op.yaml touched",
            changed_project,
            (*OPGEN, "check", "add_custom"),
            rounds,
            200,
            frozenset({0, 1}),
        ),
        Row("opgen new", nothing, (*OPGEN, "new", "add_custom", "--scenario", "offline"), rounds, 380),
        Row("cookiecutter, same files", peer_templates, cookiecutter, rounds),
        Row("copier copy, same files", peer_templates, copier, rounds),
        Row("opgen run, stand-in there", run_once, (*OPGEN, "run", "add_custom", "--on", "standin"), 1, 20_000),
        Row("building the stand-in", nothing, build_stand_in, 1, 40_000),
        Row(f"opgen generate, {changed} operators", many(changed, False), (*OPGEN, "generate", "."), few, 2500),
        Row(f"opgen check, {unchanged} unchanged operators", many(unchanged, True), (*OPGEN, "check", "."), few, 3000),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--many", type=int, default=100)
    parser.add_argument("--unchanged", type=int, default=1000)
    arguments = parser.parse_args()
    bare = statistics.median(measure([sys.executable, "-c", ""], Path.cwd()).cpu for _ in range(arguments.rounds))
    print(f"python {sys.version.split()[0]}, bare interpreter {bare * 1000:.0f} ms CPU")
    print(f"{'':44} {'CPU ms':>8} {'goal':>6} {'MiB':>6}")
    for row in rows(arguments.rounds, arguments.many, arguments.unchanged):
        used = []
        with tempfile.TemporaryDirectory() as template:
            row.prepare(Path(template))
            for i in range(row.rounds):
                with tempfile.TemporaryDirectory() as scratch:
                    folder = Path(scratch) / str(i)
                    shutil.copytree(template, folder)
                    used.append(measure(row.command, folder, row.accept))
        cpu = statistics.median(usage.cpu for usage in used) * 1000
        memory = statistics.median(usage.memory for usage in used)
        goal = "" if row.goal is None else f"{row.goal:.0f}"
        print(f"{row.name:44} {cpu:8.0f} {goal:>6} {memory:6.0f}", flush=True)
    print(f"{'checker, add kernel, 4096 elements, warm':44} {checker():8.0f} {50:6}")
    return 0


def checker() -> float:
    """Milliseconds that checking a kernel takes in a process that has done it before."""
    from opgen.dialect import check_here

    used = []
    with tempfile.TemporaryDirectory() as scratch, contextlib.redirect_stdout(io.StringIO()):
        new_project(Path(scratch))
        script = Path(scratch) / "add_custom" / "add_custom_kernel" / "add_custom_kernel.py"
        for _ in range(6):
            begun = time.process_time()
            check_here(script, ["4096", str(Path(scratch) / "kernel.so")], generated=True)
            used.append(time.process_time() - begun)
    return statistics.median(used[1:]) * 1000


if __name__ == "__main__":
    sys.exit(main())

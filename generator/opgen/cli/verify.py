"""opgen verify: the ladder, for one project or all below a folder."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.cli.projects import Project, find
from opgen.facts.scenarios import SCENARIOS
from opgen.text.findings import CannotWork, Refused
from opgen.verify import tables
from opgen.verify.ladder import Wish, climb
from opgen.verify.process import interruptible
from opgen.verify.result import RUNGS, Climbed, exit_code
from opgen.verify.workers import Task, climb_in_parallel

_EPILOG = "rungs:\n" + "\n".join(f"  {rung:<9}{what}" for rung, what in RUNGS.items())


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("verify", COMMANDS["verify"], _EPILOG)
    parser.add_paths()
    parser.add_argument(
        "--scenario", type=parser.one_of(("all", *SCENARIOS)), metavar="SCENARIO",
        help="all: each project as eager, online and offline; or one of these (default: what op.yaml says)",
    )  # fmt: skip
    parser.add_argument(
        "--format", type=parser.one_of(("text", "json", "junit")), default="text", metavar="FORMAT",
        help="text, json or junit (default: text)",
    )  # fmt: skip
    parser.add_argument(
        "--only", type=parser.one_of(tuple(RUNGS)), action="append", default=[], metavar="RUNG",
        help="climb this rung only; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="projects at a time, 0: one a CPU (default: 1)"
    )
    parser.add_argument("--keep", action="store_true", help="keep temporary folders and say where they are")
    parser.add_argument("--strict", action="store_true", help="count rungs that cannot be climbed on this machine")
    arguments = parser.read(words)
    tasks = [
        (project, scenario) for project in find(arguments.paths) for scenario in _scenarios(project, arguments.scenario)
    ]
    everything: list[Climbed] = []
    with interruptible():
        for climbed in _climb(tasks, arguments, console):
            if arguments.format == "text":
                console.data(("\n" if everything else "") + tables.text([climbed]))
                console.flush()
            everything.append(climbed)
    if arguments.format == "text":
        console.note(tables.summary(everything))
    else:
        console.data((tables.as_json if arguments.format == "json" else tables.as_junit)(everything))
    return exit_code(everything, arguments.strict)


def _scenarios(project: Project, wanted: str | None) -> tuple[str | None, ...]:
    if wanted != "all":
        return (wanted,)
    try:
        spec, _ = project.spec()
    except (Refused, CannotWork):
        return (None,)  # it is refused once
    if spec.scenario not in SCENARIOS:
        return (None,)  # a PyPTO folder is no GE project
    return (spec.scenario, *(s for s in SCENARIOS if s != spec.scenario))


def _climb(
    tasks: Sequence[tuple[Project, str | None]], arguments: argparse.Namespace, console: Console
) -> Iterator[Climbed]:
    """Climbs on the projects in order."""
    jobs = min(arguments.jobs or os.cpu_count() or 1, len(tasks))
    if jobs > 1:
        work = [Task(project.folder, project.name, scenario) for project, scenario in tasks]
        yield from climb_in_parallel(work, arguments.only, arguments.keep, jobs, console.note)
        return
    for project, scenario in tasks:
        yield climb(project.folder, project.name, Wish(scenario, arguments.only, arguments.keep), console.note)


def _jobs(word: str) -> int:
    try:
        number = int(word)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f'"{word}" is not a number of jobs')
    return number

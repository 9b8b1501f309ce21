"""The ladder: from op.yaml to a precision check that passed, one rung after the other."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.disk.lock import read_lock
from opgen.disk.paths import LOCK
from opgen.disk.plan import Plan
from opgen.project.plan import plan_kernels, plan_project
from opgen.project.settings import settings_of
from opgen.spec.loader import check
from opgen.spec.model import OpSpec
from opgen.text import report
from opgen.text.findings import CannotWork, Finding, Refused
from opgen.verify.copies import SPEC, copy_project, with_scenario
from opgen.verify.result import RUNGS, Climbed, Result

if TYPE_CHECKING:
    from opgen.verify.kernels import Runs

Progress = Callable[[str], None]


@dataclass(frozen=True)
class Site:
    """A project that can be climbed on. copy: a temporary copy of it, where everything is built and run. scratch: a
    folder for other temporary files. fresh: the files in the copy were generated there."""

    folder: Path
    name: str
    spec: OpSpec
    data: bytes
    plan: Plan
    copy: Path
    scratch: Path
    fresh: bool


@dataclass(frozen=True)
class Wish:
    """What to do. scenario: None for the one of op.yaml. only: rungs, empty for all. keep: leave the copy there."""

    scenario: str | None = None
    only: Collection[str] = ()
    keep: bool = False


@dataclass(frozen=True)
class Reading:
    """What came of an op.yaml. spec, plan: None where it cannot be used. asked: its scenario was put in by opgen.
    impossible: why it has no such scenario."""

    data: bytes
    scenario: str
    findings: tuple[Finding, ...]
    spec: OpSpec | None = None
    plan: Plan | None = None
    asked: bool = False
    impossible: str = ""


def climb(folder: Path, name: str, wish: Wish, progress: Progress) -> Climbed:
    """Climbs on one project. folder: it holds op.yaml. name: what op.yaml is called in print.

    The project itself is only read.
    """
    scratch = Path(tempfile.mkdtemp(prefix="opgen-verify-"))
    try:
        return _climb(folder, name, wish, scratch, progress)
    except Refused as refused:  # by the state of the folder
        return _refused(name, wish, report.summary(refused.findings), report.text(refused.findings, {}))
    except CannotWork as error:
        return _refused(name, wish, error.message, f"{error.message}\n{error.fix}".rstrip())
    except OSError as error:
        return _refused(name, wish, f"{error.strerror or error}: {error.filename}", str(error))
    finally:
        if wish.keep:
            progress(f"kept {scratch}")
        else:
            shutil.rmtree(scratch, ignore_errors=True)


def _climb(folder: Path, name: str, wish: Wish, scratch: Path, progress: Progress) -> Climbed:
    begun = time.monotonic()
    found = _read(folder, name, wish)
    wanted = _wanted(wish, found.scenario)
    if found.impossible:
        skipped = tuple(Result(rung, "skipped", found.impossible) for rung in wanted)
        return Climbed(name, found.scenario, skipped, asked=True)
    seconds = time.monotonic() - begun
    summary = report.summary(found.findings)
    if found.spec is None or found.plan is None:
        text = report.text(found.findings, {name: _text(found.data)}).rstrip("\n")
        return replace(_refused(name, wish, summary, text), scenario=found.scenario, asked=found.asked)
    count = len(found.spec.operators)
    first = Result("spec", "passed", f"{count} operator{'s' if count > 1 else ''}, {summary}", seconds=seconds)
    results = [first] if "spec" in wanted else []
    site = _site(folder, name, found, scratch)
    for rung, result in _rungs(site, wanted, lambda text: progress(f"{name} ({found.scenario}): {text}")):
        results.append(replace(result, rung=rung))
    return Climbed(name, found.scenario, tuple(results), asked=found.asked)


def _refused(name: str, wish: Wish, summary: str, details: str) -> Climbed:
    failed = Result("spec", "failed", summary, details)
    rungs = [rung for rung in _wanted(wish, wish.scenario or "") if rung != "spec"]
    rest = [Result(rung, "skipped", "op.yaml cannot be used") for rung in rungs]
    return Climbed(name, wish.scenario or "unreadable", (failed, *rest), refused=True)


def _read(folder: Path, name: str, wish: Wish) -> Reading:
    data = (folder / SPEC).read_bytes()
    scenario = wish.scenario or "unreadable"
    try:
        settings = settings_of(folder)
        spec, findings = check(data, name, settings.defaults)
        if spec is None:
            return Reading(data, scenario, findings)
        asked = wish.scenario not in (None, spec.scenario)
        if asked:
            data = with_scenario(data, scenario)
            spec, findings = check(data, name, settings.defaults)
            if spec is None:
                return Reading(data, scenario, findings, asked=True, impossible=_impossible(findings))
        plan = plan_project(spec, data, name, findings, settings)
    except Refused as refused:
        return Reading(data, scenario, refused.findings)
    return Reading(data, spec.scenario, plan.findings, spec, plan, asked)


def _wanted(wish: Wish, scenario: str) -> list[str]:
    """The rungs to climb. Host functions of their own are part of PyPTO folders only."""
    there = [rung for rung in RUNGS if rung != "host" or scenario == "pypto"]
    return [rung for rung in there if not wish.only or rung in wish.only]


def _impossible(findings: tuple[Finding, ...]) -> str:
    """Why op.yaml has no such scenario; "" where something else is wrong with it."""
    errors = [finding for finding in findings if finding.severity == "error"]
    return f"OPG207: {errors[0].what}" if errors and all(finding.rule == "OPG207" for finding in errors) else ""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def _site(folder: Path, name: str, found: Reading, scratch: Path) -> Site:
    from opgen.disk.write import write

    assert found.spec is not None and found.plan is not None
    spec, plan, data = found.spec, found.plan, found.data
    copy = scratch / folder.absolute().name
    copy_project(folder, copy)
    generated = [file.path for file in plan if file.owner == "generated"]
    fresh = found.asked or not ((folder / LOCK).exists() or any((folder / path).exists() for path in generated))
    if fresh:
        (copy / SPEC).write_bytes(data)
        lock = read_lock(folder) if found.asked else None
        ours = [path for path, file in lock.files.items() if file.owner == "generated"] if lock else []
        for path in {*generated, *ours}:
            (copy / path).unlink(missing_ok=True)
        write(plan, copy)
    return Site(folder, name, spec, data, plan, copy, scratch, fresh)


def _rungs(site: Site, wanted: Collection[str], progress: Progress) -> Iterator[tuple[str, Result]]:
    from opgen.verify.builds import chain_rung, cpp_rung
    from opgen.verify.files import files_rung
    from opgen.verify.kernels import kernel_rung, numbers_rung

    kernels = kernel_runs(site, progress) if {"kernel", "numbers"} & set(wanted) else None
    climbers: dict[str, Callable[[], Result]] = {
        "files": lambda: files_rung(site),
        "kernel": lambda: kernel_rung(kernels) if kernels else Result("kernel", "skipped", ""),
        "numbers": lambda: numbers_rung(kernels) if kernels else Result("numbers", "skipped", ""),
    }
    if site.spec.scenario == "pypto":
        from opgen.verify.pypto_rungs import PyptoRungs

        pypto = PyptoRungs(site, progress)
        climbers |= {"cpp": pypto.cpp, "host": pypto.host, "chain": pypto.chain}
    else:
        climbers |= {"cpp": lambda: cpp_rung(site, progress), "chain": lambda: chain_rung(site, progress)}
    for rung, climber in climbers.items():
        if rung not in wanted:
            continue
        progress(RUNGS[rung])
        begun = time.monotonic()
        try:
            result = climber()
        except CannotWork as error:
            result = Result(rung, "skipped", error.message.splitlines()[0], error.message, lacking=True)
        yield rung, replace(result, seconds=time.monotonic() - begun)


def kernel_runs(site: Site, progress: Progress) -> Runs:
    """The runs of the project's kernels, which are made when they are asked for."""
    if site.spec.scenario == "pypto":
        from opgen.kernel.pypto.planner import plan_pypto
        from opgen.verify.pypto_kernels import PyptoKernels

        found = {operator.name: plan_pypto(site.spec, operator)[0] for operator in site.spec.operators}
        return PyptoKernels(site, {name: plan for name, plan in found.items() if plan is not None}, progress)
    from opgen.verify.kernels import Kernels

    return Kernels(site, plan_kernels(site.spec, site.data, site.name)[0], progress)

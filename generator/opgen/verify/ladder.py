"""The ladder: from op.yaml to a precision check that passed, one rung after the other."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from opgen.disk.plan import Plan
from opgen.project.plan import plan_kernels, plan_project
from opgen.project.settings import settings_of
from opgen.spec.loader import check
from opgen.spec.model import OpSpec
from opgen.text import report
from opgen.text.findings import CannotWork, Finding, Refused
from opgen.verify.copies import SPEC, copy_project, with_scenario
from opgen.verify.result import RUNGS, Climbed, Result

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


def climb(folder: Path, name: str, wish: Wish, progress: Progress) -> Climbed:
    """Climbs on one project. folder: it holds op.yaml. name: what op.yaml is called in print.

    The project itself is only read.
    """
    data = (folder / SPEC).read_bytes()
    scratch = Path(tempfile.mkdtemp(prefix="opgen-verify-"))
    try:
        return _climb(folder, name, data, wish, scratch, progress)
    finally:
        if wish.keep:
            progress(f"kept {scratch}")
        else:
            shutil.rmtree(scratch, ignore_errors=True)


def _climb(folder: Path, name: str, data: bytes, wish: Wish, scratch: Path, progress: Progress) -> Climbed:
    begun = time.monotonic()
    settings = settings_of(folder)
    spec, findings = check(data, name, settings.defaults)
    own = spec.scenario if spec else ""
    if spec is not None and wish.scenario not in (None, own):
        data = with_scenario(data, str(wish.scenario))
        spec, findings = check(data, name, settings.defaults)
        if spec is None and (rule := _impossible(findings)):
            why = f"{rule.rule}: {rule.what}"
            skipped = tuple(Result(rung, "skipped", why) for rung in _wanted(wish))
            return Climbed(name, str(wish.scenario), skipped, asked=True)
    scenario = wish.scenario or own or "unreadable"
    asked = bool(own) and wish.scenario not in (None, own)
    plan = None
    if spec is not None:
        try:
            plan = plan_project(spec, data, name, findings, settings)
            findings = plan.findings
        except Refused as refused:
            findings = refused.findings
    if spec is None or plan is None:
        text = report.text(findings, {name: _text(data)}).rstrip("\n")
        failed = Result("spec", "failed", report.summary(findings), text, seconds=time.monotonic() - begun)
        rest = [Result(rung, "skipped", "op.yaml has errors") for rung in _wanted(wish) if rung != "spec"]
        return Climbed(name, scenario, (failed, *rest), refused=True, asked=asked)
    count = len(spec.operators)
    first = Result("spec", "passed", f"{count} operator{'s' if count > 1 else ''}, {report.summary(findings)}")
    results = [replace(first, seconds=time.monotonic() - begun)] if "spec" in _wanted(wish) else []
    site = _site(folder, name, spec, data, plan, scratch, asked)
    for rung, result in _rungs(site, _wanted(wish), lambda text: progress(f"{name} ({scenario}): {text}")):
        results.append(replace(result, rung=rung))
    return Climbed(name, scenario, tuple(results), asked=asked)


def _wanted(wish: Wish) -> list[str]:
    return [rung for rung in RUNGS if not wish.only or rung in wish.only]


def _impossible(findings: tuple[Finding, ...]) -> Finding | None:
    """Why op.yaml has no such scenario; None where something else is wrong with it."""
    errors = [finding for finding in findings if finding.severity == "error"]
    return errors[0] if errors and all(finding.rule == "OPG207" for finding in errors) else None


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").removeprefix("\ufeff")


def _site(folder: Path, name: str, spec: OpSpec, data: bytes, plan: Plan, scratch: Path, asked: bool) -> Site:
    from opgen.disk.lock import read_lock
    from opgen.disk.write import write

    copy = scratch / folder.absolute().name
    copy_project(folder, copy)
    generated = [file.path for file in plan if file.owner == "generated"]
    fresh = asked or (read_lock(folder) is None and not any((folder / path).exists() for path in generated))
    if fresh:
        (copy / SPEC).write_bytes(data)
        lock = read_lock(folder)
        ours = [path for path, file in lock.files.items() if file.owner == "generated"] if lock else []
        for path in {*generated, *ours}:
            (copy / path).unlink(missing_ok=True)
        write(plan, copy)
    return Site(folder, name, spec, data, plan, copy, scratch, fresh)


def _rungs(site: Site, wanted: Collection[str], progress: Progress) -> Iterator[tuple[str, Result]]:
    from opgen.verify.builds import chain_rung, cpp_rung
    from opgen.verify.files import files_rung
    from opgen.verify.kernels import Kernels, kernel_rung, numbers_rung

    kernels: Kernels | None = None
    if {"kernel", "numbers"} & set(wanted):
        plans, _ = plan_kernels(site.spec, site.data, site.name)
        kernels = Kernels(site, plans, progress)
    climbers: dict[str, Callable[[], Result]] = {
        "files": lambda: files_rung(site),
        "kernel": lambda: kernel_rung(kernels) if kernels else Result("kernel", "skipped", ""),
        "numbers": lambda: numbers_rung(kernels) if kernels else Result("numbers", "skipped", ""),
        "cpp": lambda: cpp_rung(site, progress),
        "chain": lambda: chain_rung(site, progress),
    }
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

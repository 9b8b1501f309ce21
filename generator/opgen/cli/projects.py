"""PATH -> projects, and a project -> its plan."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cli.console import shown
from opgen.text.findings import CannotWork, Finding, Refused

if TYPE_CHECKING:
    from opgen.disk.agreement import Stale
    from opgen.disk.lock import Lock
    from opgen.disk.plan import Plan
    from opgen.project.settings import Settings
    from opgen.spec.model import OpSpec

SPEC = "op.yaml"
_SKIPPED = frozenset({"build", "output", "node_modules", "__pycache__"})
_MAX_BYTES = 4_000_000  # the largest op.yaml that anybody would write is a thousandth of it


@dataclass(frozen=True)
class Project:
    """A folder with an op.yaml. folder: as the user named it or as it was found below what was named."""

    folder: Path

    @property
    def name(self) -> str:
        """What findings call op.yaml."""
        return self.shown(SPEC)

    @property
    def argument(self) -> str:
        """The project as an argument of opgen, in text that a person copies."""
        import shlex

        return shlex.quote(shown(self.folder))

    def shown(self, path: str) -> str:
        return shown(self.folder / path)

    def placed(self, finding: Finding) -> Finding:
        """A finding of `disk`, whose place is relative to the folder."""
        if finding.place is None:
            return finding
        return replace(finding, place=replace(finding.place, file=self.shown(finding.place.file)))

    def all_placed(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings of every room: those of `disk` get their places here, all others have them."""
        return tuple(f if f.place and not _of_disk(f) else self.placed(f) for f in findings)

    @cached_property
    def data(self) -> bytes:
        """The bytes of op.yaml. CannotWork when it cannot be read."""
        return self.read()

    def forget(self) -> None:
        """Lets go of op.yaml, so that memory does not grow with the number of projects."""
        self.__dict__.pop("data", None)

    def read(self) -> bytes:
        """What `data` says, read now."""
        path = self.folder / SPEC
        try:
            with path.open("rb") as file:
                data = file.read(_MAX_BYTES + 1)
        except OSError as error:
            raise CannotWork(f"cannot read {self.name}: {error.strerror}") from error
        if len(data) > _MAX_BYTES:
            raise CannotWork(f"{self.name} is larger than {_MAX_BYTES} bytes")
        return data

    @cached_property
    def settings(self) -> Settings:
        """What opgen.toml says. Refused when it cannot be used."""
        from opgen.project.settings import settings_of

        return settings_of(self.folder)

    @property
    def sources(self) -> dict[str, str]:
        """For excerpts in findings."""
        return {self.name: self.data.decode("utf-8", "replace").removeprefix("\ufeff")}

    def spec(self) -> tuple[OpSpec, tuple[Finding, ...]]:
        """What op.yaml says, with warnings and notes. Refused when it has errors."""
        from opgen.spec.loader import check

        spec, findings = check(self.data, self.name, self.settings.defaults)
        if spec is None:
            raise Refused(findings)
        return spec, findings

    def plan(self) -> Plan:
        """The plan of the project. Refused when op.yaml or a kernel has errors."""
        from opgen.project.plan import plan_project

        spec, findings = self.spec()
        return plan_project(spec, self.data, self.name, findings, self.settings)

    def stale(self, texts: Iterable[Stale]) -> tuple[Finding, ...]:
        """Warnings about texts that have fallen behind, with places."""
        if not texts:
            return ()
        from opgen.project.translations import stale_finding

        return self.located(stale_finding(text, self.argument) for text in texts)

    def located(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Findings that have a pointer into op.yaml, with their places."""
        from opgen.text.yaml_reader import read

        document = read(self.data, self.name)
        return tuple(map(document.locate, findings))

    def unchanged(self) -> bool:
        """Whether the project is known to be in sync."""
        return self.in_sync() is not None

    def in_sync(self) -> Lock | None:
        """The lock, if the project is known to be in sync without reading op.yaml."""
        from opgen import __version__
        from opgen.disk.compare import in_sync
        from opgen.project.inputs import spec_hash, template_hash

        return in_sync(self.folder, spec_hash(self.data), template_hash(self.settings.digest()), __version__)


def _of_disk(finding: Finding) -> bool:
    """Whether the place of a finding is relative to its project."""
    return finding.rule.startswith("OPG6") and finding.rule not in ("OPG617", "OPG618", "OPG619", "OPG620")


def find(paths: Sequence[str]) -> tuple[Project, ...]:
    """The projects that paths name: an op.yaml, its folder, or every project below a folder; each once, in order."""
    found: dict[Path, Project] = {}
    for word in paths:
        for folder in _folders(word):
            found.setdefault(folder.resolve(), Project(folder))
    return tuple(found.values())


def one(word: str) -> Project:
    """The one project that a path names."""
    projects = find([word])
    if len(projects) > 1:
        raise CannotWork(f"{shown(word)} holds {len(projects)} projects", "name one of them")
    return projects[0]


def _folders(word: str) -> Iterator[Path]:
    if not word:
        raise CannotWork("a path is empty")
    try:
        path = Path(word)
        is_folder, is_there = path.is_dir(), os.path.lexists(path)
    except ValueError as error:
        raise CannotWork(f"{word!r} is not a path: {error}") from None
    if is_folder:
        yield from _below(path)
    elif is_there and path.name == SPEC:
        yield path.parent
    elif is_there:
        raise CannotWork(f"{shown(path)} is not an {SPEC}", f"name the {SPEC}, or the folder that holds it")
    else:
        raise CannotWork(f'there is no file or folder "{shown(path)}"', _near(path))


def _below(top: Path) -> Iterator[Path]:
    from opgen.project.settings import settings_of

    settings = settings_of(top)
    restricted = settings.root is not None and settings.holds(os.fspath(top))
    count = 0
    for folder, folders, files in os.walk(top):
        if restricted and not settings.holds(folder):
            folders.clear()
            continue
        if SPEC in files:
            folders.clear()
            count += 1
            yield Path(folder)
        # "{{" begins the name of a folder that a template fills.
        folders[:] = sorted(n for n in folders if not n.startswith(".") and n not in _SKIPPED and "{{" not in n)
    if not count:
        raise CannotWork(f"there is no {SPEC} in {shown(top)} or below", "`opgen new NAME` writes one")


def _near(path: Path) -> str:
    from opgen.text.suggest import closest

    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return ""
    near = closest(path.name, names)
    return f"did you mean {shown(path.parent / near)}?" if near else ""

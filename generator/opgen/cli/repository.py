"""What concerns the projects of a repository together: collisions, and the overview of them all."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.cli.console import shown
from opgen.text.findings import CannotWork, Finding, Place, Refused

if TYPE_CHECKING:
    from opgen.cli.projects import Project
    from opgen.disk.compare import Comparison, FileState
    from opgen.disk.plan import About
    from opgen.project.collisions import Identity
    from opgen.project.settings import Settings


def collisions(projects: Sequence[Project]) -> dict[Path, tuple[Finding, ...]]:
    """Findings, with places, by the folder of the project that is later in order; projects without any are left out."""
    if len(projects) < 2:
        return {}
    from opgen.project.collisions import collision, hints

    users: dict[str, list[int]] = {}
    for number, project in enumerate(projects):
        try:
            found = hints(project.read())
        except CannotWork:
            continue  # said when its turn comes
        for hint in found:
            users.setdefault(hint, []).append(number)
    suspects = sorted({number for numbers in users.values() if len(numbers) > 1 for number in numbers})
    seen: list[tuple[Project, list[Identity]]] = []
    wrong: dict[Path, tuple[Finding, ...]] = {}
    for project in (projects[number] for number in suspects):
        own = _identities(project)
        clashes = [
            clash
            for identity in own
            for other, theirs in seen
            for one in theirs
            if (clash := collision(identity, one, other.name))
        ]
        if clashes:
            wrong[project.folder] = project.located(clashes)
        seen.append((project, own))
    return wrong


def _identities(project: Project) -> list[Identity]:
    from opgen.project.collisions import identities

    try:
        return list(identities(project.spec()[0]))
    except (Refused, CannotWork):
        return []


@dataclass(frozen=True)
class Document:
    """A document with an overview. now, wanted: its texts; equal when it is up to date. finding: what is wrong."""

    path: Path
    now: str
    wanted: str
    finding: Finding | None

    @property
    def name(self) -> str:
        return shown(self.path)


def overviews(words: Sequence[str], projects: Sequence[Project], told: Sequence[About | None]) -> Iterator[Document]:
    """The documents of every repository whose root is among the words, unless an operator of it cannot be read.

    told: of each project, None where it cannot be read. CannotWork for a document that is no text file.
    """
    for word in words:
        root = Path(os.path.abspath(word))  # noqa: PTH100 - links stay as they are named
        settings = _settings(root)
        if settings is None or settings.root != root or not settings.overview:
            continue
        inside = [
            (project, about)
            for project, about in zip(projects, told, strict=True)
            if Path(os.path.abspath(project.folder)).is_relative_to(root)  # noqa: PTH100
        ]
        if all(about is not None for _, about in inside):
            yield from _documents(word, root, settings, inside)


def _settings(root: Path) -> Settings | None:
    if not root.is_dir():
        return None
    from opgen.project.settings import settings_of

    return settings_of(root)


def _documents(
    word: str, root: Path, settings: Settings, inside: Sequence[tuple[Project, About | None]]
) -> Iterator[Document]:
    from opgen.disk.document import read_document
    from opgen.project.overview import BEGIN, END, Row, inserted, table

    first = settings.defaults.first
    names = {language: "README.md" if language == first else f"README_{language}.md" for language in ("en", "zh")}
    rows = [
        Row(os.path.relpath(project.folder, root).replace(os.sep, "/"), about, names)
        for project, about in inside
        if about is not None
    ]
    for language, name in settings.overview.items():
        path = Path(word, name)
        why = "opgen.toml says that it holds a table of all operators"
        place = Place(shown(path), 1, 1)
        text = read_document(path)
        if text is None:
            what, fix = f'"{name}" is missing', f"write it, with the lines `{BEGIN}` and `{END}`"
            yield Document(path, "", "", Finding("OPG619", what, why, fix, place=place))
            continue
        wanted = inserted(text, table(rows, name, language))
        if wanted is None:
            what, fix = f'"{name}" has no place for the overview', f"add one line `{BEGIN}` and below it one `{END}`"
            yield Document(path, text, text, Finding("OPG619", what, why, fix, place=place))
        elif wanted != text:
            what, fix = f'the overview in "{name}" is out of date', f"run `opgen generate {shown(word)}`"
            line = text[: text.index(BEGIN)].count("\n") + 1
            yield Document(path, text, wanted, Finding("OPG619", what, why, fix, place=replace(place, line=line)))
        else:
            yield Document(path, text, text, None)


def pairs(words: Sequence[str]) -> Iterator[Finding]:
    """What two hand-written documents do not share, of every repository whose root is among the words."""
    for word in words:
        root = Path(os.path.abspath(word))  # noqa: PTH100
        settings = _settings(root)
        if settings is None or settings.root != root:
            continue
        for names in settings.pairs:
            texts = [_read(Path(word, name)) for name in names]
            missing = [name for name, text in zip(names, texts, strict=True) if text is None]
            for name in missing:
                what, why = f'"{name}" is missing', "opgen.toml says that it is one language of a document"
                place = Place(shown(Path(word, name)), 1, 1)
                yield Finding("OPG509", what, why, "write it, or remove the pair", severity="warning", place=place)
            if not missing:
                yield from _unlike(word, names, [text or "" for text in texts])


def _read(path: Path) -> str | None:
    from opgen.disk.document import read_document

    return read_document(path)


def _unlike(word: str, names: Sequence[str], texts: Sequence[str]) -> Iterator[Finding]:
    """Places are relative to the folder that the word names."""
    from opgen.docs.parity import Document, check_pair

    short = [os.path.normpath(name).replace(os.sep, "/") for name in names]
    for finding in check_pair(Document(short[0], texts[0]), Document(short[1], texts[1]), _Files(Path(word))):
        assert finding.place is not None
        yield replace(finding, place=replace(finding.place, file=shown(Path(word, finding.place.file))))


@dataclass(frozen=True)
class _Files:
    """The paths below a root at which something lies."""

    root: Path

    def __contains__(self, path: object) -> bool:
        return (self.root / str(path)).exists()


def edited_documents(project: Project, comparison: Comparison) -> Iterator[Finding]:
    """What two documents of a project that are one in two languages do not share, where somebody edited one. Places are
    relative to its folder."""
    first = project.settings.defaults.first
    other = "en" if first == "zh" else "zh"
    states = {state.path: state for state in comparison.states}
    for path in states:
        twin = f"{path.removesuffix('.md')}_{other}.md"
        if path.endswith(".md") and twin in states:
            names = {first: path, other: twin}
            yield from _edited_pair([states[names[language]] for language in ("zh", "en")], {"op.yaml", *states})


def _edited_pair(found: Sequence[FileState], known: Container[str]) -> Iterator[Finding]:
    if not any(state.status in ("merged", "resolved", "edited") for state in found):
        return
    from opgen.docs.parity import Document, check_pair

    documents = [
        Document(state.path, state.found.content.decode("utf-8", "replace"))
        for state in found
        if state.found is not None and state.status != "markers"
    ]
    if len(documents) == 2:
        yield from check_pair(documents[0], documents[1], known)


def shadows(projects: Sequence[Project]) -> Iterator[str]:
    """A line for every template that a repository has of its own."""
    seen = set()
    for project in projects:
        try:
            settings = project.settings
        except (Refused, CannotWork):
            continue
        if settings.root not in seen:
            seen.add(settings.root)
            for name in settings.overrides:
                yield f"{settings.shown_templates}/{name} stands in for opgen's template"

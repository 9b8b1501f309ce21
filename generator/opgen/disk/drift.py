"""What differs between a project and its plan, as findings and as lines."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.disk.compare import Comparison, FileState, Status
from opgen.disk.conflicts import conflict
from opgen.text.findings import Finding, Place

# rule, kind (a word in print), what.
_KINDS: dict[Status, tuple[str, str, str]] = {
    "update": ("OPG610", "changed", '"{}" is not what op.yaml says now'),
    "create": ("OPG611", "missing", '"{}" is missing'),
    "missing": ("OPG611", "missing", '"{}" is missing'),
    "stale": ("OPG612", "extra", '"{}" is no longer planned'),
    "line-endings": ("OPG613", "line endings only", '"{}" has CRLF line endings, and no other difference of its own'),
    "resolved": ("OPG616", "resolved", 'the conflict in "{}" is resolved, and nobody recorded that yet'),
    "mode": ("OPG614", "executable bit only", '"{}" has the wrong executable bit'),
}

_CONFLICTS: dict[Status, str] = {"edited": "edited", "foreign": "not ours", "markers": "conflict markers"}


def drift(comparison: Comparison, argument: str) -> Iterator[tuple[str, Finding]]:
    """Kind and finding of every difference. argument: the project, as an argument of `opgen generate`."""
    repair = f"opgen generate {argument}"
    if comparison.interrupted:
        yield (
            "interrupted",
            Finding(
                "OPG608",
                "an earlier run was interrupted while it wrote",
                "files may be half old and half new",
                f"run `{repair}`: it puts the old files back first",
                place=Place(".opgen/staging/journal.json", 1, 1),
            ),
        )
        return  # of a half-written project nothing else is certain
    for state in comparison.states:
        found = _difference(state, repair)
        if found:
            yield found


def _difference(state: FileState, repair: str) -> tuple[str, Finding] | None:
    place = Place(state.path, 1, 1)
    if state.status in _CONFLICTS:
        return _CONFLICTS[state.status], conflict(state)
    if state.status == "stale-edited":
        return "extra, edited", Finding(
            "OPG609",
            f'"{state.path}" is no longer planned, but was edited',
            "opgen removes only what nobody changed",
            f"delete it, or `{repair} --force`, which keeps a backup",
            place=place,
        )
    if state.status not in _KINDS:
        return None
    rule, kind, what = _KINDS[state.status]
    why = "generated files follow op.yaml and the templates of opgen"
    return kind, Finding(rule, what.format(state.path), why, f"run `{repair}`", place=place)

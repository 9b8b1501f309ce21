"""What `write` would change, as a unified diff."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from opgen.disk.compare import FileState, unix

_NO_NEWLINE = "\\ No newline at end of file\n"
_TEXT_CHANGES = frozenset({"create", "missing", "update", "edited", "markers", "foreign", "stale", "stale-edited"})


def unified(state: FileState) -> Iterator[str]:
    """Lines, each with its line end: from what lies there to what is planned. Nothing for files that stay."""
    if state.status == "line-endings":
        yield f"# {state.path}: CRLF becomes LF, and nothing else may change\n"
    if state.status == "mode":
        yield f"# {state.path}: becomes {'' if state.planned and state.planned.executable else 'not '}executable\n"
    if state.status == "resolved":
        yield f"# {state.path}: its conflict is resolved, and the text stays\n"
    planned = state.planned.content if state.planned else ""
    found = state.found.content if state.found else b""
    if state.status == "line-endings":
        if state.settled:
            return
        found = unix(found)
    elif state.status not in _TEXT_CHANGES:
        return
    before = found.decode("utf-8", "backslashreplace").splitlines(keepends=True)
    old = f"a/{state.path}" if state.found else "/dev/null"
    new = f"b/{state.path}" if state.planned else "/dev/null"
    for line in difflib.unified_diff(before, planned.splitlines(keepends=True), old, new):
        yield line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}"

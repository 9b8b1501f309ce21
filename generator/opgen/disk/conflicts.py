"""What is said where a run may not write, or not yet."""

from __future__ import annotations

from opgen.disk.compare import FileState
from opgen.disk.merge import first_marker
from opgen.disk.paths import place
from opgen.text.findings import Finding, Place

INTERRUPTED = (
    "an earlier run was interrupted while it wrote, so some files are old and some are new",
    "run `opgen generate`: it puts the old files back first",
)


def conflict(state: FileState, merging: bool = False) -> Finding:
    """The finding about a file that may not be written. merging: a merge was asked for, and cannot be made."""
    if state.status == "edited" and merging:
        return Finding(
            "OPG606",
            f'"{state.path}" was edited, and cannot be merged',
            "a merge needs the text that opgen wrote last, and .opgen/base does not have it",
            "restore .opgen/base from version control; or `opgen generate --force`, which keeps a backup",
            place=place(state.path),
        )
    if state.status == "edited":
        return Finding(
            "OPG606",
            f'"{state.path}" was edited',
            "it is generated from op.yaml, and writing it again would lose the edit",
            "move the edit into op.yaml or a file of your own; or `opgen generate --merge`, which keeps it in place; "
            "or `opgen generate --force`, which keeps a backup",
            place=place(state.path),
        )
    if state.status == "markers":
        assert state.found is not None
        return Finding(
            "OPG615",
            f'"{state.path}" holds a conflict that is not resolved',
            "between the markers stand the lines of both sides; no compiler takes them",
            "keep the right lines, remove the markers, then run `opgen generate`; or `opgen generate --force`, which "
            "writes the generated text and keeps a backup",
            place=Place(state.path, first_marker(state.found.content), 1),
        )
    return Finding(
        "OPG607",
        f'"{state.path}" is there already and was not written by opgen',
        "opgen replaces only what it wrote",
        "move it away, or `opgen generate --force`, which keeps a backup",
        place=place(state.path),
    )

"""The outline of a project: which files it has and what its run.sh does, before any text is written.

README, CMakeLists.txt, `opgen list` and `opgen show` read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from opgen.formula.signature import Text

Owner = Literal["generated", "once"]


@dataclass(frozen=True)
class Entry:
    """A file. path: relative, with slashes. role: what it is, for the tree of the README. group: files that the tree
    shows on one line ("ge/kernel.h" and "ge/kernel.cpp" have the group "ge/kernel")."""

    path: str
    owner: Owner
    role: Text
    executable: bool = False
    group: str = ""


@dataclass(frozen=True)
class Step:
    """A step of run.sh. title: what run.sh prints (English). does: one sentence for the README. prints: the lines that
    a good run prints, "..." for lines left out and inside a line for a path or a number."""

    title: str
    does: Text
    prints: tuple[str, ...]


@dataclass(frozen=True)
class Outline:
    entries: tuple[Entry, ...]
    steps: tuple[Step, ...]

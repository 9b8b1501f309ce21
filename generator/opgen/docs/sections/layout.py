"""Directory structure: the outline as a tree."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.docs import markdown
from opgen.docs.markdown import Node
from opgen.docs.phrases import Language
from opgen.docs.subject import Material
from opgen.spec.outline import Entry

READMES = {"zh": ("README.md", "README_en.md"), "en": ("README.md", "README_zh.md")}


def layout(material: Material, language: Language) -> str:
    """The files of the project, each with its role; files of one group share a line. Hidden files are left out."""
    spec = language.say("tree.spec.hand" if material.handwritten() else "tree.spec")
    readmes = READMES[material.spec.first]
    nodes = [Node("op.yaml", comment=spec), *(Node(name) for name in readmes)]
    entries = [e for e in material.outline.entries if e.path not in ("op.yaml", *readmes)]
    nodes += entry_nodes(entries, language)
    return markdown.tree(Node(f"{material.spec.project}/", tuple(nodes)))


def entry_nodes(entries: Iterable[Entry], language: Language) -> list[Node]:
    """Files of an outline, those in folders last. Hidden ones are left out."""
    shown = [entry for entry in entries if not entry.path.startswith(".")]
    top = [entry for entry in shown if "/" not in entry.path]
    below = [entry for entry in shown if "/" in entry.path]
    return _folder(top, "", language) + _folder(below, "", language)


def _folder(entries: Iterable[Entry], folder: str, language: Language) -> list[Node]:
    """The lines of the entries, all of which lie below `folder`."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        head, slash, _ = entry.path[len(folder) :].partition("/")
        groups.setdefault(head + "/" if slash else entry.group or entry.path, []).append(entry)
    nodes = []
    for name, members in groups.items():
        if name.endswith("/"):
            nodes.append(Node(name, tuple(_folder(members, folder + name, language))))
        else:
            nodes.append(Node(_names(members, folder), comment=language.text(members[0].role)))
    return nodes


def _names(members: list[Entry], folder: str) -> str:
    """kernel.h, .cpp"""
    first, *others = (member.path[len(folder) :] for member in members)
    return ", ".join([first, *("." + other.rpartition(".")[2] for other in others)])

"""A repository's licence header, as a comment of each language."""

from __future__ import annotations

from opgen.text.escape import cxx_comment

_SLASHES = (".h", ".cpp", ".cc")  # all other texts but Markdown take "#"


def with_licence(path: str, text: str, licence: str) -> str:
    """The text with the header below its first line, which says where the file comes from. "" adds nothing."""
    if not licence:
        return text
    lines = text.split("\n")
    count = int(lines[0].startswith("#!"))
    count += "Generated from op.yaml by opgen." in lines[count]
    return "\n".join([*lines[:count], *_comment(path, licence), *lines[count:]])


def _comment(path: str, licence: str) -> list[str]:
    lines = licence.split("\n")
    if path.endswith(".md"):
        return ["<!--", *lines, "-->"]
    if path.endswith(_SLASHES):
        return [f"// {cxx_comment(line)}".rstrip() for line in lines]
    return [f"# {line}".rstrip() for line in lines]

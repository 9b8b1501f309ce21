"""Python text as `ruff format` would leave it: calls and definitions that fit into a line, comments that do."""

from __future__ import annotations

import textwrap

WIDTH = 120


def call(head: str, args: list[str], tail: str = ")", indent: int = 0) -> list[str]:
    """`head(` args `tail`: on one line, or with the arguments on one of their own, or with one line each.

    head ends with its bracket, as in "parser.add_argument(". indent: columns in front of it that are not in the result.
    """
    one = f"{head}{', '.join(args)}{tail}"
    if indent + len(one) <= WIDTH:
        return [one]
    inner = ", ".join(args)
    if indent + 4 + len(inner) <= WIDTH:
        return [head, f"    {inner}", tail]
    return [head, *(f"    {arg}," for arg in args), tail]


def comment(text: str, indent: int = 0) -> list[str]:
    """`text` as comment lines."""
    return textwrap.wrap(text, WIDTH - indent, initial_indent="# ", subsequent_indent="# ", break_long_words=False)


def prose(text: str) -> list[str]:
    """`text` as lines of a docstring."""
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def listed(words: list[str], last: str = "and") -> str:
    """a, b and c."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"


def indented(lines: list[str], columns: int) -> list[str]:
    return [f"{' ' * columns}{line}" if line else "" for line in lines]


def fitted(lines: list[str]) -> list[str]:
    """Lines, with calls that are too long spread over several."""
    return [part for line in lines for part in ([line] if len(line) <= WIDTH else _spread(line))]


def _spread(line: str) -> list[str]:
    code = line.lstrip()
    columns = len(line) - len(code)
    head, opened, rest = code.partition("(")
    if code.startswith("#") or not opened or not rest.endswith(")"):
        return [line]
    return indented(call(head + "(", _arguments(rest[:-1]), indent=columns), columns)


def _arguments(text: str) -> list[str]:
    """The arguments of a call, taken apart at the commas outside brackets. Strings hold no brackets here."""
    result, depth = [""], 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and not depth:
            result.append("")
        else:
            result[-1] += character
    return [part.strip() for part in result]

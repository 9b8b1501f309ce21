"""Line breaks as the style of the generated C++ wants them: Google, 120 columns, pointer to the right.

Generated text is unchanged by clang-format. Statements that may grow past a line are built from expressions and broken
here; everything else is short.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 120
_CONTINUATION = 4
_COLUMNS_FROM = 6  # items of a braced list that does not fit on a line


@dataclass(frozen=True)
class Call:
    """`head(args)`: a call, a parameter list or a braced list, as `head` and `tail` say."""

    head: str
    args: tuple[Expr, ...]
    tail: str = ")"


@dataclass(frozen=True)
class Chain:
    """Operands joined by one operator: "&&", "||" or "+"."""

    operator: str
    operands: tuple[Expr, ...]


Expr = str | Call | Chain


def call(function: str, *args: Expr) -> Call:
    return Call(f"{function}(", args)


def braces(*items: Expr) -> Call:
    return Call("{", items, "}")


def flat(expr: Expr) -> str:
    """The expression on one line."""
    if isinstance(expr, str):
        return expr
    if isinstance(expr, Call):
        return expr.head + ", ".join(map(flat, expr.args)) + expr.tail
    return f" {expr.operator} ".join(map(flat, expr.operands))


def statement(before: str, expr: Expr, after: str) -> str:
    """`before` expr `after`, broken where it does not fit. `before` begins with the indentation."""
    lines = [before]
    _put(lines, expr, after)
    return "\n".join(lines)


def assignment(before: str, expr: Expr, after: str = ";") -> str:
    """`before = expr;`. The value goes to a line of its own where that takes no more lines."""
    indent = len(before) - len(before.lstrip())
    beside = [f"{before} = "]
    _put(beside, expr, after, hang=indent + _CONTINUATION)
    if isinstance(expr, str) and columns(beside[0]) > WIDTH:
        return "\n".join([f"{before} =", f"{' ' * (indent + _CONTINUATION)}{expr}{after}"])
    below = [f"{before} =", " " * (indent + _CONTINUATION)]
    _put(below, expr, after)
    return "\n".join(below if len(beside) > 1 and len(below) <= len(beside) else beside)


def hanging(before: str, expr: Expr, after: str = ";") -> str:
    """`before` expr `after`, as in `return call(...);` and `Type name(...);`. Arguments that begin on a line of their
    own are indented from where the statement begins."""
    lines = [before]
    _put(lines, expr, after, hang=len(before) - len(before.lstrip()) + _CONTINUATION)
    return "\n".join(lines)


def condition(indent: int, checks: Sequence[Expr]) -> str:
    """`if (a || b) {`"""
    return statement(" " * indent + "if (", joined("||", checks), ") {")


def joined(operator: str, operands: Sequence[Expr]) -> Expr:
    return operands[0] if len(operands) == 1 else Chain(operator, tuple(operands))


def negated(check: Expr) -> Expr:
    """`!check`; `check` is a call or a name."""
    if isinstance(check, Call):
        return Call("!" + check.head, check.args, check.tail)
    assert isinstance(check, str)
    return "!" + check


def comment(text: str, indent: int = 0, sign: str = "// ") -> str:
    """A comment in lines of at most 120 columns. Newlines of the text stay."""
    first = " " * indent + sign
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = first
        for word in paragraph.split():
            if line != first and columns(line) + 1 + columns(word) > WIDTH:
                lines.append(line)
                line = first
            line += word if line == first else f" {word}"
        lines.append(line.rstrip())
    return "\n".join(lines)


def columns(text: str) -> int:
    """Columns on a terminal: East Asian characters are two wide."""
    return len(text) if text.isascii() else sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def table(items: Sequence[str], column: int) -> list[str]:
    """The items of a braced list in columns, as few lines as fit between `column` and the end of the line.

    Lists of fewer items are filled like arguments. The last item has no comma.
    """
    words = [f"{item}," for item in items[:-1]] + [items[-1]]
    count, widths = len(items), [columns(items[0])]
    for tried in range(len(items), 0, -1):
        wanted = [max(map(columns, words[j::tried])) for j in range(tried)]
        if column + sum(wanted) + tried - 1 > WIDTH and tried > 1:
            continue
        if len(widths) > 1 and -(-len(items) // tried) > -(-len(items) // count):
            break
        count, widths = tried, wanted
    lines = []
    for start in range(0, len(words), count):
        row = words[start : start + count]
        lines.append(" ".join(f"{word:<{width}}" for word, width in zip(row, widths, strict=False)).rstrip())
    return lines


def _put(lines: list[str], expr: Expr, after: str, hang: int | None = None, argument: bool = False) -> None:
    """Appends `expr` and `after` to the last line, opening new ones aligned with where `expr` begins.

    hang: the column of arguments that begin on a line of their own; by default four behind where `expr` begins.
    argument: one of several of a call; lines of an operator are indented once more there.
    """
    text = flat(expr)
    if isinstance(expr, str) or columns(lines[-1]) + columns(text) + columns(after) <= WIDTH:
        lines[-1] += text + after
    elif isinstance(expr, Chain):
        _fill(lines, expr.operands, f" {expr.operator}", after, shift=_CONTINUATION if argument else 0, chain=True)
    elif expr.head == "{" and len(expr.args) >= _COLUMNS_FROM:
        lines[-1] += expr.head
        pad = " " * columns(lines[-1])
        first, *others = table([flat(arg) for arg in expr.args], len(pad))
        lines[-1] += first
        lines += [pad + line for line in others]
        lines[-1] += expr.tail + after
    else:
        column = columns(lines[-1]) + _CONTINUATION if hang is None else hang
        aligned = [lines[-1] + expr.head]
        _fill(aligned, expr.args, ",", expr.tail + after)
        hanging = [lines[-1] + expr.head, " " * column]
        _fill(hanging, expr.args, ",", expr.tail + after)
        # A break inside an argument weighs more than one before the first of them; lists stand anywhere once they do.
        too_wide = any(columns(line) > WIDTH for line in aligned)
        better = too_wide or len(hanging) + _torn(expr, hanging, False) < len(aligned) + _torn(expr, aligned, True)
        lines[-1:] = hanging if expr.head.endswith("(") and better else aligned


def _torn(call: Call, lines: list[str], lists: bool) -> bool:
    """Whether an argument stands on several lines: a call, one of several operators, and a list where they count."""
    parts = [arg for arg in call.args if isinstance(arg, Call) and (lists or arg.head != "{")]
    texts = [flat(part) for part in parts] + [
        flat(arg) for arg in call.args if len(call.args) > 1 and isinstance(arg, Chain)
    ]
    return not all(any(text in line for line in lines) for text in texts)


def _fill(
    lines: list[str], items: Sequence[Expr], separator: str, after: str, shift: int = 0, chain: bool = False
) -> None:
    """Fills lines with items. An item that does not fit goes to a new line, unless it takes fewer lines when it begins
    on this one. Nothing follows an item of several lines on its last line, and nothing stands in front of a list of
    several lines.

    shift: columns that new lines are behind the first item. chain: operands, of which one of several lines begins on a
    new line unless it is the last.
    """
    column = columns(lines[-1]) + shift
    deeper = not chain and len(items) > 1
    broken = False
    for position, item in enumerate(items):
        end = after if position == len(items) - 1 else separator
        here = [lines[-1] + (" " if position else "")]
        _put(here, item, end, argument=deeper)
        overflows = any(columns(line) > WIDTH for line in here)
        if position and (broken or overflows or len(here) > 1):
            new = [" " * column]
            _put(new, item, end, argument=deeper)
            inside = chain and position < len(items) - 1
            listed = isinstance(item, Call) and item.head == "{" and len(here) > 1
            if listed or broken or overflows or inside or len(new) + 1 <= len(here):
                lines.append("")
                here = new
        broken = len(here) > 1
        lines[-1:] = here

"""The text of a formula taken into logical lines, and each of them read by Python's own parser. Nothing is executed.

Comments, strings, brackets and characters that Python would not take are dealt with here, so that every line can be
read by itself and all of them can be complained about at once.
"""

from __future__ import annotations

import ast
import unicodedata
import warnings
from dataclasses import dataclass

from opgen.formula.problems import Problem

MAX_SOURCE = 20_000  # characters of a formula; the longest that makes sense is far shorter
MAX_LINE = 4_000  # characters of one line; keeps Python's parser away from its own limits
MAX_DEPTH = 80  # levels of an expression tree; what reads it may recurse
MAX_INT = 2**63 - 1

_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LOOKALIKE = {
    **dict(zip("−–—×·÷∗，。、；“”‘’【】", "---**/*,.,;\"\"''[]", strict=True)),
    **dict(zip("≤≥≠…∞\u00a0\u3000", ("<=", ">=", "!=", "...", "inf", " ", " "), strict=True)),
}


@dataclass(frozen=True)
class Line:
    """A logical line. text: its characters with comments and inner line ends blanked, so that columns stay.

    offset: of the first one in the source. indent: spaces before it.
    """

    text: str
    offset: int
    indent: int = 0

    def column(self, byte: int) -> int:
        """Python counts columns in UTF-8 bytes; this is the character there."""
        if self.text.isascii():
            return byte
        return len(self.text.encode("utf-8", "surrogatepass")[:byte].decode("utf-8", "ignore"))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Offset into the source and length of what a node was read from."""
        start = self.column(getattr(node, "col_offset", 0))
        end = self.column(getattr(node, "end_col_offset", None) or start)
        return self.offset + start, max(1, end - start)

    def closed(self, node: ast.AST) -> bool:
        """Whether a parenthesis closes behind what a node was read from."""
        offset, length = self.span(node)
        return self.text[offset - self.offset + length :].lstrip().startswith(")")

    def problem(self, node: ast.AST, rule: str, what: str, why: str, fix: str) -> Problem:
        offset, length = self.span(node)
        return Problem(rule, what, why, fix, offset, length)

    def source(self, node: ast.AST) -> str:
        """What a node was read from, cut where it is long."""
        offset, length = self.span(node)
        text = " ".join(self.text[offset - self.offset :][:length].split())
        return text if len(text) <= 40 else text[:37] + "..."


def scan(source: str, what: str = "formula") -> tuple[tuple[Line, ...], tuple[Problem, ...]]:
    """Logical lines and what is wrong with the characters. Lines with a problem are left out."""
    if len(source) > MAX_SOURCE:
        fix = "move the computation into a kernel of your own and name it under `kernel`"
        why = f"a {what} has at most {MAX_SOURCE} characters"
        return (), (Problem("OPG301", f"the {what} has {len(source)} characters", why, fix, MAX_SOURCE),)
    scanner = _Scanner(source)
    scanner.run()
    return tuple(scanner.lines), tuple(scanner.problems)


class _Scanner:
    """One pass over the characters."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.lines: list[Line] = []
        self.problems: list[Problem] = []
        self.blanked: list[str] = []  # characters of the current logical line
        self.brackets: list[tuple[str, int]] = []
        self.start = 0
        self.broken = False

    def run(self) -> None:
        position = 0
        while position < len(self.source):
            position = self._step(position)
        if self.brackets:
            self._unclosed()
        self._end()

    def _step(self, at: int) -> int:
        char = self.source[at]
        if char == "#":
            end = at
            while end < len(self.source) and self.source[end] not in "\r\n":
                end += 1
            self.blanked.append(" " * (end - at))
            return end
        if char in "\r\n":
            return self._newline(at)
        if char in "'\"":
            return self._string(at)
        if char == "\\" and self.source[at + 1 : at + 2] in ("\n", "\r"):
            width = 3 if self.source[at + 1 : at + 3] == "\r\n" else 2
            self.blanked.append(" " * width)
            return at + width
        if char in _CLOSING:
            self.brackets.append((char, at))
        elif char in _CLOSING.values():
            self._close(char, at)
        elif char == ";":
            fix = "give every assignment a line of its own"
            self._problem(at, "`;` is not part of the language", "a line holds one assignment", fix)
        elif not char.isascii() or (not char.isprintable() and char != "\t"):
            return self._foreign(at)
        self.blanked.append(char)
        return at + 1

    def _newline(self, at: int) -> int:
        width = 2 if self.source[at : at + 2] == "\r\n" else 1
        if self.brackets and not self._assignment_at(at + width):
            self.blanked.append(" " * width)
            return at + width
        if self.brackets:
            self._unclosed()
        self._end()
        self.start = at + width
        return at + width

    def _assignment_at(self, at: int) -> bool:
        """Whether the next line looks like an assignment; then a bracket before it was forgotten.

        A keyword argument on a line of its own has a comma or a bracket where an assignment ends.
        """
        end = at
        while end < len(self.source) and self.source[end] not in "\r\n":
            end += 1
        name, equals, rest = self.source[at:end].split("#")[0].partition("=")
        if not equals or not name.strip().isidentifier() or rest.startswith("="):
            return False
        tail = rest.rstrip()
        if tail.endswith(","):
            return False
        depth = 0
        for char in tail:
            depth += (char in "([{") - (char in ")]}")
            if depth < 0:
                return False
        following = self.source[end:].lstrip()
        return not following.startswith((")", "]", ","))

    def _string(self, at: int) -> int:
        quote = self.source[at]
        end = at + 1
        while end < len(self.source) and self.source[end] not in "\r\n" and self.source[end] != quote:
            end += 2 if self.source[end] == "\\" and self.source[end + 1 : end + 2] not in ("\r", "\n", "") else 1
        if end >= len(self.source) or self.source[end] != quote:
            self._problem(at, "a string is not closed", "a string ends on its line", f"add {quote}", end - at)
            self.blanked.append(" " * (min(end, len(self.source)) - at))
            return end
        text = self.source[at : end + 1]
        if any(0xD800 <= ord(char) < 0xE000 for char in text):
            self._problem(
                at, "a string holds half a character", "it is not valid Unicode", "write the text anew", end - at
            )
        self.blanked.append(text)
        return end + 1

    def _close(self, char: str, at: int) -> None:
        if self.brackets and _CLOSING[self.brackets[-1][0]] == char:
            self.brackets.pop()
        elif self.brackets:
            opening = self.brackets.pop()[0]
            want = _CLOSING[opening]
            self._problem(at, f"`{char}` closes `{opening}`", "brackets close in pairs", f"write `{want}`")
        else:
            self._problem(at, f"`{char}` closes nothing", "brackets come in pairs", f"remove `{char}`")

    def _unclosed(self) -> None:
        opening, at = self.brackets[0]
        self._problem(at, f"`{opening}` is not closed", "brackets come in pairs", f"add `{_CLOSING[opening]}`")
        self.brackets.clear()

    def _foreign(self, at: int) -> int:
        char = self.source[at]
        if char.isidentifier() or (char.isalpha() and unicodedata.normalize("NFKC", char).isascii()):
            return self._foreign_name(at)
        plain = _LOOKALIKE.get(char) or unicodedata.normalize("NFKC", char)
        if char in "\ufeff\u200b\u200c\u200d\u2060":
            plain = ""
        shown = f"`{char}` (U+{ord(char):04X})" if char.isprintable() else f"U+{ord(char):04X}"
        usable = plain.isascii() and plain.isprintable()
        fix = (
            f"write `{plain}`"
            if usable and plain.strip()
            else "write a plain space"
            if usable and plain
            else "remove it"
        )
        self._problem(at, f"the character {shown} is not part of the language", "a formula is written in ASCII", fix)
        self.blanked.append(" ")
        return at + 1

    def _foreign_name(self, at: int) -> int:
        end = at
        while end < len(self.source) and (self.source[end].isalnum() or self.source[end] == "_"):
            end += 1
        end = max(end, at + 1)
        name = self.source[at:end]
        plain = unicodedata.normalize("NFKC", name)
        fix = f"write `{plain}`" if plain.isascii() and plain.isprintable() else "use a name of ASCII letters"
        self._problem(at, f"the name `{name}` is not ASCII", "names become names of C++ and Python code", fix, end - at)
        self.blanked.append(" " * (end - at))
        return end

    def _problem(self, at: int, what: str, why: str, fix: str, length: int = 1) -> None:
        self.problems.append(Problem("OPG301", what, why, fix, at, max(1, length)))
        self.broken = True

    def _end(self) -> None:
        text = "".join(self.blanked)
        self.blanked.clear()
        stripped = text.strip()
        if stripped and not self.broken:
            indent = len(text) - len(text.lstrip())
            line = Line(stripped, self.start + indent, indent)
            if len(stripped) > MAX_LINE:
                why = f"one line has at most {MAX_LINE} characters"
                self._problem(line.offset, f"a line has {len(stripped)} characters", why, "use temporaries")
            else:
                self.lines.append(line)
        self.broken = False


def parse_statements(line: Line) -> list[ast.stmt] | Problem:
    """What Python's parser makes of a line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "invalid decimal literal" and the like are errors here later on
            statements = ast.parse(line.text).body
    except SyntaxError as error:
        return _syntax_problem(line, error)
    except (RecursionError, MemoryError):
        return deep_problem(line.offset, len(line.text))
    except (ValueError, OverflowError):
        what, why = "the line cannot be read", "Python's grammar does not take it"
        return Problem("OPG301", what, why, "write it anew", line.offset, len(line.text))
    if not all(check_depth(statement) for statement in statements):
        return deep_problem(line.offset, len(line.text))
    return statements


def deep_problem(offset: int, length: int) -> Problem:
    why = f"an expression has at most {MAX_DEPTH} levels"
    return Problem("OPG301", "the expression is nested too deeply", why, "give parts of it names", offset, length)


_INSTEAD = {"&&": "&", "||": "|", "!": "~", "^": "a ** b", "?": "a if c else b", "++": "a + 1", "--": "a - 1"}


def _syntax_problem(line: Line, error: SyntaxError) -> Problem:
    """Where Python's parser stopped, in words that do not change with its version."""
    text = line.text
    start = len(text) if not error.offset or error.offset > len(text) else error.offset - 1
    while start < len(text) and text[start].isspace():
        start += 1
    message = str(error.msg)
    if "digits" in message:
        return Problem(
            "OPG301", "a number is too large", "numbers fit into 64 bits", "write a float", line.offset + start
        )
    if start >= len(text):
        what, why = "the line ends where a value is expected", "an operator or `=` needs one"
        return Problem("OPG301", what, why, "complete the expression", line.offset + len(text) - 1)
    token = _token(text, start)
    why, fix = "a line is NAME = expression, written as in Python", "an operator or a comma may be missing before it"
    what = f"`{token}` is not expected here"
    if "expected 'else'" in message:
        what, why, fix = "`if` has no `else`", "a value is needed in both cases", "write `a if c else b`"
    elif "forgot a comma" in message:
        token = " ".join(text[start : (error.end_offset or start + 2) - 1].split())
        what, fix = f"`{token}` is no expression", "put an operator or a comma between"
    elif "positional argument" in message:
        what, why, fix = "an argument without a name follows one with a name", "names come last", "change the order"
    elif "cannot assign" in message:
        what, why, fix = f"`{token}` cannot be assigned to", "a line is NAME = expression", "write `==` to compare"
    elif "decimal literal" in message or "leading zeros" in message:
        what, why, fix = f"`{token}` is no number", "numbers are written as in Python", "write digits only"
    for candidate in (text[start : start + 2], text[max(0, start - 1) : start + 1], text[start]):
        if candidate in _INSTEAD:
            what, fix = f"`{candidate}` is not part of the language", f"write `{_INSTEAD[candidate]}`"
            break
    return Problem("OPG301", what, why, fix, line.offset + start, max(1, len(token)))


def _token(text: str, start: int) -> str:
    end = start + 1
    if text[start].isalnum() or text[start] == "_":
        while end < len(text) and (text[end].isalnum() or text[end] in "_."):
            end += 1
    return text[start : min(end, start + 40)]


def check_depth(node: ast.AST) -> bool:
    """Whether a tree has at most MAX_DEPTH levels. Without recursion, so that the answer always comes."""
    level: list[ast.AST] = [node]
    for _ in range(MAX_DEPTH):
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        if not level:
            return True
    return False

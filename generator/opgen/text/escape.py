"""Texts of op.yaml in other languages: one function a context.

Nothing is deleted: what a context cannot hold is replaced by something that reads the same or names it. Functions
whose names end in `string` or `word` return the whole literal with its quotes; the others return what stands between
the delimiters, on one line unless they say otherwise.
"""

from __future__ import annotations

import re

# Control characters, and those that turn the direction of writing: compilers warn of them, and readers cannot see them.
_INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_BREAK = re.compile(r"[ \t]*[\r\n]+[ \t\r\n]*")
_TRIGRAPH = re.compile(r"\?\?(?=[=/'()!<>-])")
_SHELL_PLAIN = re.compile(r"[A-Za-z0-9@%+=:,./_-]+")


def cxx_string(text: str) -> str:
    """A C++ string literal, encoded in UTF-8. It is no printf format: % stays %."""
    body = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    body = _INVISIBLE.sub(lambda m: _octal(m.group()), body)
    return f'"{_TRIGRAPH.sub("?" + chr(92) + "?", body)}"'


def cxx_comment(text: str) -> str:
    """For // and /* */ alike."""
    line = one_line(text).replace("\t", " ")
    while "*/" in line or "/*" in line:
        line = line.replace("*/", "* /").replace("/*", "/ *")
    line = _TRIGRAPH.sub("? ?", line)
    # A backslash before the end of the line would draw the next line into the comment.
    return line + "." if line.endswith("\\") else line


def hash_comment(text: str) -> str:
    """For the comments of Python, shell and CMake that begin with "# "."""
    return one_line(text).replace("\t", " ")


def python_string(text: str) -> str:
    """A Python string literal in double quotes."""
    body = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{_INVISIBLE.sub(lambda m: _code(m.group()), body)}"'


def python_docstring(text: str) -> str:
    '''For the inside of """ """. Line breaks stay.'''
    body = _INVISIBLE.sub(lambda m: _code(m.group()), text.replace("\r\n", "\n").replace("\\", "\\\\"))
    # Every third quote of a row, and the last character, could close the string.
    return re.sub(r'"(?="")|"$', r'\\"', body)


def shell_word(text: str) -> str:
    """One word for a POSIX shell, quoted where it must be."""
    if _SHELL_PLAIN.fullmatch(text):
        return text
    return "'" + text.replace("\0", "\ufffd").replace("'", "'\\''") + "'"


def cmake_string(text: str) -> str:
    """A quoted argument for CMake; nothing in it is expanded."""
    body = text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$").replace("\0", "\ufffd")
    return '"' + body.replace("\r", "\\r").replace("\n", "\\n").replace("\t", "\\t") + '"'


def markdown_text(text: str) -> str:
    """A paragraph of Markdown that shows the text as it is. For the beginning of a line."""
    line = _inline(one_line(text))
    line = re.sub(r"^(#{1,6}(?=\s|$)|>|[-+*=](?=\s|$)|(?:-{2,}|={2,}|_{2,})$)", r"\\\1", line)
    return re.sub(r"^(\d{1,9})([.)])(?=\s|$)", r"\1\\\2", line)


def markdown_cell(text: str) -> str:
    """A cell of a Markdown table, or other text inside a line, that shows the text as it is."""
    line = _inline(one_line(text))
    # Behind a backslash, Markdown's tables and their readers do not agree about \\|.
    return line.replace("\\|", "\\&#124;").replace("|", "\\|")


def one_line(text: str) -> str:
    """The text with its line breaks as spaces, or as nothing between two Chinese characters; the invisible named."""

    def joined(match: re.Match[str]) -> str:
        before, after = text[: match.start()][-1:], text[match.end() :][:1]
        return "" if not before or not after or (before > "\u2e80" and after > "\u2e80") else " "

    return _INVISIBLE.sub(lambda m: _code(m.group()), _BREAK.sub(joined, text))


def _inline(line: str) -> str:
    """A line with everything escaped that Markdown would take for markup."""
    line = re.sub(r"\\(?=[!-/:-@\[-`{-~]|$)", r"\\\\", line)
    line = re.sub(r"[`~]", r"\\\g<0>", line)
    line = re.sub(r"(?<!\s)\*|\*(?!\s|$)", r"\\*", line)
    line = re.sub(r"(?<![^\W_])_|_(?![^\W_])", r"\\_", line)
    line = re.sub(r"<(?=[A-Za-z/!?])", r"\\<", line)
    line = re.sub(r"&(?=#?\w+;)", r"\\&", line)
    line = re.sub(r"\](?=[(\[:])", r"\\]", line)
    return line.replace("$", "\\$") if line.count("$") > 1 else line


def _octal(characters: str) -> str:
    """UTF-8 bytes as octal escapes, which end after three digits whatever follows."""
    return "".join(f"\\{byte:03o}" for byte in characters.encode("utf-8", errors="surrogatepass"))


def _code(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"

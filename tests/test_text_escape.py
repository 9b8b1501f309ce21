"""Texts of op.yaml appear unharmed in C++, Python, shell, CMake and Markdown, and end nothing that they are put in."""

from __future__ import annotations

import ast
import html
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from opgen.text.escape import (
    cmake_string,
    cxx_comment,
    cxx_string,
    hash_comment,
    markdown_cell,
    markdown_text,
    python_docstring,
    python_string,
    shell_word,
)

NASTY = [
    "plain",
    "ends */ here",
    "begins /* here",
    "**//",
    "/*/",
    "***/ /**",
    "trailing \\",
    "two \\\\",
    "what??/ ??= ??'",
    'says """x"""',
    'ends with "',
    "'single'",
    "two\nlines",
    "中文\n两行，\n好",
    "a | b \\| c",
    "```x``` and ` and ``",
    "%s %d %%",
    "$(rm -rf x) ${HOME} `id` $x",
    "{{ x }} {% y %} {# z #}",
    "<!-- a --> <b>c</b> <script>",
    "&lt; &#65; a & b",
    "[text](link) ![image](x) [ref]: y",
    "_x_ __init__ snake_case *y* **z** ~~a~~",
    "# heading",
    "- item",
    "1. item",
    "> quote",
    "---",
    "a < b > c",
    "C:\\temp\\new",
    "tab\there",
    "bell \x07 end",
    "right \u202e left",
    "zero\u200bwidth",
    "\\u0041 \\x41 \\n",
    "trailing ;",
    "",
]
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b\u202e]")


def named(character: str) -> str:
    return f"\\x{ord(character):02x}" if ord(character) < 256 else f"\\u{ord(character):04x}"


def words(text: str) -> str:
    """What a reader sees of a text on one line, with what is invisible named."""
    text = re.sub(r"(?<=[\u2e80-\uffff])\s*\n\s*(?=[\u2e80-\uffff])", "", text)
    text = CONTROL.sub(lambda m: named(m[0]), text)
    return re.sub(r"\s+", " ", text).strip()


def compiled(source: str, folder: Path) -> str:
    """The output of a C++ program that is compiled without a warning."""
    (folder / "main.cpp").write_text(source, encoding="utf-8")
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Wcomment", "-Wtrigraphs", "-Werror", "-o", "main", "main.cpp"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return subprocess.run([folder / "main"], check=True, capture_output=True).stdout.decode("utf-8")


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_cxx_strings_hold_the_text(tmp_path: Path) -> None:
    prints = "".join(f"  std::cout << {cxx_string(text)} << '\\x1e';\n" for text in NASTY)
    output = compiled(f"#include <iostream>\nint main() {{\n{prints}}}\n", tmp_path)
    assert output.split("\x1e")[:-1] == NASTY


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")
def test_cxx_comments_end_nothing_and_draw_no_line_in(tmp_path: Path) -> None:
    lines = []
    for number, text in enumerate(NASTY):
        comment = cxx_comment(text)
        lines += [f"// {comment}", f"  std::cout << {number} << ' ';", f"  /* {comment} */ /** {comment} */"]
    output = compiled("#include <iostream>\nint main() {\n" + "\n".join(lines) + "\n}\n", tmp_path)
    assert output.split() == [str(n) for n in range(len(NASTY))]


@pytest.mark.parametrize("text", NASTY)
def test_comments_keep_every_letter(text: str) -> None:
    bare = re.sub(r"\s", "", words(text))
    assert re.sub(r"\s", "", cxx_comment(text)) in (bare, bare + ".")
    assert re.sub(r"\s", "", hash_comment(text)) == bare
    assert "\n" not in cxx_comment(text) + hash_comment(text)


@pytest.mark.parametrize("text", NASTY)
def test_python(text: str) -> None:
    assert ast.literal_eval(python_string(text)) == text
    held = ast.literal_eval(f'"""{python_docstring(text)}"""')
    assert held == text


@pytest.mark.parametrize("text", NASTY)
def test_shell(text: str) -> None:
    done = subprocess.run(["bash", "-c", f"printf %s {shell_word(text)}"], capture_output=True, check=True)
    assert done.stdout.decode("utf-8") == text


def test_plain_words_need_no_quotes_in_a_shell() -> None:
    assert shell_word("add_custom.cpp") == "add_custom.cpp"
    assert shell_word("") == "''"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="needs cmake")
def test_cmake(tmp_path: Path) -> None:
    script = "".join(f"file(APPEND out {cmake_string(text)})\nfile(APPEND out [=[@@]=])\n" for text in NASTY)
    (tmp_path / "test.cmake").write_text(script, encoding="utf-8")
    subprocess.run(["cmake", "-P", "test.cmake"], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "out").read_bytes().decode("utf-8").split("@@")[:-1] == NASTY


def seen(markdown: str) -> str:
    """What a reader of the rendered page sees; an element that is not a plain paragraph or cell fails."""
    page = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown)
    text = re.sub(r"</?(?:p|table|thead|tbody|tr|th|td)>", "", page)
    assert not re.search(r"<[a-z/!]", text), page
    return words(html.unescape(text))


@pytest.mark.parametrize("text", [t for t in NASTY if t])
def test_markdown_shows_the_text(text: str) -> None:
    assert seen(markdown_text(text) + "\n") == words(text)
    assert seen(f"Text {markdown_cell(text)}\n") == words(f"Text {text}")


@pytest.mark.parametrize("text", [t for t in NASTY if t])
def test_a_cell_stays_a_cell(text: str) -> None:
    page = MarkdownIt("commonmark").enable("table").render(f"| a | b |\n|---|---|\n| {markdown_cell(text)} | c |\n")
    cells = re.findall(r"<td>(.*?)</td>", page, flags=re.DOTALL)
    assert [words(html.unescape(cell)) for cell in cells] == [words(text), "c"]


def test_ordinary_sentences_look_the_same_in_markdown_source() -> None:
    for text in (
        "Adds x and y, scaled by alpha.",
        "y = x * 2 + my_name (a < b)",
        "形如 [N, C] 的张量，行数为 N。",
        "a - b # c",
    ):
        assert markdown_text(text) == text
        assert markdown_cell(text) == text


@settings(max_examples=200, deadline=None)
@given(st.text("ab \\`*_|<>&#[]()!~$-+=.:1;\"'/?{}中，", min_size=1, max_size=14))
def test_markdown_shows_any_text(text: str) -> None:
    if text.strip():
        assert seen(markdown_text(text.strip()) + "\n") == words(text)


@settings(max_examples=200, deadline=None)
@given(st.text("ab\\\"'/*?\n\t\x01 中", max_size=12))
def test_any_text_in_python(text: str) -> None:
    assert ast.literal_eval(python_string(text)) == text
    assert compile(f'"""{python_docstring(text)}"""', "x", "exec")
    comment = cxx_comment(text)
    assert not re.search(r"\*/|/\*|\n|\\$|\?\?[=/'()!<>-]", comment)

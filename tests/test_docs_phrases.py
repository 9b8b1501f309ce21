"""The catalogue: complete, both languages with the same facts, nothing unused."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from conftest import gallery
from docs_support import PROJECTS, project
from opgen.docs.blocks import spans
from opgen.docs.phrases import Language, PhraseFault, catalogue, placeholders
from opgen.docs.pypto.aclnn_page import aclnn_page
from opgen.docs.pypto.readme import readme as pypto_readme
from opgen.docs.pypto.tiling_page import tiling_page
from opgen.docs.readme import readme
from pypto_documents import folder_from, folder_of
from pypto_zoo import ZOO

HAN = re.compile(r"[\u3400-\u9fff]")
FULL_WIDTH = re.compile(r"[\u3000-\u303f\uff01-\uff65]")
# Characters of both languages that the phrases of one language do not have.
ENGLISH = re.compile(r"[A-Za-z]{3,} [a-z]{2,} [a-z]{2,}")


class Recorder(Language):
    """Remembers which phrases were said."""

    said: set[str]

    def say(self, phrase: str, /, **values: str | int) -> str:
        self.said.add(phrase)
        return super().say(phrase, **values)

    def _joined(self, separator: str, items):  # type: ignore[no-untyped-def]
        self.said.add(separator)
        return super()._joined(separator, items)


def test_both_languages_have_every_phrase() -> None:
    empty = [name for name, text in catalogue().items() if not (text.en and text.zh)]
    assert empty == ["separator.sentence"]  # Chinese sentences follow each other without a space


def test_both_languages_take_the_same_values() -> None:
    assert {n: t for n, t in catalogue().items() if placeholders(t.en) != placeholders(t.zh)} == {}


def test_both_languages_name_the_same_code() -> None:
    """Words inside code are translated in the core pipeline only."""

    def code(text: str) -> Counter[str]:
        return Counter(span for span in spans(text) if not HAN.search(span) and " → " not in span)

    assert {n: (t.en, t.zh) for n, t in catalogue().items() if set(code(t.en)) != set(code(t.zh))} == {}


def test_both_languages_name_the_same_numbers() -> None:
    def numbers(text: str) -> Counter[str]:
        return Counter(re.findall(r"\d+", text))

    assert {n: (t.en, t.zh) for n, t in catalogue().items() if numbers(t.en) != numbers(t.zh)} == {}


def test_each_language_is_itself() -> None:
    """Script, punctuation and spacing of each text."""
    wrong = []
    for name, text in catalogue().items():
        if name == "language.other":  # each language names the other one
            continue
        chinese = re.sub(r"`[^`]*`", "", text.zh)
        if HAN.search(text.en) or FULL_WIDTH.search(text.en) or ENGLISH.search(chinese):
            wrong.append((name, "the other language"))
        if HAN.search(chinese) and re.search(r"[\u3400-\u9fff][,;:!?()]|[,;:!?()][\u3400-\u9fff]", chinese):
            wrong.append((name, "ASCII punctuation"))
        if re.search(r"[\u3400-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u3400-\u9fff]", re.sub(r"`[^`]*`", "`", text.zh)):
            wrong.append((name, "no space between Chinese and Latin"))
        if re.search(r"[\u3000-\u303f\uff01-\uff65] | [\u3000-\u303f\uff01-\uff65]", text.zh):
            wrong.append((name, "a space beside full-width punctuation"))
    assert wrong == []


def test_every_phrase_is_said_somewhere() -> None:
    recorder = Recorder("en")
    recorder.said = set()
    for name, scenario in PROJECTS:
        readme(project(name, scenario), recorder)
    for folder in [*map(folder_of, gallery(pypto=True)), *(folder_from(text.encode()) for text in ZOO.values())]:
        for page in (pypto_readme, aclnn_page, tiling_page):
            page(folder, recorder)
    assert sorted(catalogue().keys() - recorder.said) == []


def test_a_phrase_that_is_not_there_is_a_fault() -> None:
    with pytest.raises(PhraseFault, match=r"no phrase heading\.nothing"):
        Language("en").say("heading.nothing")


def test_a_value_that_is_missing_or_unknown_is_a_fault() -> None:
    with pytest.raises(PhraseFault, match=r"takes \['summary'\], not \[\]"):
        Language("zh").say("what.plain")
    with pytest.raises(PhraseFault, match=r"takes \['summary'\], not \['more', 'summary'\]"):
        Language("zh").say("what.plain", summary="x", more="y")


@pytest.mark.parametrize(
    ("value", "text"),
    [("`x`", "与 `x` 相同"), ("输入", "与输入相同"), ("x1", "与 x1 相同")],
)
def test_a_space_stands_between_chinese_and_latin_only(value: str, text: str) -> None:
    assert Language("zh").say("shape.like", name=value) == text


@pytest.mark.parametrize(
    ("items", "en", "zh"),
    [
        (["a"], "a", "a"),
        (["a", "b"], "a or b", "a 或 b"),
        (["a", "b", "c"], "a, b or c", "a、b 或 c"),
    ],
)
def test_lists_read_as_each_language_writes_them(items: list[str], en: str, zh: str) -> None:
    assert Language("en").one_of(items) == en
    assert Language("zh").one_of(items) == zh

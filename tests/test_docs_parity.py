"""What is found when a Chinese and an English document do not say the same."""

from __future__ import annotations

import pytest
from conftest import ROOT
from docs_support import pair
from hypothesis import given
from hypothesis import strategies as st
from opgen.docs.blocks import links as section_links
from opgen.docs.parity import Document, check_pair

ZH = """# 标题

[English](README_en.md)

## 概述

本样例演示一个算子，见[规格](#规格)与[另一样例](../b/README.md)。

| 项目 | 内容 |
|---|---|
| 形状 | `[4]` |
| CANN | 9.2.0 |

- 第一条
- 第二条

```bash
# 1. 构建
cmake -S . -B build  # 生成到 build
export PATH="$PWD/bin:$PATH"
```

```text
a/
├── b.h    # 声明
└── c.cpp  # 实现
```

```yaml
summary: {en: Adds., zh: 相加，返回和。}
```

## 规格

无。
"""

EN = """# Title

[中文](README.md)

## Overview

This sample shows an operator, see [specification](#specification) and [another sample](../b/README_en.md).

| Item | Content |
|---|---|
| Shape | `[4]` |
| CANN | 9.2.0 |

- first
- second

```bash
# 1. Build
cmake -S . -B build  # into build
export PATH="$PWD/bin:$PATH"
```

```text
a/
├── b.h    # declarations
└── c.cpp  # code
```

```yaml
summary: {en: Adds., zh: 相加，返回和。}
```

## Specification

None.
"""


def found(zh: str, en: str, known: set[str] | None = None) -> list[tuple[str, str, int]]:
    findings = check_pair(Document("README.md", zh), Document("README_en.md", en), known)
    return [(f.rule, f.place.file, f.place.line) for f in findings if f.place is not None]


def test_documents_that_agree_are_left_alone() -> None:
    assert found(ZH, EN, {"README.md", "README_en.md"}) == []


@pytest.mark.parametrize(
    ("old", "new", "rule", "line"),
    [
        ("## Specification", "### Specification", "OPG502", 36),
        ("## Specification\n\nNone.\n", "", "OPG502", 38),
        ("None.\n", "None.\n\n## More\n\nMore.\n", "OPG502", 40),
        ("| CANN | 9.2.0 |\n", "", "OPG503", 9),
        ("| Shape | `[4]` |", "| Shape | `[4]` | x |", "OPG503", 9),
        ('export PATH="$PWD/bin:$PATH"', 'export PATH="$PWD/bin:PATH"', "OPG504", 20),
        ("cmake -S . -B build  # into build\n", "", "OPG504", 19),
        ("├── b.h    # declarations", "├── d.h    # declarations", "OPG504", 25),
        ("```yaml\n", "```json\n", "OPG504", 29),
        ("\n```yaml\nsummary: {en: Adds., zh: 相加，返回和。}\n```\n", "", "OPG504", 5),
        ("(../b/README_en.md)", "(../b/README.md)", "OPG505", 7),
        ("(../b/README_en.md)", "(docs/zh/b.md)", "OPG505", 7),
        ("(#specification)", "(#spec)", "OPG505", 7),
        ("(../b/README_en.md)", "(docs/b.md)", "OPG505", 7),
        ("an operator", "an 算子", "OPG506", 7),
        ("# code", "# 实现", "OPG506", 26),
        ("# Title", "# Title 标题", "OPG506", 1),
        ("- first", "- first，then", "OPG508", 14),
        ("- second\n", "", "OPG509", 5),
        ("None.\n", "", "OPG509", 33),
        ("| Shape | `[4]` |", "|  | `[4]` |", "OPG509", 11),
        ("[another sample]", "[]", "OPG509", 7),
    ],
)
def test_a_change_of_one_document_is_found(old: str, new: str, rule: str, line: int) -> None:
    assert old in EN
    findings = found(ZH, EN.replace(old, new, 1), {"README.md", "README_en.md"})
    at_fault = [(r, n) for r, _, n in findings]
    assert (rule, line) in at_fault or (rule == "OPG502" and at_fault[0][0] == rule), findings
    # What is gone on one side may leave something behind on the other: a link, a text that stood in both.
    assert {r for r, _ in at_fault} - {rule} <= ({"OPG505", "OPG508"} if not new else set())


@pytest.mark.parametrize(
    ("old", "new", "rule", "line"),
    [
        ("| 形状 | `[4]` |", "| 形状 | any number of leading sizes |", "OPG507", 11),
        ("本样例演示一个算子", "This sample shows an operator to everybody. This is the 样例", None, 7),
        ("- 第一条", "- the first of all items", "OPG507", 14),
        ("`[4]`", "`[4，5]`", "OPG508", 11),
        ("cmake -S . -B build  #", "cmake -S . -B build；  #", "OPG508", 19),
        ("(../b/README.md)", "(../b/README_en.md)", "OPG505", 7),
        ("无。\n", "", "OPG509", 33),
    ],
)
def test_a_change_of_the_chinese_document_is_found(old: str, new: str, rule: str | None, line: int) -> None:
    assert old in ZH
    findings = found(ZH.replace(old, new, 1), EN, {"README.md", "README_en.md"})
    if rule is None:
        assert findings == []
    else:
        assert (rule, "README.md", line) in findings


def test_a_text_that_is_the_same_in_both_is_found() -> None:
    text = "这是一段没有翻译的文字，有 20 个字以上。"
    findings = found(ZH.replace("无。", text), EN.replace("None.", text))
    assert ("OPG507", "README.md", 35) in findings
    assert ("OPG506", "README_en.md", 35) in findings


def test_names_turned_round_are_understood() -> None:
    """A project whose README.md is the English one."""
    zh = (
        ZH.replace("README_en.md", "README.md#", 1).replace("README.md#", "README.md").replace("../b/README.md", "b.md")
    )
    en = EN.replace("(README.md)", "(README_zh.md)").replace("../b/README_en.md", "b.md")
    assert check_pair(Document("README_zh.md", zh), Document("README.md", en)) == ()
    findings = check_pair(Document("README_zh.md", zh), Document("README.md", en.replace("b.md", "c/README_zh.md")))
    assert [f.rule for f in findings] == ["OPG505"]


def test_a_generated_readme_that_was_edited_by_hand_is_found() -> None:
    """P29: the English line lost its $; a step is missing."""
    zh, en = pair("static", "offline")
    wrong = en.replace("source ${ASCEND_HOME_PATH}", "source {ASCEND_HOME_PATH}", 2).replace(
        "cmake --install build\n", ""
    )
    rules = [f.rule for f in check_pair(Document("README.md", zh), Document("README_en.md", wrong))]
    assert rules == ["OPG504", "OPG504"]


PIECES = ("# a", "## 标题", "```", "```text", "| a | b |", "|---|---|", "|", "- 项", "1. x", "<!--", "-->", "")
MORE = ("  - [x](y)", "`a", "[](", "文字，abc", "\\|")


@given(st.lists(st.sampled_from(PIECES + MORE), max_size=12).map("\n".join), st.text(max_size=40))
def test_any_text_can_be_compared(zh: str, en: str) -> None:
    for one, other in ((zh, en), (en, zh), (zh, zh)):
        for finding in check_pair(Document("README.md", one), Document("README_en.md", other), set()):
            assert finding.place is not None and finding.place.line >= 1


def test_opgens_own_readmes_agree() -> None:
    zh, en = (Document(name, (ROOT / name).read_text(encoding="utf-8")) for name in ("README_zh.md", "README.md"))
    links = {link.target for document in (zh, en) for part in document.sections for link in section_links(part)}
    known = {target for target in links if (ROOT / target.partition("#")[0]).exists()}
    assert [(f.place, f.what) for f in check_pair(zh, en, known)] == []


def test_every_finding_says_why_and_what_to_do() -> None:
    findings = check_pair(Document("README.md", ZH), Document("README_en.md", EN.replace("- second\n", "- 第二条，\n")))
    assert findings and all(f.what and f.why and f.fix and f.severity == "warning" for f in findings)

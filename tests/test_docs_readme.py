"""The READMEs: languages agree, nothing is said by the skeleton, the tree is the outline."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from docs_support import PROJECTS, material_of, pair, project, source
from opgen.docs.blocks import sections, spans, words
from opgen.docs.parity import Document, check_pair
from opgen.docs.phrases import Language
from opgen.docs.readme import readme
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Text
from opgen.ge.build_files import run_script
from opgen.text.findings import Finding

HAN = re.compile(r"[\u3400-\u9fff]")
projects = pytest.mark.parametrize(("name", "scenario"), PROJECTS)


def prose(text: str) -> list[str]:
    return [piece for section in sections(text) for block in section.blocks for piece in block.prose()]


def fences(text: str, info: str) -> list[list[str]]:
    found = [block for section in sections(text) for block in section.of("fence")]
    return [list(block.lines) for block in found if block.info == info]


def section(text: str, title: str) -> str:
    """What stands below a heading of level 2."""
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@projects
def test_both_languages_say_the_same(name: str, scenario: str) -> None:
    zh, en = pair(name, scenario)
    known = {entry.path for entry in project(name, scenario).outline.entries} | {"README.md", "README_en.md"}
    findings: tuple[Finding, ...] = check_pair(Document("README.md", zh), Document("README_en.md", en), known)
    assert [(f.place, f.what) for f in findings] == []


@projects
def test_both_languages_carry_the_same_facts(name: str, scenario: str) -> None:
    """Code and numbers of a block, in any order: a language may put them differently."""

    def facts(text: str) -> list[Counter[str]]:
        found = []
        for piece in prose(text):
            code = Counter(span for span in spans(piece) if " → " not in span and not HAN.search(span))
            code.update(re.findall(r"\d[\d.e-]*(?<![.-])", words(piece)))
            found.append(code)
        return found

    zh, en = pair(name, scenario)
    assert facts(zh.replace("README_en.md", "README.md")) == facts(en.replace("README_en.md", "README.md"))


class Pseudo(Language):
    """Marks every text that comes from a language."""

    def text(self, text: Text) -> str:
        return f"⟦{super().text(text)}⟧"


def unmarked(text: str) -> str:
    """What stands outside all marks. A marked text is one space."""
    depth, kept = 0, []
    for character in text:
        depth += {"⟦": 1, "⟧": -1}.get(character, 0)
        if depth == 0:
            kept.append(" " if character == "⟧" else character)
    assert depth == 0, text
    return "".join(kept)


@pytest.mark.parametrize(("name", "scenario"), [p for p in PROJECTS if p[0] != "texts"])
def test_no_word_hides_in_the_skeleton(name: str, scenario: str) -> None:
    """Outside the phrases there is code only: names, numbers, commands, paths."""
    found = project(name, scenario)
    text = readme(found, Pseudo("en"))
    assert unmarked(text)  # the marks are balanced
    formulas = {line for subject in found.subjects for line in subject.operator.compute.splitlines()}
    for item in sections(text):
        heading = re.sub(r"`[^`]*`", "", unmarked(item.title))
        assert not re.search(r"[A-Za-z]", heading), item.title
        for block in item.blocks:
            if block.kind == "fence" and block.info == "text" and "[INFO]" not in block.lines[0]:
                for line in set(block.lines) - formulas:
                    rest = unmarked(line).strip("│├└─ #")
                    assert " " not in rest or rest.startswith("python3 ") or "→" in rest or ", ." in rest, line
            elif block.kind == "fence" and block.info == "bash":
                comments = [line for line in block.lines if line.startswith("#")]
                assert all(re.fullmatch(r"# (\d+\.)? +", unmarked(line)) for line in comments), comments
            for piece in block.prose():
                rest = re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", "", unmarked(piece))
                left = set(re.findall(r"[A-Za-z_]\w*", rest)) - DTYPES.keys()
                left -= {
                    "ND",
                    "float",
                    "int",
                    "bool",
                    "string",
                    "dtype",
                    "inf",
                    "T",
                    "U",
                    "x",
                    "UB",
                    "L1",
                    "L0A",
                    "L0B",
                    "L0C",
                }
                left -= {symbol for s in found.subjects for symbol in s.interface.symbols}
                left -= {word for word in left if item.title.strip("⟦⟧") == "Serialization Format"}
                assert not left, (piece, left)


@projects
def test_the_tree_is_the_outline(name: str, scenario: str) -> None:
    found = project(name, scenario)
    for text in pair(name, scenario):
        tree = fences(text, "text")[0]
        assert tree[0] == f"{found.spec.project}/"
        paths, folders = [], [""]
        for line in tree[1:]:
            match = re.match(r"^((?:│   |    )*)[├└]── ([^#]*?)\s*(?:# .*)?$", line)
            assert match, line
            depth = len(match[1]) // 4
            names = match[2].split(", ")
            if names[0].endswith("/"):
                del folders[depth + 1 :]
                folders.append(folders[depth] + names[0])
                continue
            stem = names[0].rpartition(".")[0]
            paths += [folders[depth] + (stem + other if other.startswith(".") else other) for other in names]
        wanted = [entry.path for entry in found.outline.entries]
        assert sorted(paths) == sorted({"op.yaml", "README.md", "README_en.md", *wanted})


@projects
def test_comments_of_the_tree_stand_in_one_column(name: str, scenario: str) -> None:
    for text in pair(name, scenario):
        columns = {line.index("#") for line in fences(text, "text")[0] if "#" in line}
        assert len(columns) == 1


@projects
def test_the_text_ends_once_and_has_no_loose_ends(name: str, scenario: str) -> None:
    for text in pair(name, scenario):
        assert text.endswith("\n") and not text.endswith("\n\n")
        assert "\n\n\n" not in text
        assert not re.search(r"[ \t]+$", text, re.MULTILINE)
        assert "  |" not in text and "||" not in text


@projects
def test_chinese_is_spaced_as_chinese_is(name: str, scenario: str) -> None:
    for piece in prose(pair(name, scenario)[0]):
        if name == "texts" and "相加 |" in piece.replace("\\", ""):
            continue  # op.yaml's own
        plain = re.sub(r"`[^`]*`", "`", piece)
        assert not re.search(r"[\u3400-\u9fff][A-Za-z0-9`]|[A-Za-z0-9`][\u3400-\u9fff]", plain), piece
        assert not re.search(r"[\u3400-\u9fff] [\u3400-\u9fff]", plain), piece
        assert not re.search(r"[\u3400-\u9fff`] ?[,;:!?]( |$)|\. [\u3400-\u9fff]", plain), piece


@projects
def test_english_sentences_are_whole(name: str, scenario: str) -> None:
    for piece in prose(pair(name, scenario)[1]):
        assert not re.search(r" [,.;:]|[,;:]\.|,,|\(\)| {2,}|\b(\w+) \1\b", re.sub(r"`[^`]*`", "`", piece)), piece


@projects
def test_every_list_item_and_paragraph_ends_with_a_stop(name: str, scenario: str) -> None:
    for text, stops in zip(pair(name, scenario), ("。：", ".:"), strict=True):
        for item in sections(text):
            for block in item.of("paragraph") + item.of("item"):
                if not block.text.startswith("["):
                    assert block.text[-1] in stops, block.text


def test_the_expected_output_is_that_of_the_steps() -> None:
    found = project("axpy", "offline")
    lines = fences(pair("axpy", "offline")[1], "text")
    output = next(block for block in lines if block[0].startswith("[INFO] Step 1/"))
    count = len(found.outline.steps)
    assert [line for line in output if line.startswith("[INFO] Step")] == [
        f"[INFO] Step {n}/{count}: {step.title}" for n, step in enumerate(found.outline.steps, start=1)
    ]
    assert output[-1] == "[INFO] Done."


@projects
def test_the_steps_are_the_commands_of_run_sh(name: str, scenario: str) -> None:
    """Up to what run.sh does beside: paths from its own place, the user's interpreter, checks."""
    found = project(name, scenario)
    script = run_script(found.spec, found.outline)
    for old, new in (
        (" \\\n", " "),
        ("${OUTPUT}${ASCEND_CUSTOM_OPP_PATH:+:${ASCEND_CUSTOM_OPP_PATH}}", "$PWD/output"),
        ("${SOC_VERSION}", found.spec.soc),
        ("${PYTHON}", "python3"),
        ("${ATC}", "atc"),
        ("${PROJECT}/", ""),
        ("${OUTPUT}", "output"),
        ("${BUILD}", "build"),
        ("${dtype}", "$dtype"),
        ('-S "${PROJECT}"', "-S ."),
        ("env -u ASCEND_CUSTOM_OPP_PATH ", ""),
        ('"', ""),
    ):
        script = script.replace(old, new)
    run = {
        re.sub(r"(^|[ =])build/(?=(?:graph|model|session)_)", r"\1./build/", re.sub(r" +", " ", line.strip()))
        for line in script.splitlines()
    }
    dtypes = {word for words in re.findall(r"for dtype in (.*); do", script) for word in words.split()}
    run |= {line.replace("$dtype", dtype) for line in run for dtype in dtypes}
    for text in pair(name, scenario):
        (commands,) = [block for block in fences(text, "bash") if block[0].startswith("# 1.")]
        wanted = " \n".join(commands).replace(" \\ \n", " ").replace('"', "").split(" \n")
        missing = [c for c in (re.sub(r" +", " ", w.strip()) for w in wanted) if c and c[0] != "#" and c not in run]
        assert missing == []


@pytest.mark.parametrize(
    ("name", "scenario", "key", "command"),
    [
        ("static", "offline", "float32_N4096", "axpy_custom_kernel.py 4096 OUT --dtype float32 --platform A3"),
        ("fixed", "online", "N4096", "add_custom_kernel.py 4096 OUT --platform A3"),
        ("axpy", "online", "float32", "axpy_custom_kernel.py -1 OUT --dtype float32 --platform A3"),
        (
            "choice",
            "offline",
            "float16_approximate_none",
            "gelu_custom_kernel.py -1 OUT --dtype float16 --platform A3 --approximate none",
        ),
        (
            "hand",
            "online",
            "float32_int8_C128_parts_2_flag_true",
            "split_kernel.py -1 -1 128 OUT --dtype T=float32,U=int8 --parts=2 --flag true",
        ),
    ],
)
def test_the_pipeline_shows_what_the_sample_compiles(name: str, scenario: str, key: str, command: str) -> None:
    text = section(pair(name, scenario)[1], "Core Pipeline")
    assert f"for example {key}\n" in text
    assert f"subprocess python3 {command}\n" in text


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("static", "void call(uint8_t *x, uint8_t *y, uint8_t *z, float alpha, aclrtStream stream);"),
        ("axpy", "void call(uint8_t *x, uint8_t *y, uint8_t *z, float alpha, int64_t n, aclrtStream stream);"),
        (
            "adam",
            "void call(uint8_t *var, uint8_t *m, uint8_t *grad, float lr, float beta, int64_t n, aclrtStream stream);",
        ),
        (
            "hand",
            "void call(uint8_t *x, uint8_t *q, uint8_t *ys0, uint8_t *ys1, uint8_t *workspace, float top, "
            "int64_t n, int64_t r, aclrtStream stream);",
        ),
    ],
)
def test_the_signature_of_call_is_the_kernels(name: str, signature: str) -> None:
    for text in pair(name, "online"):
        assert " ".join(" ".join(fences(text, "c")[0]).split()) == signature


@projects
def test_the_bytes_on_chip_add_up(name: str, scenario: str) -> None:
    for item in sections(pair(name, scenario)[1]):
        rows = [row.cells for row in item.of("row")]
        sums: dict[str, int] = {}
        for cells in rows:
            if cells[-1].isdigit() and len(cells) in (5, 6):
                kernel = cells[0] if len(cells) == 6 else ""
                if cells[-5] == "in all":
                    assert sums.pop(kernel) == int(cells[-1])
                else:
                    sums[kernel] = sums.get(kernel, 0) + int(cells[-1])
        assert sums == {}


def test_a_neighbour_makes_the_comparison_a_link() -> None:
    zh, en = pair("texts", "offline")
    assert "（[neighbour_of_texts](../neighbour_of_texts/README.md)）" in zh
    assert "([neighbour_of_texts](../neighbour_of_texts/README_en.md))" in en
    assert "](../" not in pair("axpy", "offline")[0]


def test_texts_of_op_yaml_arrive_unharmed() -> None:
    en = pair("texts", "offline")[1]
    assert r"a\|b, the `c\|d` of # it" in en
    assert r"- \- A \*note\* about `a|b` and \<b>." in en or r"- \- A \*note\* about `a|b` and &lt;b&gt;." in en
    assert "`*/` included: `y = abs(x)`." in en


def test_nothing_to_compare_with_is_said() -> None:
    zh, en = pair("hand", "online")
    assert "nothing is compared" in en and "不作比较" in zh
    assert "without comparing the results" in en
    en = pair("reference", "online")[1]
    assert "`split_reference.py` computed" in en and "without comparing" not in en


def test_one_fact_changes_both_languages() -> None:
    """P27: a version stands in both or in none."""
    data = source("static", "offline")
    before = pair("static", "offline")
    found = material_of(data.replace(b'cann: "9.2"', b'cann: "9.1"'))
    after = [readme(found, Language(code)) for code in ("zh", "en")]
    for old, new in zip(before, after, strict=True):
        assert "9.2.0" in old and "9.2.0" not in new and "9.1.0" in new


def test_an_empty_list_has_a_type_in_the_snippet() -> None:
    """set_attr_pads({}) would be ambiguous."""
    text = source("table", "online").decode().partition("\ncompute:")[0]
    assert "\nattrs:" not in text
    attrs = "attrs:\n  - {name: pads, type: ints, default: []}\n  - {name: scales, type: floats, default: []}\n"
    text = readme(material_of(f"{text}\nkernel: mine.py\nreference: golden.py\n{attrs}".encode()), Language("en"))
    assert ".set_attr_pads(std::vector<int64_t>())" in text
    assert ".set_attr_scales(std::vector<float>())" in text

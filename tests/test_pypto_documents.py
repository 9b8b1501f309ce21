"""The documents of PyPTO folders: both languages agree, all prose is the catalogue's, all numbers are the plan's."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from conftest import ROOT, gallery
from opgen.docs.parity import Document, check_pair
from opgen.docs.phrases import Language
from opgen.docs.pypto.aclnn_page import aclnn_page
from opgen.docs.pypto.documents import documents
from opgen.docs.pypto.folder import Folder, pages
from opgen.docs.pypto.readme import readme
from opgen.docs.pypto.tiling_page import tiling_page
from opgen.formula.signature import Text
from opgen.kernel.pypto.plan import FIELD_BYTES, data_layout, pack
from opgen.project.plan import plan_project
from opgen.pypto.aclnn import interface
from opgen.spec.loader import load
from pypto_documents import folder_of

SPECS = gallery(pypto=True)


def texts_of(folder: Folder) -> dict[str, str]:
    return documents(folder.spec, folder.outline, {folder.operator.name: folder.plan})


def test_there_are_operators_to_look_at() -> None:
    assert len(SPECS) >= 7


@pytest.mark.parametrize("name", SPECS)
def test_both_languages_agree_and_links_lead_somewhere(name: str) -> None:
    data = (ROOT / "specs" / name / "op.yaml").read_bytes()
    files = {file.path: file.content for file in plan_project(load(data, "op.yaml"), data)}
    for page in ("README", *pages(load(data, "op.yaml").operators[0])):
        zh, en = (Document(path, files[path]) for path in (f"{page}.md", f"{page}_en.md"))
        assert [f"{f.place} {f.what}" for f in check_pair(zh, en, {"op.yaml", *files})] == []


@pytest.mark.parametrize("name", SPECS)
def test_the_tree_has_every_file(name: str) -> None:
    data = (ROOT / "specs" / name / "op.yaml").read_bytes()
    files = {file.path: file.content for file in plan_project(load(data, "op.yaml"), data)}
    tree = files["README_en.md"].split("## Directory Structure")[1].split("```")[1]
    for path in files:
        if not path.startswith("."):
            assert Path(path).name in tree, path


@pytest.mark.parametrize("name", SPECS)
def test_offsets_are_those_of_the_class(name: str) -> None:
    folder = folder_of(name)
    places, size = data_layout(folder.plan.data)
    page = texts_of(folder)[f"{folder.tiling_page}_en.md"]
    data = page.split("## TilingData")[1].split("## TilingKey")[0]
    rows = [tuple(cell.strip() for cell in line.split("|")[3:5]) for line in data.splitlines() if line.startswith("| ")]
    spans = [(int(offset), int(count)) for offset, count in rows[1:]]
    # Fields and padding, end to end, cover the class.
    assert [offset for offset, _ in spans] == [0, *itertools.accumulate(count for _, count in spans)][:-1]
    assert sum(count for _, count in spans) == size
    for place in places:
        assert (place.offset, place.field.bytes) in spans
        assert place.offset % FIELD_BYTES[place.field.type] == 0


@pytest.mark.parametrize("name", SPECS)
def test_the_key_table_has_every_packed_key(name: str) -> None:
    folder = folder_of(name)
    key = folder.plan.key
    page = texts_of(folder)[f"{folder.tiling_page}.md"]
    table = page.split("## TilingKey")[1].split("## ")[0].strip().split("\n\n")[-1]
    rows = [tuple(int(cell) for cell in line.strip("| ").split(" | ")) for line in table.splitlines()[2:]]
    wanted = {(pack(key, chosen), *chosen) for chosen in itertools.product(*(field.values for field in key))}
    assert len(rows) == len(wanted) and set(rows) == wanted


@pytest.mark.parametrize("name", SPECS)
def test_the_aclnn_page_has_the_derived_interface(name: str) -> None:
    folder = folder_of(name)
    own = interface(folder.operator)
    for page in (f"{folder.aclnn_page}.md", f"{folder.aclnn_page}_en.md"):
        text = texts_of(folder)[page]
        for prototype in own.prototypes:
            assert f"```Cpp\n{prototype}\n```" in text
        listed = re.findall(r"<td>(\w+)(?: \(|（)", text)
        assert listed == [*(p.name for p in own.parameters), "workspaceSize", "executor"]


@pytest.mark.parametrize("name", SPECS)
def test_data_types_are_those_of_the_definition(name: str) -> None:
    folder = folder_of(name)
    text = texts_of(folder)["README_en.md"]
    definition = {t.name: len(folder.dtypes(t)) for t in folder.tensors}
    for tensor, count in definition.items():
        row = text.split(f"<td>{tensor}</td>")[1].split("</tr>")[0]
        assert len(re.findall(r"<td>(.*)</td>", row)[2].split(", ")) == count


_ENGLISH = Language("en")


class _Pseudo(Language):
    """Says nothing but the values that a phrase is given, and nothing of the texts of op.yaml."""

    def __init__(self) -> None:
        super().__init__("en")

    def say(self, phrase: str, /, **values: str | int) -> str:
        said = _ENGLISH.say(phrase, **values)
        return said if phrase.startswith("separator.") else f"⟦{' '.join(map(str, values.values()))}⟧"

    def text(self, text: Text) -> str:
        return "⟦⟧"


@pytest.mark.parametrize("name", ["scaled_add", "row_sum_pro", "row_cumsum", "scale_shift", "dequantize_pro"])
def test_no_prose_hides_in_a_template(name: str) -> None:
    folder = folder_of(name)
    for text in (readme(folder, _Pseudo()), aclnn_page(folder, _Pseudo()), tiling_page(folder, _Pseudo())):
        prose = re.sub(r"(?s)```.*?```|`[^`\n]*`|<[^>]*>|\]\([^)]*\)", " ", text)
        known = {folder.operator.type, folder.aclnn.first, folder.aclnn.second}
        # Names of code, types and products are no prose: what is left has no word of three letters in small type.
        words = [w for w in re.findall(r"[A-Za-z_][\w./-]*", prose) if w not in known]
        left = [w for w in words if re.fullmatch(r"[a-z]{3,}", w)]
        names = {t.name for t in folder.tensors} | {a.name for a in folder.operator.attrs}
        names |= {p.name for p in folder.aclnn.parameters}
        names |= {"workspace", "executor", "stream"} | {v for a in folder.operator.attrs for v in map(str, a.values)}
        types = {"float32", "float16", "bfloat16", "int32", "int8", "uint8", "char", "double"}
        assert set(left) <= names | types, sorted(set(left) - names - types)

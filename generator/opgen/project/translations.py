"""The texts of op.yaml in two languages, and what there is to say when one of the two has fallen behind (OPG510)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from opgen.disk.agreement import Stale
from opgen.disk.plan import Pair
from opgen.formula.signature import Attr, Tensor, Text
from opgen.spec.model import Field, Operator, OpSpec
from opgen.text.findings import Finding

_LANGUAGES = {"en": "English", "zh": "Chinese"}
_CONTEXT = 20  # characters that are shown around a change


def pairs(spec: OpSpec) -> tuple[Pair, ...]:
    """Every text in two languages. A field has the names of op.yaml, not places: "inputs/x/doc"; `ops/AddCustom/`
    stands before the fields of one operator among several."""
    found: list[Pair] = []
    if len(spec.operators) > 1 or spec.operators[0].pointer:
        found += _paragraphs("", "", spec.summary, spec.notes)
    for operator in spec.operators:
        prefix = f"ops/{operator.type}/" if operator.pointer else ""
        found += _paragraphs(prefix, operator.pointer, operator.summary, operator.notes)
        found += _rows(prefix, operator)
    return tuple(pair for pair in found if pair.en or pair.zh)


def _paragraphs(prefix: str, pointer: str, summary: Text, notes: Sequence[Text]) -> Iterator[Pair]:
    yield Pair(f"{prefix}summary", f"{pointer}/summary", summary.en, summary.zh)
    for number, note in enumerate(notes):
        yield Pair(f"{prefix}notes/{number}", f"{pointer}/notes/{number}", note.en, note.zh, item=True)


def _rows(prefix: str, operator: Operator) -> Iterator[Pair]:
    for dim in operator.dims:
        yield _doc(prefix, operator, "dims", dim.name, dim.name, dim.doc)
    lists: tuple[tuple[str, Sequence[Tensor | Attr | Field]], ...] = (
        ("inputs", operator.inputs),
        ("outputs", operator.outputs),
        ("attrs", operator.attrs),
        ("tiling/data", operator.tiling.data),
        ("tiling/key", operator.tiling.key),
    )
    for group, items in lists:
        for number, item in enumerate(items):
            yield _doc(prefix, operator, group, item.name, number, item.doc)


def _doc(prefix: str, operator: Operator, group: str, name: str, step: str | int, doc: Text) -> Pair:
    return Pair(f"{prefix}{group}/{name}/doc", f"{operator.pointer}/{group}/{step}/doc", doc.en, doc.zh)


def stale_finding(stale: Stale, project: str) -> Finding:
    """The finding, at the text that has fallen behind. project: as an argument of `opgen accept`."""
    behind = "zh" if stale.changed == "en" else "en"
    pair = stale.pair
    changed, other = _LANGUAGES[stale.changed], _LANGUAGES[behind]
    after = pair.en if stale.changed == "en" else pair.zh
    why = f"readers of the {other} text do not learn of the change"
    if stale.before is not None:
        before, now = changed_part(stale.before, after)
        why = f'it said "{before}" and says "{now}" now; {why}'
    where = "" if project == "." else f" --project {project}"
    return Finding(
        "OPG510",
        f"the {changed} text of `{pair.field}` changed, the {other} one did not",
        why,
        f"translate the change; or, where the {other} text still fits, `opgen accept {pair.field}{where}`",
        severity="warning",
        pointer=f"{pair.pointer}/{behind}",
    )


def changed_part(before: str, after: str) -> tuple[str, str]:
    """What differs between two texts, with a little of what surrounds it."""
    before, after = " ".join(before.split()), " ".join(after.split())
    head = _common(before, after)
    tail = _common(before[head:][::-1], after[head:][::-1])
    return _cut(before, head, tail), _cut(after, head, tail)


def _common(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _cut(text: str, head: int, tail: int) -> str:
    start, end = max(0, head - _CONTEXT), min(len(text), len(text) - tail + _CONTEXT)
    return ("..." if start else "") + text[start:end] + ("..." if end < len(text) else "")

"""docs/tiling_OP.md: what host and kernel agree on, to the byte and the bit."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.docs import markdown
from opgen.docs.markdown import code
from opgen.docs.phrases import Language
from opgen.docs.pypto.folder import Folder
from opgen.docs.subject import value_text
from opgen.docs.wording import phrase_of
from opgen.formula.sizes import show
from opgen.kernel.pypto.plan import FIELD_CXX, KeyField, TilingField, data_layout, packed_keys
from opgen.pypto.samples import launched, samples
from opgen.pypto.unit_tests import CORES
from opgen.templating import render


def tiling_page(folder: Folder, language: Language) -> str:
    say, operator = language.say, folder.operator
    _, size = data_layout(folder.plan.data)
    bits = sum(field.bits for field in folder.plan.key)
    host = f"[{operator.name}_tiling.cpp](../op_host/{operator.name}_tiling.cpp)"
    kernel = f"[{operator.name}.py](../{folder.kernel})"
    data = code(f"{operator.type}TilingData")
    return render(
        "docs/pypto/tiling.md.j2",
        say=say,
        title=say("pypto.title.tiling", op=operator.type),
        other=folder.other(folder.tiling_page, language).removeprefix("docs/"),
        data_sentence=say("pypto.data.sentence", cls=data, bytes=size, host=host, kernel=kernel),
        data=_data(folder, language),
        key_sentence=language.counted("pypto.key.sentence", bits, cls=code(f"{operator.type}TilingKey"), bits=bits),
        fields=_fields(folder, language),
        keys=_keys(folder, language),
        cores=say("pypto.cores"),
        host_sentence=say("pypto.host.sentence", cores=CORES),
        host=_host(folder, language),
    )


def _data(folder: Folder, language: Language) -> str:
    say = language.say
    head = [say("column.field"), say("pypto.type"), say("pypto.offset"), say("column.bytes")]
    head += [say("column.meaning"), say("pypto.value")]
    return markdown.table(head, _data_rows(folder, language))


def _data_rows(folder: Folder, language: Language) -> Iterator[tuple[str, ...]]:
    places, size = data_layout(folder.plan.data)
    ends = [*(place.offset for place in places[1:]), size]
    none = language.say("none.given")
    for place, end in zip(places, ends, strict=True):
        field = place.field
        kind = code(FIELD_CXX[field.type] + (f"[{len(field.items)}]" if field.items else ""))
        meaning = phrase_of(language, field.doc) or none
        yield code(field.name), kind, str(place.offset), str(field.bytes), meaning, code(_shown(field))
        after = place.offset + field.bytes
        if after < end:
            what = language.say("pypto.padding.what").rstrip(".。")
            yield language.say("pypto.padding"), none, str(after), str(end - after), what, "0"


def _shown(field: TilingField) -> str:
    return "[" + ", ".join(map(show, field.items)) + "]" if field.items else show(field.value)


def _fields(folder: Folder, language: Language) -> str:
    say = language.say
    head = [say("column.field"), say("pypto.bits"), say("pypto.candidates"), say("column.meaning"), say("pypto.value")]
    rows, low = [], 0
    for field in folder.plan.key:
        high = low + field.bits - 1
        meaning = phrase_of(language, field.doc) or say("none.given")
        bits = str(low) if high == low else f"{low}-{high}"
        rows.append((code(field.name), bits, _candidates(field, language), meaning, code(show(field.value))))
        low = high + 1
    return markdown.table(head, rows)


def _candidates(field: KeyField, language: Language) -> str:
    """0 (sum), 1 (mean)"""
    if not field.choices:
        return language.listing([str(value) for value in field.values])
    return language.listing(
        [
            language.say("pypto.candidate", value=value, meaning=code(value_text(choice)))
            for value, choice in zip(field.values, field.choices, strict=True)
        ]
    )


def _keys(folder: Folder, language: Language) -> str:
    """Every packed key."""
    key = folder.plan.key
    head = [language.say("pypto.heading.key"), *(code(field.name) for field in key)]
    return markdown.table(head, ((str(packed), *map(str, values)) for packed, values in packed_keys(key)))


def _host(folder: Folder, language: Language) -> str:
    say, operator, plan = language.say, folder.operator, folder.plan
    head = [say("pypto.host.inputs"), say("pypto.heading.key"), say("pypto.blockdim"), say("pypto.workspace")]
    head.append(say("pypto.host.words"))
    rows = []
    for sample in samples(operator, plan, CORES):
        found = launched(operator, plan, sample, CORES)
        if found is None:
            continue
        parts = [f"{t.name}{list(sample.shape(t))}" for t in operator.inputs]
        parts += [f"{name} = {value_text(value)}" for name, value in sample.attrs]  # type: ignore[arg-type]
        parts += [f"{symbol} = {dtype}" for symbol, dtype in sample.types if len(plan.columns) > 1]
        words = code(" ".join(map(str, found.words)))
        rows.append(
            (language.listing([code(p) for p in parts]), str(found.key), str(found.blocks), str(found.workspace), words)
        )
    return markdown.table(head, rows)

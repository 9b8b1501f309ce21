"""Parts of sentences that several sections share."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from opgen.docs.markdown import code, codes
from opgen.docs.phrases import Language
from opgen.docs.subject import Subject, value_text
from opgen.formula.signature import Text, Variant
from opgen.text.escape import markdown_cell, markdown_text

V = TypeVar("V", bound=Hashable)
_STOPS = ".。"
_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def names(language: Language, items: Iterable[str]) -> str:
    """`a`, `b` and `c`"""
    return language.all_of(codes(items))


def told(language: Language, text: Text) -> str:
    """A text of op.yaml as Markdown, for the beginning of a line. What stands in back-ticks is code."""
    return _marked(language.text(text).strip(), markdown_text)


def phrase_of(language: Language, text: Text) -> str:
    """As `told`, but for the inside of a line and without the last stop."""
    return _marked(language.text(text).strip().rstrip(_STOPS), markdown_cell)


def lead_of(language: Language, text: Text) -> str:
    """As `told`, without the last stop."""
    return _marked(language.text(text).strip().rstrip(_STOPS), markdown_text)


def _marked(text: str, begin: Callable[[str], str]) -> str:
    parts = _CODE.split(text)
    texts = [
        code(part) if number % 2 else (begin if number == 0 else markdown_cell)(part)
        for number, part in enumerate(parts)
    ]
    # Escaping takes the spaces at both ends for layout; beside code they separate words.
    return "".join(
        _outer_space(part, text) if number % 2 == 0 else text
        for number, (part, text) in enumerate(zip(parts, texts, strict=True))
    ).strip()


def _outer_space(part: str, text: str) -> str:
    if not part.strip():
        return " " if part else ""
    before = " " if part[0].isspace() and not text.startswith(" ") else ""
    after = " " if part[-1].isspace() and not text.endswith(" ") else ""
    return before + text + after


def key_parts(language: Language, subject: Subject) -> list[str]:
    """What makes one kernel differ from another, apart from what has one value only."""
    symbols = subject.chosen_symbols
    parts = [language.counted("part.types", len(symbols))] if symbols else []
    sizes = [d.name for d in subject.interface.dims if not d.dynamic and len(d.values) != 1]
    values = [a.name for a in subject.interface.options if len(a.values) != 1]
    if sizes and subject.interface.flat:
        parts.append(language.say("part.elements"))
    else:
        values = sizes + values
    optional = [language.say("part.absent", name=code(t.name)) for t in subject.interface.optional]
    if not parts and not optional and len(values) == 1:
        return [language.say("part.value", name=code(values[0]))]
    return [*parts, *codes(values), *optional]


def sizes_part(language: Language, subject: Subject, sizes: Sequence[str]) -> str:
    """number of elements; sizes of `R` and `C`"""
    if subject.interface.flat:
        return language.say("part.elements")
    return language.counted("part.sizes", len(sizes), names=names(language, sizes))


def for_each(language: Language, phrase: str, subject: Subject) -> str:
    """The phrase with what makes kernels differ: `PHRASE.none`, `PHRASE.one` with one part, `PHRASE.other`."""
    parts = key_parts(language, subject)
    if not parts:
        return language.say(f"{phrase}.none")
    count = len(parts) + max(0, len(subject.chosen_symbols) - 1)
    return language.counted(phrase, count, parts=language.all_of(parts))


def with_labels(text: str, labels: Sequence[str], language: Language, alone: bool) -> str:
    """text (float16, bfloat16); without labels when it holds for all."""
    return text if alone else language.say("list.with", text=text, more=language.listing(labels))


def grouped(
    language: Language, subject: Subject, variants: Sequence[Variant], value: Callable[[Variant], V]
) -> list[tuple[V, list[str]]]:
    """The values that variants have, each with the labels of its variants. Labels name only what decides."""
    values = {variant: value(variant) for variant in variants}
    factors = _deciding(subject, values)
    groups: dict[V, dict[str, None]] = {}
    for variant, found in values.items():
        groups.setdefault(found, {})[label(language, subject, variant, factors)] = None
    return [(found, list(labels)) for found, labels in groups.items()]


def label(language: Language, subject: Subject, variant: Variant, factors: Sequence[str] | None = None) -> str:
    """float16, without `bias`"""
    parts = []
    types = [(name, t) for name, t in variant.types if name in (subject.chosen_symbols if factors is None else factors)]
    if types and len(subject.chosen_symbols) < 2:
        parts.append(types[0][1])
    elif types:
        parts.append(code(", ".join(f"{name} = {dtype}" for name, dtype in types)))
    for name, chosen in variant.attrs:
        if factors is None or name in factors:
            parts.append(code(f"{name} = {value_text(chosen)}"))
    for tensor in subject.operator.optional_inputs:
        if factors is None or tensor.name in factors:
            phrase = "label.without" if tensor.name in variant.absent else "label.with"
            parts.append(language.say(phrase, name=code(tensor.name)))
    return language.parts(parts)


def _deciding(subject: Subject, values: dict[Variant, V]) -> list[str]:
    """The fewest choices that decide the value."""
    optional = [t.name for t in subject.operator.optional_inputs]
    attrs = [a.name for a in subject.operator.static_attrs]
    kept = [*subject.chosen_symbols, *attrs, *optional]
    for name in reversed(list(kept)):
        fewer = [other for other in kept if other != name]
        if _decide(fewer, values):
            kept = fewer
    return kept


def _decide(factors: list[str], values: dict[Variant, V]) -> bool:
    found: dict[tuple[object, ...], V] = {}
    for variant, value in values.items():
        chosen = {**dict(variant.types), **dict(variant.attrs)}
        choice = tuple(chosen.get(name, name in variant.absent) for name in factors)
        if found.setdefault(choice, value) != value:
            return False
    return True

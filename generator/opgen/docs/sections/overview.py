"""Overview, and the difference from the neighbouring scenario."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from opgen.docs import markdown
from opgen.docs.markdown import code, codes
from opgen.docs.phrases import Language
from opgen.docs.subject import Material, Subject, named_dims, shape_text
from opgen.docs.wording import for_each, lead_of, names, phrase_of, sizes_part
from opgen.facts.scenarios import SCENARIOS
from opgen.spec.model import Dim
from opgen.text.escape import markdown_cell


@dataclass(frozen=True)
class Overview:
    """about: what the operator does and how it gets into GE. facts: table. operators: table of a library, else "". own:
    where the user's code goes."""

    about: str
    facts: str
    operators: str
    own: str


def overview(material: Material, language: Language) -> Overview:
    return Overview(
        about=language.sentences([_what(material, language), *_how(material, language)]),
        facts=_facts(material, language),
        operators=_operators(material, language) if material.library else "",
        own=_own(material, language),
    )


def one_line_formula(subject: Subject) -> str | None:
    """The formula as written, when it is one line."""
    compute = subject.operator.compute.strip()
    return compute if subject.operator.formula is not None and "\n" not in compute else None


def _what(material: Material, language: Language) -> str:
    summary = lead_of(language, material.spec.summary)
    formula = None if material.library else one_line_formula(material.first)
    if formula is None:
        return language.say("what.plain", summary=summary)
    return language.say("what.formula", summary=summary, formula=code(formula))


def _how(material: Material, language: Language) -> list[str]:
    scenario = material.scenario.name
    sentences = [language.say(f"how.{scenario}")]
    subject = material.first
    if material.library:
        sentences.append(language.say("how.library", count=len(material.subjects)))
    elif scenario == "eager" and subject.dynamic:
        sizes = [d.name for d in subject.interface.dims if d.dynamic]
        sentences.append(language.counted("how.eager.dynamic", len(sizes), sizes=sizes_part(language, subject, sizes)))
    return sentences


def _facts(material: Material, language: Language) -> str:
    spec, scenario = material.spec, material.scenario
    say = language.say
    session = "offline" if scenario.name == "offline" else "session"
    rows = [
        (say("overview.entry"), say(f"overview.entry.{session}")),
        (say("overview.language"), say("overview.language.value")),
        (say("overview.compilation"), _compilation(material, language)),
        (say("overview.core"), say(f"overview.core.{scenario.name}")),
        (
            say("overview.scenario"),
            say("overview.scenario.value", letter=scenario.letter, scenario=say(f"scenario.{scenario.name}")),
        ),
        (say("overview.chip"), say("overview.chip.value", soc=code(spec.soc), platform=spec.platform)),
        (say("overview.cann"), say("overview.cann.value", version=f"{spec.cann}.0")),
    ]
    if not material.library:
        rows.append((say("overview.shapes"), shapes(material.first, language)))
        rows.append((say("overview.dtypes"), dtypes(material.first, language)))
    return markdown.table((say("column.item"), say("column.content")), rows)


def _compilation(material: Material, language: Language) -> str:
    how = "eager" if material.scenario.name == "eager" else "callback"
    if material.library:
        return language.say(f"overview.compilation.library.{how}")
    return for_each(language, f"overview.compilation.{how}", material.first)


def _operators(material: Material, language: Language) -> str:
    header = ("column.operator", "column.summary", "column.shape", "column.dtype")
    rows = [
        (
            code(subject.operator.type),
            phrase_of(language, subject.operator.summary),
            shapes(subject, language),
            dtypes(subject, language),
        )
        for subject in material.subjects
    ]
    return markdown.table([language.say(name) for name in header], rows)


def shapes(subject: Subject, language: Language) -> str:
    """Shapes of the inputs, and when their sizes must be known."""
    scenario = subject.spec.scenario
    found = list(dict.fromkeys(tensor.shape for tensor in subject.operator.inputs if not tensor.optional))
    rest = any(d.rest for d in subject.operator.dims)
    if subject.free:
        when = scenario if not subject.dynamic else "eager"
        return language.clauses([language.say("shapes.any"), language.say(f"shapes.all.{when}")])
    clauses = [language.listing(codes(shape_text(shape) for shape in found))]
    if rest:
        clauses.append(language.say("shapes.rest"))
    return language.clauses([*clauses, *_known(subject, language)])


def _known(subject: Subject, language: Language) -> list[str]:
    """When the sizes of the dims are known."""

    def is_fixed(dim: Dim) -> bool:
        return dim.fixed or len(dim.values) == 1

    dims = subject.operator.dims
    clauses = [
        language.say("shapes.fixed", name=code(d.name), value=str(d.default))
        for d in named_dims(subject.operator)
        if is_fixed(d)
    ]
    groups = {
        "shapes.dynamic": [d.name for d in dims if d.dynamic],
        f"shapes.static.{subject.spec.scenario}": [
            d.name for d in dims if not d.dynamic and not is_fixed(d) and not d.values
        ],
    }
    clauses += [
        language.say("shapes.values", name=code(d.name), values=language.one_of([str(v) for v in d.values]))
        for d in named_dims(subject.operator)
        if len(d.values) > 1
    ]
    clauses += [language.say(phrase, names=names(language, found)) for phrase, found in groups.items() if found]
    return clauses


def dtypes(subject: Subject, language: Language) -> str:
    """The types of the tensors."""
    groups: dict[str, list[str]] = {}
    for tensor in subject.tensors:
        groups.setdefault(tensor.dtype, []).append(tensor.name)
    if len(groups) == 1:
        return language.listing(subject.types(next(iter(groups))))
    separator = language.say("separator.name")
    return language.clauses(
        [
            language.listing(codes(tensors)) + separator + language.listing(subject.types(dtype))
            for dtype, tensors in groups.items()
        ]
    )


def _own(material: Material, language: Language) -> str:
    sentences = [language.say("own.code")]
    extra = material.spec.extra
    if extra:
        sentences.append(language.counted("own.extra", len(extra), files=names(language, extra)))
    hand = material.handwritten()
    if hand:
        sentences.append(language.counted("own.written", len(hand), files=names(language, hand)))
    return language.sentences(sentences)


@dataclass(frozen=True)
class Difference:
    heading: str
    table: str


def difference(material: Material, language: Language) -> Difference:
    """This scenario beside the one that its README compares with."""
    say = language.say
    this, other = material.scenario, SCENARIOS[material.scenario.neighbour]
    header = (
        say("column.aspect"),
        _neighbour(material, language),
        say("difference.this", scenario=say(f"capital.{this.name}")),
    )
    interfaces = [name for name in this.interfaces if name not in other.interfaces]
    mine = (
        say("difference.interfaces.more", names=language.listing(codes(interfaces)))
        if set(other.interfaces) < set(this.interfaces)
        else language.listing(codes(this.interfaces))
    )
    rows = [(say("difference.interfaces"), language.listing(codes(other.interfaces)), mine)]
    aspects = (
        ("compiled", "kept", "needs")
        if this.name == "offline"
        else ("compiled", "loaded", "kept", "sizes", "unknown", "needs")
    )
    rows += [
        (
            say(f"difference.{aspect}"),
            say(f"difference.{aspect}.{other.name}"),
            say(f"difference.{aspect}.{this.name}"),
        )
        for aspect in aspects
    ]
    if this.name == "offline":
        rows.insert(1, (say("difference.model"), say("difference.model.session"), say("difference.model.om")))
        rows.insert(
            -1,
            (
                say("difference.run"),
                code("Session::ExecuteGraphWithStreamAsync"),
                language.listing(codes(("aclmdlLoadFromFile", "aclmdlExecute"))),
            ),
        )
        programs = codes(("graph_build", "atc", "model_exec"))
        rows.append((say("difference.programs"), code("session_run"), language.listing(programs)))
    return Difference(
        heading=say("heading.difference", scenario=say(f"title.{other.name}")),
        table=markdown.table(header, rows),
    )


def _neighbour(material: Material, language: Language) -> str:
    scenario = language.say(f"capital.{material.scenario.neighbour}")
    folder = material.spec.neighbour
    if not folder:
        return scenario
    readme = posixpath.join(folder, readme_name(language, material.spec.first))
    link = f"[{markdown_cell(posixpath.basename(posixpath.normpath(folder)))}]({readme})"
    return language.say("difference.neighbour.link", scenario=scenario, link=link)


def readme_name(language: Language, first: str) -> str:
    """The name of a README. first: the language of README.md."""
    return "README.md" if language.code == first else f"README_{language.code}.md"

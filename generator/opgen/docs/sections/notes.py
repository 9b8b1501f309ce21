"""Notes: what a user of the project has to know, and what op.yaml adds."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.docs.markdown import code, codes
from opgen.docs.phrases import Language
from opgen.docs.subject import Material, Subject, most_elements
from opgen.docs.wording import names, told
from opgen.facts.scenarios import MAX_KERNELS


def notes(material: Material, language: Language) -> list[str]:
    """One item a note."""
    untried = language.say("note.untried")
    found = [untried, *_running(material, language), *_compiling(material, language), *_operators(material, language)]
    prefix = code("[ERROR] " + (material.first.operator.type if not material.library else "TYPE"))
    phrase = "note.errors.library" if material.library else "note.errors"
    found.append(language.say(phrase, prefix=prefix))
    texts = [*material.spec.notes, *(text for operator in material.spec.operators for text in operator.notes)]
    found += [told(language, text) for text in dict.fromkeys(texts)]
    return found


def _running(material: Material, language: Language) -> Iterator[str]:
    """When GE calls what."""
    say, scenario = language.say, material.scenario.name
    once = say("note.once.model" if scenario == "offline" else "note.once.session")
    dynamic = scenario == "eager" or any(subject.dynamic for subject in material.subjects)
    yield language.sentences([once, say("note.dynamic") if dynamic else ""])
    if scenario == "eager":
        yield say("note.lazy")
        yield say("note.bound.eager")
    if scenario == "online":
        yield say("note.process")
        yield say("note.production")
    if scenario == "offline":
        yield say("note.bound.offline")
        if material.spec.cann == "9.1":
            yield say("note.registry")
        yield say("note.atc")
        yield say("note.portable")
    if scenario != "offline":
        yield say("note.run_mode")
    yield say("note.folder.eager" if scenario == "eager" else "note.folder.callback")


def _compiling(material: Material, language: Language) -> Iterator[str]:
    """What can be compiled, and how."""
    say, scenario = language.say, material.scenario.name
    if scenario != "eager":
        if any(subject.static for subject in material.subjects):
            shared = any(subject.open_static and subject.interface.generated for subject in material.subjects)
            yield language.sentences([say("note.shared") if shared else "", say("note.unknown")])
        yield language.sentences([say("note.limit", limit=MAX_KERNELS), say("note.first_soc")])
    generated = [subject.interface.generated for subject in material.subjects]
    yield language.sentences([say("note.npu"), say(f"note.platform.{scenario}") if any(generated) else ""])
    if scenario != "eager" and not all(generated):
        yield say("note.platform.hand", platform=material.spec.platform)
    yield say("note.empty")


def _operators(material: Material, language: Language) -> Iterator[str]:
    """Notes on operators. What holds for some operators of a library names them."""
    found: dict[str, list[str]] = {}
    for subject in material.subjects:
        for note in _operator(subject, language):
            found.setdefault(note, []).append(subject.operator.type)
    for note, types in found.items():
        everywhere = len(types) == len(material.subjects)
        yield note if everywhere else language.listing(codes(types)) + language.say("separator.name") + note


def _operator(subject: Subject, language: Language) -> Iterator[str]:
    say, operator = language.say, subject.operator
    limit = subject.plan.max_elements
    if limit is not None and most_elements(subject, limit) == limit:
        yield say("note.int32", limit=limit)
    fixed = [f"{d.name} = {d.default}" for d in operator.dims if d.fixed]
    if fixed:
        yield say("note.fixed", sizes=language.all_of([code(text) for text in fixed]))
    types = list(dict.fromkeys(dtype for tensor in subject.tensors for dtype in subject.types(tensor.dtype)))
    if len(types) == 1:
        yield say("note.types" if operator.type_symbols else "note.types.plain", types=types[0])
    inplace = [tensor.name for tensor in subject.inplace]
    if inplace:
        yield language.counted("note.inplace", len(inplace), names=names(language, inplace))
    if not subject.compared:
        yield say("note.nothing", names=code(operator.type))

"""The READMEs of a project: one skeleton, rendered once a language."""

from __future__ import annotations

from collections.abc import Mapping

from opgen.docs import markdown
from opgen.docs.phrases import Language
from opgen.docs.sections.key_files import key_files
from opgen.docs.sections.layout import layout
from opgen.docs.sections.notes import notes
from opgen.docs.sections.overview import difference, overview, readme_name
from opgen.docs.sections.pipeline import pipeline
from opgen.docs.sections.serialization import serialization
from opgen.docs.sections.setup import prerequisites, quick_start, step_by_step
from opgen.docs.sections.specification import specification
from opgen.docs.sections.usage import usage
from opgen.docs.subject import Material, material
from opgen.kernel.plan import KernelPlan
from opgen.spec.model import OpSpec
from opgen.spec.outline import Outline
from opgen.templating import render

LANGUAGES = (Language("zh"), Language("en"))


def readmes(spec: OpSpec, outline: Outline, plans: Mapping[str, KernelPlan]) -> dict[str, str]:
    """README.md and the README in the other language. plans: by the name of the operator."""
    found = material(spec, outline, plans)
    return {readme_name(language, spec.first): readme(found, language) for language in LANGUAGES}


def readme(found: Material, language: Language) -> str:
    """The README in one language."""
    return render(
        "docs/README.md.j2",
        say=language.say,
        title=_title(found, language),
        other=next(readme_name(other, found.spec.first) for other in LANGUAGES if other.code != language.code),
        overview=overview(found, language),
        difference=difference(found, language),
        layout=layout(found, language),
        pipeline=pipeline(found, language),
        prerequisites=prerequisites(found, language),
        quick=quick_start(found, language),
        key_files=key_files(found, language),
        specifications=[specification(subject, language, found.library) for subject in found.subjects],
        serialization=serialization(found, language),
        steps=step_by_step(found, language),
        usage=usage(found, language),
        notes=markdown.bullets(notes(found, language)),
    )


def _title(found: Material, language: Language) -> str:
    scenario = language.say(f"title.{found.scenario.name}")
    if found.library:
        return language.say("title.library", name=found.spec.project, scenario=scenario)
    return language.say("title.operator", name=found.first.operator.type, scenario=scenario)

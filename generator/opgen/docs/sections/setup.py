"""Prerequisites, quick start, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.docs import markdown
from opgen.docs.markdown import code
from opgen.docs.phrases import Language
from opgen.docs.subject import Material, Subject
from opgen.docs.wording import names
from opgen.formula.signature import Variant
from opgen.text.escape import shell_word

SOURCE = "source ${ASCEND_HOME_PATH}/set_env.sh"
TILELANG = "https://github.com/tile-ai/tilelang-ascend"
OPP = 'ASCEND_CUSTOM_OPP_PATH="$PWD/output"'
WIDTH = 110
MANY = 6  # kernels whose commands are all shown


@dataclass(frozen=True)
class Prerequisites:
    needs: str
    variables: str
    only: str


def prerequisites(material: Material, language: Language) -> Prerequisites:
    say, scenario = language.say, material.scenario.name
    repository = f"[{say('need.repository')}]({TILELANG})"
    needs = [
        say("need.cann", version=f"{material.spec.cann}.0", source=code(SOURCE)),
        say("need.build"),
        say(f"need.tilelang.{scenario}", repository=repository),
    ]
    references = list(dict.fromkeys(o.reference for o in material.spec.operators if o.reference))
    if references:
        needs.append(language.counted("need.numpy", len(references), files=names(language, references)))
    return Prerequisites(needs=markdown.bullets(needs), variables=_variables(material, language), only=say("need.only"))


def _variables(material: Material, language: Language) -> str:
    say, scenario = language.say, material.scenario.name
    offline, eager = scenario == "offline", scenario == "eager"
    rows = [
        ("ASCEND_HOME_PATH", "yes", say("env.ascend_home")),
        ("ASCEND_CUSTOM_OPP_PATH", "auto", say("env.opp.offline" if offline else "env.opp.session")),
    ]
    if offline:
        rows.append(("SOC_VERSION", "no", say("env.soc", soc=code(material.spec.soc))))
    rows += [
        ("TILELANG_ASCEND_HOME", "no", say("env.tilelang")),
        ("CUSTOM_OP_PYTHON", "no", say("env.python.golden" if _golden(material) else "env.python")),
    ]
    if not eager:
        rows.append(("CUSTOM_OP_COMPILE_TIMEOUT", "no", say("env.timeout")))
    rows.append(("CUSTOM_OP_KERNEL_DIR", "no", say("env.kernel.eager" if eager else "env.kernel.callback")))
    if not eager:
        rows.append(("TMPDIR", "no", say("env.tmp")))
    header = (say("column.variable"), say("column.required"), say("column.meaning"))
    return markdown.table(header, [(code(name), say(f"required.{need}"), text) for name, need, text in rows])


@dataclass(frozen=True)
class QuickStart:
    source: str
    sentence: str
    steps: str
    more: str
    output: str


def quick_start(material: Material, language: Language) -> QuickStart:
    steps = material.outline.steps
    count = len(steps)
    output = []
    for number, step in enumerate(steps, start=1):
        output += [f"[INFO] Step {number}/{count}: {step.title}", *step.prints]
    output.append("[INFO] Done.")
    return QuickStart(
        source=SOURCE,
        sentence=language.say("quick.steps", count=count),
        steps=markdown.numbered(language.text(step.does) for step in steps),
        more=language.say("quick.compilation") if material.scenario.name == "online" else "",
        output="\n".join(output),
    )


def step_by_step(material: Material, language: Language) -> str:
    """The commands of run.sh, one block a step."""
    build = ["cmake -S . -B build", "cmake --build build --parallel", "cmake --install build"]
    blocks = [("steps.kernels", _kernels(material, language))] if material.scenario.name == "eager" else []
    blocks.append(("steps.build", build))
    blocks += _offline(material) if material.scenario.name == "offline" else _session(material)
    return "\n\n".join(
        "\n".join([f"# {number}. {language.say(phrase)}", *commands])
        for number, (phrase, commands) in enumerate(((p, c) for p, c in blocks if c), start=1)
    )


def _offline(material: Material) -> list[tuple[str, list[str]]]:
    graphs, models, runs = [], [], []
    for subject in material.subjects:
        stem = f"build/{subject.operator.name}"
        graphs.append(f"./build/{material.program('graph_build', subject)} {stem}.air")
        models += [
            f"{OPP} atc --framework=1 --model={stem}.air \\",
            f"  --output={stem} --soc_version={material.spec.soc}",
        ]
        runs.append(f"./build/{material.program('model_exec', subject)} {stem}.om{_data(material, subject)}")
    return [
        ("steps.graph", graphs),
        ("steps.model", models),
        ("steps.reference", _golden(material)),
        ("steps.run", runs),
    ]


def _session(material: Material) -> list[tuple[str, list[str]]]:
    runs = [
        f"{OPP} ./build/{material.program('session_run', subject)}{_data(material, subject)}"
        for subject in material.subjects
    ]
    return [("steps.reference", _golden(material)), ("steps.session", runs)]


def _golden(material: Material) -> list[str]:
    """The commands that write input data and expected values."""
    return [
        f"python3 {script}{_data(material, subject)}"
        for subject in material.subjects
        if (script := material.golden(subject)) is not None
    ]


def _data(material: Material, subject: Subject) -> str:
    """The folder of the data files as an argument, "" where there are none."""
    return f" build/data/{subject.folder}".rstrip("/") if material.golden(subject) is not None else ""


def _kernels(material: Material, language: Language) -> list[str]:
    """The commands that compile the kernels of an eager project."""
    return [line for subject in material.subjects for line in _operator_kernels(subject, language)]


def _operator_kernels(subject: Subject, language: Language) -> list[str]:
    symbols, script = subject.interface.symbols, shell_word(subject.interface.script)
    kernels = subject.kernels
    keys = [subject.interface.key(variant, sizes) for variant, sizes in kernels]
    types = [variant.types[0][1] for variant, _ in kernels if variant.types]
    if len(symbols) == 1 and keys == types and len(keys) > 1:
        loop = Variant(types=((symbols[0], "$dtype"),))
        out = f"output/kernel/{subject.folder}$dtype.tlk"
        words = ["python3", script, *subject.command(loop, kernels[0][1], out, in_compile=False)]
        return [f"for dtype in {' '.join(types)}; do", f"  {' '.join(words)}", "done"]
    shown = kernels if len(kernels) <= MANY else kernels[:2]
    lines = [
        _broken(["python3", script, *subject.command(variant, sizes, subject.kernel_file(variant, sizes), False)])
        for variant, sizes in shown
    ]
    if len(kernels) > len(shown):
        lines.append(f"# {language.say('steps.kernels.more', count=len(kernels) - len(shown))}")
    return lines


def _broken(words: list[str]) -> str:
    """A command, broken once where it is long."""
    line = " ".join(words)
    if len(line) <= WIDTH:
        return line
    options = next((i for i, word in enumerate(words) if word.startswith("--")), len(words))
    return " ".join(words[:options]) + " \\\n  " + " ".join(words[options:])

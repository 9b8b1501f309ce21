"""Core pipeline: what GE calls when, and the function that a kernel exports."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from opgen.docs import markdown
from opgen.docs.markdown import Node, code, node
from opgen.docs.phrases import Language
from opgen.docs.subject import Material, Subject
from opgen.docs.wording import label, names
from opgen.formula.signature import Variant
from opgen.kernel.interface import Parameter

WIDTH = 100


@dataclass(frozen=True)
class Pipeline:
    """example: which operator of a library it shows, else "". tree: text. call: sentence. signature: C.
    notes: sentences."""

    example: str
    tree: str
    call: str
    signature: str
    notes: str


def pipeline(material: Material, language: Language) -> Pipeline:
    subject = material.first
    trees = {"eager": _eager, "online": _online, "offline": _offline}[material.scenario.name]
    example = language.say("pipeline.example", operator=code(subject.operator.type)) if material.library else ""
    return Pipeline(
        example=example,
        tree=markdown.forest(trees(material, subject, language)),
        call=language.say("call.sentence", parameters=language.all_of(_parameters(subject, language))),
        signature=_signature(subject),
        notes=_call_notes(subject, language),
    )


def _script_command(subject: Subject, variant: Variant, sizes: dict[str, int], out: str, in_compile: bool) -> str:
    """The command that compiles a kernel, from the folder of its script."""
    script = posixpath.basename(subject.interface.script)
    return " ".join(["python3", script, *subject.command(variant, sizes, out, in_compile)])


def _call(subject: Subject) -> str:
    return f"call({', '.join(parameter.name for parameter in subject.call)})"


def _infer(subject: Subject, language: Language) -> Node:
    like = same_as(subject)
    if like is not None:
        output, source = like
        return Node(language.say("pipeline.infer.like", output=output, input=source))
    outputs = language.all_of([t.name for t in subject.operator.outputs])
    return Node(language.say("pipeline.infer.outputs", outputs=outputs))


def same_as(subject: Subject) -> tuple[str, str] | None:
    """(z, x) when the only output z has type and shape of the first input x."""
    outputs, first = subject.operator.outputs, subject.operator.inputs[0]
    if len(outputs) != 1 or outputs[0].inplace or first.optional or outputs[0].count or first.count:
        return None
    if (outputs[0].dtype, outputs[0].shape) != (first.dtype, first.shape):
        return None
    return outputs[0].name, first.name


def _compile(subject: Subject, language: Language) -> Node:
    command = _script_command(subject, subject.variant, subject.sizes, "OUT", in_compile=True)
    return node(
        language.say("pipeline.compile"),
        Node(language.say("pipeline.key", key=subject.key)),
        node(
            language.say("pipeline.missing"),
            Node(language.say("pipeline.subprocess", command=command)),
            Node(language.say("pipeline.load")),
        ),
        Node(language.say("pipeline.wait")),
    )


def _online(material: Material, subject: Subject, language: Language) -> list[Node]:
    execute = Node(language.say("pipeline.execute", call=_call(subject)))
    return [
        node(language.say("pipeline.opp", program="GEInitialize"), Node(language.say("pipeline.scan"))),
        node("Session::CompileGraph", _infer(subject, language), _compile(subject, language)),
        *_session_run(subject, language, execute),
    ]


def _session_run(subject: Subject, language: Language, execute: Node) -> list[Node]:
    """LoadGraph and the runs."""
    if not subject.dynamic:
        return [
            node("Session::LoadGraph", execute),
            node("Session::ExecuteGraphWithStreamAsync", Node(language.say("pipeline.replay.session"))),
        ]
    return [
        node(
            language.say("pipeline.eager.execute"),
            Node(language.say("pipeline.found", key=subject.key)),
            Node(language.say("pipeline.eager.call", call=_call(subject))),
        ),
        node("Session::ExecuteGraphWithStreamAsync", Node(language.say("pipeline.either"))),
    ]


def _offline(material: Material, subject: Subject, language: Language) -> list[Node]:
    stem = subject.operator.name
    execute = "pipeline.model.execute" if subject.dynamic else "pipeline.execute"
    run = "pipeline.model.either" if subject.dynamic else "pipeline.replay.model"
    load = node(
        "aclmdlLoadFromFile",
        Node(language.say("pipeline.deserialize")),
        Node(language.say(execute, call=_call(subject))),
    )
    return [
        node("graph_build", Node(f"Graph::SaveToFile → {stem}.air")),
        node(
            language.say("pipeline.opp", program="atc"),
            Node(language.say("pipeline.scan")),
            _infer(subject, language),
            _compile(subject, language),
            Node(language.say("pipeline.serialize")),
            Node(language.say("pipeline.om", om=f"{stem}.om")),
        ),
        node(language.say("pipeline.no_opp", program="model_exec"), load, Node(language.say(run))),
    ]


def _eager(material: Material, subject: Subject, language: Language) -> list[Node]:
    variant, sizes = subject.variant, subject.sizes
    command = _script_command(subject, variant, sizes, subject.kernel_file(variant, sizes), in_compile=False)
    others = _others(subject, language)
    if others:
        command += "\n" + others
    key = subject.interface.key(variant, sizes)
    steps = [
        Node(language.say("pipeline.eager.check", key=key)),
        Node(language.say("pipeline.eager.load", file=subject.kernel_file(variant, sizes))),
        Node(language.say("pipeline.eager.call", call=_call(subject))),
    ]
    compile_graph = node("Session::CompileGraph", _infer(subject, language))
    head = [
        node("run.sh", Node(command)),
        node(language.say("pipeline.opp", program="GEInitialize"), Node(language.say("pipeline.scan.eager"))),
        compile_graph,
    ]
    return [
        *head,
        node(language.say("pipeline.eager.execute"), *steps),
        node("Session::ExecuteGraphWithStreamAsync", Node(language.say("pipeline.either"))),
    ]


def _others(subject: Subject, language: Language) -> str:
    """A line for the kernels beside the first."""
    kernels = subject.kernels
    labels = [label(language, subject, v) for v, sizes in kernels if (v, sizes) != (subject.variant, subject.sizes)]
    if not labels:
        return ""
    plain = len(set(labels)) == len(labels) and len(subject.chosen_symbols) == 1 and len(labels) <= 4
    if plain and all(not variant.attrs and not variant.absent for variant, _ in kernels):
        return language.say("pipeline.kernels.other", labels=language.all_of(labels))
    if len(labels) == 1:
        return language.say("pipeline.kernels.more.one")
    return language.say("pipeline.kernels.more.other", count=len(labels))


def _parameters(subject: Subject, language: Language) -> list[str]:
    """What the parameters of `call` are, in order."""
    say, roles = language.say, [parameter.role for parameter in subject.call]
    parts = [language.counted("call.input", roles.count("input"))]
    if "output" in roles:
        parts.append(language.counted("call.output", roles.count("output")))
    if "workspace" in roles:
        parts.append(say("call.workspace"))
    if "attr" in roles:
        parts.append(language.counted("call.attr", roles.count("attr")))
    if "size" in roles:
        flat = subject.interface.flat
        parts.append(say("call.elements") if flat else language.counted("call.size", roles.count("size")))
    return [*parts, say("call.stream")]


def _signature(subject: Subject) -> str:
    """The declaration in C, as TileLang writes it."""
    lines = ["void call("]
    for number, parameter in enumerate(subject.call, start=1):
        text = _declared(parameter) + (");" if number == len(subject.call) else ",")
        space = "" if lines[-1].endswith("(") else " "
        if len(lines[-1]) + len(space) + len(text) > WIDTH:
            lines.append(" " * len("void call(") + text)
        else:
            lines[-1] += space + text
    return "\n".join(lines)


def _declared(parameter: Parameter) -> str:
    if parameter.role == "stream":
        return f"aclrtStream {parameter.name}"
    if parameter.role in ("input", "output", "workspace"):
        return f"uint8_t *{parameter.name}"
    return f"{parameter.cxx} {parameter.name}"


def _call_notes(subject: Subject, language: Language) -> str:
    sentences = [language.say("call.launch")]
    inplace = [t.name for t in subject.inplace]
    if inplace:
        sentences.append(language.counted("call.inplace", len(inplace), names=names(language, inplace)))
    optional = [t.name for t in subject.operator.optional_inputs]
    if optional:
        sentences.append(language.counted("call.optional", len(optional), names=names(language, optional)))
    if any(t.count for t in subject.tensors):
        sentences.append(language.say("call.list"))
    return language.sentences(sentences)

"""Key files: what the files of the outline are for."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Sequence

from opgen.docs import markdown
from opgen.docs.markdown import code, codes
from opgen.docs.phrases import Language, catalogue
from opgen.docs.sections.pipeline import same_as
from opgen.docs.subject import Material, Subject, rest_only
from opgen.docs.wording import names
from opgen.formula.signature import Attr

Part = tuple[str, str]  # heading, Markdown


def key_files(material: Material, language: Language) -> list[Part]:
    """The parts of the section, in the order of the outline's folders."""
    parts = [_prototypes(material, language), _operators(material, language)]
    helpers = list(_helpers(material, language))
    if helpers:
        body = [language.say("files.helpers.same"), markdown.bullets(helpers)]
        parts.append((language.say("files.helpers"), "\n\n".join(body)))
    parts += [_kernel(subject, language) for subject in material.subjects]
    references = dict.fromkeys(o.reference for o in material.spec.operators if o.reference)
    parts += [(code(name), language.say("files.reference")) for name in references]
    return [*parts, *_programs(material, language)]


def _heading(paths: Sequence[str]) -> str:
    return ", ".join(codes(paths))


def _prototypes(material: Material, language: Language) -> Part:
    where = "offline" if material.scenario.name == "offline" else "session"
    paths = [f"ge/{subject.operator.name}.h" for subject in material.subjects]
    bodies = [language.say(f"files.prototype.{where}", type=subject.operator.type) for subject in material.subjects[:1]]
    if material.library:
        bodies = [language.say(f"files.prototypes.{where}")]
    return _heading(paths), bodies[0]


def _operators(material: Material, language: Language) -> Part:
    wanted = {"ge/custom_op.cpp", *(f"ge/{subject.operator.name}.cpp" for subject in material.subjects)}
    paths = [entry.path for entry in material.outline.entries if entry.path in wanted]
    interfaces = language.all_of(codes(material.scenario.interfaces))
    if material.library:
        return _heading(paths), language.say("files.operators", interfaces=interfaces)
    callbacks = markdown.bullets(_callbacks(material, language))
    return _heading(paths), language.say("files.operator", interfaces=interfaces) + "\n\n" + callbacks


def _callbacks(material: Material, language: Language) -> list[str]:
    subject, scenario = material.first, material.scenario.name
    lines = [_infer(subject, language)]
    if scenario != "eager":
        sizes = "mixed" if subject.dynamic else "static"
        lines.append(language.say(f"files.compile.{sizes if subject.static else 'dynamic'}"))
    if scenario == "offline":
        lines.append(language.say("files.portable"))
    outputs = [t.name for t in subject.new_outputs]
    when = "eager" if scenario == "eager" else "callback"
    if outputs:
        lines.append(language.say(f"files.execute.{when}", outputs=names(language, outputs)))
    else:
        inplace = names(language, [t.name for t in subject.inplace])
        lines.append(language.say(f"files.execute.{when}.inplace", outputs=inplace))
    return lines


def _infer(subject: Subject, language: Language) -> str:
    inputs, like = subject.operator.inputs, same_as(subject)
    same = {(t.dtype, t.shape) for t in inputs}
    if like is not None and len(same) == 1 and len(inputs) > 1 and rest_only(inputs[0]):
        output, source = like
        listed = names(language, [t.name for t in inputs])
        return language.say("files.infer.same", inputs=listed, output=code(output), input=code(source))
    outputs = names(language, [t.name for t in subject.operator.outputs])
    return language.say("files.infer.checked", outputs=outputs)


def _helpers(material: Material, language: Language) -> Iterator[str]:
    """What the helpers of `ge/` do, as far as it is worth a line."""
    own = {subject.operator.name for subject in material.subjects}
    found = dict.fromkeys(
        posixpath.splitext(posixpath.basename(entry.path))[0]
        for entry in material.outline.entries
        if entry.path.startswith("ge/") and entry.owner == "generated"
    )
    when = "eager" if material.scenario.name == "eager" else "callback"
    for stem in found:
        for phrase in (f"files.{stem}", f"files.{stem}.{when}"):
            if stem not in own and phrase in catalogue():
                yield language.say(phrase)


def _kernel(subject: Subject, language: Language) -> Part:
    say = language.say
    if subject.interface.generated:
        sentences = [say("files.kernel.generated")]
        cube = subject.plan.schedule == "matmul"
        if cube:
            sums = [b.dtype for variant in subject.plan.variants for b in variant.buffers if b.memory == "L0C"]
            sentences.append(say("files.kernel.cube", types=language.one_of(list(dict.fromkeys(sums)))))
        elif all(variant.slots == 2 for variant in subject.plan.variants):
            sentences.append(say("files.kernel.double"))
        if cube and subject.workspace is not None:
            sentences.append(say("files.kernel.vector"))
        half = [] if cube else _widened(subject)
        if half:
            sentences.append(say("files.kernel.half", types=language.listing(half)))
    else:
        sentences = [say("files.kernel.user")]
    body = [
        language.sentences(sentences),
        "```text\n" + _usage(subject) + "\n```",
        markdown.table((say("column.argument"), say("column.meaning")), _arguments(subject, language)),
    ]
    return code(subject.interface.script), "\n\n".join(body)


def _widened(subject: Subject) -> list[str]:
    """The half types whose kernels compute in float32."""
    return [
        name
        for name in subject.half_types
        if any(
            name in {variant.variant.dtype(t.dtype) for t in subject.tensors}
            and any(buffer.dtype == "float32" for buffer in variant.buffers)
            for variant in subject.plan.variants
        )
    ]


def _usage(subject: Subject) -> str:
    """The command line of the kernel script."""
    interface, variant = subject.interface, subject.variant
    words = ["python3", posixpath.basename(interface.script), *(d.name for d in interface.dims), "OUT"]
    options = subject.command(variant, subject.sizes, "OUT", in_compile=True)[len(interface.dims) + 1 :]
    pairs = [f"[{option}]" for option in _options(options)]
    if interface.generated:
        pairs.append(f"[--cores {subject.plan.cores}]")
    pairs += [f"[--without {tensor.name}]" for tensor in interface.optional]
    return " ".join(words + pairs)


def _options(words: list[str]) -> Iterator[str]:
    """Options with their values: "--dtype float16", "--parts=2"."""
    option = ""
    for word in words:
        if word.startswith("--") and option:
            yield option
            option = ""
        option = f"{option} {word}".strip()
    if option:
        yield option


def _arguments(subject: Subject, language: Language) -> list[tuple[str, str]]:
    say, interface = language.say, subject.interface
    rows = []
    for dim in interface.dims:
        if not dim.of:
            rows.append((code(dim.name), say("argument.size.dynamic" if dim.dynamic else "argument.size")))
        elif dim.of == ("...",):
            rows.append((code(dim.name), say("argument.rest.dynamic" if dim.dynamic else "argument.rest")))
        else:
            phrase = "argument.dim.dynamic" if dim.dynamic else "argument.dim"
            rows.append((code(dim.name), say(phrase, name=code(" * ".join(dim.of)))))
    rows.append((code("OUT"), say("argument.out")))
    if interface.symbols:
        rows.append((code("--dtype"), say("argument.dtype" if len(interface.symbols) == 1 else "argument.dtypes")))
    if interface.generated:
        rows.append((code("--platform"), say("argument.platform")))
    rows += [(code(f"--{attr.name}"), _attribute(attr, language)) for attr in interface.options]
    if interface.generated:
        rows.append((code("--cores"), say("argument.cores")))
    if interface.optional:
        rows.append((code("--without"), say("argument.without")))
    return rows


def _attribute(attr: Attr, language: Language) -> str:
    return language.say("argument.attr", name=code(attr.name))


def _programs(material: Material, language: Language) -> Iterator[Part]:
    say, scenario = language.say, material.scenario.name
    for subject in material.subjects:
        script = material.golden(subject)
        if script is not None:
            yield code(script), say("files.golden", reference=code(str(subject.operator.reference)))
    if scenario == "offline":
        yield from _program(material, "graph_build", language, lambda name: say("files.graph_build", type=name))
        steps = [say(f"files.model_exec.{step}") for step in ("init", "load", "sizes", "run")]
        yield from _program(material, "model_exec", language, lambda _: say("files.model_exec"), steps)
        return
    steps = [
        say("files.session_run.init"),
        say(f"files.session_run.load.{scenario}"),
        say("files.session_run.run"),
    ]
    yield from _program(material, "session_run", language, lambda name: say("files.session_run", type=name), steps)


def _program(
    material: Material, what: str, language: Language, lead: Callable[[str], str], steps: Sequence[str] = ()
) -> Iterator[Part]:
    """The programs of one kind, those that do the same together."""
    bodies: dict[str, list[str]] = {}
    for subject in material.subjects:
        check = [_check(subject, language)] if steps else []
        body = [lead(subject.operator.type), *([markdown.numbered([*steps, *check])] if steps else [])]
        bodies.setdefault("\n\n".join(body), []).append(material.source(what, subject))
    for text, paths in bodies.items():
        yield _heading(paths), text


def _check(subject: Subject, language: Language) -> str:
    operator = subject.operator
    if operator.formula is not None:
        return language.say("files.check.formula")
    if operator.reference is not None:
        return language.say("files.check.reference", file=code(operator.reference))
    return language.say("files.check.none")

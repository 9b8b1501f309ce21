"""README of an operator folder, in the sections that operator repositories use."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.docs import markdown
from opgen.docs.markdown import Node, code
from opgen.docs.phrases import Language
from opgen.docs.pypto.folder import Folder, acl_type
from opgen.docs.pypto.html import html_table
from opgen.docs.pypto.parameters import parameter_rows
from opgen.docs.sections.layout import entry_nodes
from opgen.docs.sections.tensors import element_limits, limits
from opgen.docs.subject import named_dims
from opgen.docs.wording import lead_of, names, phrase_of, told
from opgen.facts.pypto import PRODUCTS
from opgen.formula.signature import Dim, Text
from opgen.formula.sizes import show
from opgen.pypto.build_files import package_command, registration
from opgen.templating import render
from opgen.text.escape import shell_word

_WIDTHS = (100, 150, 290, 190, 90)
_HEADER = ("parameter", "role", "description", "dtype", "format")


def readme(folder: Folder, language: Language) -> str:
    say, operator = language.say, folder.operator
    return render(
        "docs/pypto/README.md.j2",
        say=say,
        title=operator.type,
        other=folder.other("README", language),
        products=_products(language),
        description=say("pypto.description", summary=lead_of(language, operator.summary)),
        formula=operator.compute.strip() if operator.formula is not None else "",
        no_formula=no_formula(folder, language),
        precision=_precision(folder, language),
        parameters=html_table(_WIDTHS, [say(f"pypto.column.{c}") for c in _HEADER], parameter_rows(folder, language)),
        combinations=_combinations(folder, language),
        constraints=markdown.bullets(_constraints(folder, language)),
        calling=_calling(folder, language),
        layout=_layout(folder, language),
        tiled=language.sentences([_tiled(folder, language), _fields(folder, language)]),
        tiling=_tiling(folder, language),
        memory=_memory(folder, language),
        budget=folder.plan.budget,
        adding=_adding(folder, language),
        needs=say("pypto.needs", script=code("set_env.sh"), module=code("pypto_pro")),
        package=package_command(folder.spec),
        vendor=shell_word(folder.spec.repository.vendor),
        name=operator.name,
        soc=folder.spec.soc,
        compared=folder.compared,
        golden=_golden(folder, language),
        golden_folder=f"{operator.name}_golden",
        verified_sentence=say("pypto.verified.sentence", command=code("opgen verify")),
        verified=_verified(language),
        unverified=markdown.bullets(say(f"pypto.unverified.{part}") for part in ("frontend", "build", "device")),
        notes=markdown.bullets(told(language, text) for text in (*folder.spec.notes, *operator.notes)),
    )


def no_formula(folder: Folder, language: Language) -> str:
    """What takes the place of a formula, where there is none."""
    operator = folder.operator
    if operator.formula is not None:
        return ""
    if operator.reference is not None:
        return language.say("pypto.reference", file=code(operator.reference))
    return language.say("pypto.no.formula", file=code(folder.kernel))


def _products(language: Language) -> str:
    rows = [(language.text(Text(en, zh)), "√" if supported else "×") for _, en, zh, supported in PRODUCTS]
    return markdown.table((language.say("pypto.product"), language.say("pypto.supported")), rows)


def _precision(folder: Folder, language: Language) -> str:
    """Which types are computed as float32."""
    model = folder.plan.model
    widened: dict[str, None] = {}
    for variant in model.variants if model is not None else ():
        for instruction in variant.layout.program.instructions():
            if instruction.op == "cast" and instruction.target.dtype == "float32":
                widened.update((r.dtype, None) for r in instruction.reads if r.dtype in ("float16", "bfloat16"))
    if not widened:
        return ""
    types = [acl_type(dtype) for dtype in widened]
    return language.counted("pypto.precision", len(types), types=language.all_of(types))


def _combinations(folder: Folder, language: Language) -> str:
    """The columns of the definition, where they are not the same type for every tensor."""
    if folder.one_type or len(folder.operator.combinations) < 2:
        return ""
    header = [code(tensor.name) for tensor in folder.tensors]
    rows = []
    for column in folder.operator.combinations:
        types = dict(column)
        rows.append([acl_type(types.get(tensor.dtype, tensor.dtype)) for tensor in folder.tensors])
    return markdown.table(header, rows)


# Constraints


def _constraints(folder: Folder, language: Language) -> Iterator[str]:
    say = language.say
    every = names(language, [t.name for t in folder.tensors])
    if folder.one_type and len(folder.tensors) > 1:
        yield say("pypto.types.equal", names=every)
    if folder.free:
        yield say("pypto.shapes.equal", names=every)
    else:
        yield say("pypto.shapes.named")
    for dim in named_dims(folder.operator):
        yield say("pypto.dim", name=code(dim.name), clauses=language.clauses(_dim(dim, language)))
    for tensor in folder.operator.inputs:
        limit = element_limits(tensor, folder.dtypes(tensor), language)
        if limit:
            yield say("pypto.elements", name=code(tensor.name), limits=limit)
    yield say("pypto.empty")
    outputs = [t.name for t in folder.operator.outputs]
    yield language.counted("pypto.contiguous.outputs", len(outputs), names=names(language, outputs))


def _dim(dim: Dim, language: Language) -> list[str]:
    clauses = [phrase_of(language, dim.doc)]
    if dim.fixed or len(dim.values) == 1:
        clauses.append(language.say("values.fixed", value=str(dim.default)))
    elif dim.values:
        clauses.append(language.say("values", values=language.one_of([str(v) for v in dim.values])))
    elif dim.max is not None or dim.min > 1:
        clauses.append(limits(dim.min, dim.max, language))
    else:
        clauses.append(language.say("pypto.dim.any"))
    if dim.multiple_of != 1:
        clauses.append(language.say("multiple", number=dim.multiple_of))
    return [clause for clause in clauses if clause]


# Calling, tree


def _calling(folder: Folder, language: Language) -> str:
    say, operator = language.say, folder.operator
    page = folder.page(folder.aclnn_page, language)
    aclnn = say("pypto.calls.aclnn", op=operator.type, page=f"[{folder.aclnn.second}]({page})")
    prototype = f"[{say('pypto.calls.prototype')}](op_graph/{operator.name}_proto.h)"
    rows = [
        (say("pypto.mode.aclnn"), _example(f"test_aclnn_{operator.name}"), aclnn),
        (
            say("pypto.mode.graph"),
            _example(f"test_geir_{operator.name}"),
            say("pypto.calls.graph", op=operator.type, prototype=prototype),
        ),
    ]
    return markdown.table([say(f"pypto.{c}") for c in ("mode", "sample")] + [say("column.meaning")], rows)


def _example(stem: str) -> str:
    return f"[{stem}](examples/{stem}.cpp)"


def _layout(folder: Folder, language: Language) -> str:
    nodes = entry_nodes(folder.outline.entries, language)
    spec = language.say("tree.spec.hand" if folder.operator.kernel else "tree.spec")
    pages = []
    for page, phrase in ((folder.aclnn_page, "aclnn"), (folder.tiling_page, "tiling")):
        stem = page.removeprefix("docs/")
        other = "en" if folder.spec.first == "zh" else "zh"
        pages.append(Node(f"{stem}.md, {stem}_{other}.md", comment=language.say(f"pypto.tree.{phrase}")))
    other = "README_en.md" if folder.spec.first == "zh" else "README_zh.md"
    top = [Node("op.yaml", comment=spec), Node("README.md"), Node(other), Node("docs/", tuple(pages))]
    return markdown.tree(Node(f"{folder.operator.name}/", (*top, *nodes)))


# Tiling


def _tiled(folder: Folder, language: Language) -> str:
    if folder.plan.schedule == "user":
        return language.say("pypto.tiled.user", file=code(folder.kernel))
    return language.say(f"pypto.tiled.{folder.plan.schedule}")


def _fields(folder: Folder, language: Language) -> str:
    label = language.say("pypto.tree.tiling")
    return language.say("pypto.fields.link", page=f"[{label}]({folder.page(folder.tiling_page, language)})")


def _tiling(folder: Folder, language: Language) -> str:
    say, plan = language.say, folder.plan
    rows = []
    for block in plan.blocks:
        value = say("pypto.block.of", constant=block.constant, value=show(block.value))
        rows.append((say("pypto.block"), code(value)))
    if plan.tiles is not None:
        rows.append((say("pypto.tiles"), code(show(plan.tiles))))
    rows.append((say("pypto.blockdim"), code(show(plan.cores))))
    rows += [(code(field.name), code(show(field.value))) for field in plan.key]
    own = plan.workspace.number == 0
    workspace = say("pypto.workspace.own", bytes=code(show(plan.workspace)))
    rows.append((say("pypto.workspace"), say("pypto.workspace.system") if own else workspace))
    columns, keys = len(plan.columns), plan.combinations
    rows.append((say("pypto.kernels"), say("pypto.kernels.count", columns=columns, keys=keys, count=columns * keys)))
    return markdown.table((say("column.item"), say("pypto.value")), rows)


def _memory(folder: Folder, language: Language) -> str:
    """Tiles on chip; "" for a hand-written kernel."""
    say, plan = language.say, folder.plan
    if not plan.rings:
        return ""
    head = [say(f"pypto.{c}") for c in ("address",)]
    head += [say(f"column.{c}") for c in ("buffer", "dtype")] + [say("pypto.tile.shape")]
    head += [say(f"column.{c}") for c in ("slots", "bytes")]
    rows = [
        (f"0x{r.offset:05X}", code(r.name), r.dtype, f"{r.rows} × {r.columns}", str(r.slots), str(r.bytes))
        for r in sorted(plan.rings, key=lambda ring: ring.offset)
    ]
    none = say("none.given")
    rows.append((say("pypto.used"), none, none, none, none, str(plan.used)))
    return markdown.table(head, rows)


# Adding


def _adding(folder: Folder, language: Language) -> list[tuple[str, str, str]]:
    """Steps: what, and a snippet with its language, "" where there is none."""
    say, operator = language.say, folder.operator
    path = code(f"<op_class>/{operator.name}")
    steps = [(say("pypto.add.place", macro=code("enable_pypto_kernel"), path=path), "", "")]
    repository = folder.spec.repository
    if not repository.at_root:
        subdirectory = say("pypto.add.subdirectory", file=code("CMakeLists.txt"))
        steps.append((subdirectory, "cmake", "add_subdirectory(op_host)"))
    file = code("scripts/kernel/binary_config/ascendc_config.json")
    steps.append((say("pypto.add.registration", file=file), "json", registration(operator, folder.spec.soc)))
    if not repository.require_pypto_pro:
        steps.append((say("pypto.add.require", macro=code("require_pypto_pro")), "", ""))
    return steps


def _golden(folder: Folder, language: Language) -> str:
    """How the expected values get to the samples, where a program of its own writes them."""
    name = folder.operator.name
    if not any(entry.path == f"examples/{name}_golden.py" for entry in folder.outline.entries):
        return ""
    programs = names(language, [f"test_aclnn_{name}", f"test_geir_{name}"])
    return language.say("pypto.build.golden", programs=programs, folder=code(f"{name}_golden"))


def _verified(language: Language) -> str:
    say = language.say
    rows = [(say(f"pypto.verified.{p}"), say(f"pypto.verified.{p}.how")) for p in ("host", "kernel", "sample")]
    return markdown.table((say("column.part"), say("pypto.how")), rows)

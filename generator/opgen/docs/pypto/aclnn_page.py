"""docs/aclnnOP.md: the two functions that callers see."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.docs.markdown import code
from opgen.docs.phrases import Language
from opgen.docs.pypto.folder import Folder, plain
from opgen.docs.pypto.html import html_table
from opgen.docs.pypto.parameters import attr_sentences, default_sentence, shape_sentence
from opgen.docs.pypto.readme import no_formula
from opgen.docs.subject import rest_only
from opgen.docs.wording import lead_of
from opgen.facts.pypto import PRODUCTS
from opgen.formula.signature import Attr, Tensor, Text
from opgen.pypto.aclnn import Parameter
from opgen.templating import render

_WIDTHS = (217, 125, 247, 317, 233, 126, 144, 146)
_HEADER = ("parameter", "direction", "description", "usage", "dtype", "format", "dims", "strided")
_ACL_TYPES = {"bool": "BOOL", "int": "INT64", "float": "DOUBLE", "string": "STRING", "dtype": "INT64"}
_ACL_TYPES |= {"ints": "INT64", "floats": "FLOAT"}
_LINE = 110  # columns of an example
_MAX_RANK = 8  # of a tensor in ACL


def aclnn_page(folder: Folder, language: Language) -> str:
    say, own = language.say, folder.aclnn
    first, second = own.prototypes
    return render(
        "docs/pypto/aclnn.md.j2",
        say=say,
        title=own.second,
        other=folder.other(folder.aclnn_page, language).removeprefix("docs/"),
        products=_products(language),
        description=say("pypto.description.aclnn", summary=lead_of(language, folder.operator.summary)),
        formula=folder.operator.compute.strip() if folder.operator.formula is not None else "",
        no_formula=no_formula(folder, language),
        phases=say("pypto.two.phases", first=code(own.first), second=code(own.second)),
        first_name=own.first,
        first=first,
        second=second,
        parameters=html_table(_WIDTHS, [say(f"pypto.column.{c}") for c in _HEADER], _parameters(folder, language)),
        failures=_failures(folder, language),
        second_parameters=_second(folder, language),
        deterministic=say("pypto.deterministic", second=code(own.second)),
        contiguous=_contiguous(folder, language),
        example=say("pypto.example.sentence", page=_sample(folder)),
        call=_call(folder),
    )


def _call(folder: Folder) -> str:
    """The call of the first function, with variables that are called as its parameters are."""
    own = folder.aclnn
    head = f"aclnnStatus status = {own.first}("
    arguments = [*(parameter.name for parameter in own.parameters), "&workspaceSize", "&executor"]
    line = f"{head}{', '.join(arguments)});"
    return line if len(line) <= _LINE else f"{head}\n    " + ",\n    ".join(arguments) + ");"


def _sample(folder: Folder) -> str:
    file = f"test_aclnn_{folder.operator.name}.cpp"
    return f"[{file}](../examples/{file})"


def _products(language: Language) -> list[tuple[str, str, str]]:
    """Marker, name, and whether it is supported."""
    return [
        (
            marker,
            language.text(Text(en, zh)),
            language.say("pypto.product.yes" if supported else "pypto.product.no"),
        )
        for marker, en, zh, supported in PRODUCTS
    ]


# Parameters of the first function


def _parameters(folder: Folder, language: Language) -> Iterator[tuple[str, ...]]:
    say, operator = language.say, folder.operator
    inputs = {t.name: t for t in operator.inputs}
    outputs = {t.name: t for t in operator.outputs}
    attrs = {a.name: a for a in operator.attrs}
    for parameter in folder.aclnn.parameters:
        if parameter.role == "attr":
            yield _attr(parameter, attrs[parameter.source], language)
        else:
            tensor = (inputs if parameter.role == "input" else outputs)[parameter.source]
            yield _tensor(folder, parameter, tensor, language)
    none = say("none.given")
    rest = (none,) * 5
    for name, declared, phrase in (
        ("workspaceSize", "uint64_t*", "pypto.workspace.size"),
        ("executor", "aclOpExecutor**", "pypto.executor"),
    ):
        yield say("pypto.typed", name=name, type=declared), say("pypto.role.output"), say(phrase), *rest


def _tensor(folder: Folder, parameter: Parameter, tensor: Tensor, language: Language) -> tuple[str, ...]:
    say = language.say
    both = any(output.inplace and output.name == tensor.name for output in folder.operator.outputs)
    direction = "pypto.role.inplace" if both else f"pypto.role.{parameter.role}"
    usage = [shape_sentence(folder, tensor, language)]
    if tensor.optional:
        usage += [say("pypto.usage.null"), default_sentence(tensor, language)]
    return (
        _typed(parameter, language),
        say(direction),
        _described(folder, tensor, "pypto.aclnn.tensor.of", language),
        language.sentences(usage),
        language.listing(folder.types(tensor)),
        "ND",
        f"0-{_MAX_RANK}" if rest_only(tensor) else _rank(tensor),
        "√" if parameter.role == "input" and not both else "×",
    )


def _rank(tensor: Tensor) -> str:
    if any(axis.op == "rest" for axis in tensor.shape):
        return f"{len(tensor.shape) - 1}-{_MAX_RANK}"
    return str(len(tensor.shape))


def _attr(parameter: Parameter, attr: Attr, language: Language) -> tuple[str, ...]:
    say = language.say
    usage = attr_sentences(attr, language)
    if attr.type == "float":
        usage.append(say("pypto.usage.float"))
    if attr.type == "dtype":
        usage.append(say("pypto.usage.dtype"))
    none = say("none.given")
    text = plain(language, attr.doc)
    described = say("pypto.sentence", text=text) if text else say("pypto.aclnn.attr.of", name=attr.name)
    cells = (described, language.sentences(usage) or none, _ACL_TYPES[attr.type], none, none, none)
    return _typed(parameter, language), say("pypto.role.input"), *cells


def _typed(parameter: Parameter, language: Language) -> str:
    """x (aclTensor*)"""
    declared = parameter.type.removeprefix("const ").replace(" ", "")
    return language.say("pypto.typed", name=parameter.name, type=declared)


def _described(folder: Folder, tensor: Tensor, without: str, language: Language) -> str:
    text = plain(language, tensor.doc)
    if not text:
        return language.say(without, name=tensor.name)
    if folder.operator.formula is None:
        return language.say("pypto.sentence", text=text)
    return language.say("pypto.aclnn.in.formula", text=text, name=tensor.name)


# What comes back, and the second function


def _failures(folder: Folder, language: Language) -> str:
    say = language.say
    required = [p.name for p in folder.aclnn.parameters if p.role != "attr" and not p.name.endswith("Optional")]
    pointers = language.one_of([*required, "workspaceSize", "executor"])
    header = [say("pypto.code"), say("pypto.number"), say("pypto.column.description")]
    rows = [
        ("ACLNN_ERR_PARAM_NULLPTR", "161001", say("pypto.failure.null", names=pointers)),
        ("ACLNN_ERR_PARAM_INVALID", "161002", say("pypto.failure.types")),
        ("ACLNN_ERR_INNER_TILING_ERROR", "561002", say("pypto.failure.shapes")),
    ]
    return html_table((340, 134, 676), header, rows)


def _second(folder: Folder, language: Language) -> str:
    say = language.say
    header = [say(f"pypto.column.{c}") for c in ("parameter", "direction", "description")]
    texts = {
        "workspace": say("pypto.second.workspace"),
        "workspaceSize": say("pypto.second.size", first=folder.aclnn.first),
        "executor": say("pypto.second.executor"),
        "stream": say("pypto.second.stream"),
    }
    return html_table((184, 134, 833), header, [(n, say("pypto.role.input"), text) for n, text in texts.items()])


def _contiguous(folder: Folder, language: Language) -> str:
    names = [code(folder.aclnn.parameter(t.name, "output").name) for t in folder.operator.outputs]
    return language.counted("pypto.contiguous.outputs", len(names), names=language.all_of(names))

"""Descriptions of tensors and attributes that the README and the aclnn page share."""

from __future__ import annotations

from opgen.docs.phrases import Language
from opgen.docs.pypto.folder import Folder, acl_type, plain
from opgen.docs.sections.tensors import limits
from opgen.docs.subject import default_of, rest_only, shape_text, value_text
from opgen.formula.signature import Attr, Tensor

_ATTR_TYPES = {"bool": "BOOL", "int": "INT", "float": "FLOAT", "string": "STRING", "dtype": "INT"}
_ATTR_TYPES |= {"ints": "LIST_INT", "floats": "LIST_FLOAT"}


def parameter_rows(folder: Folder, language: Language) -> list[tuple[str, ...]]:
    """Name, role, description, data type, format: inputs, attributes, outputs."""
    operator = folder.operator
    rows = [_tensor(folder, tensor, language) for tensor in operator.inputs]
    rows += [_attr(attr, language) for attr in operator.attrs]
    return rows + [_tensor(folder, tensor, language) for tensor in folder.new_outputs]


def _tensor(folder: Folder, tensor: Tensor, language: Language) -> tuple[str, ...]:
    sentences = [_doc(tensor, language), shape_sentence(folder, tensor, language), default_sentence(tensor, language)]
    types = language.listing(folder.types(tensor))
    return tensor.name, role(folder, tensor, language), language.sentences(sentences), types, "ND"


def role(folder: Folder, tensor: Tensor, language: Language) -> str:
    """Input, optional input, output, or both."""
    if any(output.inplace and output.name == tensor.name for output in folder.operator.outputs):
        return language.say("pypto.role.inplace")
    if tensor.role == "output":
        return language.say("pypto.role.output")
    return language.say("pypto.role.input.optional" if tensor.optional else "pypto.role.input")


def _doc(tensor: Tensor | Attr, language: Language) -> str:
    text = plain(language, tensor.doc)
    return language.say("pypto.sentence", text=text) if text else ""


def shape_sentence(folder: Folder, tensor: Tensor, language: Language) -> str:
    first = folder.operator.inputs[0]
    if tensor is not first and tensor.shape == first.shape:
        return language.say("pypto.shape.like", name=first.name)
    if not tensor.shape:
        return language.say("pypto.shape.scalar")
    if rest_only(tensor):
        return language.say("pypto.shape.any")
    return language.say("pypto.shape", shape=shape_text(tensor.shape))


def default_sentence(tensor: Tensor, language: Language) -> str:
    """What takes the place of an optional input."""
    return language.say("pypto.absent", value=value_text(default_of(tensor))) if tensor.optional else ""


def _attr(attr: Attr, language: Language) -> tuple[str, ...]:
    kind = "pypto.role.attr" if attr.required else "pypto.role.attr.optional"
    none = language.say("none.given")
    text = language.sentences([_doc(attr, language), *attr_sentences(attr, language)])
    return attr.name, language.say(kind), text or none, _ATTR_TYPES[attr.type], none


def attr_sentences(attr: Attr, language: Language) -> list[str]:
    """What values it can have, and which it has when the caller gives none."""
    found = []
    if attr.values:
        found.append(language.say("pypto.values", values=language.one_of([_value(attr, v) for v in attr.values])))
    allowed = limits(attr.min, attr.max, language)
    if allowed:
        found.append(language.say("pypto.limits", limits=allowed))
    if attr.default is not None:
        found.append(language.say("pypto.default", value=_value(attr, attr.default)))
    return found


def _value(attr: Attr, value: object) -> str:
    return acl_type(str(value)) if attr.type == "dtype" else value_text(value)  # type: ignore[arg-type]

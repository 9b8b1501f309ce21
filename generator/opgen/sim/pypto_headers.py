"""What PyPTO Pro's header step makes of a kernel file, read from its text: a class for TilingData and the fields of the
TilingKey.

The build includes both headers ahead of the tiling source, that of the key first: that of the data uses int64_t and
includes nothing. The kernel is not executed, so that `is_valid` of a key leaves no combination out; nothing on the host
asks for those that are built.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

_TYPES = {"int": "int64_t", "float": "float", "bool": "bool"}
_SIZES = {"int": 8, "float": 4, "bool": 1}
_ARRAY_LIMIT = 2048  # elements
_KEY_BITS = 64


class HeaderError(Exception):
    """The header step would refuse the kernel, or make C++ of it that does not compile. line: in the kernel, from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(f"line {line}: {message}")
        self.message = message
        self.line = line


@dataclass(frozen=True)
class DataField:
    """A field of TilingData. kind: int, float or bool. count: elements of an array, 0 for a single value. offset: in
    bytes."""

    name: str
    kind: str
    count: int
    offset: int

    @property
    def size(self) -> int:
        """Bytes."""
        return _SIZES[self.kind] * max(self.count, 1)


@dataclass(frozen=True)
class KeyField:
    """A field of the TilingKey. offset: its lowest bit. values: the candidates, whose index is stored."""

    name: str
    bits: int
    values: tuple[int, ...]
    offset: int


@dataclass(frozen=True)
class KernelHeaders:
    """kernel: the function with @pl.jit. data_class, key_class: names in the kernel file."""

    kernel: str
    data_class: str
    data: tuple[DataField, ...]
    key_class: str
    key: tuple[KeyField, ...]

    @property
    def data_size(self) -> int:
        """Bytes of TilingData, padding at the end included."""
        widest = max(_SIZES[field.kind] for field in self.data)
        return _align(self.data[-1].offset + self.data[-1].size, widest)

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """Name and text of the headers, in the order in which the build includes them."""
        return (
            (f"{self.key_class}_tilingkey.h", _key_header(self)),
            (f"{self.data_class}_tiling.h", _data_header(self)),
        )


def kernel_headers(source: str) -> KernelHeaders:
    """Reads a kernel file. Raises HeaderError."""
    try:
        module = ast.parse(source)
    except SyntaxError as error:
        raise HeaderError(f"not Python: {error.msg}", error.lineno or 1) from error
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    kernel, call = _kernel(module)
    keyword = next((k for k in call.keywords if k.arg == "tiling_key"), None)
    if keyword is None or not isinstance(keyword.value, ast.Name) or keyword.value.id not in classes:
        raise HeaderError("@pl.jit needs `tiling_key=`, a class of this file", call.lineno)
    arguments = kernel.args.args
    tilings = [a for a in arguments if isinstance(a.annotation, ast.Name) and a.annotation.id in classes]
    if len(tilings) != 1 or tilings[0] is not arguments[-1]:
        raise HeaderError("the last parameter, and no other, is the tiling class", kernel.lineno)
    annotation = tilings[0].annotation
    assert isinstance(annotation, ast.Name)
    data_class, key_class = annotation.id, keyword.value.id
    return KernelHeaders(
        kernel.name, data_class, _data(classes[data_class]), key_class, _key(classes[key_class], _constants(module))
    )


def _kernel(module: ast.Module) -> tuple[ast.FunctionDef, ast.Call]:
    """The one function with @pl.jit(...), and the call that decorates it."""
    found = [
        (node, decorator)
        for node in module.body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) in ("pl.jit", "jit")
    ]
    if len(found) != 1:
        line = found[1][0].lineno if found else 1
        raise HeaderError(f"there must be exactly one @pl.jit kernel, found {len(found)}", line)
    return found[0]


def _constants(module: ast.Module) -> dict[str, int]:
    """Names that the file gives whole numbers to."""
    return {
        target.id: node.value.value
        for node in module.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and type(node.value.value) is int
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _data(node: ast.ClassDef) -> tuple[DataField, ...]:
    fields: list[DataField] = []
    offset = 0
    if not any(ast.unparse(decorator).split(".")[-1].startswith("dataclass") for decorator in node.decorator_list):
        raise HeaderError(f"{node.name} is no @dataclass", node.lineno)
    for item in node.body:
        if not isinstance(item, ast.AnnAssign) or not isinstance(item.target, ast.Name):
            continue
        kind, count = _annotation(item)
        if any(field.name == item.target.id for field in fields):
            raise HeaderError(f"{node.name} has the field {item.target.id} twice", item.lineno)
        offset = _align(offset, _SIZES[kind])
        fields.append(DataField(item.target.id, kind, count, offset))
        offset += fields[-1].size
    if not fields:
        raise HeaderError(f"{node.name} has no fields", node.lineno)
    return tuple(fields)


def _annotation(item: ast.AnnAssign) -> tuple[str, int]:
    """Kind and number of elements."""
    match item.annotation:
        case ast.Name(id="int" | "float" | "bool" as kind):
            return kind, 0
        case ast.Subscript(value=ast.Name(id="int" | "float" | "bool" as kind), slice=ast.Constant(value=int(count))):
            if 1 <= count <= _ARRAY_LIMIT:
                return kind, count
    raise HeaderError(f"unsupported type of a tiling field: {ast.unparse(item.annotation)}", item.lineno)


def _key(node: ast.ClassDef, constants: dict[str, int]) -> tuple[KeyField, ...]:
    fields: list[KeyField] = []
    offset = 0
    for item in node.body:
        if not isinstance(item, ast.Assign) or not isinstance(item.value, ast.Call):
            continue
        if ast.unparse(item.value.func).split(".")[-1] != "TilingKeyField" or not isinstance(item.targets[0], ast.Name):
            continue
        name = item.targets[0].id
        words = {keyword.arg: keyword.value for keyword in item.value.keywords}
        bits = _number(words.get("bits"), constants, item)
        listed = words.get("values")
        if not isinstance(listed, ast.List | ast.Tuple):
            raise HeaderError(f"the values of {name} must be written as a list", item.lineno)
        values = tuple(_number(value, constants, item) for value in listed.elts)
        if bits < 1 or not values or len(set(values)) < len(values) or len(values) > 2**bits:
            raise HeaderError(f"{name} has {bits} bits for the values {list(values)}", item.lineno)
        if min(values) < 0:
            raise HeaderError(f"{name} has the negative value {min(values)}, which C++ refuses", item.lineno)
        fields.append(KeyField(name, bits, values, offset))
        offset += bits
    if not fields:
        raise HeaderError(f"{node.name} has no TilingKeyField members", node.lineno)
    if offset > _KEY_BITS:
        raise HeaderError(f"{node.name} uses {offset} bits, and a tiling key has {_KEY_BITS}", node.lineno)
    return tuple(fields)


def _number(node: ast.expr | None, constants: dict[str, int], item: ast.Assign) -> int:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return -value
        case ast.Name(id=name) if name in constants:
            return constants[name]
    raise HeaderError(f"not a whole number: {ast.unparse(node) if node else 'nothing'}", item.lineno)


def _data_header(headers: KernelHeaders) -> str:
    """One line, nothing included: as the header step writes it."""
    fields = " ".join(f"{_TYPES[f.kind]} {f.name}{f'[{f.count}]' if f.count else ''};" for f in headers.data)
    guard = f"{headers.data_class.upper()}_TILING_H"
    return f"#ifndef {guard}\n#define {guard}\nclass {headers.data_class} {{ public: {fields} }};\n#endif\n"


def _key_header(headers: KernelHeaders) -> str:
    return "\n".join([*_key_lines(headers), ""])


def _key_lines(headers: KernelHeaders) -> Iterator[str]:
    yield '#include "ascendc/host_api/tiling/template_argument.h"'
    for bits in sorted({field.bits for field in headers.key}):
        yield f"#define ASCENDC_TPL_{bits}_BW {bits}"
    yield f"ASCENDC_TPL_ARGS_DECL({headers.kernel},"
    for field in headers.key:
        values = ", ".join(map(str, field.values))
        yield f"  ASCENDC_TPL_UINT_DECL({field.name}, ASCENDC_TPL_{field.bits}_BW, ASCENDC_TPL_UI_LIST, {values}),"
    yield ");"
    yield "ASCENDC_TPL_SEL("
    combinations = list(itertools.product(*(field.values for field in headers.key)))
    for position, chosen in enumerate(combinations):
        picked = (
            f"ASCENDC_TPL_UINT_SEL({field.name}, ASCENDC_TPL_UI_LIST, {value})"
            for field, value in zip(headers.key, chosen, strict=True)
        )
        yield f"  ASCENDC_TPL_ARGS_SEL({', '.join(picked)}){',' if position < len(combinations) - 1 else ''}"
    yield ");"


def _align(value: int, alignment: int) -> int:
    return -(-value // alignment) * alignment

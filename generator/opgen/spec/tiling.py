"""`tiling` of op.yaml: expressions, their names, and the fields that PyPTO packs (OPG403, OPG404, OPG801 to OPG804)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from opgen.formula.signature import Signature
from opgen.formula.sizes import FormulaError, Size, names, parse_size, simplify, type_names
from opgen.spec.collect import Collector, at, did_you_mean, listed
from opgen.spec.dims import text
from opgen.spec.model import Field, Tiling
from opgen.spec.types import Types, unknown_type

_BUILT_IN = ("block", "elements", "tiles", "cores", "device_cores")
_KEY_BITS = 64


class TilingBuilder:
    """Builds the tiling of one operator. The form of op.yaml is right already. pointer: of `tiling`."""

    def __init__(self, data: dict[str, Any], signature: Signature, types: Types, pointer: str, out: Collector) -> None:
        self.data = data
        self.signature = signature
        self.types = types
        self.pointer = pointer
        self.out = out
        # Names of values that the host has before it computes anything.
        self.plain = [dim.name for dim in signature.dims if not dim.rest]
        self.plain += [attr.name for attr in signature.attrs if attr.type in ("bool", "int", "float")]
        # Name -> the names that its value depends on, with the pointer of the value.
        self.edges: dict[str, tuple[str, tuple[str, ...]]] = {}

    def build(self, scenario: str, kernel: bool) -> Tiling:
        """kernel: the operator has a hand-written one."""
        pypto = scenario == "pypto"
        if not pypto:
            self._only_for_pypto()
        if "workspace" in self.data and not kernel:
            why = "Generated kernels keep everything on chip; this memory would be allocated and never used."
            fix = "Remove it, or name your kernel under `kernel`."
            self.out.add("OPG404", at(self.pointer, "workspace"), "`workspace` without `kernel`", why, fix, key=True)
        block = self._block()
        buffers = self._expression("buffers")
        cores = None if self.data.get("cores") == "auto" else self._expression("cores")
        workspace = self._expression("workspace")
        data, key = self._data(), self._key()
        self._check_names()
        self._check_cycles()
        if pypto:
            self._check_key(key)
            if not kernel:
                self._check_read(data, key)
        return Tiling(block, buffers, cores, workspace, data, key)

    def _only_for_pypto(self) -> None:
        why = (
            "In the GE scenarios static values are constants of the kernel, and dynamic ones are parameters of `call`."
        )
        for key in ("data", "key"):
            if key in self.data:
                fix = "Remove it, or write `scenario: pypto`."
                self.out.add("OPG801", at(self.pointer, key), f"`tiling.{key}` is only for pypto", why, fix, key=True)

    # Values

    def _expression(self, key: str) -> Size | None:
        if key not in self.data:
            return None
        where = at(self.pointer, key)
        size = self.out.size(self.data[key], where)
        if size is not None:
            self.edges[key] = (where, names(size))
            self._check_types(size, self.data[key], where)
        return None if size is None else simplify(size)

    def _block(self) -> Size | tuple[tuple[str, Size], ...] | None:
        value = self.data.get("block")
        if not isinstance(value, dict):
            return self._expression("block")
        parts = []
        dims = [dim.name for dim in self.signature.dims]
        for name, part in value.items():
            where = at(self.pointer, "block", name)
            if name not in dims:
                why = "A block has a size along dims of this operator."
                fix = did_you_mean(
                    name, dims, f"Its dims: {listed(dims)}." if dims else "It has no dims: write a number."
                )
                self.out.add("OPG403", where, f"unknown dim `{name}` in `block`", why, fix, key=True)
                continue
            size = self.out.size(part, where)
            if size is not None:
                self.edges["block_" + name] = (where, names(size))
                self._check_types(size, part, where)
                parts.append((name, simplify(size)))
        return tuple(parts)

    def _check_types(self, size: Size, source: object, where: str) -> None:
        for name in type_names(size):
            if not self.types.known(name):
                self.out.within("OPG201", where, source, name, *unknown_type(name, self.types))

    def _data(self) -> tuple[Field, ...]:
        fields = []
        for number, item in enumerate(self.data.get("data", ())):
            value = item["value"]
            where = at(self.pointer, "data", number, "value")
            parts = value if isinstance(value, list) else [value]
            uses: list[str] = []
            for index, part in enumerate(parts):
                size = self.out.tiling_value(part, at(where, index) if isinstance(value, list) else where)
                uses += names(size) if size is not None else ()
            itself = item["name"] if value == item["name"] and value in self.plain else None
            self.edges[item["name"]] = (where, tuple(name for name in dict.fromkeys(uses) if name != itself))
            shown = tuple(map(_written, parts)) if isinstance(value, list) else _written(value)
            fields.append(Field(item["name"], shown, doc=text(item.get("doc"))))
        return tuple(fields)

    def _key(self) -> tuple[Field, ...]:
        fields = []
        for number, item in enumerate(self.data.get("key", ())):
            where = at(self.pointer, "key", number, "value")
            size = self.out.size(item["value"], where)
            self.edges[item["name"]] = (where, names(size) if size is not None else ())
            values = tuple(item["values"])
            bits = item.get("bits", max(1, (len(values) - 1).bit_length()))
            fields.append(Field(item["name"], _written(item["value"]), bits, values, text(item.get("doc"))))
        return tuple(fields)

    # Names and cycles

    def _check_names(self) -> None:
        keys = {item["name"] for item in self.data.get("key", ())}
        fields = {item["name"] for item in self.data.get("data", ())}
        blocks = [name for name in self.edges if name.startswith("block_")]
        known = {*self.plain, *keys, *fields, *blocks, *_BUILT_IN}
        for owner, (where, uses) in self.edges.items():
            on_chip = owner in ("block", "buffers") or owner.startswith("block_")
            for name in uses:
                if name not in known:
                    what, why = (
                        f"unknown name `{name}`",
                        "Tiling expressions know dims, attributes, fields and a few quantities.",
                    )
                    fix = did_you_mean(name, known, f"Known: {listed(sorted(known))}.")
                    self._at_name(where, name, what, why, fix)
                elif on_chip and name not in keys:
                    what = f"`{owner.split('_')[0]}` depends on `{name}`"
                    why = "It is a constant of the kernel, and may depend on fields of `tiling.key` only."
                    self._at_name(where, name, what, why, "Write a number, or leave it out and it is planned.")

    def _at_name(self, where: str, name: str, what: str, why: str, fix: str) -> None:
        self.out.within("OPG403", where, _source(self.data, where[len(self.pointer) :]), name, what, why, fix)

    def _check_cycles(self) -> None:
        edges = {name: uses for name, (_, uses) in self.edges.items()}
        blocks = [name for name in edges if name == "block" or name.startswith("block_")]
        edges.setdefault("tiles", ("elements", *blocks))
        edges.setdefault("cores", ("device_cores", "tiles"))
        edges.setdefault("block", tuple(blocks) if "block" not in edges else edges["block"])
        for name, (where, _) in self.edges.items():
            path = _cycle(edges, name)
            if path:
                what = f"`{name}` depends on itself: {' -> '.join(path)}"
                why = "The host computes each value once, before the kernel is launched."
                self.out.add("OPG403", where, what, why, "Write one of them without the others.")
                return

    # Fields of TilingKey and TilingData

    def _check_key(self, fields: tuple[Field, ...]) -> None:
        total = 0
        for number, field in enumerate(fields):
            where = at(self.pointer, "key", number)
            assert field.bits is not None
            total += field.bits
            needed = max(1, (len(field.values) - 1).bit_length())
            if field.bits < needed:
                width = f"{field.bits} bit holds" if field.bits == 1 else f"{field.bits} bits hold"
                what = f"{width} {2**field.bits} values, and `{field.name}` has {len(field.values)}"
                why = "The index of a value is packed, the first field in the lowest bits."
                self.out.add("OPG802", at(where, "bits"), what, why, f"Write {needed}, or leave it out.")
            number_value = _constant(field.value)
            if number_value is not None and number_value not in field.values:
                what = f"the value {number_value} is not among the candidates of `{field.name}`"
                why = "The host picks one of the kernels that were built."
                fix = f"Candidates: {', '.join(map(str, field.values))}."
                self.out.add("OPG803", at(where, "value"), what, why, fix)
            elif _is_truth(field.value) and not {0, 1} <= set(field.values):
                what = f"a comparison gives 0 or 1, and `{field.name}` has {', '.join(map(str, field.values))}"
                why = "The host picks one of the kernels that were built."
                self.out.add("OPG803", at(where, "value"), what, why, "Write `values: [0, 1]`.")
        if total > _KEY_BITS:
            what = f"the fields need {total} bits"
            self.out.add(
                "OPG802", at(self.pointer, "key"), what, f"A TilingKey has {_KEY_BITS}.", "Use fewer or smaller fields."
            )

    def _check_read(self, data: tuple[Field, ...], key: tuple[Field, ...]) -> None:
        """Fields that neither the generated kernel nor another expression reads."""
        read = {name for _, uses in self.edges.values() for name in uses}
        for number, field in enumerate(key):
            if field.name not in read:
                self._never_read("key", number, field)
        for number, field in enumerate(data):
            if field.name not in read and not _is_quantity(field, self.signature):
                self._never_read("data", number, field)

    def _never_read(self, kind: str, number: int, field: Field) -> None:
        what, why = f"the field `{field.name}` is never read", "The host would compute and copy it for nothing."
        self.out.add(
            "OPG804", at(self.pointer, kind, number), what, why, "Remove it, or use it in `block` or `buffers`."
        )


def _written(value: Any) -> str:
    return ("1" if value else "0") if isinstance(value, bool) else str(value)


def _source(data: Any, pointer: str) -> object:
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        data = data[int(name)] if isinstance(data, list) else data[name]
    return data


def _cycle(edges: dict[str, tuple[str, ...]], start: str) -> list[str]:
    """A path from a name back to itself; empty when there is none."""
    stack: list[tuple[str, Iterator[str]]] = [(start, iter(edges.get(start, ())))]
    path = [start]
    seen: set[str] = set()
    while stack:
        following = next(stack[-1][1], None)
        if following is None:
            stack.pop()
            path.pop()
        elif following == start:
            return [*path, start]
        elif following not in seen:
            seen.add(following)
            stack.append((following, iter(edges.get(following, ()))))
            path.append(following)
    return []


def _parsed(value: str | tuple[str, ...]) -> Size | None:
    try:
        return simplify(parse_size(value)) if isinstance(value, str) else None
    except FormulaError:
        return None


def _constant(value: str | tuple[str, ...]) -> int | None:
    size = _parsed(value)
    return None if size is None else size.number


def _is_truth(value: str | tuple[str, ...]) -> bool:
    size = _parsed(value)
    return size is not None and size.op in ("lt", "le", "gt", "ge", "eq", "ne", "not")


def _is_quantity(field: Field, signature: Signature) -> bool:
    """Whether a generated kernel needs the quantity that a field holds."""
    size = _parsed(field.value)
    if size is None:
        return False
    if size.op == "name":
        dynamic = {dim.name for dim in signature.dims if dim.dynamic} | {a.name for a in signature.attrs if a.dynamic}
        return str(size.value) in {*dynamic, "tiles", "elements", "cores", "block"}
    return size.op in ("ceildiv", "mul")

"""The fields of TilingData and TilingKey: those of op.yaml, and what the kernel needs besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opgen.facts.pypto import MAX_KEY_BITS
from opgen.formula.signature import Attr, Dim, Text
from opgen.formula.sizes import Size, names, parse_value, show, simplify
from opgen.kernel.pypto import words
from opgen.kernel.pypto.plan import REST, FieldType, KeyField, TilingField
from opgen.spec.model import Field, Operator
from opgen.text.findings import Finding

_TRUTH = ("lt", "le", "gt", "ge", "eq", "ne", "not")


@dataclass(frozen=True)
class Quantity:
    """Something that the kernel reads from TilingData. name: "tiles", "columns", an attribute. wanted: the name of the
    field that is added for it. instead: values of op.yaml's fields that serve as well."""

    name: str
    wanted: str
    type: FieldType
    value: Size
    doc: Text
    instead: tuple[Size, ...] = ()


def candidates(attr: Attr) -> tuple[int, ...]:
    """The values of a closed attribute in the key: its own where they are numbers from 0, else their positions."""
    if attr.type == "bool":
        return (0, 1)
    if attr.type == "int" and all(isinstance(v, int) and v >= 0 for v in attr.values):
        return tuple(int(v) for v in attr.values if isinstance(v, int))
    return tuple(range(len(attr.values)))


def in_key(attr: Attr, value: object) -> int:
    """The value of the key's field that stands for an attribute's value."""
    if attr.type == "bool":
        return int(bool(value))
    numbers = candidates(attr)
    return numbers[list(attr.values).index(value)]  # type: ignore[arg-type]


@dataclass
class Fields:
    """Collects the fields of one operator. known: "elements", "tiles" and "cores" -> what they are. blocks: names of
    blocks -> their values."""

    operator: Operator
    known: Mapping[str, Size]
    blocks: Mapping[str, Size]
    data: list[TilingField] = field(default_factory=list)
    key: list[KeyField] = field(default_factory=list)
    held: dict[str, str] = field(default_factory=dict)
    findings: dict[Finding, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        tiling = self.operator.tiling
        self.given = {f.name: _parsed(f) for f in (*tiling.key, *tiling.data)}
        self.types = {a.name: _attr_type(a) for a in self.operator.attrs}
        for item in tiling.key:
            assert item.bits is not None
            value = self.given[item.name][0]
            self.key.append(KeyField(item.name, item.bits, item.values, value, item.doc, given=True))
        self.data += [self._data_field(item) for item in tiling.data]

    # ---- values ----

    def _data_field(self, item: Field) -> TilingField:
        sizes = self.given[item.name]
        kinds = [self._type(size, item.name) for size in sizes]
        kind: FieldType = "float" if "float" in kinds else "int" if "int" in kinds else "bool"
        return TilingField(item.name, kind, sizes[0], item.doc, sizes if isinstance(item.value, tuple) else ())

    def _type(self, size: Size, within: str) -> FieldType:
        if size.op == "const":
            return "float" if isinstance(size.value, float) else "int"
        if size.op == "name":
            name = str(size.value)
            if name in self.given and name != within:
                return self._type(self.given[name][0], name)
            return self.types.get(name, "int")
        if size.op in _TRUTH:
            return "bool"
        parts = size.args[1:] if size.op == "if" else size.args
        kinds = {self._type(part, within) for part in parts}
        if size.op == "if" and kinds == {"bool"}:
            return "bool"
        return "float" if "float" in kinds else "int"

    def canonical(self, size: Size, within: str = "") -> Size:
        """The expression in terms of dims, attributes and device_cores only: equal ones are the same quantity."""
        return simplify(self._expanded(size, (within,)))

    def _expanded(self, size: Size, within: tuple[str, ...]) -> Size:
        if size.op == "name":
            name = str(size.value)
            value = self._meaning(name)
            return size if value is None or name in within else self._expanded(value, (*within, name))
        if not size.args:
            return size
        return Size(size.op, tuple(self._expanded(arg, within) for arg in size.args), size.value)

    def _meaning(self, name: str) -> Size | None:
        if name in self.given:
            return self.given[name][0]
        if name in self.blocks:
            return self.blocks[name] if self.blocks[name].number is not None else None
        return self.known.get(name)

    # ---- what the kernel needs ----

    def provide(self, quantity: Quantity) -> None:
        """The field that holds a quantity: one of op.yaml, else a new one."""
        wanted = [self.canonical(value) for value in (quantity.value, *quantity.instead)]
        for item in self.data:
            same = item.name in self.given and item.type == quantity.type and not item.items
            if same and self.canonical(item.value, item.name) in wanted:
                self.held[quantity.name] = item.name
                return
        name = self._unused(quantity.wanted)
        self.data.append(TilingField(name, quantity.type, quantity.value, quantity.doc))
        self.held[quantity.name] = name

    def _unused(self, name: str) -> str:
        taken = {f.name for f in self.data} | {f.name for f in self.key}
        while name in taken:
            name += "_"
        return name

    def choose(self, attrs: Iterable[Attr], dims: Iterable[Dim]) -> None:
        """Key fields of the closed choices, and of optional inputs."""
        for attr in attrs:
            self._choice(
                attr.name, attr.name, candidates(attr), _or(attr.doc, words.attribute(attr.name)), _choices(attr)
            )
        for dim in dims:
            name = dim.name.lower()
            self._choice(dim.name, name, dim.values, _or(dim.doc, words.size(dim.name)), ())
        for tensor in self.operator.optional_inputs:
            name = f"has_{tensor.name}"
            self._choice(name, name, (0, 1), words.connected(tensor.name), ())

    def _choice(self, source: str, name: str, values: tuple[int, ...], doc: Text, choices: tuple[object, ...]) -> None:
        for item in self.key:
            if item.value == Size.name(source) and set(values) <= set(item.values):
                self.held[source] = item.name
                return
        bits = max(1, (len(values) - 1).bit_length())
        name = self._unused(name)
        self.key.append(KeyField(name, bits, values, Size.name(source), doc, choices))  # type: ignore[arg-type]
        self.held[source] = name

    # ---- the end ----

    def finish(self, others: Iterable[Size]) -> None:
        """others: expressions besides the fields that may read them."""
        if not self.key:
            self.key.append(KeyField(self._unused("sch_mode"), 1, (0,), Size.const(0), words.ONLY))
        self._check_width()
        if self.operator.kernel is None:
            self._check_read(others)

    def _check_width(self) -> None:
        total = sum(item.bits for item in self.key)
        if total > MAX_KEY_BITS:
            added = ", ".join(f"`{item.name}` {item.bits}" for item in self.key if not item.given)
            why = f"A TilingKey has {MAX_KEY_BITS}. Static values with a finite choice are fields of it: {added} bits."
            fix = "Use fewer or smaller fields, or make attributes dynamic."
            self._add("OPG802", f"the fields of TilingKey need {total} bits", why, fix, "key")

    def _check_read(self, others: Iterable[Size]) -> None:
        """Fields of TilingKey that nothing reads, and those of TilingData that the kernel does not read."""
        read = set(self.held.values())
        elsewhere = {
            used for name, sizes in self.given.items() for size in sizes for used in names(size) if used != name
        }
        elsewhere |= {used for size in others for used in names(size)}
        for number, item in enumerate(self.operator.tiling.key):
            if item.name not in read | elsewhere:
                why = "The generated kernel has no use for it, and no other expression reads it."
                fix = "Remove it, or use it in `block` or `buffers`."
                self._add("OPG804", f"the field `{item.name}` is never read", why, fix, f"key/{number}")
        for number, item in enumerate(self.operator.tiling.data):
            if item.name not in read:
                what, why = f"the field `{item.name}` is never read", "The generated kernel has no use for it."
                fix = "Remove it."
                if item.name in elsewhere:
                    what = f"the kernel does not read the field `{item.name}`"
                    why = "What only the host needs would be copied to every core for nothing."
                    fix = f"Write `{show(self.given[item.name][0])}` where its name stands, and remove it."
                self._add("OPG804", what, why, fix, f"data/{number}")

    def _add(self, rule: str, what: str, why: str, fix: str, below: str) -> None:
        pointer = f"{self.operator.pointer}/tiling" + (f"/{below}" if self.operator.tiling.key or "/" in below else "")
        self.findings[Finding(rule, what, why, fix, pointer=pointer)] = None

    def order(self, extra: Mapping[str, Size]) -> tuple[str, ...]:
        """Names of blocks, tiles, cores and fields, each behind those that it depends on. extra: what else there is."""
        values: dict[str, tuple[Size, ...]] = {name: (value,) for name, value in {**self.blocks, **extra}.items()}
        values |= {item.name: (item.value,) for item in self.key}
        # A field of the name of a quantity holds it, and depends on what that depends on.
        values = {item.name: item.items or (item.value,) for item in self.data} | values
        return tuple(_sorted(values))


def _sorted(values: Mapping[str, tuple[Size, ...]]) -> Iterator[str]:
    """Depth first, in order of appearance. The spec has no cycles."""
    done: set[str] = set()

    def visit(name: str) -> Iterator[str]:
        if name in done or name not in values:
            return
        done.add(name)
        for size in values[name]:
            for used in names(size):
                yield from visit(used)
        yield name

    for name in values:
        yield from visit(name)


def _parsed(item: Field) -> tuple[Size, ...]:
    """The value as the host computes it, `...` as a name."""
    parts = item.value if isinstance(item.value, tuple) else (item.value,)
    return tuple(as_written(parse_value(part)) for part in parts)


def as_written(size: Size) -> Size:
    """An expression with `...` and `itemsize(T)` as names."""
    if size.op == "rest":
        return Size.name(REST)
    if size.op == "itemsize":
        return Size.name(f"itemsize({size.value})")
    return Size(size.op, tuple(as_written(arg) for arg in size.args), size.value) if size.args else size


def _or(doc: Text, otherwise: Text) -> Text:
    return doc if doc.en else otherwise


def _attr_type(attr: Attr) -> FieldType:
    return "float" if attr.type == "float" else "bool" if attr.type == "bool" else "int"


def _choices(attr: Attr) -> tuple[object, ...]:
    """What the candidates stand for, where they are positions."""
    own = attr.type == "bool" or (attr.type == "int" and candidates(attr) == attr.values)
    return () if own else attr.values

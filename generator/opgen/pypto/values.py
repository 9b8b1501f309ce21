"""The values that the host computes, as C++: which have variables, and what the variables are called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.layout import assignment, comment
from opgen.cxx.names import Names
from opgen.formula.sizes import Size, names, simplify, substitute
from opgen.kernel.pypto.plan import FIELD_CXX, REST, KeyField, PyptoPlan, TilingField
from opgen.pypto.host import Host
from opgen.pypto.names import lower_camel
from opgen.pypto.shapes import Shapes
from opgen.pypto.size_code import SizeCode, helpers

_NUMBER = "int64_t"
_EQUAL_TILES = (
    "As many rounds as full tiles take on all vector cores, two a block; then equal tiles that fill these rounds."
)


@dataclass(frozen=True)
class Choice:
    """An attribute whose field of the key holds the position of its value. constant: the list of its values."""

    attr: str
    variable: str
    constant: str
    values: tuple[object, ...]


@dataclass(frozen=True)
class Values:
    """The values of one operator.

    A name of the plan resolves to a number, to a name that is not computed ("leaf": a dim, an attribute, device_cores,
    `...`), to a block that is a constant, or to the first name that has the same value ("owner"), which has a variable.
    """

    host: Host
    shapes: Shapes
    plan: PyptoPlan

    @cached_property
    def _defined(self) -> dict[str, Size]:
        elements = {} if self.plan.elements is None else {"elements": self.plan.elements}
        return {**elements, **{name: self.plan.value(name) for name in self.plan.order if name not in elements}}

    @property
    def _constants(self) -> set[str]:
        return {b.name for b in self.plan.blocks if b.value.number is not None}

    @cached_property
    def _resolved(self) -> dict[str, Size]:
        constants = self._constants
        found: dict[str, Size] = {}
        owners: dict[Size, str] = {}
        for name, value in self._defined.items():
            known: dict[str, int | Size] = {n: found[n] for n in names(value) if n in found and n != name}
            plain = simplify(substitute(value, known))
            if name in constants:
                found[name] = Size.name(name)
            elif plain.op in ("name", "const"):
                found[name] = plain
            else:
                found[name] = Size.name(owners.setdefault(plain, name))
        return found

    @cached_property
    def _owners(self) -> tuple[str, ...]:
        own = ((name, value) for name, value in self._defined.items() if self._resolved[name] == Size.name(name))
        return tuple(name for name, value in own if value != Size.name(name) and name not in self._constants)

    def _meant(self, size: Size) -> Iterator[str]:
        """The leaves, constants and owners that an expression reads."""
        for name in names(size):
            to = self._resolved.get(name, Size.name(name))
            if to.op == "name":
                yield str(to.value)

    @cached_property
    def _readers(self) -> dict[str, list[str]]:
        """Leaf, constant or owner -> who reads it: owners, "data", "key", "cores", "workspace"."""
        found: dict[str, list[str]] = {}
        waiting = [("data", size) for f in self.plan.data for size in (f.items or (Size.name(f.name),))]
        waiting += [("key", Size.name(f.name)) for f in self.plan.key]
        waiting += [("cores", self.plan.cores), ("workspace", self.plan.workspace)]
        while waiting:
            reader, size = waiting.pop(0)
            for name in self._meant(size):
                if name in self._owners and name not in found:
                    waiting.append((name, self._defined[name]))
                found.setdefault(name, []).append(reader)
        return found

    # Names

    def _fields(self, name: str) -> list[TilingField | KeyField]:
        """The fields that have the value of a leaf or an owner."""
        fields: list[TilingField | KeyField] = [f for f in self.plan.data if not f.items]
        fields += self.plan.key
        return [f for f in fields if self._resolved[f.name] == Size.name(name)]

    @cached_property
    def _variables(self) -> dict[str, str]:
        """Owner, or leaf that needs one -> its variable, called like the first field that has the value."""
        made = Names(self.host.taken())
        blocks = {b.name: b.constant.lower() for b in self.plan.blocks}
        found = {}
        for name in self._readers:
            fields = [f.name for f in self._fields(name)]
            if name == "device_cores":
                found[name] = "deviceCores"
            elif name.startswith("itemsize("):
                found[name] = made.new("itemSize", f"{name[9:-1].lower()}ItemSize")
            elif name == REST or name in self._owners:
                same = next((n for n in ("elements", "tiles") if self._resolved.get(n) == Size.name(name)), name)
                plain = "leadingSize" if same == REST else blocks.get(same, same)
                found[name] = made.new(lower_camel([*fields, plain][0]))
            elif name in self.presences:
                found[name] = made.new(lower_camel(name))
        for key in self.plan.key:
            if key.choices:
                attr = str(key.value.value)
                found[attr] = made.new(lower_camel(f"{attr}_index"))
        return found

    @property
    def presences(self) -> dict[str, str]:
        """`has_gamma` -> gamma."""
        return {f"has_{t.name}": t.name for t in self.host.operator.optional_inputs}

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        attrs = ((str(f.value.value), f.choices) for f in self.plan.key if f.choices)
        return tuple(Choice(a, self._variables[a], f"{a.upper()}_VALUES", values) for a, values in attrs)

    @property
    def leaves(self) -> dict[str, str]:
        """What is neither computed nor an attribute or the size of an axis -> its variable."""
        attrs = {a.name for a in self.host.operator.attrs}
        return {name: v for name, v in self._variables.items() if name not in self._owners and name not in attrs}

    @property
    def attrs(self) -> tuple[str, ...]:
        """Attributes that expressions name."""
        return tuple(a.name for a in self.host.operator.attrs if a.name in self._readers)

    @property
    def every(self) -> tuple[Size, ...]:
        """Every expression that is written."""
        own = [self._defined[name] for name in self._owners if name in self._readers]
        items = [item for f in self.plan.data for item in f.items]
        return (*own, *items, self.plan.cores, self.plan.workspace)

    # Code

    @cached_property
    def code(self) -> SizeCode:
        operator = self.host.operator
        floats = {a.name for a in operator.attrs if a.type == "float"}
        truths = {a.name for a in operator.attrs if a.type == "bool"} | set(self.presences)
        truths -= {c.attr for c in self.choices}
        floats -= {c.attr for c in self.choices}
        for name, value in self._defined.items():
            to = self._resolved[name]
            if to.op != "name":
                continue
            kind = self._field_type(str(to.value))
            if to.value in floats or kind == "float" or (not kind and SizeCode(str, frozenset(floats)).is_float(value)):
                floats.add(name)
            elif to.value in truths or kind == "bool":
                truths.add(name)
        return SizeCode(self._name, frozenset(floats), frozenset(truths))

    def _name(self, name: str) -> str:
        to = self._resolved.get(name, Size.name(name))
        if to.op == "const":
            return self.code(to)
        name = str(to.value)
        if name in self._variables:
            return self._variables[name]
        block = next((b for b in self.plan.blocks if b.name == name), None)
        if block is not None:
            return block.constant
        if name in self.shapes.members:
            return f"sizes.{self.shapes.members[name]}"
        return f"*{self.host.attr_locals[name]}"

    def _field_type(self, owner: str) -> str:
        """The type of the first field of TilingData that has the value; "" when none has."""
        return next((FIELD_CXX[f.type] for f in self._fields(owner) if isinstance(f, TilingField)), "")

    def _type(self, owner: str) -> str:
        return self._field_type(owner) or ("float" if self.code.is_float(self._defined[owner]) else _NUMBER)

    def definitions(self) -> Iterator[str]:
        """Statements that compute values of several readers, and those that other values read."""
        for owner in self._owners:
            readers = self._readers.get(owner, [])
            if readers and readers not in (["data"], ["key"]):
                kind = self._type(owner)
                value = self.code.of_type(self._defined[owner], kind)
                if owner in dict(self.plan.helpers):
                    yield comment(_EQUAL_TILES, 4)
                yield assignment(f"    const {kind} {self._variables[owner]}", value)

    def assignments(self) -> Iterator[str]:
        """Statements that fill the tiling data."""
        for f in self.plan.data:
            kind = FIELD_CXX[f.type]
            if f.items:
                for number, item in enumerate(f.items):
                    yield assignment(f"    tiling->{f.name}[{number}]", self.code.of_type(item, kind))
            else:
                to = self._resolved[f.name]
                alone = to.op == "name" and self._readers[str(to.value)] == ["data"] and to.value in self._owners
                value = self._defined[str(to.value)] if alone else to
                yield assignment(f"    tiling->{f.name}", self.code.of_type(value, kind))

    def key_definitions(self) -> Iterator[str]:
        """Statements that compute what only the key reads."""
        for f in self.plan.key:
            if self._only_key(f):
                value = self.code.of_type(self._defined[str(self._resolved[f.name].value)], "uint64_t")
                yield assignment(f"    const uint64_t {self._name(f.name)}", value)

    def _only_key(self, key: KeyField) -> bool:
        to = self._resolved[key.name]
        return to.op == "name" and to.value in self._owners and self._readers[str(to.value)] == ["key"]

    def key_argument(self, key: KeyField) -> str:
        """What picks the candidate, as a uint64_t."""
        to = self._resolved[key.name]
        if to.op == "const" or self._only_key(key):
            return self._name(key.name)
        return f"static_cast<uint64_t>({self.code.of_type(to, _NUMBER)})"

    def functions(self) -> list[str]:
        return list(helpers(self.every))

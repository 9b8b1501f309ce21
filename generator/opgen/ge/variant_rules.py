"""Which kernel a node takes: attributes, the parts of the key, the command line of the compiler."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.layout import WIDTH, Expr, call, flat, joined, statement
from opgen.cxx.literals import attr_value, integer, real
from opgen.cxx.names import distinct, ge_type
from opgen.formula.signature import Attr
from opgen.ge.host import Host
from opgen.ge.type_rules import TypeRules

_CXX = {
    "bool": ("bool", " = false"),
    "int": ("int64_t", " = 0"),
    "float": ("float", " = 0.0F"),
    "string": ("std::string", ""),
    "dtype": ("ge::DataType", " = ge::DT_UNDEFINED"),
    "ints": ("std::vector<int64_t>", ""),
    "floats": ("std::vector<float>", ""),
}


@dataclass(frozen=True)
class Part:
    """A part of the key. key: expression in Variant, "" for a part that is there only sometimes. prefix: text before
    it. value: what Variant holds of it."""

    member: str
    cxx: str
    prefix: str
    value: str


@dataclass(frozen=True)
class VariantRules:
    host: Host
    types: TypeRules

    # Attributes

    @property
    def attribute_members(self) -> list[str]:
        return [f"{_CXX[a.type][0]} {a.name}{_CXX[a.type][1]};" for a in self.host.operator.attrs]

    @property
    def attribute_checks(self) -> Expr:
        checks: list[Expr] = []
        for index, attr in enumerate(self.host.operator.attrs):
            value = f"attributes.{attr.name}"
            checks.append(call("reader.Read", str(index), f'"{attr.name}"', value))
            checks += _limits(attr, value)
        return joined("&&", checks)

    @property
    def needs_limits(self) -> bool:
        return any(_infinite(attr) for attr in self.host.operator.attrs)

    # The variant

    @cached_property
    def parts(self) -> list[Part]:
        interface = self.host.interface
        symbols = list(interface.symbols)
        members = [*self._symbol_members(symbols)]
        parts = [
            Part(member, "std::string", "", f"custom_op::DataTypeName({self.types.symbol_held(symbol)})")
            for symbol, member in zip(symbols, members, strict=True)
        ]
        taken = list(members)
        for dim in self.host.static_dims:
            wanted = "count" if self._is_count(dim.of) else dim.name.lower()
            (member,) = distinct((wanted,), taken)
            taken.append(member)
            parts.append(Part(member, "std::string", dim.name, f"std::to_string({self.size_value(dim.of)})"))
        for option in interface.options:
            (member,) = distinct((option.name,), taken)
            taken.append(member)
            value = f"attributes.{option.name}"
            text = {"string": value, "ints": f'custom_op::ListText({value}, "x", "empty")'}
            text["floats"] = text["ints"]
            code = text.get(option.type, f"custom_op::ValueText({value})")
            parts.append(Part(member, "std::string", f"{option.name}_", code))
        return parts

    def _symbol_members(self, symbols: list[str]) -> tuple[str, ...]:
        return ("type",) if len(symbols) == 1 else distinct(s.lower() for s in symbols)

    def _is_count(self, of: tuple[str, ...]) -> bool:
        """Whether a size is a number of elements: of a generated kernel, or the product of `...`."""
        return of in ((), ("...",))

    def size_value(self, of: tuple[str, ...]) -> str:
        """A size of the kernel's command line as an int64_t."""
        if self._is_count(of):
            return "count"
        members = {**self.host.dim_members, "...": ""}
        product = " * ".join(f"sizes.{members[name]}" if members[name] else "custom_op::Size(count)" for name in of)
        return f"{product}.value()" if len(of) == 1 else f"({product}).value()"

    @property
    def presences(self) -> list[tuple[str, str]]:
        """Optional inputs: member of Variant, name."""
        taken = [p.member for p in self.parts]
        names = [t.name for t in self.host.interface.optional]
        return list(zip(distinct((f"has_{n}" for n in names), taken), names, strict=True))

    @property
    def has_variant(self) -> bool:
        return bool(self.parts or self.presences)

    @property
    def key_function(self) -> str:
        """The function of Variant that makes its key, as KernelInterface.key does."""
        absences = [f'({member} ? "" : "_no_{name}")' for member, name in self.presences]
        if not self.parts:
            lines = [
                "  std::string Key() const {",
                statement("    const std::string key = ", joined("+", ["std::string()", *absences]), ";"),
                '    return key.empty() ? "kernel" : key.substr(1U);',
                "  }",
            ]
            return "\n".join(lines)
        pieces: list[str] = []
        for position, part in enumerate(self.parts):
            before = ("_" if position else "") + part.prefix
            pieces += [f'"{before}"', part.member] if before else [part.member]
        value = joined("+", [*pieces, *absences])
        line = f"  std::string Key() const {{ return {flat(value)}; }}"
        if len(line) <= WIDTH:
            return line
        return "\n".join(["  std::string Key() const {", statement("    return ", value, ";"), "  }"])

    @property
    def options(self) -> list[str]:
        """Words of the command line that name the types, as items of a C++ list."""
        symbols = self.host.interface.symbols
        if not symbols:
            return []
        members = [f"variant.{p.member}" for p in self.parts[: len(symbols)]]
        if len(symbols) == 1:
            return ['"--dtype"', members[0]]
        pairs = [f'"{"," if i else ""}{s}=" + {m}' for i, (s, m) in enumerate(zip(symbols, members, strict=True))]
        return ['"--dtype"', " + ".join(pairs)]

    @property
    def attribute_options(self) -> list[str]:
        """Statements that add the options of static attributes."""
        options = self.host.interface.options
        parts = self.parts[len(self.parts) - len(options) :]
        return [_option(option, part) for option, part in zip(options, parts, strict=True)]

    @property
    def lists_in_options(self) -> bool:
        return any(option.type in ("ints", "floats") for option in self.host.interface.options)

    @property
    def dims(self) -> list[str]:
        """Sizes on the command line, as items of a C++ list."""
        static = {dim.name: part.member for dim, part in zip(self.host.static_dims, self._dim_parts, strict=True)}
        return [f"variant.{static[d.name]}" if d.name in static else '"-1"' for d in self.host.interface.dims]

    @property
    def _dim_parts(self) -> list[Part]:
        first = len(self.host.interface.symbols)
        return self.parts[first : first + len(self.host.static_dims)]


def _option(option: Attr, part: Part) -> str:
    """One word each, because a negative number alone looks like an option."""
    if option.type in ("ints", "floats"):
        return f'options.push_back("--{option.name}=" + custom_op::ListText(attributes.{option.name}, ",", ""));'
    return f'options.push_back("--{option.name}=" + variant.{part.member});'


def _limits(attr: Attr, value: str) -> list[Expr]:
    name = f'"{attr.name}"'
    if attr.type == "dtype":
        allowed = ", ".join(ge_type(str(v)) for v in attr.values)
        return [call("check.HasType", f'"attribute {attr.name}"', value, f"{{{allowed}}}")]
    if attr.values and attr.type != "bool":
        allowed = ", ".join(attr_value(attr, v) for v in attr.values)
        return [call("custom_op::OneOf", "check", name, value, f"{{{allowed}}}")]
    if attr.type in ("ints", "floats"):
        return _list_limits(attr, value)
    low = None if attr.min is None else _number(attr, attr.min)
    high = None if attr.max is None else _number(attr, attr.max)
    if low is not None and high is not None:
        return [call("custom_op::InRange", "check", name, value, low, high)]
    if low is not None:
        return [call("custom_op::AtLeast", "check", name, value, low)]
    if high is not None:
        return [call("custom_op::AtMost", "check", name, value, high)]
    return []


def _list_limits(attr: Attr, value: str) -> list[Expr]:
    if attr.min is None and attr.max is None:
        return []
    widest = (-math.inf, math.inf) if attr.type == "floats" else (-(2**63), 2**63 - 1)
    low, high = (bound if given is None else given for given, bound in zip((attr.min, attr.max), widest, strict=True))
    return [call("custom_op::AllInRange", "check", f'"{attr.name}"', value, _number(attr, low), _number(attr, high))]


def _number(attr: Attr, value: int | float) -> str:
    return real(value) if attr.type in ("float", "floats") else integer(int(value))


def _infinite(attr: Attr) -> bool:
    values: list[object] = [attr.min, attr.max]
    for value in attr.values:
        values += value if isinstance(value, tuple) else [value]
    half_open = attr.type == "floats" and (attr.min is None) != (attr.max is None)
    return half_open or any(isinstance(v, float) and math.isinf(v) for v in values)

"""What is decided before a formula has types: conditions, options, sizes, for one variant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from opgen.facts.dtypes import ALIASES, DTYPES
from opgen.formula.problems import Problem
from opgen.formula.signature import Attr, Shape, Signature, Variant
from opgen.formula.sizes import Size, names, simplify, substitute, type_names
from opgen.formula.syntax_tree import Expr

Static = bool | int | float | str


@dataclass
class Statics:
    """Static values of one variant, and the problems found with them."""

    signature: Signature
    variant: Variant
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.types: dict[str, str] = dict(self.variant.types)
        self.values = dict(self.variant.attrs)
        self.attrs: dict[str, Attr] = {attr.name: attr for attr in self.signature.attrs}
        self.dims = {dim.name for dim in self.signature.dims if not dim.rest}
        self._numbers: Mapping[str, int | Size] = {
            **{name: int(value) for name, value in self.values.items() if isinstance(value, (bool, int))},
            **{name: DTYPES[dtype].size for name, dtype in self.types.items() if dtype in DTYPES},
        }

    @property
    def when(self) -> str:
        """For which choices, as part of a message; "" when there is nothing to choose."""
        parts = [f"{name} = {dtype}" for name, dtype in self.variant.types]
        parts += [f"{name} = {_text(value)}" for name, value in self.variant.attrs]
        parts += [f"no {name}" for name in self.variant.absent]
        return f" ({', '.join(parts)})" if parts else ""

    def report(self, rule: str, expr: Expr, what: str, why: str, fix: str) -> None:
        self.problems.append(Problem(rule, what, why, fix, expr.offset, expr.length))

    def fold(self, size: Size) -> Size:
        """The size with static attributes and types replaced, in normal form."""
        return simplify(substitute(size, self._numbers))

    def shape(self, shape: Shape) -> Shape:
        return tuple(self.fold(axis) for axis in shape)

    def size(self, size: Size, offset: int, length: int, locals_: frozenset[str] | set[str]) -> Size | None:
        """A size that stands in the formula: it names dims and int attributes."""
        known = [*sorted(self.dims), *(a.name for a in self.attrs.values() if a.type in ("int", "bool"))]
        for name in names(size):
            if name in known:
                continue
            if name in locals_ or name in self.attrs or any(name == tensor.name for tensor in self.signature.inputs):
                what, fix = f"`{name}` is no size", "use dims and int attributes"
            else:
                what, fix = f"unknown name `{name}`", did_you_mean(name, known)
            why = "sizes are known before there are elements: they name dims and int attributes"
            self.problems.append(Problem("OPG302", what, why, fix, offset, length))
            return None
        for name in type_names(size):
            if name not in DTYPES and name not in self.types:
                self._unknown_type(name, offset, length)
                return None
        return self.fold(size)

    def type(self, expr: Expr) -> str | None:
        """The type that the second argument of `cast` stands for."""
        name = str(expr.value)
        if name in self.types:
            return self.types[name]
        if name in DTYPES:
            return name
        self._unknown_type(name, expr.offset, expr.length)
        return None

    def _unknown_type(self, name: str, offset: int, length: int) -> None:
        known = [*self.types, *DTYPES]
        fix = f"did you mean `{ALIASES[name]}`?" if name in ALIASES else did_you_mean(name, known)
        why = f"types are {' '.join(known)}"
        self.problems.append(Problem("OPG201", f"unknown type `{name}`", why, fix, offset, length))

    def condition(self, expr: Expr) -> bool | None:
        """The value of a static condition, or None after a report."""
        if expr.op in ("eq", "ne"):
            left, right = (self._operand(arg) for arg in expr.args)
            if left is None or right is None:
                return None
            if not self._comparable(expr, left, right):
                return None
            return (left == right) == (expr.op == "eq")
        inner = expr.args[0] if expr.op == "not" else expr
        value = self._operand(inner)
        if value is None:
            return None
        if isinstance(value, str):
            why = "a condition is true or false"
            self.report("OPG304", inner, f"`{inner.value}` is a text", why, f'write `{inner.value} == "..."`')
            return None
        return bool(value) != (expr.op == "not")

    def option(self, expr: Expr) -> Static | None:
        """The value of an option of a function: a condition or an operand."""
        return self.condition(expr) if expr.op in ("eq", "ne", "not") else self._operand(expr)

    def _operand(self, expr: Expr) -> Static | None:
        if expr.op != "name":
            value = expr.value
            return value if isinstance(value, (bool, int, float, str)) else None
        name = str(expr.value)
        if name in self.values:
            found = self.values[name]
            if isinstance(found, tuple):
                self.report(
                    "OPG304", expr, f"`{name}` is a list", "a condition compares single values", "use another one"
                )
                return None
            return found
        if name in self.types or name in DTYPES:
            return self.types.get(name, name)
        self._not_static(expr, name)
        return None

    def _not_static(self, expr: Expr, name: str) -> None:
        attr = self.attrs.get(name)
        if attr is not None:
            if attr.dynamic:
                why, fix = "it is passed when the kernel runs", f"set `dynamic: false` and `values` at `{name}`"
            else:
                why, fix = "a condition needs all values that it can have", f"list the `values` of `{name}`"
            self.report("OPG304", expr, f"the value of `{name}` is not known when the kernel is written", why, fix)
        elif name in self.dims or any(name == t.name for t in (*self.signature.inputs, *self.signature.outputs)):
            why = "a condition is decided before the kernel is compiled, by static attributes"
            self.report("OPG304", expr, f"`{name}` is no static attribute", why, "for tensors write `where(c, a, b)`")
        else:
            known = [*self.values, *self.types]
            why = "a condition names static attributes"
            self.report("OPG302", expr, f"unknown name `{name}`", why, did_you_mean(name, known))

    def _comparable(self, expr: Expr, left: Static, right: Static) -> bool:
        if isinstance(left, str) != isinstance(right, str) or isinstance(left, bool) != isinstance(right, bool):
            what = f"`{_text(left)}` is compared with `{_text(right)}`"
            self.report(
                "OPG304", expr, what, "they are of different kinds and never equal", "compare values of one kind"
            )
            return False
        for name, other in (expr.args, expr.args[::-1]):
            attr = self.attrs.get(str(name.value)) if name.op == "name" else None
            values = list(DTYPES) if attr and attr.type == "dtype" else list(attr.values) if attr else []
            if other.op in ("string", "number") and values and other.value not in values:
                what = f"`{name.value}` is never `{_text(other.value)}`"
                shown = ", ".join(_text(value) for value in values)
                fix = did_you_mean(str(other.value), [str(value) for value in values])
                self.report("OPG206", other, what, f"its values are {shown}", fix)
                return False
        return True


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def did_you_mean(name: str, known: list[str]) -> str:
    from opgen.text.suggest import closest

    near = closest(name, known)
    if near:
        return f"did you mean `{near}`?"
    return f"use one of: {', '.join(dict.fromkeys(known))}" if known else "declare it"

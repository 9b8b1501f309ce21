"""Element types in custom_op.cpp: the sets and tables, the check of the inputs, the types of the outputs."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.layout import Call, Chain, Expr, braces, call, joined, statement, table
from opgen.cxx.names import distinct, ge_type
from opgen.cxx.reg_op import choices
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Tensor
from opgen.ge.host import EXECUTE_LOCALS, Host, Input

_COLUMNS_FROM = 5  # rows of a table, of which fewer stand one a line


@dataclass(frozen=True)
class TypeRules:
    host: Host

    @cached_property
    def binders(self) -> dict[str, Input]:
        """Type symbol -> the input that tells it: the first required one, else the first list."""
        found: dict[str, Input] = {}
        for kind in ("required", "list"):
            for one in self.host.inputs:
                if one.kind == kind and one.tensor.dtype in self.host.operator.type_symbols:
                    found.setdefault(one.tensor.dtype, one)
        order = self.host.operator.type_symbols
        return {symbol: found[symbol] for symbol in order if symbol in found}

    @cached_property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The table of types: bound symbols first. Empty when every combination of the symbols is allowed."""
        symbols = (*self.binders, *self.derived)
        combinations = self.host.operator.combinations
        rows = tuple(dict.fromkeys(tuple(dict(row)[s] for s in symbols) for row in combinations))
        columns = [tuple(dict.fromkeys(row[i] for row in rows)) for i in range(len(symbols))]
        return () if set(itertools.product(*columns)) == set(rows) and not self.derived else rows

    @cached_property
    def derived(self) -> dict[str, str]:
        """Type symbol that only the table tells -> name of the variable that holds it."""
        symbols = [s for s in self.host.operator.type_symbols if s not in self.binders]
        taken = [*EXECUTE_LOCALS, *(i.local for i in self.host.inputs), *(o.local for o in self.host.outputs)]
        return dict(zip(symbols, distinct((f"{s.lower()}_type" for s in symbols), taken), strict=True))

    @property
    def constants(self) -> list[str]:
        """Definitions of the sets, or of the table."""
        if self.rows:
            rows = [f"{{{', '.join(map(ge_type, row))}}}" for row in self.rows]
            lines = [f"    {row}," for row in rows]
            if len(rows) >= _COLUMNS_FROM:
                lines = [f"    {line}" for line in table(rows, 4)]
                lines[-1] += ","
            columns = ", ".join((*self.binders, *self.derived))
            return [
                f"// The types that go together: {columns}.",
                "constexpr std::initializer_list<custom_op::DataTypes> kTypes = {",
                *lines,
                "};",
            ]
        return [
            statement(f"constexpr custom_op::DataTypes {self.constant(symbol)} = ", self._set(symbol), ";")
            for symbol in self.binders
        ]

    def _set(self, symbol: str) -> Call:
        return braces(*map(ge_type, choices(self.host.operator, symbol)))

    def constant(self, symbol: str) -> str:
        return "kTypes" if len(self.binders) == 1 else f"k{symbol}Types"

    @property
    def reads_attributes(self) -> bool:
        """Whether an input has the type that an attribute names."""
        return any(t.dtype in self.host.dtype_attrs for t in self.host.operator.inputs)

    # CheckTypes

    @property
    def parameters(self) -> list[Expr]:
        result: list[Expr] = ["const custom_op::TensorCheck &check"]
        for one in self.host.inputs:
            kind = "const std::vector<ge::DataType> &" if one.kind == "list" else "ge::DataType "
            result.append(kind + one.local)
        if self.reads_attributes:
            result.append("const Attributes &attributes")
        return result + [f"ge::DataType &{name}" for name in self.derived.values()]

    @property
    def row_search(self) -> Expr:
        names = " and ".join(i.name for i in self.binders.values())
        return call("check.FindRow", f'"{names}"', braces(*map(self._param, self.binders.values())), "kTypes")

    @property
    def from_row(self) -> list[str]:
        first = len(self.binders)
        return [f"{name} = row->begin()[{first + i}];" for i, name in enumerate(self.derived.values())]

    def _param(self, one: Input) -> str:
        return f"{one.local}[0]" if one.kind == "list" else one.local

    @property
    def checks(self) -> list[Expr]:
        """What CheckTypes demands besides a row of the table: symbols first, then what follows them."""
        first: list[Expr] = []
        later: list[Expr] = []
        for one in self.host.inputs:
            dtype = one.tensor.dtype
            if self.binders.get(dtype) is one:
                if one.kind == "list":
                    first.insert(0, call("custom_op::SameTypes", "check", f'"{one.name}"', one.local))
                if not self.rows:
                    first.append(call("check.HasType", f'"{one.name}"', self._param(one), self.constant(dtype)))
            else:
                later.append(self._follows(one))
        return [*first, *later]

    def _follows(self, one: Input) -> Expr:
        dtype = one.tensor.dtype
        args: tuple[Expr, ...]
        if dtype in self.binders:
            function, args = "SameType", (f'"{self.binders[dtype].name}"', self._param(self.binders[dtype]))
        elif dtype in self.host.dtype_attrs:
            function, args = "SameType", (f'"attribute {dtype}"', f"attributes.{dtype}")
        elif dtype in self.derived:
            function, args = "SameType", ('"the table"', self.derived[dtype])
        else:
            function, args = "HasType", (f"{{{ge_type(dtype)}}}",)
        if one.kind == "list":
            return call(f"custom_op::{function}s", "check", f'"{one.name}"', one.local, *args)
        check = call(f"check.{function}", f'"{one.name}"', one.local, *args)
        if one.kind == "optional":
            return Call("(", (Chain("||", (f"{one.local} == ge::DT_UNDEFINED", check)),))
        return check

    @property
    def result(self) -> Expr:
        return joined("&&", self.checks) if self.checks else "true"

    # What the callers know

    def given(self, one: Input) -> str:
        """The type of an input in InferDataType."""
        if self.host.plain:
            return f"ctx->GetInputDataType({one.index})"
        if one.kind == "list":
            return f"custom_op::InputTypes(*ctx, {one.index})"
        return f"ctx->Get{one.kind.capitalize()}InputDataType({one.index})"

    def held(self, one: Input) -> str:
        """The type of an input in Compile and Execute."""
        match one.kind:
            case "list":
                return f"custom_op::TypesOf(in.{one.name})"
            case "optional":
                return f"custom_op::TypeOf(in.{one.name})"
            case _:
                return f"in.{one.name}->GetDataType()"

    def symbol_held(self, symbol: str) -> str:
        """The type of a symbol or of a dtype attribute in Compile and Execute."""
        if symbol in self.binders:
            one = self.binders[symbol]
            return f"in.{one.name}[0]->GetDataType()" if one.kind == "list" else self.held(one)
        return self.derived.get(symbol) or f"attributes.{symbol}"

    def output_inferred(self, tensor: Tensor) -> str:
        """The type of an output in InferDataType."""
        if tensor.dtype in DTYPES:
            return ge_type(tensor.dtype)
        if tensor.dtype in self.binders:
            one = self.binders[tensor.dtype]
            return f"{self.given(one)}[0]" if one.kind == "list" else self.given(one)
        return self.derived.get(tensor.dtype) or f"attributes.{tensor.dtype}"

    def output_held(self, tensor: Tensor) -> str:
        """The type of an output in Execute."""
        return ge_type(tensor.dtype) if tensor.dtype in DTYPES else self.symbol_held(tensor.dtype)

    @property
    def attributes_for_outputs(self) -> bool:
        return any(t.dtype in self.host.dtype_attrs for t in self.host.operator.outputs)

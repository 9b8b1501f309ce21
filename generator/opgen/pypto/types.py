"""Data types in the host code: which go together, what the outputs have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.layout import Call, Expr, assignment, call, hanging, joined, statement, table
from opgen.cxx.names import distinct, ge_type
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Attr, Tensor
from opgen.pypto.checks import null_check, op_check, short_function, unless_success
from opgen.pypto.host import Host
from opgen.pypto.names import index_constant, lower_camel
from opgen.spec.model import Operator

_COLUMNS_FROM = 5  # rows of a table, of which fewer stand one a line


@dataclass(frozen=True)
class Types:
    host: Host

    @property
    def operator(self) -> Operator:
        return self.host.operator

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """Type symbols and attributes that choose a type, in the order of a combination."""
        return tuple(symbol for symbol, _ in self.operator.combinations[0])

    @cached_property
    def variables(self) -> dict[str, str]:
        """Symbol -> the variable that holds its type."""
        named = {a.name for a in self.attrs}
        wanted = [f"{lower_camel(s)}Value" if s in named else f"{s.lower()}Type" for s in self.symbols]
        wanted = ["type"] if len(self.symbols) == 1 else wanted
        return dict(zip(self.symbols, distinct(wanted, self.host.taken()), strict=True))

    @property
    def attrs(self) -> tuple[Attr, ...]:
        """Attributes that choose a type."""
        return tuple(a for a in self.operator.attrs if a.type == "dtype")

    @property
    def bound(self) -> dict[str, Tensor]:
        """Symbol -> the required input that tells it first."""
        found: dict[str, Tensor] = {}
        for tensor in self.operator.inputs:
            if tensor.dtype in self.symbols and not tensor.optional:
                found.setdefault(tensor.dtype, tensor)
        return found

    @property
    def derived(self) -> tuple[str, ...]:
        """Symbols that only the table of combinations tells."""
        named = {a.name for a in self.attrs}
        return tuple(s for s in self.symbols if s not in self.bound and s not in named)

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(dtype for _, dtype in row) for row in self.operator.combinations)

    # The table

    @property
    def needs_table(self) -> bool:
        return len(self.symbols) > 1

    @property
    def table(self) -> list[str]:
        """The definition of the table of types that go together."""
        rows = [f"{{{', '.join(map(ge_type, row))}}}" for row in self.rows]
        lines = [f"    {row}," for row in rows]
        if len(rows) >= _COLUMNS_FROM:
            lines = [f"    {line}" for line in table(rows, 4)]
            lines[-1] += ","
        named = ", ".join(self.symbols)
        return [
            f"// Data types that go together: {named}.",
            f"constexpr ge::DataType TYPES[][{len(self.symbols)}] = {{",
            *lines,
            "};",
        ]

    @property
    def is_supported(self) -> list[str]:
        """The function that tells whether the types of the symbols go together."""
        if not self.symbols:
            return []
        if not self.needs_table:
            checks = joined("||", [f"type == {ge_type(row[0])}" for row in self.rows])
            return [short_function("bool IsSupported(ge::DataType type)", checks)]
        parameters: list[Expr] = [f"ge::DataType {self.variables[s]}" for s in self.symbols]
        captured = ", ".join(self.variables.values())
        tests = " && ".join(f"row[{n}] == {self.variables[s]}" for n, s in enumerate(self.symbols))
        row = f"[{captured}](const auto& row) {{ return {tests}; }}"
        return [
            statement("", Call("bool IsSupported(", tuple(parameters), ")"), ""),
            "{",
            hanging("    return ", call("std::any_of", "std::begin(TYPES)", "std::end(TYPES)", row)),
            "}",
        ]

    # InferDataType

    def inference(self) -> Iterator[str]:
        """Statements of InferDataType."""
        wanted = {t.dtype for t in self.operator.outputs}
        followed = [t for t, _ in self.host.inputs if t.dtype in self.bound and (t.dtype in wanted or self.derived)]
        for tensor, local in self.host.inputs:
            if tensor in followed:
                yield assignment(f"    const ge::DataType {local}Type", self.host.getter(tensor, "DataType"))
        locals_ = dict(self.host.inputs)
        for tensor in followed:
            first = self.bound[tensor.dtype]
            if tensor is first:
                continue
            one, other = f"{locals_[first]}Type", f"{locals_[tensor]}Type"
            differs: Expr = f"{other} != {one}"
            if tensor.optional:
                differs = joined("&&", [f"{other} != ge::DT_UNDEFINED", differs])
            message = f'"{first.name} has data type %d but {tensor.name} has %d"'
            yield op_check(4, differs, message, one, other)
        yield from self._derived_types(locals_)
        yield from self.host.read_attrs(a for a in self.attrs if a.name in wanted)
        others: list[Expr]
        *others, last = (self._set_type(tensor, locals_) for tensor, _ in self.host.outputs)
        for set_type in others:
            yield unless_success(set_type)
        yield statement("    return ", last, ";")

    def _derived_types(self, locals_: dict[Tensor, str]) -> Iterator[str]:
        for symbol in self.derived:
            variable = self.variables[symbol]
            column = self.symbols.index(symbol)
            tests = [f"row[{self.symbols.index(s)}] == {locals_[t]}Type" for s, t in self.bound.items()]
            yield f"    ge::DataType {variable} = ge::DT_UNDEFINED;"
            yield "    for (const auto& row : TYPES) {"
            yield statement("        if (", joined("&&", tests), ") {")
            yield f"            {variable} = row[{column}];"
            yield "        }"
            yield "    }"
            yield op_check(4, f"{variable} == ge::DT_UNDEFINED", '"the data types of the inputs are not supported"')

    def _set_type(self, tensor: Tensor, locals_: dict[Tensor, str]) -> Expr:
        if tensor.dtype in DTYPES:
            value = ge_type(tensor.dtype)
        elif tensor.dtype in self.bound:
            value = f"{locals_[self.bound[tensor.dtype]]}Type"
        elif tensor.dtype in self.derived:
            value = self.variables[tensor.dtype]
        else:
            value = f"static_cast<ge::DataType>(*{self.host.attr_locals[tensor.dtype]})"
        return call("context->SetOutputDataType", index_constant(tensor), value)

    # CheckDataTypes of tiling

    def checks(self) -> Iterator[str]:
        """Statements of CheckDataTypes."""
        for tensor, local in self.host.tensors:
            yield assignment(f"    const auto* {local}", self.host.getter(tensor, "Desc"))
            if not tensor.optional:
                yield null_check(4, local)
        yield from self.host.read_attrs(self.attrs)
        tellers = self._tellers()
        for symbol in self.symbols:
            yield assignment(f"    const ge::DataType {self.variables[symbol]}", tellers[symbol][1])
        if self.symbols:
            wrong = call("!IsSupported", *self.variables.values())
            yield op_check(4, wrong, *self._unsupported(tellers))
        for tensor, local in self.host.tensors:
            if tensor.dtype in self.symbols and tellers[tensor.dtype][0] == tensor.name and tensor.role == "input":
                continue
            yield self._comparison(tensor, local, tellers)

    def _tellers(self) -> dict[str, tuple[str, str]]:
        """Symbol -> the name of what tells its type, and the C++ that does."""
        found: dict[str, tuple[str, str]] = {}
        for attr in self.attrs:
            value = f"static_cast<ge::DataType>(*{self.host.attr_locals[attr.name]})"
            found[attr.name] = (attr.name, value)
        for tensor, local in self.host.tensors:
            if tensor.dtype in self.symbols and not tensor.optional:
                found.setdefault(tensor.dtype, (tensor.name, f"{local}->GetDataType()"))
        return found

    def _unsupported(self, tellers: dict[str, tuple[str, str]]) -> tuple[str, ...]:
        shown = [tellers[s][0] for s in self.symbols]
        if len(shown) == 1:
            return f'"data type %d of {shown[0]} is not supported"', self.variables[self.symbols[0]]
        words = " and ".join([", ".join(shown[:-1]), shown[-1]])
        places = " and ".join([", ".join(["%d"] * (len(shown) - 1)), "%d"])
        return f'"data types {places} of {words} are not supported together"', *self.variables.values()

    def _comparison(self, tensor: Tensor, local: str, tellers: dict[str, tuple[str, str]]) -> str:
        if tensor.dtype in DTYPES:
            wanted, of = ge_type(tensor.dtype), tensor.dtype
        else:
            wanted, of = self.variables[tensor.dtype], f"that of {tellers[tensor.dtype][0]}"
        wrong: Expr = f"{local}->GetDataType() != {wanted}"
        if tensor.optional:
            wrong = joined("&&", [f"{local} != nullptr", wrong])
        message = f'"data type %d of {tensor.name} is not {of}"'
        return op_check(4, wrong, message, f"{local}->GetDataType()")

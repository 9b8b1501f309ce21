"""op_host/NAME_shapes.h: the sizes that shapes give, read by InferShape and tiling alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.layout import Call, Expr, braces, call, comment, flat, joined, negated, statement
from opgen.cxx.names import guard
from opgen.facts.naming import camel
from opgen.formula.signature import Attr, Dim, Tensor
from opgen.formula.sizes import Size, binding, names, show, simplify
from opgen.pypto.checks import op_check, short_function
from opgen.pypto.names import dim_members, lower_camel, tensor_locals
from opgen.pypto.size_code import SizeCode, helpers
from opgen.spec.model import Operator
from opgen.templating import render

_TAKEN = ("context", "sizes")


@dataclass(frozen=True)
class _Input:
    """Statements about the shape of an input. condition: "" where they always hold. behind: what comes when all dims
    are bound."""

    condition: str
    lines: list[str]
    behind: list[str]


@dataclass(frozen=True)
class Shapes:
    """FindSizes, and a function for the shape of each output."""

    operator: Operator

    @property
    def file(self) -> str:
        return f"{self.operator.name}_shapes.h"

    @property
    def namespace(self) -> str:
        return self.operator.name

    @cached_property
    def members(self) -> dict[str, str]:
        """Dim symbol -> member of Sizes."""
        return dim_members(self.operator)

    @cached_property
    def attrs(self) -> tuple[Attr, ...]:
        """Attributes that shapes depend on."""
        used = {n for t in self._tensors for axis in t.shape for n in names(axis)}
        return tuple(a for a in self.operator.attrs if a.name in used)

    @cached_property
    def input_attrs(self) -> tuple[Attr, ...]:
        """Those that the shapes of inputs depend on: parameters of FindSizes."""
        used = {n for t in self.operator.inputs for axis in t.shape for n in names(axis)}
        return tuple(a for a in self.attrs if a.name in used)

    def output_function(self, tensor: Tensor) -> str:
        return f"ShapeOf{camel(tensor.name)}"

    def output_attrs(self, tensor: Tensor) -> tuple[Attr, ...]:
        used = {n for axis in tensor.shape for n in names(axis)}
        return tuple(a for a in self.attrs if a.name in used)

    def output_sizes(self, tensor: Tensor) -> bool:
        """Whether the shape of an output depends on any dim."""
        return any(a.op == "rest" or any(n in self.members for n in names(a)) for a in tensor.shape)

    def text(self) -> str:
        operator = self.operator
        inputs = [self._input(t, local) for t, local in zip(operator.inputs, self._locals, strict=True)]
        checked = "".join(line for one in inputs for line in (*one.lines, *one.behind))
        dims = [self.members[d.name] for d in operator.dims if not d.rest]
        rest = "..." in self.members
        known = " && ".join(f"{member} != UNKNOWN_DIM" for member in dims) or "true"
        members = ["gert::Shape leading = {UNKNOWN_RANK};"] if rest else []
        limits = [check for d in operator.dims if not d.rest for check in self._limits(d)]
        limits += self._differences()
        unused = not any("context" in text for text in (checked, *limits))
        parameters = self._find_parameters
        parameters[0] = f"[[maybe_unused]] {parameters[0]}" if unused else parameters[0]
        signature = Call("ge::graphStatus FindSizes(", tuple(parameters), ")")
        return render(
            "pypto/op_host/shapes.h.j2",
            name=operator.name,
            type=operator.type,
            brief=comment(
                f"\\brief Sizes that the shapes of the inputs of {operator.type} give, and the shapes that follow from "
                "them.",
                0,
                " * ",
            ),
            guard=guard("OPS", operator.name, "shapes.h"),
            namespace=self.namespace,
            members=members + [f"int64_t {member} = UNKNOWN_DIM;" for member in dims],
            leading=self.members.get("..."),
            dims=dims,
            known=known,
            are_known=short_function("bool AreKnown() const", known).replace("\n", "\n    "),
            merges="Merge(" in checked,
            multiples="MergeMultiple(" in checked,
            merges_leading=re.search(r"Merge\([^;]*, sizes\.leading\)", checked) is not None,
            agrees="Agrees(" in checked,
            before_trailing="Leading(" in checked,
            trailing=any(_begins_with_rest(t) and len(t.shape) > 1 for t in operator.outputs),
            functions=list(helpers(axis for t in self._tensors for axis in t.shape)),
            inline=True,
            parameters=statement("", signature, ""),
            inputs=inputs,
            limits=limits,
            outputs=[self._output(t) for t in operator.outputs],
        )

    # Names

    @property
    def _tensors(self) -> tuple[Tensor, ...]:
        return (*self.operator.inputs, *self.operator.outputs)

    @property
    def _locals(self) -> tuple[str, ...]:
        return tensor_locals(self.operator, _TAKEN)[0]

    @cached_property
    def _attr_locals(self) -> dict[str, str]:
        inputs = self._locals
        found = {a.name: lower_camel(a.name) for a in self.attrs}
        return {name: f"{word}Value" if word in (*inputs, *_TAKEN) else word for name, word in found.items()}

    def _name(self, name: str) -> str:
        return f"sizes.{self.members[name]}" if name in self.members else self._attr_locals[name]

    @cached_property
    def _code(self) -> SizeCode:
        return SizeCode(self._name, truths=frozenset(a.name for a in self.attrs if a.type == "bool"))

    def _declared(self, attrs: tuple[Attr, ...]) -> list[Expr]:
        return [f"{'bool' if a.type == 'bool' else 'int64_t'} {self._attr_locals[a.name]}" for a in attrs]

    @property
    def _find_parameters(self) -> list[Expr]:
        result: list[Expr] = ["Context* context"]
        for tensor, local in zip(self.operator.inputs, self._locals, strict=True):
            result.append(f"const gert::Shape{'*' if tensor.optional else '&'} {local}")
        result += self._declared(self.input_attrs)
        return [*result, "Sizes& sizes"] if self.members else result

    # Inputs

    def _input(self, tensor: Tensor, local: str) -> _Input:
        axes = tuple(map(simplify, tensor.shape))
        rest = _begins_with_rest(tensor)
        count = len(axes) - rest
        given, dot = (f"*{local}", f"{local}->") if tensor.optional else (local, f"{local}.")
        before = self.operator.inputs[: self.operator.inputs.index(tensor)]
        seen = {symbol for t in before for a in t.shape for symbol in _symbols(a)}
        lines: list[str] = []
        checks: list[Expr] = []
        later: list[Expr] = []
        if rest:
            leading: Expr = call("Leading", given, str(count)) if count else given
            if "..." in seen:
                checks.append(call("Merge", leading, "sizes.leading"))
            else:
                lines.append(statement("        sizes.leading = ", leading, ";"))
        for number, axis in enumerate(axes[rest:]):
            place = f"{dot}GetDimNum() - {count - number}" if rest else str(number)
            dim = f"{dot}GetDim({place})"
            if self._follows(axis):
                later.append(self._check(axis, dim))
            elif axis.op == "name" and axis.value in self.members and axis.value not in seen:
                lines.append(f"        {self._name(str(axis.value))} = {dim};")
            else:
                checks.append(self._check(axis, dim))
            seen |= set(_symbols(axis))
        known = [f"{local} != nullptr"] if tensor.optional else []
        known.append(f"!HasUnknownRank({given})")
        if count or not rest:
            least = "at least " if rest else ""
            message = f'"{tensor.name} has %zu dims, must have {least}{count}"'
            wrong_rank = f"{dot}GetDimNum() {'<' if rest else '!='} {count}"
            lines.insert(0, op_check(8, wrong_rank, message, f"{dot}GetDimNum()"))
        if checks:
            lines.append(op_check(8, joined("||", [negated(c) for c in checks]), self._complaint(tensor)))
        condition = f"    if ({' && '.join(known)}) {{"
        behind = []
        if later:
            wrong = joined("||", [negated(check) for check in later])
            behind = [condition, op_check(8, wrong, f'"the shape of {tensor.name} is not {_shown(tensor)}"'), "    }"]
        if lines == [f"        sizes.leading = {given};"]:  # an unknown rank is handed on
            known.pop()
            if not known:
                return _Input("", [lines[0][4:]], behind)
            condition = f"    if ({known[0]}) {{"
        return _Input(condition, lines, behind)

    def _follows(self, axis: Size) -> bool:
        """Whether the size of an axis follows from dims that other axes bind, so that it is compared at the end."""
        if axis.op == "if":
            return any(map(self._follows, axis.args[1:]))
        return binding(axis) is None and any(name in self.members for name in names(axis))

    def _complaint(self, tensor: Tensor) -> str:
        before = self.operator.inputs[: self.operator.inputs.index(tensor)]
        like = next((t.name for t in before if t.shape == tensor.shape and not t.optional), None)
        if like is not None:
            return f'"the shape of {tensor.name} is not that of {like}"'
        shown = _shown(tensor)
        symbols = [d.name for d in self.operator.dims if any(d.name in _symbols(a) for a in tensor.shape)]
        shared = [s for s in symbols if any(s in _symbols(a) for t in before for a in t.shape)]
        if not shared:
            return f'"the shape of {tensor.name} is not {shown}"'
        if len(shown) > 40:
            return f'"the shape of {tensor.name} does not fit those of the inputs before it"'
        listed = " and ".join([", ".join(shared[:-1]), shared[-1]] if len(shared) > 1 else shared)
        return f'"the shape of {tensor.name} is not {shown} with the {listed} of the inputs before it"'

    def _check(self, axis: Size, dim: str) -> Expr:
        """Whether an axis of an input can have the size `dim`."""
        if axis.op == "if":
            then, otherwise = (flat(self._check(arg, dim)) for arg in axis.args[1:])
            return f"({self._code(axis.args[0])} ? {then} : {otherwise})"
        bound = binding(axis)
        if bound is None:
            return call("Agrees", dim, self._sized(axis))
        symbol, multiple = bound
        if multiple.number == 1:
            return call("Merge", dim, self._name(symbol))
        return call("MergeMultiple", dim, self._code(multiple), self._name(symbol))

    def _limits(self, dim: Dim) -> Iterator[str]:
        """Checks of a size that is known."""
        size = self._name(dim.name)
        known = f"{size} != UNKNOWN_DIM"
        if dim.closed:
            values = dim.values or (dim.default,)
            wrong = joined("&&", [known, *(f"{size} != {value}" for value in values)])
            yield op_check(4, wrong, f'"{dim.name} is %ld, must be {" or ".join(map(str, values))}"', size)
            return
        if dim.min > 1:
            wrong = joined("&&", [known, f"{size} < {dim.min}"])
            yield op_check(4, wrong, f'"{dim.name} is %ld, must be {dim.min} or more"', size)
        if dim.max is not None:
            yield op_check(4, f"{size} > {dim.max}", f'"{dim.name} is %ld, must be {dim.max} or less"', size)
        if dim.multiple_of > 1:
            wrong = joined("&&", [known, f"{size} % {dim.multiple_of} != 0"])
            yield op_check(4, wrong, f'"{dim.name} is %ld, must be a multiple of {dim.multiple_of}"', size)

    def _differences(self) -> Iterator[str]:
        """Checks of axes that are computed by subtraction: a size is not negative."""
        axes = dict.fromkeys(simplify(axis) for t in self._tensors for axis in t.shape if axis.op != "rest")
        for axis in axes:
            if takes_away(axis) and all(n in self.members or n in self._attr_names for n in names(axis)):
                known = [f"{self._name(n)} != UNKNOWN_DIM" for n in names(axis) if n in self.members]
                wrong = joined("&&", [*known, f"{self._code(axis)} < 0"])
                yield op_check(4, wrong, f'"{show(axis)} is negative"')

    @property
    def _attr_names(self) -> set[str]:
        return {a.name for a in self.input_attrs}

    # Outputs

    def _output(self, tensor: Tensor) -> str:
        axes = tuple(map(simplify, tensor.shape))
        rest = _begins_with_rest(tensor)
        parameters: list[Expr] = ["const Sizes& sizes"] if self.output_sizes(tensor) else []
        parameters += self._declared(self.output_attrs(tensor))
        items = braces(*(self._sized(axis) for axis in axes[rest:]))
        value: Expr = call("gert::Shape", items) if axes else "gert::Shape()"
        if rest:
            value = call("Append", "sizes.leading", items) if len(axes) > 1 else "sizes.leading"
        signature = Call(f"inline gert::Shape {self.output_function(tensor)}(", tuple(parameters), ")")
        return short_function(signature, value)

    def _sized(self, axis: Size) -> str:
        """The size of an axis; UNKNOWN_DIM where it depends on a size that is not known."""
        code = self._code(axis)
        unknown = [f"{self._name(n)} == UNKNOWN_DIM" for n in names(axis) if n in self.members]
        if axis.op == "name" or not unknown:
            return code
        condition = unknown[0] if len(unknown) == 1 else f"({' || '.join(unknown)})"
        return f"{condition} ? UNKNOWN_DIM : {code}"


def _shown(tensor: Tensor) -> str:
    """`[..., 2 * N]`"""
    return f"[{', '.join('...' if a.op == 'rest' else show(a) for a in tensor.shape)}]"


def _begins_with_rest(tensor: Tensor) -> bool:
    return bool(tensor.shape) and tensor.shape[0].op == "rest"


def _symbols(axis: Size) -> tuple[str, ...]:
    return ("...",) if axis.op == "rest" else names(axis)


def takes_away(axis: Size) -> bool:
    """Whether an axis is computed by subtraction."""
    return any(part.op in ("sub", "neg") or (part.number or 0) < 0 for part in axis.walk())

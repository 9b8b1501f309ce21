"""Shapes in custom_op.cpp: the sizes that inputs bind, the checks, the shapes of outputs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.layout import Call, Chain, Expr, call, joined
from opgen.cxx.literals import string
from opgen.formula.signature import Dim, Tensor
from opgen.formula.sizes import Size, binding, names, simplify
from opgen.ge.host import Host, Input, Output
from opgen.ge.size_code import condition_code, size_code


@dataclass(frozen=True)
class ShapeRules:
    host: Host

    # Sizes

    @property
    def members(self) -> list[str]:
        """Members of Sizes. Shapes that need only be equal have none."""
        if self.host.uniform:
            return []
        rest = ["gert::Shape rest = custom_op::UnknownRank();"] if self.host.rest else []
        return rest + [
            f"custom_op::Dim {self.host.dim_members[d.name]} = {_dim(d)};"
            for d in self.host.operator.dims
            if not d.rest
        ]

    def name(self, name: str) -> str:
        """A dim or an attribute as C++."""
        member = self.host.dim_members.get(name)
        return f"sizes.{member}" if member else f"attributes.{name}"

    @property
    def makes_sizes(self) -> bool:
        """Whether anybody but the check of the shapes needs the sizes."""
        return bool(self.members) and (bool(self.computed) or not self.host.interface.flat)

    # CheckShapes or FindSizes

    @property
    def function(self) -> str:
        return "FindSizes" if self.makes_sizes else "CheckShapes"

    @property
    def needed(self) -> bool:
        return bool(self.checks)

    @property
    def parameters(self) -> list[Expr]:
        result: list[Expr] = ["const custom_op::TensorCheck &check"]
        kinds = {
            "required": "const gert::Shape &",
            "optional": "const gert::Shape *",
            "list": "const std::vector<gert::Shape> &",
        }
        result += [kinds[one.kind] + one.local for one in self.host.inputs]
        if self.host.input_names_attr():
            result.append("const Attributes &attributes")
        if self.makes_sizes:
            result.append("Sizes &sizes")
        return result

    @cached_property
    def checks(self) -> list[Expr]:
        if self.host.uniform:
            first = next((i for i in self.host.inputs if i.kind == "required"), None)
            if first is None:
                return []
            return [self._same_as(one, first) for one in self.host.inputs if one is not first]
        required = [i for i in self.host.inputs if i.kind != "optional"]
        optional = [i for i in self.host.inputs if i.kind == "optional"]
        return [
            *(check for one in required for check in self._bind(one)),
            *(self._unless_absent(one, check) for one in optional for check in self._bind(one)),
            *(check for one in self.host.inputs for check in self._compare(one)),
        ]

    @property
    def result(self) -> Expr:
        return joined("&&", self.checks)

    def _same_as(self, one: Input, first: Input) -> Expr:
        value = f"*{one.local}" if one.kind == "optional" else one.local
        check = call("check.SameShape", f'"{one.name}"', value, f'"{first.name}"', first.local)
        return self._unless_absent(one, check)

    def _unless_absent(self, one: Input, check: Expr) -> Expr:
        if one.kind != "optional":
            return check
        return Call("(", (Chain("||", (f"{one.local} == nullptr", check)),))

    def _bind(self, one: Input) -> list[Expr]:
        """Checks that bind the sizes of one input."""
        axes = one.tensor.shape
        has_rest = bool(axes) and axes[0].op == "rest"
        items = tuple(self._axis(axis) for axis in axes[has_rest:])
        value = f"*{one.local}" if one.kind == "optional" else one.local
        function = "custom_op::BindShapes" if one.kind == "list" else "custom_op::BindShape"
        args: tuple[Expr, ...] = ("check", f'"{one.name}"', value)
        if has_rest:
            args += ("sizes.rest",)
        checks: list[Expr] = [call(function, *args, Call("{", items, "}"))]
        if one.tensor.count is not None:
            count = self._axis(one.tensor.count)
            checks.insert(0, call("custom_op::BindCount", "check", f'"{one.name}"', f"{one.local}.size()", count))
        return checks

    def _compare(self, one: Input) -> list[Expr]:
        """Checks of the sizes of one input that follow from other sizes."""
        value = f"*{one.local}" if one.kind == "optional" else one.local
        axes = one.tensor.shape
        checks = []
        for position, axis in enumerate(axes):
            if self._follows(axis):
                code = size_code(simplify(axis), self.name)
                from_last = str(len(axes) - 1 - position)
                function = "custom_op::HasSizes" if one.kind == "list" else "custom_op::HasSize"
                check = call(function, "check", f'"{one.name}"', value, from_last, code)
                checks.append(self._unless_absent(one, check))
        return checks

    def _follows(self, axis: Size) -> bool:
        """Whether an axis of an input is computed from dims, so that it can be compared only when they are bound."""
        axis = simplify(axis)
        if axis.op == "if":
            return any(map(self._follows, axis.args[1:]))
        return axis.op != "rest" and binding(axis) is None and any(n in self.host.dim_members for n in names(axis))

    def _axis(self, axis: Size) -> str:
        axis = simplify(axis)
        if self._follows(axis):
            return "custom_op::Size()"
        bound = binding(axis)
        if bound is not None:
            symbol, factor = bound
            if factor == Size.const(1):
                return self.name(symbol)
            return f"custom_op::Axis({size_code(factor, self.name)}, {self.name(symbol)})"
        if axis.op == "if":
            then, otherwise = map(self._axis, axis.args[1:])
            if not all(option.op == "name" and str(option.value) in self.host.dim_members for option in axis.args[1:]):
                then, otherwise = f"custom_op::Axis({then})", f"custom_op::Axis({otherwise})"
            return f"{condition_code(axis.args[0], self.name)} ? {then} : {otherwise}"
        return size_code(axis, self.name)

    # Outputs

    @cached_property
    def computed(self) -> tuple[Output, ...]:
        """Outputs whose shape no input has."""
        return tuple(o for o in self.host.outputs if o.like is None)

    @property
    def output_parameters(self) -> list[Expr]:
        kinds = {"check": "const custom_op::TensorCheck", "sizes": "const Sizes", "attributes": "const Attributes"}
        result: list[Expr] = [f"{kinds[name]} &{name}" for name in self.output_arguments]
        return result + [f"gert::Shape &{o.local}" for o in self.computed]

    @property
    def output_result(self) -> Expr:
        return joined("&&", [self._make(o) for o in self.computed])

    def _make(self, output: Output) -> Expr:
        axes = output.tensor.shape
        has_rest = bool(axes) and axes[0].op == "rest"
        sizes = Call("{", tuple(size_code(simplify(axis), self.name) for axis in axes[has_rest:]), "}")
        leading = ("sizes.rest",) if has_rest else ()
        return call("custom_op::MakeShape", "check", f'"{output.name}"', *leading, sizes, output.local)

    @property
    def output_arguments(self) -> list[str]:
        """What the function that makes the shapes of outputs is given, without the shapes."""
        axes = [axis for output in self.computed for axis in output.tensor.shape]
        named = {name for axis in axes for name in names(axis)}
        sizes = any(axis.op == "rest" for axis in axes) or any(name in self.host.dim_members for name in named)
        attributes = any(name not in self.host.dim_members for name in named)
        return ["check", *(["sizes"] if sizes else []), *(["attributes"] if attributes else [])]

    def count_code(self, tensor: Tensor) -> str:
        assert tensor.count is not None
        return size_code(simplify(tensor.count), self.name)

    # What the callers know

    def given(self, one: Input) -> str:
        """The shape of an input in InferShape, as a pointer."""
        if self.host.plain:
            return f"ctx->GetInputShape({one.index})"
        return f"ctx->Get{one.kind.capitalize()}InputShape({one.index})"

    def held(self, one: Input) -> str:
        """The shape of an input in Compile and Execute."""
        match one.kind:
            case "list":
                return f"custom_op::ShapesOf(in.{one.name})"
            case "optional":
                return f"custom_op::ShapeOf(in.{one.name})"
            case _:
                return f"in.{one.name}->GetStorageShape()"


def _dim(dim: Dim) -> str:
    text = f"custom_op::Dim({string(dim.name)})"
    if dim.fixed:
        return f"{text}.OneOf({{{dim.default}}})"
    if dim.values:
        text += f".OneOf({{{', '.join(map(str, dim.values))}}})"
    if dim.min != 1:
        text += f".Min({dim.min})"
    if dim.max is not None:
        text += f".Max({dim.max})"
    if dim.multiple_of != 1:
        text += f".MultipleOf({dim.multiple_of})"
    return text

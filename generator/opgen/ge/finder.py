"""The function of custom_op.cpp that checks the inputs of a node and finds the variant of the kernel they take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from opgen.cxx.layout import Expr, call, joined, statement
from opgen.ge.host import Host, Input
from opgen.ge.shape_rules import ShapeRules
from opgen.ge.statements import unless
from opgen.ge.type_rules import TypeRules
from opgen.ge.variant_rules import VariantRules


@dataclass(frozen=True)
class Finder:
    host: Host
    types: TypeRules
    shapes: ShapeRules
    variant: VariantRules

    @property
    def name(self) -> str:
        return "FindVariant" if self.variant.has_variant else "CheckInputs"

    @property
    def _found(self) -> list[tuple[str, str]]:
        """What the finder tells besides the variant: type, name."""
        found = [("Sizes", "sizes")] if self.shapes.makes_sizes else []
        found += [("ge::DataType", name) for name in self.types.derived.values()]
        if self.count_out:
            found.append(("int64_t", "count"))
        return found

    @property
    def counts(self) -> bool:
        """Whether a number of elements is needed: N of a generated kernel, or the product of `...`."""
        return any(not d.of or "..." in d.of for d in self.host.interface.dims) or self._counts_workspace

    @property
    def _counts_workspace(self) -> bool:
        size = self.host.workspace
        return size is not None and any(part.op == "name" and part.value == "elements" for part in size.walk())

    @property
    def count_out(self) -> bool:
        """Whether the finder hands the number of elements on to `call`."""
        dynamic = any(not d.of or "..." in d.of for d in self.host.dynamic_dims)
        return self.host.eager and self.counts and (dynamic or self._counts_workspace)

    @property
    def reads(self) -> bool:
        """Whether the finder needs attributes."""
        return bool(
            self.host.input_names_attr()
            or self.types.reads_attributes
            or self.host.interface.options
            or any(symbol in self.host.dtype_attrs for symbol in self.host.interface.symbols)
        )

    @property
    def head(self) -> str:
        parameters: list[Expr] = ["const custom_op::TensorCheck &check", "const Inputs &in"]
        if self.reads:
            parameters.append("const Attributes &attributes")
        parameters += [f"{kind} &{name}" for kind, name in self._found]
        if self.variant.has_variant:
            parameters.append("Variant &variant")
        return statement("", call(f"bool {self.name}", *parameters), " {")

    @property
    def locals(self) -> list[str]:
        return ["int64_t count = 0;"] if self.host.exact_early and self.counts and not self.count_out else []

    @property
    def checks(self) -> list[Expr]:
        checks: list[Expr] = ["check.AreDense(in.All())"] if self.host.inputs else []
        types = [self.types.held(one) for one in self.host.inputs]
        attributes = ["attributes"] if self.types.reads_attributes else []
        if types:
            checks.append(call("CheckTypes", "check", *types, *attributes, *self.types.derived.values()))
        if self.shapes.needed:
            checks.append(self.shapes_checked(self.shapes.held))
        if self.host.exact_early:
            checks += self.exact_checks
        else:
            checks += [
                call("custom_op::IsKnown", "check", f"sizes.{self.host.dim_members[name]}")
                for d in self.host.static_dims
                for name in d.of
                if name != "..."
            ]
        return checks

    def shapes_checked(self, shape: Callable[[Input], str]) -> Expr:
        attributes = ["attributes"] if self.host.input_names_attr() else []
        sizes = ["sizes"] if self.shapes.makes_sizes else []
        return call(self.shapes.function, "check", *map(shape, self.host.inputs), *attributes, *sizes)

    @property
    def exact_checks(self) -> list[Expr]:
        """Every size known and no tensor empty; counts elements where their number is needed."""
        checks: list[Expr] = []
        full = self.host.full_input
        if self.counts and not self.host.interface.flat:
            checks.append(call("check.CountElements", '"..."', "sizes.rest", "kMaxElements", "count"))
        elif self.counts and full is not None:
            shape = f"in.{full.name}->GetStorageShape()"
            checks.append(call("check.CountElements", f'"{full.name}"', shape, "kMaxElements", "count"))
        if len(self.host.inputs) > len(checks) or not self.host.interface.flat:
            checks.append("check.HaveElements(in.All(), kMaxElements)")
        return checks

    @property
    def body(self) -> str:
        """The checks, and what the variant becomes."""
        checks = self.checks
        if not self.variant.has_variant:
            return statement("  return ", joined("&&", checks) if checks else "true", ";")
        lines = [unless(2, checks, "false")] if checks else []
        lines += [f"  variant.{p.member} = {p.value};" for p in self.variant.parts]
        lines += [f"  variant.{member} = in.{name} != nullptr;" for member, name in self.variant.presences]
        return "\n".join([*lines, "  return true;"])

    def results(self, compiling: bool) -> list[str]:
        lines = []
        if self.reads or (not compiling and self.host.operator.attrs):
            lines.append("Attributes attributes;")
        initial = {"int64_t": " = 0", "ge::DataType": " = ge::DT_UNDEFINED"}
        lines += [f"{kind} {name}{initial.get(kind, '')};" for kind, name in self._found]
        if self.variant.has_variant:
            lines.append("Variant variant;")
        return lines

    def found(self, inputs: str) -> Expr:
        attributes = ["attributes"] if self.reads else []
        variant = ["variant"] if self.variant.has_variant else []
        return call(self.name, "check", inputs, *attributes, *(name for _, name in self._found), *variant)

"""custom_op.cpp: the host code of one operator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from opgen.cxx.layout import (
    WIDTH,
    Expr,
    assignment,
    call,
    comment,
    statement,
)
from opgen.facts.scenarios import SCENARIOS
from opgen.ge.callbacks import Callbacks
from opgen.ge.extra import extras
from opgen.ge.finder import Finder
from opgen.ge.host import Host
from opgen.ge.inputs_code import InputsCode
from opgen.ge.launch_rules import LaunchRules
from opgen.ge.shape_rules import ShapeRules
from opgen.ge.type_rules import TypeRules
from opgen.ge.units import host_units, kernel_folder
from opgen.ge.variant_rules import VariantRules
from opgen.kernel.plan import KernelPlan
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render
from opgen.text.escape import cxx_comment


def custom_op(spec: OpSpec, operator: Operator, plan: KernelPlan) -> str:
    """The text of ge/custom_op.cpp, or of ge/NAME.cpp in a library of several operators."""
    return render("ge/custom_op.cpp.j2", o=CustomOp(Host(spec, operator, plan)))


@dataclass(frozen=True)
class CustomOp:
    """What the template asks for. Statements come with their indentation and their line breaks."""

    host: Host

    @cached_property
    def types(self) -> TypeRules:
        return TypeRules(self.host)

    @cached_property
    def shapes(self) -> ShapeRules:
        return ShapeRules(self.host)

    @cached_property
    def variant(self) -> VariantRules:
        return VariantRules(self.host, self.types)

    @cached_property
    def launch(self) -> LaunchRules:
        return LaunchRules(self.host, self.types, self.shapes, self.variant)

    @cached_property
    def inputs(self) -> InputsCode:
        return InputsCode(self.host)

    @cached_property
    def finder(self) -> Finder:
        return Finder(self.host, self.types, self.shapes, self.variant)

    @cached_property
    def callbacks(self) -> Callbacks:
        return Callbacks(self.host, self.types, self.shapes, self.variant, self.launch, self.finder)

    @property
    def type(self) -> str:
        return self.host.operator.type

    @property
    def eager(self) -> bool:
        return self.host.eager

    @property
    def offline(self) -> bool:
        return self.host.offline

    @property
    def introduction(self) -> str:
        operator = self.host.operator
        what = operator.compute.strip() if "\n" not in operator.compute else ""
        subject = f"{operator.type}: {cxx_comment((what or operator.summary.en).strip().removesuffix('.'))}."
        return comment(f"{subject} {self._when}")

    @property
    def _when(self) -> str:
        if self.offline:
            return "GE calls Compile and Serialize when it builds a model, Deserialize and Execute when it loads one."
        if not self.eager:
            return "GE calls Compile when it compiles a graph, Execute when it loads or runs one."
        each = self._each
        if not each:
            return "The kernel was compiled beforehand; the first Execute loads it."
        return f"The kernels were compiled beforehand, one for each {each}; the first Execute that needs one loads it."

    @property
    def _each(self) -> str:
        interface = self.host.interface
        words = []
        if len(interface.symbols) == 1:
            words.append("type")
        elif interface.symbols:
            words.append("combination of types")
        words += [dim.name for dim in self.host.static_dims if len(dim.values) != 1]
        words += [option.name for option in interface.options]
        words += [f"presence of {t.name}" for t in interface.optional]
        return words[0] if len(words) == 1 else f"combination of {', '.join(words)}" if words else ""

    @property
    def standard_headers(self) -> list[str]:
        headers = {"cstdint", "string"}
        if self.types.rows:
            headers.add("initializer_list")
        if self.variant.needs_limits:
            headers.add("limits")
        if not self.eager:
            headers |= {"utility", "vector"}
        if not self.launch.typed or any(a.type in ("ints", "floats") for a in self.host.operator.attrs):
            headers.add("vector")
        if self.host.output_lists or self.launch.has_workspace:
            headers.add("cstddef")
        return sorted(headers)

    @property
    def own_headers(self) -> list[str]:
        """Headers of the project, and of ACL, in order."""
        headers = ["acl/acl_rt.h", *(f"{unit}.h" for unit in self.units), *extras(self.host.spec, ".h")]
        headers.append(f"{self.host.operator.name}.h" if self.alone else "graph/custom_op.h")
        return sorted(headers)

    @property
    def alone(self) -> bool:
        """Whether the library has no other operator."""
        return len(self.host.spec.operators) == 1

    @property
    def first_header(self) -> str:
        """The header that clang-format takes for the file's own."""
        return "graph/custom_op.h" if self.alone else f"{self.host.operator.name}.h"

    @property
    def units(self) -> tuple[str, ...]:
        """Shared files whose declarations this file uses."""
        return host_units(self.host)

    @property
    def read_attributes_head(self) -> str:
        return self._function(
            "bool ReadAttributes",
            ["const custom_op::TensorCheck &check", "const gert::RuntimeAttrs *attrs", "Attributes &attributes"],
        )

    @property
    def check_types_head(self) -> str:
        return self._function("bool CheckTypes", self.types.parameters)

    @property
    def shapes_head(self) -> str:
        return self._function(f"bool {self.shapes.function}", self.shapes.parameters)

    @property
    def output_shapes_head(self) -> str:
        return self._function("bool MakeOutputShapes", self.shapes.output_parameters)

    def _function(self, head: str, parameters: list[Expr]) -> str:
        return statement("", call(head, *parameters), " {")

    def returned(self, expr: Expr) -> str:
        return statement("  return ", expr, ";")

    @property
    def class_head(self) -> str:
        bases = [f"public ge::{name}" for name in SCENARIOS[self.host.spec.scenario].interfaces]
        head = f"class {self.type} final : "
        line = f"{head}{', '.join(bases)} {{"
        return line if len(line) <= WIDTH else head + (",\n" + " " * len(head)).join(bases) + " {"

    @property
    def folder(self) -> str:
        return kernel_folder(self.host.spec, self.host.operator)

    @property
    def script(self) -> str:
        return PurePosixPath(self.host.interface.script).name

    @property
    def row_declaration(self) -> str:
        return assignment("  const custom_op::DataTypes *row", self.types.row_search)

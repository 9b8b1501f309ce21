"""custom_op.cpp: the host code of one operator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from opgen.cxx.layout import (
    WIDTH,
    Expr,
    assignment,
    braces,
    call,
    comment,
    condition,
    flat,
    joined,
    negated,
    statement,
)
from opgen.facts.scenarios import SCENARIOS
from opgen.ge.extra import extras
from opgen.ge.host import Host, Input, Output
from opgen.ge.launch_rules import LaunchRules
from opgen.ge.shape_rules import ShapeRules
from opgen.ge.type_rules import TypeRules
from opgen.ge.units import host_units, kernel_folder
from opgen.ge.variant_rules import VariantRules
from opgen.kernel.plan import KernelPlan
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render
from opgen.text.escape import cxx_comment

_CONTEXT = call("check.Given", "ctx", '"the context"')
_READ = "ReadAttributes(check, ctx->GetAttrs(), attributes)"


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

    @property
    def type(self) -> str:
        return self.host.operator.type

    @property
    def eager(self) -> bool:
        return self.host.eager

    @property
    def offline(self) -> bool:
        return self.host.offline

    # Head of the file

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

    # Inputs

    @property
    def input_members(self) -> list[str]:
        kinds = {"list": "custom_op::TensorList "}
        return [f"{kinds.get(i.kind, 'const gert::Tensor *')}{i.name};" for i in self.host.inputs]

    @property
    def all_inputs(self) -> str:
        """The function of Inputs that lists them."""
        if not self.host.plain:
            return "  // Those that are there, in order.\n" + self._listed_inputs()
        items = [f'{{"{i.name}", {i.name}}}' for i in self.host.inputs]
        line = f"  custom_op::NamedTensors All() const {{ return {{{', '.join(items)}}}; }}"
        if len(line) <= WIDTH:
            return line
        return self._listed_inputs()

    def _listed_inputs(self) -> str:
        lines = ["  custom_op::NamedTensors All() const {", "    custom_op::NamedTensors all;"]
        for one in self.host.inputs:
            push = f'all.push_back({{"{one.name}", {one.name}}});'
            match one.kind:
                case "required":
                    lines.append(f"    {push}")
                case "optional":
                    lines += [f"    if ({one.name} != nullptr) {{", f"      {push}", "    }"]
                case _:
                    push = f'all.push_back({{"{one.name}", tensor}});'
                    lines += [f"    for (const gert::Tensor *tensor : {one.name}) {{", f"      {push}", "    }"]
        return "\n".join([*lines, "    return all;", "  }"])

    @property
    def inputs_head(self) -> str:
        if self.eager:
            return "Inputs InputsOf(const gert::EagerOpExecutionContext &ctx) {"
        return "template <typename Context>\nInputs InputsOf(const Context &ctx) {"

    @property
    def inputs_return(self) -> str:
        getters = tuple(map(self._getter, self.host.inputs))
        text = f"  return {{{', '.join(getters)}}};"
        if len(text) <= WIDTH:
            return text
        return (
            "  Inputs in{};\n"
            + "\n".join(f"  in.{i.name} = {getter};" for i, getter in zip(self.host.inputs, getters, strict=True))
            + "\n  return in;"
        )

    def _getter(self, one: Input) -> str:
        if self.host.plain:
            return f"ctx.GetInputTensor({one.index})"
        if one.kind == "list":
            return f"custom_op::InputTensors(ctx, {one.index})"
        return f"ctx.Get{one.kind.capitalize()}InputTensor({one.index})"

    # Functions

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

    # Choosing a variant

    @property
    def finder(self) -> str:
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
        size = self.host.operator.tiling.workspace
        return size is not None and any(part.op == "name" and part.value == "elements" for part in size.walk())

    @property
    def count_out(self) -> bool:
        """Whether the finder hands the number of elements on to `call`."""
        dynamic = any(not d.of or "..." in d.of for d in self.host.dynamic_dims)
        return self.eager and self.counts and (dynamic or self._counts_workspace)

    @property
    def finder_reads(self) -> bool:
        """Whether the finder needs attributes."""
        return bool(
            self.host.input_names_attr()
            or self.types.reads_attributes
            or self.host.interface.options
            or any(symbol in self.host.dtype_attrs for symbol in self.host.interface.symbols)
        )

    @property
    def finder_head(self) -> str:
        parameters: list[Expr] = ["const custom_op::TensorCheck &check", "const Inputs &in"]
        if self.finder_reads:
            parameters.append("const Attributes &attributes")
        parameters += [f"{kind} &{name}" for kind, name in self._found]
        if self.variant.has_variant:
            parameters.append("Variant &variant")
        return self._function(f"bool {self.finder}", parameters)

    @property
    def finder_locals(self) -> list[str]:
        return ["int64_t count = 0;"] if self.host.exact_early and self.counts and not self.count_out else []

    @property
    def finder_checks(self) -> list[Expr]:
        checks: list[Expr] = ["check.AreDense(in.All())"] if self.host.inputs else []
        types = [self.types.held(one) for one in self.host.inputs]
        attributes = ["attributes"] if self.types.reads_attributes else []
        if types:
            checks.append(call("CheckTypes", "check", *types, *attributes, *self.types.derived.values()))
        if self.shapes.needed:
            checks.append(self._check_shapes(self.shapes.held))
        if self.host.exact_early:
            checks += self.exact_checks
        else:
            checks += [
                call("custom_op::IsKnown", "check", f"sizes.{self.host.dim_members[d.of[0]]}")
                for d in self.host.static_dims
                if d.of and "..." not in d.of
            ]
        return checks

    def _check_shapes(self, shape: object) -> Expr:
        assert callable(shape)
        attributes = ["attributes"] if self.host.input_names_attr() else []
        sizes = ["sizes"] if self.shapes.makes_sizes else []
        return call(self.shapes.function, "check", *map(shape, self.host.inputs), *attributes, *sizes)

    @property
    def exact_checks(self) -> list[Expr]:
        """Every size known and no tensor empty; counts elements where their number is needed."""
        checks: list[Expr] = []
        full = self.host.full_input
        if self.counts and not self.host.interface.generated:
            checks.append(call("check.CountElements", '"..."', "sizes.rest", "kMaxElements", "count"))
        elif self.counts and full is not None:
            shape = f"in.{full.name}->GetStorageShape()"
            checks.append(call("check.CountElements", f'"{full.name}"', shape, "kMaxElements", "count"))
        if len(self.host.inputs) > len(checks) or not self.host.interface.generated:
            checks.append("check.HaveElements(in.All(), kMaxElements)")
        return checks

    @property
    def finder_body(self) -> str:
        """The checks, and what the variant becomes."""
        checks = self.finder_checks
        if not self.variant.has_variant:
            return statement("  return ", joined("&&", checks) if checks else "true", ";")
        lines = [self.unless(2, checks, "false")] if checks else []
        lines += [f"  variant.{p.member} = {p.value};" for p in self.variant.parts]
        lines += [f"  variant.{member} = in.{name} != nullptr;" for member, name in self.variant.presences]
        return "\n".join([*lines, "  return true;"])

    def unless(self, indent: int, checks: list[Expr], result: str = "ge::GRAPH_PARAM_INVALID") -> str:
        """`if (!a || !b) { return result; }`"""
        pad = " " * indent
        refusals = [negated(check) for check in checks]
        return f"{condition(indent, refusals)}\n{pad}  return {result};\n{pad}}}"

    # Callbacks

    @property
    def class_head(self) -> str:
        bases = [f"public ge::{name}" for name in SCENARIOS[self.host.spec.scenario].interfaces]
        head = f"class {self.type} final : "
        line = f"{head}{', '.join(bases)} {{"
        return line if len(line) <= WIDTH else head + (",\n" + " " * len(head)).join(bases) + " {"

    @property
    def infer_type(self) -> str:
        """The body of InferDataType behind its first line."""
        lines = []
        checks: list[Expr] = [_CONTEXT]
        if self.types.reads_attributes or self.types.attributes_for_outputs:
            lines.append("    Attributes attributes;")
            checks.append(_READ)
        lines += [f"    ge::DataType {name} = ge::DT_UNDEFINED;" for name in self.types.derived.values()]
        types = [self.types.given(one) for one in self.host.inputs]
        attributes = ["attributes"] if self.types.reads_attributes else []
        if types:
            checks.append(call("CheckTypes", "check", *types, *attributes, *self.types.derived.values()))
        return "\n".join([*lines, self.unless(4, checks), *self._set_types()])

    def _set_types(self) -> list[str]:
        outputs = self.host.outputs
        types = [self.types.output_inferred(output.tensor) for output in outputs]
        if len(outputs) == 1 and not outputs[0].list:
            return [statement("    return ", call("ctx->SetOutputDataType", "0", types[0]), ";")]
        refusals: list[Expr] = []
        for output, dtype in zip(outputs, types, strict=True):
            if output.list:
                args = ("check", "*ctx", str(output.index), f'"{output.name}"', dtype)
                refusals.append(call("!custom_op::SetOutputTypes", *args))
            else:
                set_type = flat(call("ctx->SetOutputDataType", self.launch.output_index(output), dtype))
                refusals.append(f"{set_type} != ge::GRAPH_SUCCESS")
        return [
            condition(4, refusals),
            '      return check.Failed("GE does not take the types of the outputs");',
            "    }",
            "    return ge::GRAPH_SUCCESS;",
        ]

    def _for_each(self, output: Output) -> str:
        return f"    for (size_t i = 0U; i < custom_op::CountOutputs(*ctx, {output.index}); ++i) {{"

    @property
    def infer_shape(self) -> str:
        """The body of InferShape after the context was checked."""
        lines: list[str] = []
        given: list[Expr] = []
        reads = self.host.shape_attrs
        for one in self.host.inputs:
            if one.kind == "list":
                lines.append(f"    std::vector<gert::Shape> {one.local};")
                args = ("check", "*ctx", str(one.index), f'"{one.name}"', one.local)
                given.append(call("custom_op::InputShapes", *args))
            else:
                lines.append(f"    const gert::Shape *{one.local} = {self.shapes.given(one)};")
                if one.kind == "required":
                    given.append(call("check.Given", one.local, f'"the shape of {one.name}"'))
        for output in self.host.outputs:
            if output.list:
                lines.append(f"    gert::Shape {output.local};")
                continue
            lines.append(f"    gert::Shape *{output.local} = ctx->GetOutputShape({self.launch.output_index(output)});")
            given.append(call("check.Given", output.local, f'"the shape of {output.name}"'))
        if reads:
            lines.append("    Attributes attributes;")
            given.append(_READ)
        if self.shapes.makes_sizes:
            lines.append("    Sizes sizes;")
        if self.shapes.needed:
            given.append(self._check_shapes(lambda i: i.local if i.kind in ("list", "optional") else f"*{i.local}"))
        if self.shapes.computed:
            targets = [o.local if o.list else f"*{o.local}" for o in self.shapes.computed]
            given.append(call("MakeOutputShapes", *self.shapes.output_arguments, *targets))
        given += [
            self._list_length(o.index, o.name, self.shapes.count_code(o.tensor)) for o in self.host.outputs if o.list
        ]
        if given:
            lines.append(self.unless(4, given))
        for output in self.host.outputs:
            if output.list:
                args = ("check", "*ctx", str(output.index), f'"{output.name}"', output.local)
                lines.append(condition(4, [call("!custom_op::SetOutputShapes", *args)]))
                lines += ["      return ge::GRAPH_FAILED;", "    }"]
            elif output.like is not None:
                lines.append(f"    *{output.local} = *{output.like.local};")
        return "\n".join([*lines, "    return ge::GRAPH_SUCCESS;"])

    @staticmethod
    def _list_length(index: int, name: str, count: str) -> Expr:
        return call("custom_op::BindCount", "check", f'"{name}"', f"custom_op::CountOutputs(*ctx, {index})", count)

    @property
    def compile_checks(self) -> str:
        lines = [f"    {line}" for line in self._found_locals(compiling=True)]
        reads = [_READ] if self.finder_reads else []
        return "\n".join([*lines, self.unless(4, [_CONTEXT, *reads, self._find("InputsOf(*ctx)")])])

    def _found_locals(self, compiling: bool) -> list[str]:
        lines = []
        if self.finder_reads or (not compiling and self.host.operator.attrs):
            lines.append("Attributes attributes;")
        initial = {"int64_t": " = 0", "ge::DataType": " = ge::DT_UNDEFINED"}
        lines += [f"{kind} {name}{initial.get(kind, '')};" for kind, name in self._found]
        if self.variant.has_variant:
            lines.append("Variant variant;")
        return lines

    def _find(self, inputs: str) -> Expr:
        attributes = ["attributes"] if self.finder_reads else []
        variant = ["variant"] if self.variant.has_variant else []
        return call(self.finder, "check", inputs, *attributes, *(name for _, name in self._found), *variant)

    @property
    def capture(self) -> str:
        """What the function that compiles a kernel captures."""
        names = []
        if self.variant.has_variant and ("variant." in self.compile_arguments or self._options_use_variant):
            names.append("&variant")
        if self.variant.lists_in_options:
            names.append("&attributes")
        if self.host.interface.generated:
            names.append("&target")
        return ", ".join(names)

    @property
    def _options_use_variant(self) -> bool:
        return bool(self.variant.options or self.variant.attribute_options or self.variant.presences)

    @property
    def compile_arguments(self) -> str:
        return f"{{{', '.join(self.variant.dims)}}}"

    @property
    def options(self) -> str:
        """The declaration of the options, as far as they are always there."""
        words = [*self.variant.options]
        if self.host.interface.generated:
            words += ['"--platform"', "target.platform"]
        if not words:
            return "      std::vector<std::string> options;"
        return statement("      std::vector<std::string> options = ", braces(*words), ";")

    @property
    def has_options(self) -> bool:
        return self.host.interface.generated or self._options_use_variant

    @property
    def folder(self) -> str:
        return kernel_folder(self.host.spec, self.host.operator)

    @property
    def script(self) -> str:
        return PurePosixPath(self.host.interface.script).name

    # Execute

    @property
    def execute_comment(self) -> str:
        if not self.host.dynamic:
            text = (
                "GE calls this once when it loads a graph of known shapes, and then replays what it put on the stream."
            )
        else:
            text = (
                "GE calls this at each run of a graph with unknown shapes. A graph of known shapes calls it once, when "
                "it is loaded, and then replays what it put on the stream."
            )
        return comment(text, indent=2)

    @property
    def execute_checks(self) -> str:
        lines = []
        checks: list[Expr] = []
        lines += [f"    {line}" for line in self._found_locals(compiling=False)]
        if self.host.operator.attrs:
            checks.append(_READ)
        checks.append(self._find("in"))
        if not self.host.exact_early:
            if self.counts:
                lines.append("    int64_t count = 0;")
            checks += self.exact_checks
        if self.host.inputs:
            checks.append("check.HaveAddresses(in.All())")
        for output in self.shapes.computed:
            lines.append(f"    gert::Shape {output.local}_shape;")
        if self.shapes.computed:
            shapes = [f"{o.local}_shape" for o in self.shapes.computed]
            checks.append(call("MakeOutputShapes", *self.shapes.output_arguments, *shapes))
            for output in self.shapes.computed:
                args = (f'"{output.name}"', f"{output.local}_shape", "kMaxElements")
                checks.append(call("check.HasElements", *args))
        for output in self.host.outputs:
            if output.list:
                checks.append(self._list_length(output.index, output.name, self.shapes.count_code(output.tensor)))
        lines.append(self.unless(4, checks))
        return "\n".join(lines)

    @property
    def key(self) -> str:
        """The key of the kernel that a node takes, as a C++ expression."""
        return "variant.Key()" if self.variant.has_variant else "kKernel"

    def flat(self, expr: Expr) -> str:
        return flat(expr)

    @property
    def presence_terms(self) -> str:
        return "".join(f' + ({member} ? "" : "_no_{name}")' for member, name in self.variant.presences)

    @property
    def row_declaration(self) -> str:
        return assignment("  const custom_op::DataTypes *row", self.types.row_search)

    @property
    def compile_call(self) -> str:
        options = "options" if self.has_options else "{}"
        arguments = ("kKernelScript", self.compile_arguments, options, "image", "reason")
        return condition(6, [call("!custom_op::CompileKernel", *arguments)])

    @property
    def no_kernel(self) -> str:
        return '"no kernel " + variant.Key() + ": "' if self.variant.has_variant else '"no kernel: "'

    def output(self, output: Output) -> str:
        """Memory for one output."""
        name = output.local
        if output.list:
            return self._output_list(output)
        lines = [self.launch.allocation(output)]
        if output.tensor.inplace:
            problem = f'"GE does not let {output.name} share the memory of its input"'
        else:
            problem = self.launch.no_memory(output)
        lines += [
            f"    if ({name} == nullptr || {name}->GetAddr() == nullptr) {{",
            statement("      return ", call("check.Failed", problem), ";"),
            "    }",
        ]
        if not self.launch.typed and not output.tensor.inplace:
            lines.append(f"    tensors.push_back({name}->GetAddr());")
        return "\n".join(lines)

    def _output_list(self, output: Output) -> str:
        name = output.local
        allocation = call(
            "ctx->MallocOutputTensor",
            "i" if output.index == 0 else f"{self.launch.output_index(output)} + i",
            f"custom_op::Dense({name}_shape)",
            self.launch.format,
            self.types.output_held(output.tensor),
        )
        return "\n".join(
            [
                self._for_each(output),
                assignment(f"      gert::Tensor *{name}", allocation),
                f"      if ({name} == nullptr || {name}->GetAddr() == nullptr) {{",
                statement("        return ", call("check.Failed", self.launch.no_memory(output)), ";"),
                "      }",
                f"      tensors.push_back({name}->GetAddr());",
                "    }",
            ]
        )

    @property
    def workspace(self) -> str:
        lines = [
            assignment("    const custom_op::Size size", self.launch.workspace_bytes),
            "    void *workspace = ctx->MallocWorkSpace(static_cast<size_t>(size.value()));",
            "    if (workspace == nullptr) {",
            '      return check.Failed("no memory for a workspace of " + std::to_string(size.value()) + " bytes");',
            "    }",
        ]
        if not self.launch.typed:
            lines.append("    tensors.push_back(workspace);")
        return "\n".join(lines)

    @property
    def untyped_call(self) -> str:
        launched = call("!custom_op::Launch", "kernel->call()", "tensors", *self.launch.scalars)
        return "\n".join(
            [
                condition(4, [launched]),
                '      return check.Failed("too many tensors: " + std::to_string(tensors.size()));',
                "    }",
            ]
        )

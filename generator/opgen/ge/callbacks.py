"""The bodies of the callbacks of custom_op.cpp: InferDataType, InferShape, Compile, Execute."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.cxx.layout import Expr, braces, call, comment, condition, flat, statement
from opgen.ge.finder import Finder
from opgen.ge.host import Host
from opgen.ge.launch_rules import LaunchRules
from opgen.ge.shape_rules import ShapeRules
from opgen.ge.statements import ATTRIBUTES_READ, CONTEXT_GIVEN, unless
from opgen.ge.type_rules import TypeRules
from opgen.ge.variant_rules import VariantRules


@dataclass(frozen=True)
class Callbacks:
    host: Host
    types: TypeRules
    shapes: ShapeRules
    variant: VariantRules
    launch: LaunchRules
    finder: Finder

    @property
    def infer_type(self) -> str:
        """The body of InferDataType behind its first line."""
        lines = []
        checks: list[Expr] = [CONTEXT_GIVEN]
        if self.types.reads_attributes or self.types.attributes_for_outputs:
            lines.append("    Attributes attributes;")
            checks.append(ATTRIBUTES_READ)
        lines += [f"    ge::DataType {name} = ge::DT_UNDEFINED;" for name in self.types.derived.values()]
        types = [self.types.given(one) for one in self.host.inputs]
        attributes = ["attributes"] if self.types.reads_attributes else []
        if types:
            checks.append(call("CheckTypes", "check", *types, *attributes, *self.types.derived.values()))
        return "\n".join([*lines, unless(4, checks), *self._set_types()])

    def _set_types(self) -> list[str]:
        outputs = self.host.outputs
        types = [self.types.output_inferred(output.tensor) for output in outputs]
        if len(outputs) == 1 and not outputs[0].list:
            return [statement("    return ", call("ctx->SetOutputDataType", "0", types[0]), ";")]
        refusals: list[Expr] = []
        for output, dtype in zip(outputs, types, strict=True):
            if self.host.output_lists:  # positions in the node depend on the lists
                args = ("check", "*ctx", str(output.index), f'"{output.name}"', dtype)
                refusals.append(call("!custom_op::SetOutputTypes", *args))
            else:
                set_type = flat(call("ctx->SetOutputDataType", str(output.index), dtype))
                refusals.append(f"{set_type} != ge::GRAPH_SUCCESS")
        return [
            condition(4, refusals),
            '      return check.Failed("GE does not take the types of the outputs");',
            "    }",
            "    return ge::GRAPH_SUCCESS;",
        ]

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
            given.append(ATTRIBUTES_READ)
        if self.shapes.makes_sizes:
            lines.append("    Sizes sizes;")
        if self.shapes.needed:
            given.append(
                self.finder.shapes_checked(lambda i: i.local if i.kind in ("list", "optional") else f"*{i.local}")
            )
        if self.shapes.computed:
            targets = [o.local if o.list else f"*{o.local}" for o in self.shapes.computed]
            given.append(call("MakeOutputShapes", *self.shapes.output_arguments, *targets))
        given += [
            self._list_length(o.index, o.name, self.shapes.count_code(o.tensor)) for o in self.host.outputs if o.list
        ]
        if given:
            lines.append(unless(4, given))
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
        lines = [f"    {line}" for line in self.finder.results(compiling=True)]
        reads = [ATTRIBUTES_READ] if self.finder.reads else []
        return "\n".join([*lines, unless(4, [CONTEXT_GIVEN, *reads, self.finder.found("InputsOf(*ctx)")])])

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
    def compile_call(self) -> str:
        options = "options" if self.has_options else "{}"
        arguments = ("kKernelScript", self.compile_arguments, options, "image", "reason")
        return condition(6, [call("!custom_op::CompileKernel", *arguments)])

    @property
    def no_kernel(self) -> str:
        return '"no kernel " + variant.Key() + ": "' if self.variant.has_variant else '"no kernel: "'

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
        lines += [f"    {line}" for line in self.finder.results(compiling=False)]
        if self.host.operator.attrs:
            checks.append(ATTRIBUTES_READ)
        checks.append(self.finder.found("in"))
        if not self.host.exact_early:
            if self.finder.counts:
                lines.append("    int64_t count = 0;")
            checks += self.finder.exact_checks
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
        lines.append(unless(4, checks))
        return "\n".join(lines)

    @property
    def key(self) -> str:
        """The key of the kernel that a node takes, as a C++ expression."""
        return "variant.Key()" if self.variant.has_variant else "kKernel"

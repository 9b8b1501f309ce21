"""Execute in custom_op.cpp: outputs, workspace, the parameters of `call`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from opgen.cxx.layout import Call, Chain, Expr, assignment, call, condition, statement
from opgen.cxx.literals import attr_value
from opgen.cxx.names import distinct
from opgen.facts.dtypes import DTYPES
from opgen.facts.socs import MAX_CORES
from opgen.formula.signature import Variant
from opgen.formula.sizes import simplify
from opgen.ge.host import Host, Input, Output
from opgen.ge.shape_rules import ShapeRules
from opgen.ge.size_code import size_code
from opgen.ge.type_rules import TypeRules
from opgen.ge.variant_rules import VariantRules
from opgen.kernel.interface import call_parameters, symbolic_sizes
from opgen.spec.variants import variants

_INT32_MAX = 2**31 - 1


@dataclass(frozen=True)
class LaunchRules:
    host: Host
    types: TypeRules
    shapes: ShapeRules
    variant: VariantRules

    @property
    def max_elements(self) -> tuple[str, str]:
        """What the limit is for, and the limit as a constant expression."""
        limit = self.host.plan.max_elements
        if limit is None:
            return "TileLang counts in int32.", "INT32_MAX"
        tile, rest = divmod(_INT32_MAX - limit, 2 * MAX_CORES)
        text = f"INT32_MAX - {MAX_CORES} * 2 * {tile}" if not rest else str(limit)
        return f"The kernel counts in int32, up to one round of {MAX_CORES} cores past the end.", text

    @property
    def typed(self) -> bool:
        """Whether `call` always has the same parameters."""
        return not self.host.lists

    @property
    def call_type(self) -> str:
        parameters = call_parameters(self.host.operator, Variant())
        in_place = {t.name for t in self.host.operator.outputs if t.inplace}
        names = distinct(p.name for p in parameters)
        items = []
        for name, parameter in zip(names, parameters, strict=True):
            written = parameter.role == "input" and parameter.name in in_place
            cxx = "void *" if written else parameter.cxx
            items.append(f"{cxx}{name}" if cxx.endswith("*") else f"{cxx} {name}")
        return statement("using Call = ", Call("void (*)(", tuple(items)), ";")

    @cached_property
    def groups(self) -> str:
        """What the parameters are, in order, for a comment."""
        roles = {p.role for p in call_parameters(self.host.operator, Variant())}
        words = ("input", "output", "workspace", "attr", "size", "stream")
        texts = {"input": "inputs", "output": "outputs", "attr": "attributes", "size": "sizes"}
        return ", ".join(texts.get(word, word) for word in words if word in roles)

    @property
    def scalars(self) -> list[Expr]:
        """Arguments of `call` after the tensors."""
        workspace = ["workspace"] if self.has_workspace and self.typed else []
        attrs = [f"attributes.{a.name}" for a in self.host.operator.dynamic_attrs]
        return [*workspace, *attrs, *self._sizes, "ctx->GetStream()"]

    @property
    def _sizes(self) -> list[str]:
        """The sizes that `call` takes. Their order can depend on attributes."""
        orders: dict[tuple[str, ...], list[str]] = {}
        for variant in variants(self.host.operator):
            order = tuple(self.variant.size_value(d.of) for d in symbolic_sizes(self.host.operator, variant))
            found = orders.setdefault(order, [])
            if (condition_ := self._holds(variant)) not in found:
                found.append(condition_)
        *others, (last, _) = ((order, " || ".join(found)) for order, found in orders.items())
        return [
            "".join(f"{_grouped(holds)} ? {order[i]} : " for order, holds in others) + size
            for i, size in enumerate(last)
        ]

    def _holds(self, variant: Variant) -> str:
        """Whether a node takes the variant, as far as shapes depend on it."""
        kinds = {attr.name: attr for attr in self.host.operator.attrs}
        terms = [
            f"attributes.{name} == {attr_value(kinds[name], value)}"
            for name, value in variant.attrs
            if kinds[name].type in ("bool", "int")
        ]
        return " && ".join(terms)

    @property
    def has_workspace(self) -> bool:
        return self.host.workspace is not None

    @property
    def workspace_bytes(self) -> str:
        """The bytes of the workspace, a number or a custom_op::Size."""
        size = self.host.workspace
        assert size is not None
        return size_code(simplify(size), self._quantity, self._itemsize)

    def _quantity(self, name: str) -> str:
        return "count" if name == "elements" else self.shapes.name(name)

    def _itemsize(self, dtype: str) -> str:
        if dtype in DTYPES:
            return str(DTYPES[dtype].size)
        return f"ge::GetSizeByDataType({self.types.symbol_held(dtype)})"

    @property
    def typed_call(self) -> str:
        outputs = [f"{o.local}->GetAddr()" for o in self.host.outputs if not o.tensor.inplace]
        return statement("    ", call("call", *map(self._address, self.host.inputs), *outputs, *self.scalars), ";")

    def _address(self, one: Input) -> str:
        """Of an input, or of the output that shares its memory; null when it is absent."""
        shared = next((o.local for o in self.host.outputs if o.tensor.inplace and o.name == one.name), "")
        if one.kind == "optional":
            return f"custom_op::AddressOf(in.{one.name})"
        return f"{shared or f'in.{one.name}'}->GetAddr()"

    @property
    def pushed(self) -> list[str]:
        """Statements that put the inputs of a call in order."""
        if all(one.kind != "optional" for one in self.host.inputs):
            each = "for (const custom_op::NamedTensor &one : in.All()) {"
            return [each, "  tensors.push_back(one.tensor->GetAddr());", "}"]
        lines = []
        for one in self.host.inputs:
            if one.kind == "list":
                lines.append(f"for (const gert::Tensor *one : in.{one.name}) {{")
                lines += ["  tensors.push_back(one->GetAddr());", "}"]
            else:
                lines.append(f"tensors.push_back({self._address(one)});")
        return lines

    def allocation(self, output: Output) -> str:
        """The statement that allocates an output, or lets it share the memory of its input."""
        if output.tensor.inplace:
            assert output.like is not None
            source = output.like.index
            index = str(source) if self.host.plain else f"custom_op::InputIndex(*ctx, {source})"
            value = call("ctx->MakeOutputRefInput", self.output_index(output), index)
        else:
            value = call(
                "ctx->MallocOutputTensor",
                self.output_index(output),
                f"in.{output.like.name}->GetShape()" if output.like else f"custom_op::Dense({output.local}_shape)",
                self.format,
                self.types.output_held(output.tensor),
            )
        return assignment(f"    gert::Tensor *{output.local}", value)

    @property
    def format(self) -> str:
        first = next((i for i in self.host.inputs if i.kind == "required"), None)
        return f"in.{first.name}->GetFormat()" if first else "{ge::FORMAT_ND, ge::FORMAT_ND, {}}"

    def output_index(self, output: Output) -> str:
        """Where an output stands in a node: after a list, that depends on the list."""
        after_list = any(o.list for o in self.host.outputs[: output.index])
        return f"custom_op::OutputIndex(*ctx, {output.index})" if after_list else str(output.index)

    def no_memory(self, output: Output) -> Expr:
        shape = f"in.{output.like.name}->GetStorageShape()" if output.like else f"{output.local}_shape"
        return Chain("+", (f'"no memory for {output.name} of shape "', f"custom_op::ShapeText({shape})"))

    def output(self, output: Output) -> str:
        """Memory for one output."""
        name = output.local
        if output.list:
            return self._output_list(output)
        lines = [self.allocation(output)]
        if output.tensor.inplace:
            problem: Expr = f'"GE does not let {output.name} share the memory of its input"'
        else:
            problem = self.no_memory(output)
        lines += [
            condition(4, [f"{name} == nullptr", f"{name}->GetAddr() == nullptr"]),
            statement("      return ", call("check.Failed", problem), ";"),
            "    }",
        ]
        if not self.typed and not output.tensor.inplace:
            lines.append(f"    tensors.push_back({name}->GetAddr());")
        return "\n".join(lines)

    def _output_list(self, output: Output) -> str:
        name = output.local
        allocation = call(
            "ctx->MallocOutputTensor",
            "i" if output.index == 0 else f"{self.output_index(output)} + i",
            f"custom_op::Dense({name}_shape)",
            self.format,
            self.types.output_held(output.tensor),
        )
        return "\n".join(
            [
                self._for_each(output),
                assignment(f"      gert::Tensor *{name}", allocation),
                condition(6, [f"{name} == nullptr", f"{name}->GetAddr() == nullptr"]),
                statement("        return ", call("check.Failed", self.no_memory(output)), ";"),
                "      }",
                f"      tensors.push_back({name}->GetAddr());",
                "    }",
            ]
        )

    def _for_each(self, output: Output) -> str:
        return f"    for (size_t i = 0U; i < custom_op::CountOutputs(*ctx, {output.index}); ++i) {{"

    @property
    def workspace(self) -> str:
        code = self.workspace_bytes
        if code.isdecimal():
            size = value = "kWorkspaceSize"
            declared = f"    constexpr size_t {value} = {code}U;"
        else:
            size, value = "static_cast<size_t>(size.value())", "size.value()"
            declared = assignment("    const custom_op::Size size", code)
        lines = [
            declared,
            f"    void *workspace = ctx->MallocWorkSpace({size});",
            "    if (workspace == nullptr) {",
            f'      return check.Failed("no memory for a workspace of " + std::to_string({value}) + " bytes");',
            "    }",
        ]
        if not self.typed:
            lines.append("    tensors.push_back(workspace);")
        return "\n".join(lines)

    @property
    def untyped_call(self) -> str:
        launched = call("!custom_op::Launch", "kernel->call()", "tensors", *self.scalars)
        return "\n".join(
            [
                condition(4, [launched]),
                '      return check.Failed("too many tensors: " + std::to_string(tensors.size()));',
                "    }",
            ]
        )


def _grouped(condition_: str) -> str:
    return f"({condition_})" if " " in condition_ else condition_

"""struct Inputs of custom_op.cpp, and how it is filled."""

from __future__ import annotations

from dataclasses import dataclass

from opgen.cxx.layout import WIDTH
from opgen.ge.host import Host, Input


@dataclass(frozen=True)
class InputsCode:
    host: Host

    @property
    def members(self) -> list[str]:
        kinds = {"list": "custom_op::TensorList "}
        return [f"{kinds.get(i.kind, 'const gert::Tensor *')}{i.name};" for i in self.host.inputs]

    @property
    def listed(self) -> str:
        """The function of Inputs that lists them."""
        if not self.host.plain:
            optional = any(one.kind == "optional" for one in self.host.inputs)
            return ("  // Those that are there, in order.\n" if optional else "") + self._listed()
        items = [f'{{"{i.name}", {i.name}}}' for i in self.host.inputs]
        line = f"  custom_op::NamedTensors All() const {{ return {{{', '.join(items)}}}; }}"
        if len(line) <= WIDTH:
            return line
        return self._listed()

    def _listed(self) -> str:
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
    def head(self) -> str:
        if self.host.eager:
            return "Inputs InputsOf(const gert::EagerOpExecutionContext &ctx) {"
        return "template <typename Context>\nInputs InputsOf(const Context &ctx) {"

    @property
    def result(self) -> str:
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

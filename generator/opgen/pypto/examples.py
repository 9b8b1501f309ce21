"""examples/test_aclnn_NAME.cpp and test_geir_NAME.cpp: both run every test for every column and compare the results.

`golden_header(spec, operator, plan)` of opgen.pypto.golden is what they share. They are C++14, as the operator
repositories compile them with the compiler's own default.
"""

from __future__ import annotations

from collections.abc import Iterator

from opgen.cxx.layout import Call, Expr, assignment, call, statement
from opgen.cxx.names import Names
from opgen.facts.dtypes import DType
from opgen.formula.signature import Tensor
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.pypto.aclnn import Interface, interface
from opgen.pypto.example_model import ExampleModel, element
from opgen.pypto.names import lower_camel
from opgen.spec.model import Operator, OpSpec
from opgen.templating import render

# Names of the programs' own in the function that runs a test.
_LOCALS = (
    *("test", "types", "stream", "inputs", "outputs", "workspaceSize", "executor", "workspace"),
    *("graph", "graphId", "session", "results", "desc", "passed", "device", "engine"),
)
_ARRAYS = {"ints": ("aclIntArray", "IntArray"), "floats": ("aclFloatArray", "FloatArray")}


def aclnn_example(spec: OpSpec, operator: Operator, plan: PyptoPlan) -> str:
    """The text of examples/test_aclnn_NAME.cpp."""
    del spec  # the operator is the only one
    model = ExampleModel(operator, plan)
    names = interface(operator)
    program = _Program(model)
    return render(
        "pypto/examples/test_aclnn.cpp.j2",
        header=names.header,
        first=names.first,
        second=names.second,
        lists=sorted({_ARRAYS[a.type] for a in operator.attrs if a.type in _ARRAYS}),
        optional=bool(operator.optional_inputs),
        types=[(element(d.name), f"ACL_{d.ge.removeprefix('DT_')}") for d in model.dtypes],
        tensors=list(program.device_tensors()),
        arrays=list(program.arrays()),
        first_call=program.first_call(names),
        second_call=statement("    ", call("Check", call(names.second, *_SECOND), f'"{names.second}"'), ";"),
        outputs=list(program.read_outputs()),
        **program.common(),
    )


def geir_example(spec: OpSpec, operator: Operator, plan: PyptoPlan) -> str:
    """The text of examples/test_geir_NAME.cpp."""
    del spec
    model = ExampleModel(operator, plan)
    program = _Program(model)
    data, node = list(program.data_nodes()), list(program.node())
    return render(
        "pypto/examples/test_geir.cpp.j2",
        types=[(element(d.name), f"ge::{d.ge}") for d in program.described()],
        reads_test=any("test." in line or "(test)" in line for line in (*data, *node)),
        data=data,
        node=node,
        feeds=list(program.feeds()),
        results=list(program.results()),
        count=len(operator.outputs),
        **program.common(),
    )


_SECOND = ("workspace.Address()", "workspaceSize", "executor", "stream")


class _Program:
    """What both programs say of an operator."""

    def __init__(self, model: ExampleModel) -> None:
        self.model = model
        self.operator = model.operator
        names = Names((*_LOCALS, "node", "feeds", "index"))
        self.locals = {
            tensor.name: names.new(lower_camel(tensor.name), f"{lower_camel(tensor.name)}Tensor")
            for tensor in model.tensors
        }
        self.array_locals = {
            attr.name: names.new(lower_camel(attr.name), f"{lower_camel(attr.name)}Array")
            for attr in self.operator.attrs
            if attr.type in _ARRAYS
        }

    def common(self) -> dict[str, object]:
        model = self.model
        return {
            "name": self.operator.name,
            "type": self.operator.type,
            "golden": model.golden,
            "head": model.template,
            "arguments": model.arguments,
            "columns": [(model.column(types), model.column_title(types)) for types in self.operator.combinations],
            "using": self._using(),
        }

    def _using(self) -> list[str]:
        """Names of the golden header that the program has without its namespace."""
        found = {element(dtype.name) for dtype in self.model.dtypes}
        own = sorted(name for name in found if name in ("Float16", "BFloat16", "Bool"))
        return [*own, "TestCase"]

    # aclnn

    def device_tensors(self) -> Iterator[str]:
        """Declares the tensors on the device, filled."""
        for tensor in self.model.tensors:
            local, own = self.locals[tensor.name], self.model.element(tensor)
            shape = self._shape(tensor)
            kind = f"    const DeviceTensor<{own}> "
            arguments: tuple[Expr, ...] = (shape, f"inputs.{tensor.name}") if tensor.role == "input" else (shape,)
            if not tensor.optional:
                yield statement(kind, Call(f"{local}(", arguments), ";")
                continue
            present = f"test.{self.model.members[tensor.name]}"
            yield f"    std::unique_ptr<DeviceTensor<{own}>> {local};"
            yield f"    if ({present}) {{"
            yield statement(f"        {local}.reset(", Call(f"new DeviceTensor<{own}>(", arguments), ");")
            yield "    }"

    def _shape(self, tensor: Tensor) -> str:
        text = self.model.shape(tensor)
        return text if text.startswith("test.") else f"{self.operator.name}::{text}"

    def arrays(self) -> Iterator[str]:
        for attr in self.operator.attrs:
            if attr.type in _ARRAYS:
                member = f"test.{self.model.members[attr.name]}"
                yield f"    const {_ARRAYS[attr.type][1]} {self.array_locals[attr.name]}({member});"

    def first_call(self, names: Interface) -> str:
        arguments: list[Expr] = []
        attrs = {a.name: a for a in self.operator.attrs}
        optional = {t.name for t in self.operator.optional_inputs}
        for parameter in names.parameters:
            if parameter.role != "attr":
                local = self.locals[parameter.source]
                got = f"{local}.Get()"
                arguments.append(
                    f"{local} == nullptr ? nullptr : {local}->Get()" if parameter.source in optional else got
                )
                continue
            attr = attrs[parameter.source]
            if attr.type in _ARRAYS:
                arguments.append(f"{self.array_locals[attr.name]}.Get()")
            elif attr.type == "dtype":
                arguments.append(f"AclType<{self.model.type_names[attr.name]}>()")
            elif attr.type == "string":
                arguments.append(f"const_cast<char*>(test.{self.model.members[attr.name]}.c_str())")
            else:
                arguments.append(f"test.{self.model.members[attr.name]}")
        inner = call(names.first, *arguments, "&workspaceSize", "&executor")
        line = statement("    Check(", inner, f', "{names.first}");')
        if "\n" not in line:
            return line
        return assignment("    const int32_t planned", inner) + f'\n    Check(planned, "{names.first}");'

    def read_outputs(self) -> Iterator[str]:
        for tensor in self.operator.outputs:
            local = self.locals[tensor.name]
            pointer = tensor.inplace and any(t.name == tensor.name for t in self.operator.optional_inputs)
            yield f"    outputs.{tensor.name} = {local}{'->' if pointer else '.'}Read();"

    # Graph

    def described(self) -> tuple[DType, ...]:
        """The types that the graph is told: of inputs, and of attributes that choose one."""
        told = {t.dtype for t in self.operator.inputs} | {a.name for a in self.operator.attrs if a.type == "dtype"}
        chosen = {dtype for types in self.operator.combinations for symbol, dtype in types if symbol in told}
        return tuple(d for d in self.model.dtypes if d.name in chosen | told)

    def data_nodes(self) -> Iterator[str]:
        """Statements that make the inputs of the graph."""
        for tensor in self.operator.inputs:
            desc = call(f"DescOf<{self.model.element(tensor)}>", self._shape(tensor))
            made = call("MakeData", f'"{tensor.name}"', desc, "index++")
            if tensor.optional:
                yield f"    if (test.{self.model.members[tensor.name]}) {{"
                yield from self._connect(tensor, made, "        ")
                yield "    }"
            else:
                yield from self._connect(tensor, made, "    ")

    def _connect(self, tensor: Tensor, made: Expr, indent: str) -> Iterator[str]:
        local = self.locals[tensor.name]
        yield assignment(f"{indent}ge::op::Data {local}", made)
        yield f"{indent}inputs.push_back({local});"
        yield f"{indent}(void)node.set_input_{tensor.name}({local});"

    def node(self) -> Iterator[str]:
        """Statements that set the attributes."""
        for attr in self.operator.attrs:
            if attr.type == "dtype":
                value = f"static_cast<int64_t>(GeType<{self.model.type_names[attr.name]}>())"
            else:
                value = f"test.{self.model.members[attr.name]}"
            yield statement("    ", Call(f"(void)node.set_attr_{attr.name}(", (value,)), ";")

    def feeds(self) -> Iterator[str]:
        """Statements that collect the tensors which the graph is run with."""
        for tensor in self.operator.inputs:
            made = call("MakeTensor", self._shape(tensor), f"inputs.{tensor.name}")
            if tensor.optional:
                yield f"    if (test.{self.model.members[tensor.name]}) {{"
                yield statement("        feeds.push_back(", made, ");")
                yield "    }"
            else:
                yield statement("    feeds.push_back(", made, ");")

    def results(self) -> Iterator[str]:
        for number, tensor in enumerate(self.operator.outputs):
            made = call(f"ReadTensor<{self.model.element(tensor)}>", f"results[{number}]", self._shape(tensor))
            yield assignment(f"    outputs.{tensor.name}", made)

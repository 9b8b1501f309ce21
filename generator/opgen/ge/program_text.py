"""session_run, graph_build and model_exec of one operator. `stem` is that of the file, whose own header comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from opgen.cxx.layout import WIDTH, Call, Expr, assignment, call, columns, comment, statement
from opgen.ge.program_model import CaseModel, CaseTensor
from opgen.templating import render

_RUN = "Builds a graph with one {type} node, compiles and loads it, runs it and checks the result."
_RUN_ONLY = "Builds a graph with one {type} node, compiles and loads it, and runs it. Compares nothing."
_BUILD = "Writes a graph with one {type} node for ATC. Needs neither a device nor GEInitialize."
_EXEC = "Loads the OM, which restores the kernels and calls Execute once, runs it and checks the result."
_EXEC_ONLY = "Loads the OM, which restores the kernels and calls Execute once, and runs it. Compares nothing."


def session_run(model: CaseModel, stem: str) -> str:
    """The text of session_run: builds, compiles, loads and runs a graph in one process."""
    name = model.operator.name
    return render(
        "session_run/main.cc.j2",
        description=_description(_RUN_ONLY if model.golden == "none" else _RUN, model),
        system_includes=sorted(
            {"cstdint", "exception", "iostream", "map", "vector"}
            | ({"string"} if model.golden == "reference" or _input_lists(model) else set())
            | _list_includes(model)
        ),
        includes=_includes(
            stem,
            [
                "acl_scope.h",
                f"{name}.h",
                f"{name}_case.h",
                "exe_graph/runtime/storage_shape.h",
                "exe_graph/runtime/tensor.h",
                "ge/ge_api.h",
                "graph/ascend_string.h",
                "graph/graph.h",
                "graph/tensor.h",
                "graph/types.h",
                "ops_proto_legacy.h",
                *(["graph/operator.h"] if _many(model) else []),
            ],
        ),
        golden=model.golden,
        lists=_input_lists(model),
        graph=list(_graph(model)),
        arrays=list(_arrays(model)),
        inputs=[line for t in model.inputs for line in _add(t, "in.push_back(", _tensor)],
        outputs=[line for t in model.outputs for line in _add(t, "out.push_back(", _tensor)],
        check=list(_check(model)),
    )


def graph_build(model: CaseModel, stem: str) -> str:
    """The text of graph_build: writes the graph that ATC compiles."""
    name = model.operator.name
    return render(
        "graph_build/main.cc.j2",
        description=_description(_BUILD, model),
        system_includes=sorted(
            {"cstdint", "cstdio", "iostream", "vector"} | ({"string"} if _input_lists(model) else set())
        ),
        includes=_includes(
            stem,
            [
                f"{name}.h",
                f"{name}_case.h",
                "graph/ge_error_codes.h",
                "graph/graph.h",
                "graph/tensor.h",
                "graph/types.h",
                "ops_proto_legacy.h",
                *(["graph/operator.h"] if _many(model) else []),
            ],
        ),
        golden=model.golden,
        lists=_input_lists(model),
        graph=list(_graph(model)),
    )


def model_exec(model: CaseModel, stem: str) -> str:
    """The text of model_exec: loads an OM and runs it."""
    return render(
        "model_exec/main.cc.j2",
        description=_description(_EXEC_ONLY if model.golden == "none" else _EXEC, model),
        system_includes=sorted(
            {"cstddef", "cstdint", "exception", "iostream", "stdexcept", "string", "vector"} | _list_includes(model)
        ),
        includes=_includes(stem, ["acl/acl.h", "acl_scope.h", f"{model.operator.name}_case.h"]),
        golden=model.golden,
        arrays=list(_arrays(model)),
        inputs=[line for t in model.inputs for line in _add(t, "in.Add(", _buffer)],
        outputs=[line for t in model.outputs for line in _add(t, "out.Add(", _buffer)],
        check=list(_check(model)),
    )


def _description(text: str, model: CaseModel) -> str:
    return comment(text.format(type=model.operator.type))


def _includes(stem: str, includes: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The header of the file's own name, and the others."""
    own = f"{stem}.h"
    return tuple(i for i in includes if i == own), tuple(sorted(i for i in includes if i != own))


def _input_lists(model: CaseModel) -> bool:
    return any(t.copies is not None for t in model.inputs)


def _list_includes(model: CaseModel) -> set[str]:
    counted = {"cstddef"} if any(t.copies is not None for t in model.outputs) else set()
    return counted | ({"deque"} if model.lists else set())


def _many(model: CaseModel) -> bool:
    """Whether the inputs of the graph are collected one by one: lists, or more than fit on a line."""
    return _input_lists(model) or columns(_set_inputs(model)) > WIDTH


def _set_inputs(model: CaseModel) -> str:
    return f"  graph.SetInputs({{{', '.join(t.local for t in model.inputs)}}}).SetOutputs({{{model.node}}});"


def _node_name(model: CaseModel, tensor: CaseTensor) -> str:
    """Name of the Data node of an input, different from that of the operator."""
    return tensor.name if tensor.name != model.operator.name else tensor.local


def _graph(model: CaseModel) -> Iterator[str]:
    """The statements of BuildGraph up to the return."""
    operator = model.operator
    if _many(model):
        yield f'  ge::op::{operator.type} {model.node}("{operator.name}");'
        yield "  std::vector<ge::Operator> inputs;"
        for tensor in model.inputs:
            yield from _collected_input(model, tensor)
        yield from _statements(model, _settings(model))
        yield ""
        yield f'  ge::Graph graph("{operator.name}_graph");'
        yield f"  graph.SetInputs(inputs).SetOutputs({{{model.node}}});"
        return
    for index, tensor in enumerate(model.inputs):
        yield assignment(f"  ge::op::Data {tensor.local}", _data(model, tensor, str(index)))
    yield f'  ge::op::{operator.type} {model.node}("{operator.name}");'
    connections = [f"set_input_{t.name}({t.local})" for t in model.inputs]
    yield from _statements(model, connections + _settings(model))
    yield ""
    yield f'  ge::Graph graph("{operator.name}_graph");'
    yield _set_inputs(model)


def _collected_input(model: CaseModel, tensor: CaseTensor) -> Iterator[str]:
    if tensor.copies is None:
        yield assignment(f"  ge::op::Data {tensor.local}", _data(model, tensor, "inputs.size()"))
        yield f"  inputs.push_back({tensor.local});"
        yield f"  {model.node}.set_input_{tensor.name}({tensor.local});"
        return
    yield f"  {model.node}.create_dynamic_input_{tensor.name}(sample::{tensor.copies_name});"
    yield f"  for (uint32_t k = 0U; k < sample::{tensor.copies_name}; ++k) {{"
    yield assignment(f"    ge::op::Data {tensor.local}", _data(model, tensor, "inputs.size()"))
    yield f"    inputs.push_back({tensor.local});"
    yield f"    {model.node}.set_dynamic_input_{tensor.name}(k, {tensor.local});"
    yield "  }"


def _data(model: CaseModel, tensor: CaseTensor, index: str) -> Expr:
    name = f'"{_node_name(model, tensor)}"'
    if tensor.copies is not None:
        name += " + std::to_string(k)"
    return call("MakeData", name, f"sample::{tensor.shape}", f"sample::{tensor.type}", index)


def _settings(model: CaseModel) -> list[str]:
    """Calls that say how many outputs a list has, and the attributes."""
    calls = [f"create_dynamic_output_{t.name}(sample::{t.copies_name})" for t in model.outputs if t.copies is not None]
    for attr in model.attrs:
        value = f"sample::{attr.constant}"
        if isinstance(attr.value, tuple):
            item = "int64_t" if attr.attr.type == "ints" else "float"
            value = f"std::vector<{item}>({value}.begin(), {value}.end())"
        calls.append(f"set_attr_{attr.attr.name}({value})")
    return calls


def _statements(model: CaseModel, calls: list[str]) -> Iterator[str]:
    """Calls on the node: in one chain if that fits on a line."""
    chain = f"  {model.node}.{'.'.join(calls)};"
    if calls and columns(chain) <= WIDTH:
        yield chain
    else:
        yield from (f"  {model.node}.{one};" for one in calls)


def _arrays(model: CaseModel) -> Iterator[str]:
    """Inputs and outputs on the device."""
    made = "ReadInputs(folder)" if model.golden == "reference" else "MakeInputs()"
    yield f"  const sample::Inputs inputs = sample::{made};"
    for tensor in model.inputs:
        if tensor.copies is None:
            yield f"  const {_array(tensor)} {tensor.local}(inputs.{tensor.name});"
        else:
            yield f"  std::deque<{_array(tensor)}> {tensor.local};"
            yield f"  for (const std::vector<{_element(tensor)}> &values : inputs.{tensor.name}) {{"
            yield f"    {tensor.local}.emplace_back(values);"
            yield "  }"
    for tensor in model.outputs:
        if tensor.copies is None:
            yield f"  const {_array(tensor)} {tensor.local}(sample::{tensor.count});"
        else:
            yield f"  std::deque<{_array(tensor)}> {tensor.local};"
            yield f"  for (size_t k = 0U; k < sample::{tensor.copies_name}; ++k) {{"
            yield f"    {tensor.local}.emplace_back(sample::{tensor.count});"
            yield "  }"


def _array(tensor: CaseTensor) -> str:
    return f"sample::DeviceArray<{_element(tensor)}>"


def _element(tensor: CaseTensor) -> str:
    return f"sample::{tensor.element}" if tensor.element in ("Float16", "BFloat16") else tensor.element


def _add(tensor: CaseTensor, head: str, what: Callable[[CaseTensor, str], Expr]) -> Iterator[str]:
    """Adds a tensor, or each of a list, to the inputs or outputs of a run."""
    if tensor.copies is None:
        yield statement("  ", Call(head, (what(tensor, tensor.local),)), ";")
        return
    yield f"  for (const {_array(tensor)} &array : {tensor.local}) {{"
    yield statement("    ", Call(head, (what(tensor, "array"),)), ";")
    yield "  }"


def _tensor(tensor: CaseTensor, array: str) -> Expr:
    return call("MakeTensor", f"{array}.data()", f"sample::{tensor.shape}", f"sample::{tensor.type}")


def _buffer(_: CaseTensor, array: str) -> Expr:
    return f"{array}.data(), {array}.size()"


def _check(model: CaseModel) -> Iterator[str]:
    """Looks at the results, and returns whether they are right."""
    if model.golden == "none":
        yield "  sample::ReportUnchecked();"
        yield "  return true;"
        return
    source = "folder" if model.golden == "reference" else "inputs"
    values = ", ".join(f"{t.local}.ToHost()" for t in model.outputs)
    line = f"  return sample::CheckPrecision({source}, {{{values}}});"
    if columns(line) <= WIDTH and all(t.copies is None for t in model.outputs):
        yield line
        return
    yield "  sample::Outputs outputs;"
    for tensor in model.outputs:
        if tensor.copies is None:
            yield f"  outputs.{tensor.name} = {tensor.local}.ToHost();"
        else:
            yield f"  for (size_t k = 0U; k < sample::{tensor.copies_name}; ++k) {{"
            yield f"    outputs.{tensor.name}[k] = {tensor.local}[k].ToHost();"
            yield "  }"
    yield f"  return sample::CheckPrecision({source}, outputs);"

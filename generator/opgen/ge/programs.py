"""The test programs of a project: which there are, what they print, and their texts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from opgen.facts.scenarios import SCENARIOS
from opgen.formula.signature import Text
from opgen.ge.program_case import case_header
from opgen.ge.program_golden import golden_script
from opgen.ge.program_model import CaseModel, case_model
from opgen.ge.program_text import graph_build, model_exec, session_run
from opgen.spec.model import Operator, OpSpec
from opgen.spec.outline import Entry
from opgen.templating import render

_WRITERS = {"session_run": session_run, "graph_build": graph_build, "model_exec": model_exec}

_ROLES = {
    "session_run": Text(
        "builds, compiles, loads and runs the graph, checks the result", "构图、编译、加载并执行，校验结果"
    ),
    "graph_build": Text("builds the graph and saves it as AIR", "构图并保存为 AIR"),
    "model_exec": Text("loads and runs the OM, checks the result", "加载并执行 OM，校验结果"),
}
_ROLES_UNCHECKED = {
    "session_run": Text("builds, compiles, loads and runs the graph", "构图、编译、加载并执行"),
    "model_exec": Text("loads and runs the OM", "加载并执行 OM"),
}

_ACL_SCOPE = Text("RAII for device, stream and device memory", "设备、流和设备内存的 RAII 封装")
_HALF = Text("float16 and bfloat16 on the host", "主机侧的 float16 与 bfloat16")
_RANDOM = Text("random input data", "随机输入数据")
_RAW = Text("reads values from files", "从文件读取数据")
_PRECISION = Text("comparison with the expected values", "与期望值比较")
_CASE = Text("test case: input data and precision check", "测试用例：输入数据与精度校验")
_CASE_UNCHECKED = Text("test case: input data", "测试用例：输入数据")


@dataclass(frozen=True)
class Program:
    """A program of the project. target: name of the executable and of its CMake target. source: its file. what: one of
    session_run, graph_build and model_exec."""

    target: str
    source: str
    what: str
    operator: Operator


def programs(spec: OpSpec) -> tuple[Program, ...]:
    """The programs, operator by operator, in the order in which run.sh runs them."""
    result = []
    for operator in spec.operators:
        for what in SCENARIOS[spec.scenario].programs:
            target, source = what, f"{what}/main.cc"
            if len(spec.operators) > 1:
                target, source = f"{what}_{operator.name}", f"{what}/{operator.name}.cc"
            result.append(Program(target, source, what, operator))
    return tuple(result)


def golden_script_path(operator: Operator) -> str | None:
    """The script that writes input data and expected values for the programs, `python3 SCRIPT FOLDER`. None when the
    programs need no files. A program takes FOLDER as its last argument."""
    return f"common/{operator.name}_golden.py" if case_model(operator).golden == "reference" else None


def program_prints(program: Program) -> tuple[str, ...]:
    """The lines that a good run of a program prints; "..." stands for a path or a number."""
    if program.what == "graph_build":
        return (f"Graph written to .../build/{program.operator.name}.air",)
    model = case_model(program.operator)
    first = (
        "Graph compiled and loaded"
        if program.what == "session_run"
        else f"Model loaded from .../build/{program.operator.name}.om"
    )
    return (first, model.unchecked if model.golden == "none" else "Precision check passed, max_error=...")


def program_files(spec: OpSpec) -> tuple[Entry, ...]:
    """The files of the programs, in the order of the README's tree."""
    models = [case_model(operator) for operator in spec.operators]
    entries = [Entry(path, "generated", role) for path, _, role in _shared(models)]
    for model in models:
        name = model.operator.name
        role = _CASE_UNCHECKED if model.golden == "none" else _CASE
        entries.append(Entry(f"common/{name}_case.h", "generated", _of(role, spec, model.operator)))
        if model.golden == "reference":
            reference = model.operator.reference
            text = Text(
                f"writes input data and expected values with {reference}", f"用 {reference} 生成输入数据和期望值"
            )
            entries.append(Entry(f"common/{name}_golden.py", "generated", text))
    golden = {model.operator.name: model.golden for model in models}
    for what in SCENARIOS[spec.scenario].programs:
        for program in programs(spec):
            if program.what == what:
                unchecked = golden[program.operator.name] == "none"
                role = _ROLES_UNCHECKED.get(what, _ROLES[what]) if unchecked else _ROLES[what]
                entries.append(Entry(program.source, "generated", _of(role, spec, program.operator)))
    return tuple(entries)


def render_programs(spec: OpSpec) -> dict[str, str]:
    """The texts of `program_files`, by path."""
    models = {operator.name: case_model(operator) for operator in spec.operators}
    texts = {path: render(template) for path, template, _ in _shared(list(models.values()))}
    for name, model in models.items():
        texts[f"common/{name}_case.h"] = case_header(model)
        if model.golden == "reference":
            texts[f"common/{name}_golden.py"] = golden_script(model)
    for program in programs(spec):
        stem = PurePosixPath(program.source).stem
        texts[program.source] = _WRITERS[program.what](models[program.operator.name], stem)
    return texts


def _shared(models: list[CaseModel]) -> list[tuple[str, str, Text]]:
    """Path, template and role of the files that are the same in every project that has them."""
    wanted = [
        ("acl_scope.h", _ACL_SCOPE, True),
        ("half.h", _HALF, any(m.half for m in models)),
        ("random_values.h", _RANDOM, any(m.golden != "reference" for m in models)),
        ("raw_values.h", _RAW, any(m.golden == "reference" for m in models)),
        ("precision_check.h", _PRECISION, any(m.golden != "none" for m in models)),
    ]
    return [(f"common/{name}", f"common/{name}.j2", role) for name, role, want in wanted if want]


def _of(role: Text, spec: OpSpec, operator: Operator) -> Text:
    """The role, with the operator's type where there are several."""
    if len(spec.operators) == 1:
        return role
    return Text(f"{operator.type}: {role.en}", f"{operator.type}：{role.zh}")

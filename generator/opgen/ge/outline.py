"""The outline of a GE project: its files in the order of the README's tree, and the steps of run.sh."""

from __future__ import annotations

from collections.abc import Iterator

from opgen.formula.signature import Text
from opgen.ge.extra import extra_role
from opgen.ge.programs import golden_script_path, program_files, program_prints, programs
from opgen.ge.units import HEADER_ONLY, ROLES, project_units
from opgen.kernel.interface import kernel_interface, precompiled
from opgen.spec.model import Operator, OpSpec
from opgen.spec.outline import Entry, Outline, Step

_ELLIPSIS = ("...",)


def outline(spec: OpSpec) -> Outline:
    """Every file but the READMEs and what tells git about them, and the steps of run.sh."""
    entries: dict[str, Entry] = {}
    for entry in _entries(spec):
        entries.setdefault(entry.path, entry)
    return Outline(tuple(entries.values()), tuple(steps(spec)))


def host_file(spec: OpSpec, operator: Operator) -> str:
    """The file with the host code of an operator."""
    return "ge/custom_op.cpp" if len(spec.operators) == 1 else f"ge/{operator.name}.cpp"


def _entries(spec: OpSpec) -> Iterator[Entry]:
    yield Entry("CMakeLists.txt", "generated", _cmake_role(spec))
    yield Entry("run.sh", "generated", _run_role(spec), executable=True)
    for operator in spec.operators:
        yield from _kernel_entries(spec, operator)
    for operator in spec.operators:
        yield from _host_entries(spec, operator)
    for unit in project_units(spec):
        for suffix in (".h",) if unit in HEADER_ONLY else (".h", ".cpp"):
            group = "" if unit in HEADER_ONLY else f"ge/{unit}"
            yield Entry(f"ge/{unit}{suffix}", "generated", ROLES[unit], group=group)
    yield from program_files(spec)
    for path in spec.extra:
        yield Entry(path, "once", extra_role(path))


def _kernel_entries(spec: OpSpec, operator: Operator) -> Iterator[Entry]:
    interface = kernel_interface(operator)
    if interface.generated:
        role = Text("TileLang kernel and the script that compiles it", "TileLang kernel 及其编译脚本")
        yield Entry(interface.script, "generated", _of(spec, operator, role))
    else:
        role = Text("your TileLang kernel and the script that compiles it", "您编写的 TileLang kernel 及其编译脚本")
        yield Entry(interface.script, "once", _of(spec, operator, role))
    if operator.reference is not None:
        role = Text("your NumPy reference, which gives the expected values", "您编写的 NumPy 参考实现，用于生成期望值")
        yield Entry(operator.reference, "once", _of(spec, operator, role))


def _host_entries(spec: OpSpec, operator: Operator) -> Iterator[Entry]:
    prototype = Text("operator prototype, REG_OP", "算子原型 REG_OP")
    host = Text(
        "the operator: type and shape rules, choice and call of the kernel",
        "算子实现：类型与形状规则、kernel 的选择与调用",
    )
    yield Entry(f"ge/{operator.name}.h", "generated", _of(spec, operator, prototype))
    yield Entry(host_file(spec, operator), "generated", _of(spec, operator, host))


def _of(spec: OpSpec, operator: Operator, role: Text) -> Text:
    """The role, with the operator's type where there are several."""
    if len(spec.operators) == 1:
        return role
    return Text(f"{operator.type}: {role.en}", f"{operator.type}：{role.zh}")


def _cmake_role(spec: OpSpec) -> Text:
    count = len(programs(spec))
    if count == 1:
        return Text(
            "builds the operator library and the test program, installs the operator package",
            "构建算子库和测试程序，安装算子包",
        )
    words = {2: ("two programs", "两个程序")}
    en, zh = words.get(count, (f"{count} programs", f" {count} 个程序"))
    return Text(f"builds the operator library and {en}, installs the operator package", f"构建算子库和{zh}，安装算子包")


def checked(spec: OpSpec) -> bool:
    """Whether any program compares its results with expected values."""
    return any(operator.formula is not None or operator.reference is not None for operator in spec.operators)


def _run_role(spec: OpSpec) -> Text:
    check_en, check_zh = (" and checks the result", "并校验") if checked(spec) else ("", "")
    comma = "," if checked(spec) else " and"
    match spec.scenario:
        case "offline":
            end = "runs it and checks the result" if checked(spec) else "runs it"
            return Text(f"builds, compiles the model, {end}", f"一键构建、编译模型、执行{check_zh}")
        case "online":
            return Text(f"builds{comma} runs{check_en}", f"一键构建、执行{check_zh}")
        case _:
            return Text(f"compiles the kernels, builds{comma} runs{check_en}", f"一键编译 kernel、构建、执行{check_zh}")


def steps(spec: OpSpec) -> Iterator[Step]:
    """The steps of run.sh, in order."""
    if spec.scenario == "eager":
        yield _compile_step(spec)
    yield _build_step(spec)
    if spec.scenario == "offline":
        yield _graph_step(spec)
        yield _atc_step(spec)
    golden = _golden_step(spec)
    if golden is not None:
        yield golden
    yield _exec_step(spec) if spec.scenario == "offline" else _session_step(spec)


def _compile_step(spec: OpSpec) -> Step:
    count = sum(1 for operator in spec.operators for _ in precompiled(spec, operator))
    if count == 1:
        does = Text("Compiles the kernel into `output/kernel/`.", "编译 kernel，写入 `output/kernel/`。")
        return Step("compile the kernel", does, _ELLIPSIS)
    does = Text(
        f"Compiles the {count} kernels into `output/kernel/`.", f"编译 {count} 个 kernel，写入 `output/kernel/`。"
    )
    return Step("compile the kernels", does, _ELLIPSIS)


def _build_step(spec: OpSpec) -> Step:
    targets = [program.target for program in programs(spec)]
    en, zh = _join([f"`{target}`" for target in targets])
    plain, _ = _join(targets)
    title = f"build the operator library, {plain}" if len(targets) > 1 else f"build the operator library and {plain}"
    first = f"the operator library `libcust_opapi.so`{',' if len(targets) > 1 else ' and'} {en}"
    does = Text(
        f"Builds {first}, installs the operator package into `output/`, and makes sure that the library has no "
        "undefined symbols.",
        f"构建算子库 `libcust_opapi.so`{'、' if len(targets) > 1 else ' 和 '}{zh}，将算子包安装到 `output/`，"
        "并检查算子库没有未定义的符号。",
    )
    return Step(title, does, _ELLIPSIS)


def _join(items: list[str]) -> tuple[str, str]:
    """A list in English and in Chinese."""
    if len(items) == 1:
        return items[0], items[0]
    return f"{', '.join(items[:-1])} and {items[-1]}", f"{'、'.join(items[:-1])} 和 {items[-1]}"


def _graph_step(spec: OpSpec) -> Step:
    build = [p for p in programs(spec) if p.what == "graph_build"]
    targets_en, targets_zh = _join([f"`{p.target}`" for p in build])
    files_en, files_zh = _join([f"`build/{o.name}.air`" for o in spec.operators])
    verb, several = ("writes", "") if len(build) == 1 else ("write", "s")
    does = Text(f"Runs {targets_en}, which {verb} {files_en}.", f"运行 {targets_zh}，生成 {files_zh}。")
    return Step(f"write the graph{several}", does, tuple(line for p in build for line in program_prints(p)))


def _atc_step(spec: OpSpec) -> Step:
    files_en, files_zh = _join([f"`build/{o.name}.om`" for o in spec.operators])
    does = Text(
        f"Runs ATC, which writes {files_en}; GE calls `Compile` and `Serialize`.",
        f"运行 ATC，生成 {files_zh}；此时 GE 回调 `Compile` 和 `Serialize`。",
    )
    what = "the graph into an OM" if len(spec.operators) == 1 else "the graphs into OMs"
    return Step(f"compile {what} (Compile, Serialize)", does, _ELLIPSIS)


def _golden_step(spec: OpSpec) -> Step | None:
    scripts = [script for operator in spec.operators if (script := golden_script_path(operator)) is not None]
    if not scripts:
        return None
    en, zh = _join([f"`{script}`" for script in scripts])
    verb = "writes" if len(scripts) == 1 else "write"
    does = Text(
        f"Runs {en}, which {verb} input data and the expected values of the NumPy reference into `build/data/`.",
        f"运行 {zh}，将输入数据和 NumPy 参考实现给出的期望值写入 `build/data/`。",
    )
    return Step("write input data and expected values", does, _ELLIPSIS)


def _exec_step(spec: OpSpec) -> Step:
    run = [p for p in programs(spec) if p.what == "model_exec"]
    en, zh = _join([f"`{p.target}`" for p in run])
    one = len(run) == 1
    verbs = ("loads and runs the OM", "checks the result") if one else ("load and run the OMs", "check the results")
    what, check_zh = (f"{verbs[0]} and {verbs[1]}", "，校验结果") if checked(spec) else (verbs[0], "")
    does = Text(
        f"Runs {en}, which {what}; GE calls `Deserialize` and `Execute`.",
        f"运行 {zh}，加载并执行 OM{check_zh}；此时 GE 回调 `Deserialize` 和 `Execute`。",
    )
    title = "load the OM and run it" if one else "load the OMs and run them"
    title += " without the operator package (Deserialize, Execute)"
    return Step(title, does, tuple(line for p in run for line in program_prints(p)))


def _session_step(spec: OpSpec) -> Step:
    run = programs(spec)
    en, zh = _join([f"`{p.target}`" for p in run])
    one = len(run) == 1
    verbs = ("compiles, loads and runs the graph", "compile, load and run the graphs")
    what = verbs[0] if one else verbs[1]
    check_zh = ""
    if checked(spec):
        what += " and checks the result" if one else " and check the results"
        check_zh = "，校验结果"
    calls, calls_zh = ("`Compile` and `Execute`", "`Compile` 和 `Execute`")
    title = "compile, load and run the graph" if one else "compile, load and run the graphs"
    if spec.scenario == "eager":
        calls, calls_zh = "`Execute`", " `Execute`"
        title += " (Execute)"
    else:
        calls_zh = f" {calls_zh}"
        title += " (Compile, Execute)"
    does = Text(
        f"Runs {en}, which {what}; GE calls {calls}.",
        f"运行 {zh}，编译、加载并执行图{check_zh}；此时 GE 回调{calls_zh}。",
    )
    return Step(title, does, tuple(line for p in run for line in program_prints(p)))

# ruff: noqa: E501  (a text is one line)
"""Overview, difference from the neighbouring scenario, directory structure."""

from opgen.formula.signature import Text

PHRASES = {
    "what.formula": Text("{summary}: {formula}.", "{summary}：{formula}。"),
    "what.plain": Text("{summary}.", "{summary}。"),
    "how.eager": Text(
        "This sample brings a kernel written in TileLang into GE through its language-independent custom operators: the kernel is compiled before the project is built and loaded when it is first run.",
        "本样例通过 GE 的语言无关自定义算子机制接入用 TileLang 编写的 kernel：kernel 在构建工程之前编译，首次执行时加载。",
    ),
    "how.eager.dynamic.one": Text(
        "The {sizes} is passed at run time, so that one kernel serves all of them, dynamic graphs included.",
        "{sizes}在运行时传入，因此同一个 kernel 适用于不同大小的输入，包括动态图。",
    ),
    "how.eager.dynamic.other": Text(
        "The {sizes} are passed at run time, so that one kernel serves all of them, dynamic graphs included.",
        "{sizes}在运行时传入，因此同一个 kernel 适用于不同大小的输入，包括动态图。",
    ),
    "how.online": Text(
        "This sample brings a kernel written in TileLang into GE through its language-independent custom operators: `Session::CompileGraph` compiles the kernel while it compiles the graph, and the same process uses it when it loads and runs the graph.",
        "本样例通过 GE 的语言无关自定义算子机制接入用 TileLang 编写的 kernel：`Session::CompileGraph` 编译图时编译 kernel，同一进程加载并执行该图时直接使用。",
    ),
    "how.offline": Text(
        "This sample brings a kernel written in TileLang into GE through its language-independent custom operators: ATC compiles the kernel while it compiles the model and stores it in the OM. Loading the OM restores it, so that the machine that runs the model needs neither Python nor TileLang nor the operator package.",
        "本样例通过 GE 的语言无关自定义算子机制接入用 TileLang 编写的 kernel：ATC 编译模型时编译 kernel，并将其存入 OM；加载 OM 时再从中恢复，执行环境无需 Python、TileLang 和算子包。",
    ),
    "how.library": Text(
        "The library `libcust_opapi.so` holds {count} operators; each has a kernel of its own.",
        "算子库 `libcust_opapi.so` 包含 {count} 个算子，每个算子有各自的 kernel。",
    ),
    "own.code": Text(
        "This project is generated from `op.yaml`. To change the operator, edit `op.yaml` and run `opgen generate` again. Your own code goes into files of its own, listed under `extra` in `op.yaml`; generating again leaves those alone.",
        "本工程由 `op.yaml` 生成。需要改动算子时，请修改 `op.yaml` 后重新执行 `opgen generate`；您自己的代码放在单独的文件中，在 `op.yaml` 的 `extra` 下登记，重新生成不会覆盖这些文件。",
    ),
    "own.extra.one": Text("Listed there: {files}.", "已登记的文件：{files}。"),
    "own.extra.other": Text("Listed there: {files}.", "已登记的文件：{files}。"),
    "own.written.one": Text(
        "{files} is written by hand, and generating again leaves it alone.", "{files} 由人工编写，重新生成不会覆盖。"
    ),
    "own.written.other": Text(
        "{files} are written by hand, and generating again leaves them alone.", "{files} 由人工编写，重新生成不会覆盖。"
    ),
    "overview.entry": Text("Graph construction entry", "构图入口"),
    "overview.entry.session": Text("GE native (Session)", "GE 原生接口（Session）"),
    "overview.entry.offline": Text(
        "GE native (`Graph::SaveToFile` writes an AIR file, which ATC compiles into an OM)",
        "GE 原生接口（`Graph::SaveToFile` 生成 AIR，再由 ATC 编译为 OM）",
    ),
    "overview.language": Text("Operator programming language", "算子编程语言"),
    "overview.language.value": Text("TileLang (TileLang-Ascend)", "TileLang（TileLang-Ascend）"),
    "overview.compilation": Text("Compilation", "编译方式"),
    "overview.compilation.eager.none": Text(
        "`run.sh` compiles the kernel before the project is built", "`run.sh` 在构建工程之前编译 kernel"
    ),
    "overview.compilation.eager.one": Text(
        "`run.sh` compiles the kernels before the project is built, one for each {parts}",
        "`run.sh` 在构建工程之前编译 kernel，按{parts}分别编译一个",
    ),
    "overview.compilation.eager.other": Text(
        "`run.sh` compiles the kernels before the project is built, one for each combination of {parts}",
        "`run.sh` 在构建工程之前编译 kernel，按{parts}的组合分别编译一个",
    ),
    "overview.compilation.callback.none": Text(
        "GE's `Compile` callback compiles the kernel in a subprocess, once",
        "GE 在 `Compile` 回调中启动子进程编译 kernel，只编译一次",
    ),
    "overview.compilation.callback.one": Text(
        "GE's `Compile` callback compiles the kernel in a subprocess, once for each {parts}",
        "GE 在 `Compile` 回调中启动子进程编译 kernel，按{parts}分别编译一次",
    ),
    "overview.compilation.callback.other": Text(
        "GE's `Compile` callback compiles the kernel in a subprocess, once for each combination of {parts}",
        "GE 在 `Compile` 回调中启动子进程编译 kernel，按{parts}的组合分别编译一次",
    ),
    "overview.compilation.library.eager": Text(
        "`run.sh` compiles the kernels of all operators before the project is built",
        "`run.sh` 在构建工程之前编译所有算子的 kernel",
    ),
    "overview.compilation.library.callback": Text(
        "GE's `Compile` callback compiles the kernels in subprocesses, each key of an operator once",
        "GE 在 `Compile` 回调中启动子进程编译 kernel，每个算子的每个 key 编译一次",
    ),
    "overview.core": Text("Core pipeline", "核心链路"),
    "overview.core.eager": Text(
        "`kernels → operator package → graph → CompileGraph → LoadGraph → ExecuteGraphWithStreamAsync`",
        "`kernel → 算子包 → 构图 → CompileGraph → LoadGraph → ExecuteGraphWithStreamAsync`",
    ),
    "overview.core.online": Text(
        "`graph → CompileGraph (Compile) → LoadGraph (Execute) → ExecuteGraphWithStreamAsync`",
        "`构图 → CompileGraph（Compile）→ LoadGraph（Execute）→ ExecuteGraphWithStreamAsync`",
    ),
    "overview.core.offline": Text(
        "`graph → AIR → ATC (Compile, Serialize) → OM → aclmdlLoadFromFile (Deserialize, Execute) → aclmdlExecute`",
        "`构图 → AIR → ATC（Compile、Serialize）→ OM → aclmdlLoadFromFile（Deserialize、Execute）→ aclmdlExecute`",
    ),
    "overview.scenario": Text("Scenario", "场景"),
    "overview.scenario.value": Text("Scenario {letter}: {scenario}", "场景 {letter}：{scenario}"),
    "scenario.eager": Text("dynamic graph online execution", "动态图在线执行"),
    "scenario.online": Text("online compilation", "在线编译"),
    "scenario.offline": Text("offline OM model sinking", "离线 OM 模型下沉"),
    "overview.chip": Text("Chip", "芯片"),
    "overview.chip.value": Text("{soc} (TileLang platform {platform})", "{soc}（TileLang 平台 {platform}）"),
    "overview.cann": Text("CANN version", "CANN 版本"),
    "overview.cann.value": Text("{version} or later", "{version} 及以上"),
    "overview.shapes": Text("Shapes", "形状"),
    "overview.dtypes": Text("Data types", "数据类型"),
    # shapes
    "shapes.any": Text("any rank", "任意维数"),
    "shapes.scalar": Text("scalar", "标量"),
    "shapes.rest": Text("`...` is any number of leading sizes", "`...` 为任意个前置维度"),
    "shapes.fixed": Text("{name} is {value}", "{name} 为 {value}"),
    "shapes.values": Text("{name} is {values}", "{name} 为 {values}"),
    "shapes.all.eager": Text("sizes may be known only when the graph runs", "维度的大小可以在执行时才确定"),
    "shapes.all.online": Text(
        "every size must be known when the graph is compiled", "每个维度的大小在编译图时必须已知"
    ),
    "shapes.all.offline": Text(
        "every size must be known when the model is compiled", "每个维度的大小在编译模型时必须已知"
    ),
    "shapes.dynamic": Text("{names} may be known only when the graph runs", "{names} 的大小可以在执行时才确定"),
    "shapes.static.online": Text(
        "{names} must be known when the graph is compiled", "{names} 的大小在编译图时必须已知"
    ),
    "shapes.static.offline": Text(
        "{names} must be known when the model is compiled", "{names} 的大小在编译模型时必须已知"
    ),
    # difference from the neighbour
    "difference.neighbour.link": Text("{scenario} ({link})", "{scenario}（{link}）"),
    "difference.this": Text("{scenario} (this sample)", "{scenario}（本样例）"),
    "capital.eager": Text("Dynamic graph online execution", "动态图在线执行"),
    "capital.online": Text("Online compilation", "在线编译"),
    "capital.offline": Text("Offline OM model sinking", "离线 OM 模型下沉"),
    "difference.interfaces": Text("Interfaces", "实现的接口"),
    "difference.interfaces.more": Text("{names} as well", "另外实现 {names}"),
    "difference.model": Text("Model file", "模型文件"),
    "difference.model.session": Text("none, the process that builds the graph runs it", "无，由构图的进程直接执行"),
    "difference.model.om": Text("OM", "OM"),
    "difference.compiled": Text("When the kernel is compiled", "kernel 的编译时机"),
    "difference.compiled.eager": Text("by `run.sh`, before the project is built", "构建工程之前，由 `run.sh` 编译"),
    "difference.compiled.online": Text(
        "in `Session::CompileGraph`, when GE calls `Compile`", "`Session::CompileGraph` 期间，GE 回调 `Compile` 时"
    ),
    "difference.compiled.offline": Text(
        "when ATC compiles the model and calls `Compile`", "ATC 编译模型期间，回调 `Compile` 时"
    ),
    "difference.loaded": Text("When the kernel is loaded", "kernel 的加载时机"),
    "difference.loaded.eager": Text("in the first `Execute` that needs it", "首次用到它的 `Execute` 中"),
    "difference.loaded.online": Text(
        "in `Compile`; `Execute` finds it in the cache", "`Compile` 中；`Execute` 直接使用缓存"
    ),
    "difference.kept": Text("Where the kernel is kept", "kernel 的存放位置"),
    "difference.kept.eager": Text("in the operator package", "算子包内"),
    "difference.kept.online": Text("in the process that compiled it, until it ends", "编译它的进程内，进程退出即消失"),
    "difference.kept.offline": Text("in the OM file", "OM 文件内，可跨进程使用"),
    "difference.sizes": Text("Sizes that are compiled in", "编译期确定的尺寸"),
    "difference.sizes.eager": Text(
        "only those with a finite number of values, one kernel for each", "仅限取值有限的尺寸，每个取值一个 kernel"
    ),
    "difference.sizes.online": Text(
        "any, one kernel for each value met in `Compile`", "任意尺寸，`Compile` 每遇到一个新取值编译一个 kernel"
    ),
    "difference.unknown": Text("Unknown sizes (-1)", "未知的维度（-1）"),
    "difference.unknown.eager": Text("supported", "支持"),
    "difference.unknown.online": Text(
        "supported where `dynamic: true` stands in `op.yaml`, an error elsewhere",
        "`op.yaml` 中标注 `dynamic: true` 的维度支持，其余报错",
    ),
    "difference.run": Text("What runs the operator", "执行方式"),
    "difference.needs": Text("What running it needs", "执行环境的依赖"),
    "difference.needs.eager": Text("CANN, the operator package", "CANN、算子包"),
    "difference.needs.online": Text("CANN, Python, TileLang, the operator package", "CANN、Python、TileLang、算子包"),
    "difference.needs.offline": Text("CANN", "CANN"),
    "difference.programs": Text("Test programs", "测试程序"),
    # tree
    "tree.spec": Text("describes the operator; everything else is generated from it", "算子描述，其余文件均由它生成"),
    "tree.spec.hand": Text(
        "describes the operator; everything else but the hand-written files is generated from it",
        "算子描述，除人工编写的文件外，其余文件均由它生成",
    ),
}

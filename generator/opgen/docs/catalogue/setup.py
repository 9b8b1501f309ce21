# ruff: noqa: E501  (a text is one line)
"""Prerequisites, quick start, step by step, use in another graph."""

from opgen.formula.signature import Text

PHRASES = {
    "need.cann": Text(
        "CANN {version} or later with its headers and libraries of ACL, GE and Graph, after {source}.",
        "CANN {version} 及以上，包含 ACL、GE 与 Graph 的头文件和库，并已执行 {source}。",
    ),
    "need.build": Text("CMake 3.16 or later and a GCC with C++17.", "CMake 3.16 及以上，支持 C++17 的 GCC。"),
    "need.tilelang.eager": Text(
        "Python 3 and TileLang-Ascend, only for `run.sh` to compile the kernels; its {repository} says how to install it.",
        "Python 3 与 TileLang-Ascend，仅 `run.sh` 编译 kernel 时需要；安装方法见其{repository}。",
    ),
    "need.tilelang.online": Text(
        "Python 3 and TileLang-Ascend; its {repository} says how to install it.",
        "Python 3 与 TileLang-Ascend；安装方法见其{repository}。",
    ),
    "need.tilelang.offline": Text(
        "Python 3 and TileLang-Ascend, only to compile models; its {repository} says how to install it.",
        "Python 3 与 TileLang-Ascend，仅编译模型时需要；安装方法见其{repository}。",
    ),
    "need.repository": Text("repository", "代码仓"),
    "need.numpy.one": Text("NumPy, for {files}, which computes the expected values.", "NumPy，供 {files} 计算期望值。"),
    "need.numpy.other": Text(
        "NumPy, for {files}, which compute the expected values.", "NumPy，供 {files} 计算期望值。"
    ),
    "need.only": Text(
        "Install TileLang-Ascend alone. It provides the Python module `tilelang` itself; the main package `tilelang`, which `pip install tilelang` brings, provides a module of the same name without an NPU backend, so the two cannot be installed side by side.",
        "只需安装 TileLang-Ascend，它自带 Python 模块 `tilelang`；`pip install tilelang` 安装的主包 `tilelang` 提供同名模块，但不含 NPU 后端，二者不能同时安装。",
    ),
    "required.yes": Text("yes", "是"),
    "required.no": Text("no", "否"),
    "required.auto": Text("automatic", "自动"),
    "env.ascend_home": Text("where CANN is installed; set by `set_env.sh`", "CANN 安装路径，由 `set_env.sh` 设置"),
    "env.opp.session": Text("path of the operator package; set by `run.sh`", "算子包路径，由 `run.sh` 设置"),
    "env.opp.offline": Text(
        "path of the operator package; `run.sh` sets it for ATC only", "算子包路径，`run.sh` 仅对 ATC 设置"
    ),
    "env.soc": Text("chip for ATC, by default {soc}", "传给 ATC 的芯片型号，默认 {soc}"),
    "env.tilelang": Text(
        "where TileLang-Ascend is, when it was installed from source; not needed after an installation with pip",
        "从源码安装 TileLang-Ascend 时的路径；通过 pip 安装时无需设置",
    ),
    "env.python": Text(
        "interpreter that compiles kernels, by default `python3`", "编译 kernel 的解释器，默认 `python3`"
    ),
    "env.python.golden": Text(
        "interpreter that compiles kernels and computes expected values, by default `python3`",
        "编译 kernel 和计算期望值的解释器，默认 `python3`",
    ),
    "env.timeout": Text(
        "limit for compiling one kernel in seconds, by default 600", "一次 kernel 编译的时限，单位为秒，默认 600"
    ),
    "env.kernel.eager": Text(
        "folder of the compiled kernels, by default `kernel` in the operator package",
        "已编译的 kernel 所在目录，默认为算子包内的 `kernel`",
    ),
    "env.kernel.callback": Text(
        "folder of the kernel script, by default `kernel` in the operator package",
        "kernel 脚本所在目录，默认为算子包内的 `kernel`",
    ),
    "env.tmp": Text(
        "folder for temporary files, by default `/tmp`; must not be mounted `noexec`",
        "临时文件目录，默认 `/tmp`；挂载时不能带 `noexec`",
    ),
    # quick start
    "quick.steps": Text("`run.sh` takes {count} steps:", "`run.sh` 依次执行 {count} 个步骤："),
    "quick.compilation": Text(
        "`run.sh` does not compile kernels itself: GE does so through `Compile` when `session_run` calls `CompileGraph`.",
        "`run.sh` 自身不编译 kernel：`session_run` 调用 `CompileGraph` 时，由 GE 回调 `Compile` 完成编译。",
    ),
    "quick.output": Text(
        "On success the terminal shows the following, where `...` stands for what is left out:",
        "成功时的终端输出如下，`...` 表示省略的内容：",
    ),
    # step by step
    "steps.kernels": Text("Compile the kernels", "编译 kernel"),
    "steps.kernels.more": Text(
        "... and {count} more kernels, as run.sh compiles them", "……其余 {count} 个 kernel 的命令见 run.sh"
    ),
    "steps.build": Text("Build, install the operator package", "构建并安装算子包"),
    "steps.session": Text("Compile, load and run the graph", "编译、加载并执行图"),
    "steps.graph": Text("Build the graph", "构图"),
    "steps.model": Text("Compile the model", "编译模型"),
    "steps.reference": Text("Write input data and expected values", "生成输入数据和期望值"),
    "steps.run": Text("Run", "执行"),
    # use in another graph
    "use.package.one": Text(
        "Take step 1 of `run.sh`, which gives the operator package `output/`.",
        "运行 `run.sh` 的第 1 步，得到算子包 `output/`。",
    ),
    "use.package.other": Text(
        "Take steps 1 and 2 of `run.sh`, which give the operator package `output/`.",
        "运行 `run.sh` 的第 1、2 步，得到算子包 `output/`。",
    ),
    "use.include": Text(
        "Include {header} in the program that builds your graph, and create the node:",
        "构图程序包含 {header}，并创建节点：",
    ),
    "use.includes": Text(
        "Include the header of an operator from `output/op_graph/include/` in the program that builds your graph, and create the node:",
        "构图程序包含 `output/op_graph/include/` 下相应算子的头文件，并创建节点：",
    ),
    "use.optional.one": Text(
        "{names} need not be connected; the operator then takes {defaults}.", "{names} 可以不连接，此时取 {defaults}。"
    ),
    "use.optional.other": Text(
        "{names} need not be connected; the operator then takes {defaults}.", "{names} 可以不连接，此时取 {defaults}。"
    ),
    "use.path.session": Text(
        "Before you start the program, add the absolute path of `output/` to `ASCEND_CUSTOM_OPP_PATH`, whose paths are separated by `:`; GE reads it once, when it is initialized.",
        "运行程序之前，将 `output/` 的绝对路径加入 `ASCEND_CUSTOM_OPP_PATH`，多个路径以 `:` 分隔；GE 只在初始化时读取一次。",
    ),
    "use.path.offline": Text(
        "For ATC, add the absolute path of `output/` to `ASCEND_CUSTOM_OPP_PATH`, whose paths are separated by `:`.",
        "运行 ATC 时，将 `output/` 的绝对路径加入 `ASCEND_CUSTOM_OPP_PATH`，多个路径以 `:` 分隔。",
    ),
    "use.deploy": Text("Deploy the OM file alone.", "部署时只需 OM 文件。"),
}

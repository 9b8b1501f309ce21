# ruff: noqa: E501  (a text is one line)
"""Notes."""

from opgen.formula.signature import Text

PHRASES = {
    "note.once.session": Text(
        "A graph of known shapes calls `Execute` once, in `LoadGraph`; each run then replays the sunk task.",
        "形状已知的图只在 `LoadGraph` 时调用一次 `Execute`，之后每次执行都重放已下沉的任务。",
    ),
    "note.once.model": Text(
        "A graph of known shapes calls `Execute` once, when the model is loaded; each run then replays the sunk task.",
        "形状已知的图只在加载模型时调用一次 `Execute`，之后每次执行都重放已下沉的任务。",
    ),
    "note.dynamic": Text("A dynamic graph calls `Execute` at each run.", "动态图每次执行都调用 `Execute`。"),
    "note.shared": Text(
        "Shapes with the same number of elements share a kernel.", "同一元素个数的不同形状共用一个 kernel。"
    ),
    "note.unknown": Text(
        "A size that is compiled in must be known: an unknown one (-1) is an error in `Compile`. For dynamic shapes write `dynamic: true` at the dim in `op.yaml`.",
        "编译期确定的尺寸必须已知，为未知的维度（-1）时 `Compile` 报错；需要动态形状时，请在 `op.yaml` 中为相应维度标注 `dynamic: true`。",
    ),
    "note.fixed": Text(
        "The kernel is compiled for {sizes}; other sizes are refused with a message.",
        "kernel 按 {sizes} 编译，其他大小会报错。",
    ),
    "note.empty": Text(
        "Empty tensors are refused: GE cannot allocate an output without elements.",
        "不支持空张量：GE 无法为没有元素的输出申请内存。",
    ),
    "note.int32": Text(
        "The kernel counts in int32, so a tensor has at most {limit} elements; larger ones are refused.",
        "kernel 以 int32 计数，因此一个张量最多 {limit} 个元素，超出时报错。",
    ),
    "note.process": Text(
        "Kernels live in the process that compiled them: `CompileGraph` comes before `LoadGraph`. A graph that comes out of the cache in `ge.graph_compiler_cache_dir` does not call `Compile`, and `Execute` fails.",
        "kernel 只存在于编译它的进程中，因此须先调用 `CompileGraph`，再调用 `LoadGraph`。从 `ge.graph_compiler_cache_dir` 的缓存中取出的图不会再回调 `Compile`，`Execute` 会报错。",
    ),
    "note.limit": Text(
        "A process holds at most {limit} kernels of an operator; one more is an error in `Compile`. No kernel is dropped to make room.",
        "一个进程最多保存一个算子的 {limit} 个 kernel，超出时 `Compile` 报错；已有的 kernel 不会被淘汰。",
    ),
    "note.production": Text(
        "Compiling at run time needs Python and TileLang on the machine that runs the graph, which suits development; for production consider the scenarios that compile beforehand, `eager` and `offline`.",
        "在线编译要求执行环境具备 Python 与 TileLang，适合开发阶段；生产部署请考虑预先编译的场景 `eager` 与 `offline`。",
    ),
    "note.lazy": Text(
        "A kernel is loaded when it is first needed. A missing or damaged file is an error in `Execute`, which may be tried again once it is mended; the process need not be restarted.",
        "kernel 在首次用到时加载；文件缺失或损坏时 `Execute` 报错，更正后可以重试，无需重启进程。",
    ),
    "note.bound.eager": Text(
        "A kernel is tied to the chip family and the host architecture that it was compiled for. For another chip, change `soc` in `op.yaml`, generate and compile again.",
        "kernel 与编译它的芯片系列和主机架构绑定；更换芯片时，请修改 `op.yaml` 的 `soc` 并重新生成、编译。",
    ),
    "note.bound.offline": Text(
        "The library of a kernel contains host code. The OM is therefore tied to the host architecture and the chip family that it was compiled for, and loading checks both.",
        "kernel 的动态库含主机代码，因此 OM 与编译它的主机架构和芯片系列绑定，加载时会检查。",
    ),
    "note.registry": Text(
        "On CANN 9.1 the models of a process share one operator object, from 9.2 on each model has its own; loading a model adds its kernels to the object and replaces none.",
        "在 CANN 9.1 上，同一进程的各模型共用一个算子对象，9.2 起每个模型各有一个；加载模型时只向对象中添加 kernel，不替换已有的 kernel。",
    ),
    "note.atc": Text(
        "The OM comes from ATC, whose chip is `SOC_VERSION`. Where ATC cannot be used, take steps 1 to 3 on a machine of the same architecture where it can, copy the OM, and take step 4.",
        "OM 由 ATC 编译，其芯片型号由 `SOC_VERSION` 指定。当前环境无法使用 ATC 时，可在架构相同且 ATC 可用的机器上执行第 1 至 3 步，拷贝 OM 后再执行第 4 步。",
    ),
    "note.untried": Text(
        "opgen has not run this project on an NPU; what it checks, with `opgen verify`, needs none. Run `run.sh` on the target chip before you rely on results or speed.",
        "opgen 没有在 NPU 上运行过本工程，`opgen verify` 的各项检查也不使用 NPU；结果和性能请以在目标芯片上执行 `run.sh` 的实测为准。",
    ),
    "note.npu": Text(
        "TileLang-Ascend may need an NPU on the machine that compiles (same-machine NPU compilation).",
        "TileLang-Ascend 的编译可能需要本机有 NPU（同机有卡编译）。",
    ),
    "note.platform.hand": Text(
        "A hand-written kernel is meant for TileLang platform {platform}: a target chip of another platform is an error in `Compile`.",
        "人工编写的 kernel 面向 TileLang 平台 {platform}；目标芯片属于其他平台时，`Compile` 报错。",
    ),
    "note.platform.eager": Text(
        "`--platform` follows from `soc` in `op.yaml`, not from detecting a device: TileLang-Ascend alone would ask the device and, without one, take A3.",
        "`--platform` 由 `op.yaml` 的 `soc` 确定，不依赖对本机设备的检测：TileLang-Ascend 自身的检测会查询设备，没有设备时按 A3 处理。",
    ),
    "note.platform.online": Text(
        "`--platform` follows from the target chip that GE names, not from detecting a device: TileLang-Ascend alone would ask the device and, without one, take A3.",
        "`--platform` 由 GE 给出的目标芯片确定，不依赖对本机设备的检测：TileLang-Ascend 自身的检测会查询设备，没有设备时按 A3 处理。",
    ),
    "note.platform.offline": Text(
        "`--platform` follows from the chip that `SOC_VERSION` names, not from detecting a device: TileLang-Ascend alone would ask the device and, without one, take A3.",
        "`--platform` 由 `SOC_VERSION` 对应的芯片确定，不依赖对本机设备的检测：TileLang-Ascend 自身的检测会查询设备，没有设备时按 A3 处理。",
    ),
    "note.first_soc": Text(
        "An operator object serves one chip: the first one that it compiles for. Another one in the same process is an error in `Compile`.",
        "一个算子对象只服务于一种芯片，即首次编译时的芯片；同一进程中再为其他芯片编译时 `Compile` 报错。",
    ),
    "note.portable": Text(
        "Either all custom operators of a graph implement `PortableOp` or none does; GE refuses a mixture.",
        "一张图中的自定义算子要么全部实现 `PortableOp`，要么全部不实现，否则 GE 报错。",
    ),
    "note.folder.eager": Text(
        "GE loads each `*.so` under `output/op_graph/lib`, and one that fails to load fails the initialization; kernels therefore lie in `output/kernel` and end in `.tlk`. They are found from the place of the operator library, not from the working directory.",
        "`output/op_graph/lib` 下的每个 `*.so` 都会被 GE 加载，其中一个加载失败即初始化失败；因此 kernel 放在 `output/kernel`，后缀为 `.tlk`，并根据算子库自身的位置查找，与工作目录无关。",
    ),
    "note.folder.callback": Text(
        "GE loads each `*.so` under `output/op_graph/lib`, and one that fails to load fails the initialization: put no other libraries there. The kernel script therefore lies in `output/kernel`; it is found from the place of the operator library, not from the working directory.",
        "`output/op_graph/lib` 下的每个 `*.so` 都会被 GE 加载，其中一个加载失败即初始化失败，请勿在其中放置其他动态库。因此 kernel 脚本放在 `output/kernel`，并根据算子库自身的位置查找，与工作目录无关。",
    ),
    "note.run_mode": Text(
        "`session_run` does not set `ge.graphRunMode`: its default, 0, is online inference, which is what runs here; 1 is training.",
        "`session_run` 不设置 `ge.graphRunMode`：其默认值 0 即在线推理，正是本样例的执行方式；1 表示训练。",
    ),
    "note.types": Text(
        "Only {types} is supported. For other data types, extend `dtypes` in `op.yaml` and generate again.",
        "仅支持 {types}。需要其他数据类型时，请修改 `op.yaml` 的 `dtypes` 并重新生成。",
    ),
    "note.types.plain": Text(
        "Only {types} is supported. For other data types, replace it by a type symbol, list the types under `dtypes` in `op.yaml` and generate again.",
        "仅支持 {types}。需要其他数据类型时，请在 `op.yaml` 中改用类型符号，在 `dtypes` 下列出各类型并重新生成。",
    ),
    "note.nothing": Text(
        "`op.yaml` gives neither a formula nor a `reference`, so the programs run {names} without comparing the results. Check them by other means before you rely on them.",
        "`op.yaml` 中既没有公式也没有 `reference`，因此测试程序只运行 {names}，不比较结果；使用前请以其他方式验证。",
    ),
    "note.inplace.one": Text(
        "{names} is updated in place: the output is the memory of the input, whose old values are gone afterwards.",
        "{names} 原地更新：输出即输入的内存，执行后原值不再保留。",
    ),
    "note.inplace.other": Text(
        "{names} are updated in place: the outputs are the memory of the inputs, whose old values are gone afterwards.",
        "{names} 原地更新：输出即输入的内存，执行后原值不再保留。",
    ),
    "note.errors.library": Text(
        "Errors of an operator go to stderr and begin with {prefix}, where `TYPE` is its type; GE's own log only says which node failed.",
        "算子的报错信息输出到 stderr，以 {prefix} 开头，其中 `TYPE` 为算子类型；GE 自身的日志只记录哪个节点失败。",
    ),
    "note.errors": Text(
        "Errors of the operator go to stderr and begin with {prefix}; GE's own log only says which node failed.",
        "算子的报错信息输出到 stderr，以 {prefix} 开头；GE 自身的日志只记录哪个节点失败。",
    ),
}

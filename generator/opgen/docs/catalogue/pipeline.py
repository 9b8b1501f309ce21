# ruff: noqa: E501  (a text is one line)
"""Core pipeline: the trees and the signature of `call`."""

from opgen.formula.signature import Text

PHRASES = {
    "pipeline.example": Text(
        "With {operator} as the example; the other operators of the library go the same way.",
        "以 {operator} 为例，库中其余算子的流程相同。",
    ),
    "pipeline.kernels.other": Text("({labels} likewise)", "（{labels} 同理）"),
    "pipeline.kernels.more.one": Text("(one more kernel likewise)", "（另外一个 kernel 同理）"),
    "pipeline.kernels.more.other": Text("({count} more kernels likewise)", "（其余 {count} 个 kernel 同理）"),
    "pipeline.opp": Text(
        "{program} (ASCEND_CUSTOM_OPP_PATH names output)", "{program}（ASCEND_CUSTOM_OPP_PATH 指向 output）"
    ),
    "pipeline.no_opp": Text(
        "{program} (ASCEND_CUSTOM_OPP_PATH is not set)", "{program}（不设置 ASCEND_CUSTOM_OPP_PATH）"
    ),
    "pipeline.scan": Text("scans the operator package, loads libcust_opapi.so", "扫描算子包，加载 libcust_opapi.so"),
    "pipeline.scan.eager": Text(
        "scans the operator package, loads libcust_opapi.so; kernels end in .tlk and are not scanned",
        "扫描算子包，加载 libcust_opapi.so；kernel 的后缀为 .tlk，不在扫描之列",
    ),
    "pipeline.infer.like": Text(
        "InferDataType, InferShape: check types and shapes, {output} is like {input}",
        "InferDataType、InferShape：检查类型和形状，{output} 与 {input} 相同",
    ),
    "pipeline.infer.outputs": Text(
        "InferDataType, InferShape: check types and shapes, infer those of {outputs}",
        "InferDataType、InferShape：检查类型和形状，推导 {outputs} 的类型和形状",
    ),
    "pipeline.compile": Text("Compile: once for each node", "Compile：每个节点一次"),
    "pipeline.key": Text("finds the key, for example {key}", "确定 key，例如 {key}"),
    "pipeline.missing": Text("when the cache does not have it:", "缓存中没有该 key 时："),
    "pipeline.subprocess": Text("subprocess {command}", "子进程 {command}"),
    "pipeline.load": Text(
        "loads OUT, takes the address of call, puts it into the cache", "加载 OUT，取得 call 的地址，存入缓存"
    ),
    "pipeline.wait": Text(
        "requests for the same key at the same time wait for one compilation", "同一 key 的并发请求等待同一次编译"
    ),
    "pipeline.serialize": Text(
        "Serialize: writes all kernels of the cache into one buffer", "Serialize：将缓存中的全部 kernel 写入一个 buffer"
    ),
    "pipeline.om": Text("{om}: model, buffer and libcust_opapi.so", "{om}：模型、buffer 和 libcust_opapi.so"),
    "pipeline.deserialize": Text(
        "Deserialize: checks the buffer, writes each kernel to a temporary file, loads it and removes the file",
        "Deserialize：校验 buffer，将每个 kernel 写入临时文件，加载后立即删除该文件",
    ),
    "pipeline.execute": Text(
        "Execute: checks the inputs, calls {call}, the task enters the stream",
        "Execute：检查输入，调用 {call}，任务进入流",
    ),
    "pipeline.replay.session": Text(
        "replays the sunk task, Execute is not called again", "重放已下沉的任务，不再回调 Execute"
    ),
    "pipeline.replay.model": Text(
        "aclmdlExecute: replays the sunk task, Execute is not called again",
        "aclmdlExecute：重放已下沉的任务，不再回调 Execute",
    ),
    "pipeline.model.execute": Text(
        "Execute: checks the inputs, calls {call}, the task enters the stream; once at load for known shapes, at each run otherwise",
        "Execute：检查输入，调用 {call}，任务进入流；形状已知时在加载时调用一次，否则每次执行时调用",
    ),
    "pipeline.model.either": Text(
        "aclmdlExecute: known shapes: replays the sunk task; otherwise: calls Execute",
        "aclmdlExecute：形状已知时重放已下沉的任务，否则回调 Execute",
    ),
    "pipeline.eager.execute": Text(
        "Execute: once in LoadGraph for a graph of known shapes, at each run of a dynamic graph",
        "Execute：形状已知的图在 LoadGraph 时调用一次，动态图在每次执行时调用",
    ),
    "pipeline.found": Text(
        "checks the inputs, finds the kernel of the key {key}", "检查输入，取出 key 为 {key} 的 kernel"
    ),
    "pipeline.eager.check": Text(
        "checks the inputs, finds the key, for example {key}", "检查输入，确定 key，例如 {key}"
    ),
    "pipeline.eager.load": Text(
        "when the cache does not have it: loads {file}, takes the address of call",
        "缓存中没有该 key 时，加载 {file}，取得 call 的地址",
    ),
    "pipeline.eager.call": Text("calls {call}, the task enters the stream", "调用 {call}，任务进入流"),
    "pipeline.either": Text(
        "graph of known shapes: replays the sunk task; dynamic graph: calls Execute",
        "形状已知的图：重放已下沉的任务；动态图：回调 Execute",
    ),
    "call.sentence": Text(
        "The library that TileLang produces exports one function, `call`, whose parameters are {parameters}:",
        "TileLang 编译出的动态库导出一个函数 `call`，参数依次为{parameters}：",
    ),
    "call.input.one": Text("the input", "输入"),
    "call.input.other": Text("the inputs", "输入"),
    "call.output.one": Text("the output", "输出"),
    "call.output.other": Text("the outputs", "输出"),
    "call.workspace": Text("a workspace", "工作空间"),
    "call.attr.one": Text("the run-time attribute", "运行时属性"),
    "call.attr.other": Text("the run-time attributes", "运行时属性"),
    "call.elements": Text("the number of elements", "元素个数"),
    "call.size.one": Text("the size that is passed at run time", "运行时传入的尺寸"),
    "call.size.other": Text("the sizes that are passed at run time", "运行时传入的尺寸"),
    "call.stream": Text("the stream", "流"),
    "call.launch": Text(
        "It launches the kernel on the stream and prepares everything that the launch needs, such as the address for hardware scheduling and the number of blocks; the host code passes addresses and numbers only.",
        "该函数在内部完成 kernel 的下发，包括获取硬件调度地址、确定核数等准备工作，host 侧代码只需传入地址和数值，无需自行组装参数。",
    ),
    "call.inplace.one": Text(
        "{names} is updated in place and has one parameter, as an input.", "{names} 原地更新，只作为输入占一个参数。"
    ),
    "call.inplace.other": Text(
        "{names} are updated in place and have one parameter each, as inputs.",
        "{names} 原地更新，各自只作为输入占一个参数。",
    ),
    "call.optional.one": Text(
        "{names} is a null pointer when it is not connected.",
        "{names} 未连接时传入空指针。",
    ),
    "call.optional.other": Text(
        "{names} are null pointers when they are not connected.",
        "{names} 未连接时对应的参数为空指针。",
    ),
    "call.list": Text("A list of tensors has one parameter a tensor.", "张量列表中的每个张量占一个参数。"),
}

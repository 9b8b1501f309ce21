# ruff: noqa: E501  (a text is one line)
"""Operator specification and serialization format."""

from opgen.formula.signature import Text

PHRASES = {
    "kind.input": Text("input", "输入"),
    "kind.input.optional": Text("input, optional", "输入，可选"),
    "kind.output": Text("output", "输出"),
    "kind.output.inplace": Text("output, in place", "输出，原地"),
    "kind.attr": Text("attribute, required", "属性，必选"),
    "kind.attr.optional": Text("attribute, optional", "属性，可选"),
    "shape.any": Text("any", "任意"),
    "shape.like": Text("as {name}", "与 {name} 相同"),
    "shape.list": Text("list of {count}: {shape}", "列表，共 {count} 个：{shape}"),
    "default.attr": Text("by default {value}", "默认 {value}"),
    "default.input": Text("{value} when not connected", "未连接时取 {value}"),
    "values": Text("one of {values}", "可取 {values}"),
    "values.fixed": Text("always {value}", "固定为 {value}"),
    "range.both": Text("{low} to {high}", "{low} 到 {high}"),
    "range.low": Text("{low} or more", "不小于 {low}"),
    "range.high": Text("at most {high}", "不大于 {high}"),
    "range.elements": Text("elements {range}", "元素取值 {range}"),
    "multiple": Text("a multiple of {number}", "{number} 的倍数"),
    "dim.dynamic": Text("may be unknown until the kernel runs", "可以在运行时才确定"),
    "dim.row": Text("Size {name}", "维度 {name}"),
    "formula": Text("Formula", "公式"),
    "formula.lines": Text("Formula:", "公式："),
    "formula.reference": Text("the function `reference` in {file}", "{file} 中的函数 `reference`"),
    "formula.none": Text("see {file}", "见 {file}"),
    "type.row": Text("{name} is one of", "{name} 的取值"),
    "type.table": Text("The combinations of data types:", "数据类型的组合："),
    "elements.row": Text("Number of elements", "元素个数"),
    "elements.empty": Text("empty tensors are not supported", "不支持空张量"),
    "compiled.row": Text("Compiled in", "编译期确定"),
    "runtime.row": Text("Passed at run time", "运行时传入"),
    "nothing": Text("nothing", "无"),
    "fact.elements": Text("number of elements N", "元素个数 N"),
    "fact.absent": Text("presence of {names}", "是否连接 {names}"),
    "key.row": Text("Key", "key"),
    "key.value": Text("{key}: {parts}", "{key}：{parts}"),
    "key.alone": Text("{key}, as there is one kernel only", "{key}，因为只有一个 kernel"),
    "key.file": Text("the kernel's file is {file}", "kernel 文件为 {file}"),
    "key.count": Text("{count} kernels in all", "共 {count} 个 kernel"),
    "kernel.row": Text("Kernel", "kernel"),
    "kernel.value": Text("`main_kernel`, launched by `call`", "`main_kernel`，由 `call` 下发"),
    "kernel.user": Text("{file}, written by hand", "{file}，人工编写"),
    "workspace.row": Text("Workspace", "工作空间"),
    "workspace.value": Text("{bytes} bytes of global memory", "{bytes} 字节全局内存"),
    "tiling.row": Text("Tiling", "切分（Tiling）"),
    "tiling.tiles": Text("tiles of {tiles}", "每块 {tiles}"),
    "tiling.elements": Text("{count} elements", "{count} 个元素"),
    "tiling.range": Text("{low} to {high} elements, depending on the kernel", "{low} 到 {high} 个元素（因 kernel 而异）"),
    "memory.range": Text("{low} to {high} bytes, depending on the kernel,", "{low} 到 {high} 字节（因 kernel 而异）"),
    "tiling.double": Text("double-buffered", "双缓冲"),
    "tiling.single": Text("single-buffered", "单缓冲"),
    "memory.row": Text("On-chip memory", "片上内存"),
    "memory.value": Text("{used} of {budget}", "{budget} 字节中占用 {used}"),
    "memory.bytes": Text("{count} bytes", "{count} 字节"),
    "memory.sentence": Text(
        "How the {budget} bytes of on-chip memory (unified buffer) are used:", "片上内存（Unified Buffer，共 {budget} 字节）的分配："
    ),
    "memory.scratch": Text("reserved by the compiler", "编译器预留"),
    "memory.total": Text("in all", "合计"),
    "precision.row": Text("Precision check", "精度校验"),
    "precision.formula": Text("{formula}, t is {values}", "{formula}，t 为 {values}"),
    "precision.exact": Text("equal to the expected value", "与期望值完全相等"),
    "precision.exact.types": Text("equal to the expected value for {types}", "{types} 须与期望值完全相等"),
    "precision.none": Text("none: nothing says what the outputs should be", "无：没有期望值的来源"),
    "case.row": Text("Case that the sample runs", "样例运行的用例"),
    "case.shape": Text("shape {shape}", "形状 {shape}"),
    "none.given": Text("–", "–"),
    # serialization
    "serialization.sentence": Text(
        "GE keeps these bytes as they are, without looking at them. Integers are little-endian `uint32`; a text is its length followed by its content.",
        "GE 原样保存这段数据，不作解析。整数均为小端 `uint32`；文本先写长度，再写内容。",
    ),
    "serialization.header": Text("header", "文件头"),
    "serialization.entry": Text("each kernel", "每个 kernel"),
    "serialization.count": Text("number of kernels, 1 to {limit}", "kernel 个数，1 到 {limit}"),
    "serialization.machine": Text(
        "ELF machine number of the host: 62 for x86_64, 183 for aarch64", "主机的 ELF 机器号：62 为 x86_64，183 为 aarch64"
    ),
    "serialization.soc": Text("chip, for example {soc}, 1 to 128 bytes", "芯片型号，例如 {soc}，1 到 128 字节"),
    "serialization.type": Text("operator type {type}, 1 to 128 bytes", "算子类型 {type}，1 到 128 字节"),
    "serialization.type.library": Text(
        "operator type, for example {type}, 1 to 128 bytes", "算子类型，例如 {type}，1 到 128 字节"
    ),
    "serialization.key": Text(
        "key, 1 to {limit} bytes; keys are in ascending order and distinct", "key，1 到 {limit} 字节；各 key 按升序排列，互不重复"
    ),
    "serialization.size": Text("size of the kernel in bytes, 1 to {limit}", "kernel 的字节数，1 到 {limit}"),
    "serialization.crc": Text(
        "CRC-32 of the header, key_len, key, so_size and so_data", "对文件头、key_len、key、so_size 和 so_data 计算的 CRC-32"
    ),
    "serialization.data": Text("the kernel", "kernel 的内容"),
    "serialization.check": Text(
        "`Deserialize` checks everything before it loads a kernel. Another format, host architecture, operator type or chip family, and data that is cut short, too long or changed, are errors and leave no kernel behind.",
        "`Deserialize` 先检查全部内容，再加载 kernel：格式、主机架构、算子类型和芯片系列不符，或数据残缺、多余、被改动，都会报错，且不留下任何 kernel。",
    ),
    "serialization.library": Text("Each operator has a buffer of its own.", "每个算子各有一段数据。"),
}

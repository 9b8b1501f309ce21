"""Documents of operator folders for CANN's operator repositories: README, aclnn interface, tiling."""

from opgen.formula.signature import Text

PHRASES = {
    # headings
    "pypto.heading.products": Text("Supported Products", "产品支持情况"),
    "pypto.heading.function": Text("Function", "功能说明"),
    "pypto.heading.parameters": Text("Parameters", "参数说明"),
    "pypto.heading.constraints": Text("Constraints", "约束说明"),
    "pypto.heading.calling": Text("Calling", "调用说明"),
    "pypto.heading.tiling": Text("Tiling", "切分方案"),
    "pypto.heading.adding": Text("Adding It to an Operator Repository", "接入算子仓"),
    "pypto.heading.building": Text("Building and Running", "编译与运行"),
    "pypto.heading.verified": Text("What Was Verified", "验证情况"),
    "pypto.heading.prototype": Text("Prototype", "函数原型"),
    "pypto.heading.example": Text("Example", "调用示例"),
    "pypto.heading.data": Text("TilingData", "TilingData"),
    "pypto.heading.key": Text("TilingKey", "TilingKey"),
    "pypto.heading.host": Text("What the Host Computes", "Host 侧计算结果"),
    "pypto.title.tiling": Text("TilingData and TilingKey of {op}", "{op} 的 TilingData 与 TilingKey"),
    # products
    "pypto.product": Text("Product", "产品"),
    "pypto.supported": Text("Supported", "是否支持"),
    "pypto.product.yes": Text("supported", "支持"),
    "pypto.product.no": Text("not supported", "不支持"),
    # function
    "pypto.description": Text("Description: {summary}.", "算子功能：{summary}。"),
    "pypto.description.aclnn": Text("Description: {summary}.", "接口功能：{summary}。"),
    "pypto.formula": Text("Formula:", "计算公式："),
    "pypto.reference": Text(
        "Expected values come from the NumPy reference {file}.", "期望值由 NumPy 参考实现 {file} 给出。"
    ),
    "pypto.no.formula": Text(
        "Nothing says what {file} computes: the samples run it and compare nothing.",
        "没有公式或参考实现说明 {file} 的计算结果：样例只运行，不做比较。",
    ),
    "pypto.precision.one": Text(
        "Precision: {types} is converted to FLOAT, and the result is rounded once (to nearest, ties to even).",
        "计算精度：{types} 先转换为 FLOAT 计算，结果只舍入一次（就近舍入，中间值取偶）。",
    ),
    "pypto.precision.other": Text(
        "Precision: {types} are converted to FLOAT, and the result is rounded once (to nearest, ties to even).",
        "计算精度：{types} 先转换为 FLOAT 计算，结果只舍入一次（就近舍入，中间值取偶）。",
    ),
    # parameters
    "pypto.column.parameter": Text("Name", "参数名"),
    "pypto.column.role": Text("Input/Output/Attribute", "输入/输出/属性"),
    "pypto.column.direction": Text("Input/Output", "输入/输出"),
    "pypto.column.description": Text("Description", "描述"),
    "pypto.column.usage": Text("Usage", "使用说明"),
    "pypto.column.dtype": Text("Data Type", "数据类型"),
    "pypto.column.format": Text("Format", "数据格式"),
    "pypto.column.dims": Text("Dims (shape)", "维度（shape）"),
    "pypto.column.strided": Text("Non-contiguous", "非连续 Tensor"),
    "pypto.role.input": Text("Input", "输入"),
    "pypto.role.input.optional": Text("Optional input", "可选输入"),
    "pypto.role.output": Text("Output", "输出"),
    "pypto.role.inplace": Text("Input and output", "输入/输出"),
    "pypto.role.attr": Text("Attribute", "属性"),
    "pypto.role.attr.optional": Text("Optional attribute", "可选属性"),
    "pypto.shape": Text("Shape {shape}.", "shape 为 {shape}。"),
    "pypto.shape.scalar": Text("One element.", "只有一个元素。"),
    "pypto.shape.any": Text("Any shape.", "shape 任意。"),
    "pypto.shape.like": Text("Same shape as {name}.", "shape 与 {name} 相同。"),
    "pypto.default": Text("Defaults to {value}.", "默认值为 {value}。"),
    "pypto.absent": Text("Where it is not connected, {value} takes its place.", "未连接时按 {value} 计算。"),
    "pypto.values": Text("One of {values}.", "取值为 {values}。"),
    "pypto.limits": Text("Allowed: {limits}.", "取值范围：{limits}。"),
    "pypto.sentence": Text("{text}.", "{text}。"),
    "pypto.combinations": Text(
        "The data types of one call are those of one row:", "同一次调用的数据类型须取自同一行："
    ),
    # constraints
    "pypto.types.equal": Text("{names} have the same data type.", "{names} 的数据类型相同。"),
    "pypto.shapes.equal": Text(
        "{names} have the same shape, of any rank; there is no broadcasting.",
        "{names} 的 shape 相同，维数不限；不支持广播。",
    ),
    "pypto.shapes.named": Text(
        "Shapes are exact; there is no other broadcasting.", "shape 须严格匹配，不支持其他广播。"
    ),
    "pypto.dim": Text("{name}: {clauses}.", "{name}：{clauses}。"),
    "pypto.dim.any": Text("any size", "大小任意"),
    "pypto.empty": Text(
        "Tensors without elements are accepted; nothing is written then.", "支持空张量，此时不写入任何数据。"
    ),
    "pypto.contiguous.outputs.one": Text(
        "{names} must be contiguous; the aclnn interface makes inputs contiguous that are not.",
        "{names} 必须连续；输入不连续时由 aclnn 接口转为连续。",
    ),
    "pypto.contiguous.outputs.other": Text(
        "{names} must be contiguous; the aclnn interface makes inputs contiguous that are not.",
        "{names} 必须连续；输入不连续时由 aclnn 接口转为连续。",
    ),
    "pypto.elements": Text("Elements of {name}: {limits}; not checked.", "{name} 的元素：{limits}；算子不做检查。"),
    # calling
    "pypto.mode": Text("Mode", "调用方式"),
    "pypto.sample": Text("Sample", "调用样例"),
    "pypto.mode.aclnn": Text("aclnn", "aclnn 调用"),
    "pypto.mode.graph": Text("Graph", "图模式调用"),
    "pypto.calls.aclnn": Text("Calls {op} through {page}.", "通过 {page} 接口调用 {op} 算子。"),
    "pypto.calls.graph": Text(
        "Calls {op} in a graph built from its {prototype}.", "通过{prototype}构图调用 {op} 算子。"
    ),
    "pypto.calls.prototype": Text("prototype", "算子原型"),
    # tiling in the README
    "pypto.tiled.elementwise": Text(
        "The tensors are flattened and cut into tiles, which the vector cores take in turn; the last tile may be "
        "shorter.",
        "张量展平为一维后分块，各 Vector 核循环处理分块，最后一块可以不满。",
    ),
    "pypto.tiled.rows": Text(
        "The tensors are cut into tiles of rows, which the vector cores take in turn; the last tile may be smaller.",
        "张量按行分块，各 Vector 核循环处理分块，最后一块可以不满。",
    ),
    "pypto.tiled.user": Text(
        "The kernel {file} is written by hand; op.yaml says what the host hands to it.",
        "kernel {file} 由用户编写，Host 侧传入的内容由 op.yaml 给出。",
    ),
    "pypto.fields.link": Text("For the layout of the fields see {page}.", "字段布局见 {page}。"),
    "pypto.tiles": Text("Number of tiles", "分块个数"),
    "pypto.block": Text("Tile", "分块大小"),
    "pypto.block.of": Text("{constant} = {value}", "{constant} = {value}"),
    "pypto.blockdim": Text("BlockDim", "BlockDim"),
    "pypto.workspace": Text("Workspace", "Workspace"),
    "pypto.workspace.system": Text(
        "the system workspace; the kernel uses none of its own", "系统 Workspace，kernel 自身不使用"
    ),
    "pypto.workspace.own": Text("the system workspace and {bytes} bytes", "系统 Workspace 与 {bytes} 字节"),
    "pypto.kernels": Text("Kernel binaries", "kernel 二进制"),
    "pypto.kernels.count": Text(
        "{columns} (data types) × {keys} (tiling keys) = {count}",
        "{columns}（数据类型）× {keys}（TilingKey）= {count}",
    ),
    "pypto.memory": Text(
        "Use of the {budget} bytes of Unified Buffer, at the types that need most:",
        "Unified Buffer 共 {budget} 字节，按占用最大的数据类型计：",
    ),
    "pypto.address": Text("Address", "起始地址"),
    "pypto.tile.shape": Text("Rows × columns", "行 × 列"),
    "pypto.used": Text("Total", "合计"),
    "pypto.cores": Text(
        "`device_cores` is `GetCoreNumAic()`: PyPTO Pro may launch a block as one cube core and two vector cores, and "
        "BlockDim must not exceed the number of cube cores then. Where your version launches vector cores alone, "
        "`GetCoreNumAiv()` uses all of them; the results are the same either way.",
        "`device_cores` 取 `GetCoreNumAic()`：PyPTO Pro 可能把一个 Block 按一个 Cube 核和两个 Vector 核启动，此时 "
        "BlockDim 不得超过 Cube 核数。若所用版本只启动 Vector 核，改用 `GetCoreNumAiv()` 可以用满全部 Vector 核；两种取"
        "值的计算结果相同。",
    ),
    # adding to a repository
    "pypto.add.place": Text(
        "Put this folder into a CANN operator repository that supports {macro}, as {path}.",
        "将本目录放到支持 {macro} 的 CANN 算子仓中，路径为 {path}。",
    ),
    "pypto.add.subdirectory": Text(
        "Where the folder of the class only collects subfolders that have a {file}, add one to this folder:",
        "若该分类目录只收集带有 {file} 的子目录，在本目录中增加该文件：",
    ),
    "pypto.add.registration": Text("Where the repository has {file}, add to it:", "若算子仓中有 {file}，在其中增加："),
    "pypto.add.require": Text(
        "Where the repository has {macro}, write `require_pypto_pro = true` into opgen.toml, and the CMake files use "
        "it.",
        "若算子仓提供 {macro}，在 opgen.toml 中写入 `require_pypto_pro = true`，生成的 CMake 文件便会使用它。",
    ),
    # building
    "pypto.needs": Text(
        "You need a CANN toolkit that supports Ascend 950, with its {script} sourced, and a build Python that can "
        "import the matching {module}. Run the commands in the root of the operator repository.",
        "前提：已安装支持 Ascend 950 的 CANN Toolkit 并执行其 {script}；编译使用的 Python 能够导入与之配套的 {module}。"
        "以下命令在算子仓根目录执行。",
    ),
    "pypto.build.package": Text("Build and install the operator package:", "编译并安装算子包："),
    "pypto.build.samples": Text(
        "Run the samples. The last line is `Precision check passed` and the exit status 0 if they pass; the exit "
        "status is 1 if any element is out of tolerance:",
        "运行样例，通过时最后一行为 `Precision check passed`，返回值为 0；有任何元素超出容差时返回值为 1：",
    ),
    "pypto.build.samples.plain": Text("Run the samples, which compare nothing:", "运行样例（不比较结果）："),
    "pypto.build.golden": Text(
        "Write the expected values first; {programs} look for them in {folder} of the current folder, or in the one "
        "that is their argument:",
        "先生成期望值；{programs} 在当前目录的 {folder} 或参数给出的目录中查找：",
    ),
    "pypto.build.tests": Text("Run the unit tests:", "运行单元测试："),
    # verification
    "pypto.how": Text("How", "验证方式"),
    "pypto.verified.sentence": Text(
        "{command} checks the following on a machine without CANN and without an NPU:",
        "{command} 在没有 CANN 和 NPU 的机器上检查以下内容：",
    ),
    "pypto.verified.host": Text("Definition, inference, tiling", "定义、推导与切分"),
    "pypto.verified.host.how": Text(
        "compiled with warnings as errors against headers of opgen's own, then executed; the unit tests run",
        "使用 opgen 自带的头文件编译（警告视为错误）后执行，并运行单元测试",
    ),
    "pypto.verified.kernel": Text("Kernel", "kernel"),
    "pypto.verified.kernel.how": Text(
        "executed with NumPy for each data type and tiling key, on one core, several, and more than there are tiles",
        "使用 NumPy 按各数据类型与 TilingKey 执行，分别取单核、多核以及核数多于分块数的情况",
    ),
    "pypto.verified.sample": Text("aclnn sample", "aclnn 样例"),
    "pypto.verified.sample.how": Text(
        "built and run against stand-ins whose operator is this kernel, executed with NumPy",
        "与替身库一起编译运行，其中的算子由 NumPy 执行本 kernel 得到",
    ),
    "pypto.unverified": Text("Only the real build and a device can tell:", "以下内容只有真实编译和设备才能确认："),
    "pypto.unverified.frontend": Text(
        "that PyPTO Pro's front end and the device compiler of your version take the kernel;",
        "所用版本的 PyPTO Pro 前端与设备编译器能否编译该 kernel；",
    ),
    "pypto.unverified.build": Text(
        "that op_build and the CMake macros of your repository take the definition;",
        "op_build 与算子仓的 CMake 宏能否处理该算子定义；",
    ),
    "pypto.unverified.device": Text(
        "results and speed on an NPU: nothing of this was run on one.",
        "NPU 上的结果与性能：以上内容均未在 NPU 上运行。",
    ),
    # aclnn
    "pypto.two.phases": Text(
        "Each operator has a two-phase interface. Call {first} first for the size of the workspace and for an executor "
        "that holds the computation; then call {second} to compute.",
        "每个算子分为两段式接口，必须先调用 {first} 接口获取计算所需的 workspace 大小以及包含计算流程的执行器，再调用 "
        "{second} 接口执行计算。",
    ),
    "pypto.aclnn.parameters": Text("**Parameters:**", "**参数说明：**"),
    "pypto.aclnn.returns": Text("**Returns:**", "**返回值：**"),
    "pypto.aclnn.status": Text("aclnnStatus: status code.", "aclnnStatus：返回状态码。"),
    "pypto.aclnn.failures": Text(
        "aclnnStatus: status code. The first phase checks the parameters and fails in these cases:",
        "aclnnStatus：返回状态码。第一段接口完成入参校验，出现以下场景时报错：",
    ),
    "pypto.typed": Text("{name} ({type})", "{name}（{type}）"),
    "pypto.aclnn.in.formula": Text("{text}, {name} in the formula.", "{text}，公式中的 {name}。"),
    "pypto.aclnn.tensor.of": Text("Tensor {name}.", "张量 {name}。"),
    "pypto.aclnn.attr.of": Text("Attribute {name}.", "属性 {name}。"),
    "pypto.usage.null": Text("A null pointer where it is not connected.", "不连接时传空指针。"),
    "pypto.usage.float": Text("Converted to FLOAT for the computation.", "转换为 FLOAT 后参与计算。"),
    "pypto.usage.dtype": Text("Number of the data type in ACL.", "ACL 中数据类型的编号。"),
    "pypto.workspace.size": Text(
        "Size of the workspace to allocate on the device.", "返回需要在 Device 侧申请的 workspace 大小。"
    ),
    "pypto.executor": Text("Executor that holds the computation.", "返回 op 执行器，包含计算流程。"),
    "pypto.code": Text("Code", "返回码"),
    "pypto.number": Text("Number", "错误码"),
    "pypto.failure.null": Text("{names} is a null pointer.", "传入的 {names} 是空指针。"),
    "pypto.failure.types": Text(
        "The data types are not supported, or not together.", "数据类型不在支持范围之内，或组合不受支持。"
    ),
    "pypto.failure.shapes": Text(
        "Shapes do not agree, or an attribute has no allowed value.", "shape 不匹配，或属性取值不在允许范围之内。"
    ),
    "pypto.second.workspace": Text(
        "Address of the workspace allocated on the device.", "在 Device 侧申请的 workspace 内存地址。"
    ),
    "pypto.second.size": Text(
        "Size of the workspace, from {first}.", "在 Device 侧申请的 workspace 大小，由第一段接口 {first} 获取。"
    ),
    "pypto.second.executor": Text("Executor that holds the computation.", "op 执行器，包含计算流程。"),
    "pypto.second.stream": Text("Stream to run on.", "指定执行任务的 Stream。"),
    "pypto.deterministic": Text(
        "Determinism: {second} is deterministic by default.", "确定性计算：{second} 默认确定性实现。"
    ),
    "pypto.example.sentence": Text(
        "For the creation of the tensors and the stream and for the comparison of results see {page}.",
        "张量与 stream 的创建以及结果比较见 {page}。",
    ),
    # tiling
    "pypto.data.sentence": Text(
        "{cls}, {bytes} bytes, filled in by {host} and read by {kernel}.",
        "{cls} 共 {bytes} 字节，由 {host} 填写，由 {kernel} 读取。",
    ),
    "pypto.type": Text("Type", "类型"),
    "pypto.offset": Text("Offset", "偏移"),
    "pypto.value": Text("Value", "取值"),
    "pypto.padding": Text("padding", "填充"),
    "pypto.padding.what": Text("Cleared by the host.", "由 Host 侧清零。"),
    "pypto.key.sentence.one": Text(
        "{cls}, {bits} bit. What is stored is the index of the value in the list of candidates.",
        "{cls} 共 {bits} 位，存储的是取值在候选列表中的下标。",
    ),
    "pypto.key.sentence.other": Text(
        "{cls}, {bits} bits. What is stored is the index of the value in the list of candidates, first field in the "
        "lowest bits.",
        "{cls} 共 {bits} 位，存储的是取值在候选列表中的下标，第一个字段位于最低位。",
    ),
    "pypto.bits": Text("Bits", "位"),
    "pypto.candidates": Text("Candidates", "候选值"),
    "pypto.candidate": Text("{value} ({meaning})", "{value}（{meaning}）"),
    "pypto.host.sentence": Text(
        "Examples on a device of {cores} cores. The workspace is that of the kernel itself.",
        "以 {cores} 核设备为例。Workspace 列为 kernel 自身使用的部分。",
    ),
    "pypto.host.inputs": Text("Inputs", "输入"),
    "pypto.host.words": Text("TilingData (64-bit words)", "TilingData（64 位字）"),
    # tree
    "pypto.tree.aclnn": Text("aclnn interface", "aclnn 接口文档"),
    "pypto.tree.tiling": Text("TilingData and TilingKey", "TilingData 与 TilingKey"),
}

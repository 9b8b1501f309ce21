# ruff: noqa: E501  (a text is one line)
"""Key files."""

from opgen.formula.signature import Text

PHRASES = {
    "files.prototype.offline": Text(
        "The operator prototype, `REG_OP({type})`: names, types and order of inputs, outputs and attributes. It is compiled into the operator library (in ATC nothing else provides it, and without it GE skips shape inference) and used by `graph_build` to create the node.",
        "算子原型 `REG_OP({type})`，声明输入、输出和属性的名称、类型与顺序。它既编入算子库（ATC 进程中没有其他来源，缺少它 GE 不会调用形状推导），也供 `graph_build` 构图使用。",
    ),
    "files.prototype.session": Text(
        "The operator prototype, `REG_OP({type})`: names, types and order of inputs, outputs and attributes. It is compiled into the operator library (without it, GE skips shape inference in a process that does not register the prototype itself) and used by `session_run` to create the node.",
        "算子原型 `REG_OP({type})`，声明输入、输出和属性的名称、类型与顺序。它既编入算子库（缺少它，在没有登记该原型的进程中 GE 不会调用形状推导），也供 `session_run` 构图使用。",
    ),
    "files.prototypes.offline": Text(
        "The operator prototypes, `REG_OP`: names, types and order of inputs, outputs and attributes. They are compiled into the operator library (in ATC nothing else provides them, and without them GE skips shape inference) and used by `graph_build` to create the nodes.",
        "算子原型 `REG_OP`，声明输入、输出和属性的名称、类型与顺序。它们既编入算子库（ATC 进程中没有其他来源，缺少它们 GE 不会调用形状推导），也供 `graph_build` 构图使用。",
    ),
    "files.prototypes.session": Text(
        "The operator prototypes, `REG_OP`: names, types and order of inputs, outputs and attributes. They are compiled into the operator library (without them, GE skips shape inference in a process that does not register the prototypes itself) and used by `session_run` to create the nodes.",
        "算子原型 `REG_OP`，声明输入、输出和属性的名称、类型与顺序。它们既编入算子库（缺少它们，在没有登记这些原型的进程中 GE 不会调用形状推导），也供 `session_run` 构图使用。",
    ),
    "files.operator": Text(
        "The operator, implementing {interfaces}, and nothing that is not about this operator:",
        "算子实现，实现 {interfaces}，只含与本算子有关的内容：",
    ),
    "files.operators": Text(
        "The operators, each implementing {interfaces}, and nothing that is not about them.",
        "各算子的实现，均实现 {interfaces}，只含与这些算子有关的内容。",
    ),
    "files.infer.same": Text(
        "`InferDataType`, `InferShape`: check that {inputs} have the same type and shape; {output} is like {input}. Unknown sizes (-1) and unknown ranks pass through.",
        "`InferDataType`、`InferShape`：检查 {inputs} 的数据类型和形状一致，{output} 与 {input} 相同；未知的维度（-1）和未知的维数原样传递。",
    ),
    "files.infer.checked": Text(
        "`InferDataType`, `InferShape`: check the types and shapes of the inputs by the table under Operator Specification and derive those of {outputs}. Unknown sizes (-1) and unknown ranks pass through.",
        "`InferDataType`、`InferShape`：按“算子规格”中的表格检查输入的数据类型和形状，并推导 {outputs} 的类型和形状；未知的维度（-1）和未知的维数原样传递。",
    ),
    "files.compile.static": Text(
        "`Compile`: requires known sizes and compiles the kernel for the key.",
        "`Compile`：要求形状已知，按 key 编译 kernel。",
    ),
    "files.compile.mixed": Text(
        "`Compile`: compiles the kernel for the key; sizes that are compiled in must be known, the others need not be.",
        "`Compile`：按 key 编译 kernel；编译期确定的尺寸必须已知，其余尺寸可以未知。",
    ),
    "files.compile.dynamic": Text(
        "`Compile`: compiles the kernel for the key; sizes may be unknown.",
        "`Compile`：按 key 编译 kernel；尺寸可以未知。",
    ),
    "files.portable": Text(
        "`Serialize`, `Deserialize`: write all kernels into the OM, restore them from it.",
        "`Serialize`、`Deserialize`：将全部 kernel 写入 OM，或从 OM 恢复。",
    ),
    "files.execute.callback": Text(
        "`Execute`: checks the actual inputs again, finds the kernel, allocates {outputs} and launches.",
        "`Execute`：按实际输入再次检查，取出 kernel，申请 {outputs} 的内存并下发任务。",
    ),
    "files.execute.eager": Text(
        "`Execute`: checks the actual inputs again, loads the kernel of a key when it is first needed, allocates {outputs} and launches.",
        "`Execute`：按实际输入再次检查，首次用到某个 key 时加载其 kernel，申请 {outputs} 的内存并下发任务。",
    ),
    "files.execute.callback.inplace": Text(
        "`Execute`: checks the actual inputs again, finds the kernel and launches; {outputs} use the memory of the inputs of the same names.",
        "`Execute`：按实际输入再次检查，取出 kernel 并下发任务；{outputs} 使用同名输入的内存。",
    ),
    "files.execute.eager.inplace": Text(
        "`Execute`: checks the actual inputs again, loads the kernel of a key when it is first needed and launches; {outputs} use the memory of the inputs of the same names.",
        "`Execute`：按实际输入再次检查，首次用到某个 key 时加载其 kernel 并下发任务；{outputs} 使用同名输入的内存。",
    ),
    "files.helpers": Text("Other files in `ge/`", "`ge/` 下的其余文件"),
    "files.helpers.same": Text(
        "The same in every project, whatever the operator:", "各工程内容完全相同，与具体算子无关："
    ),
    "files.tensor_check": Text(
        "`tensor_check`: a check that fails names operator type, node, callback, the expected and the actual value.",
        "`tensor_check`：每项检查失败时，给出算子类型、节点名、回调名、期望值和实际值。",
    ),
    "files.kernel_cache.eager": Text(
        "`kernel_cache`: threads may share it. The lock is for look-ups only; nothing is locked while a kernel is loaded, each key is loaded once, and a failure may be tried again. No kernel is unloaded while the operator object lives.",
        "`kernel_cache`：线程安全，锁只用于查找；加载期间不持锁，同一 key 只加载一次，加载失败后可以重试；kernel 在算子对象存活期间不会卸载。",
    ),
    "files.kernel_cache.callback": Text(
        "`kernel_cache`: threads may share it, as GE calls `Compile` of different graphs at the same time. The lock is for look-ups only; nothing is locked during a compilation, and each key is compiled once. No kernel is unloaded while the operator object lives.",
        "`kernel_cache`：线程安全，因为 GE 可能同时为不同的图调用 `Compile`；锁只用于查找，编译期间不持锁，同一 key 只编译一次；kernel 在算子对象存活期间不会卸载。",
    ),
    "files.kernel_compiler": Text(
        "`kernel_compiler`: starts the subprocess without a shell, in a process group that ends with the time limit; the subprocess ends with the parent process. Temporary files have unique names and are removed after reading.",
        "`kernel_compiler`：不经过 shell 启动子进程；子进程自成进程组，超时则整组结束，父进程退出时子进程随之结束；临时文件名唯一，读取后立即删除。",
    ),
    "files.kernel_archive": Text(
        "`kernel_archive`: the same limits for writing and reading; any byte that changes is noticed.",
        "`kernel_archive`：读写两侧使用同样的上限，任何一个字节改变都会被发现。",
    ),
    "files.kernel.generated": Text(
        "The TileLang kernel and the script that compiles it.", "TileLang kernel 与编译脚本。"
    ),
    "files.kernel.user": Text(
        "The TileLang kernel, written by hand, and the script that compiles it.",
        "人工编写的 TileLang kernel 与编译脚本。",
    ),
    "files.kernel.double": Text(
        "Inputs and outputs have two buffers each, so that loading, computing and storing overlap.",
        "输入和输出各用两块缓冲区，搬入、计算和搬出相互重叠。",
    ),
    "files.kernel.cube": Text(
        "The matrices pass through L1 and L0 in steps, by turns, so that loading and multiplying overlap; the sums stay "
        "in {types} until they are complete.",
        "矩阵分步轮流经过 L1 和 L0，搬入与乘加相互重叠；累加和在完成之前一直保持 {types}。",
    ),
    "files.kernel.vector": Text(
        "The vector cores take the sums over through the workspace, and compute the rest of the formula in float32 (whole numbers in int32).",
        "Vector 核经工作空间取得累加和，并在 float32（整数为 int32）下完成公式的其余计算。",
    ),
    "files.kernel.half": Text(
        "16-bit floats ({types}) are computed in float32.", "16 位浮点（{types}）在 float32 下计算。"
    ),
    "argument.size": Text("number of elements, at least 1", "元素个数，至少为 1"),
    "argument.size.dynamic": Text(
        "number of elements; `-1` leaves it open until the kernel runs", "元素个数；`-1` 表示运行时才确定"
    ),
    "argument.dim": Text("size of the dim {name}", "维度 {name} 的大小"),
    "argument.dim.dynamic": Text(
        "size of the dim {name}; `-1` leaves it open until the kernel runs", "维度 {name} 的大小；`-1` 表示运行时才确定"
    ),
    "argument.rest": Text("product of the leading sizes `...`", "前置维度 `...` 的乘积"),
    "argument.rest.dynamic": Text(
        "product of the leading sizes `...`; `-1` leaves it open until the kernel runs",
        "前置维度 `...` 的乘积；`-1` 表示运行时才确定",
    ),
    "argument.out": Text("file to write, complete or not at all", "输出文件，要么完整写出，要么不写"),
    "argument.dtype": Text("data type", "数据类型"),
    "argument.dtypes": Text("data type of each symbol", "各符号的数据类型"),
    "argument.platform": Text("TileLang's name of the chip family", "芯片系列在 TileLang 中的名称"),
    "argument.cores": Text("AI cores to use", "使用的 AI Core 数"),
    "argument.attr": Text("attribute {name}", "属性 {name}"),
    "argument.without": Text("optional input that is not connected; may be repeated", "未连接的可选输入，可重复"),
    "files.reference": Text(
        "The function `reference`, written by hand with NumPy; it computes the expected values that the test program reads.",
        "人工编写的 NumPy 函数 `reference`，计算测试程序所读取的期望值。",
    ),
    "files.golden": Text(
        "Writes random input data and the expected values that {reference} computes from them; the test program reads these files.",
        "生成随机输入数据，并写出由 {reference} 计算的期望值，供测试程序读取。",
    ),
    "files.graph_build": Text(
        "Builds the graph `Data → {type}` and saves it as AIR; needs neither a device nor `GEInitialize`.",
        "构造 `Data → {type}` 图并保存为 AIR，既不需要设备，也不需要 `GEInitialize`。",
    ),
    "files.model_exec": Text("Loads and runs the OM with ACL alone:", "仅用 ACL 接口加载并执行 OM："),
    "files.model_exec.init": Text("`aclInit`, `aclrtSetDevice`.", "`aclInit`、`aclrtSetDevice`。"),
    "files.model_exec.load": Text(
        "`aclmdlLoadFromFile`; GE calls `Deserialize` and `Execute`.",
        "`aclmdlLoadFromFile`，此时 GE 回调 `Deserialize` 和 `Execute`。",
    ),
    "files.model_exec.sizes": Text(
        "`aclmdlGetDesc`; compares the sizes of the model's inputs and outputs with its own.",
        "`aclmdlGetDesc`，核对模型输入和输出的大小。",
    ),
    "files.model_exec.run": Text(
        "Copies the inputs to the device and runs the model once with `aclmdlExecute`.",
        "将输入拷贝到设备，用 `aclmdlExecute` 执行一次。",
    ),
    "files.session_run": Text(
        "Builds the graph `Data → {type}` and runs it in one process:", "构造 `Data → {type}` 图，并在同一进程中执行："
    ),
    "files.session_run.init": Text("`GEInitialize`; creates a `Session`.", "`GEInitialize`，创建 `Session`。"),
    "files.session_run.load.eager": Text(
        "`AddGraph`, `CompileGraph`, `LoadGraph`.", "`AddGraph`、`CompileGraph`、`LoadGraph`。"
    ),
    "files.session_run.load.online": Text(
        "`AddGraph`, `CompileGraph`, in which GE calls `Compile`, and `LoadGraph`.",
        "`AddGraph`、`CompileGraph`（此时 GE 回调 `Compile`）、`LoadGraph`。",
    ),
    "files.session_run.run": Text(
        "Copies the inputs to the device and runs the graph once with `ExecuteGraphWithStreamAsync`.",
        "将输入拷贝到设备，用 `ExecuteGraphWithStreamAsync` 执行一次。",
    ),
    "files.check.formula": Text(
        "Copies the outputs back and compares each element with the result computed in double precision; NaN where a number is expected is an error.",
        "取回输出，与 double 精度的计算结果逐元素比较；期望值为数值而结果为 NaN 时判为错误。",
    ),
    "files.check.reference": Text(
        "Copies the outputs back and compares each element with what {file} computed; NaN where a number is expected is an error.",
        "取回输出，与 {file} 的计算结果逐元素比较；期望值为数值而结果为 NaN 时判为错误。",
    ),
    "files.check.none": Text(
        "Copies the outputs back. Nothing says what they should be, so nothing is compared.",
        "取回输出。由于没有期望值的来源，不作比较。",
    ),
}

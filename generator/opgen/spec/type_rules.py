"""Pages of the rules about types, sizes and values (OPG2xx)."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

TYPE_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG201",
        Text("unknown type or symbol", "未知的数据类型或类型符号"),
        Text(
            "The type of a tensor is one of float32, float16, bfloat16, int8, int16, int32, int64, uint8, uint16, "
            "uint32, uint64 and bool, a symbol of `dtypes`, or an attribute of type dtype. Types of less than a "
            "byte are not among them: GE's sizes and TileLang's copies count whole bytes. All rows of a table in "
            "`dtypes` name the same symbols, and a test case asks for a combination that the table has.",
            "张量的类型可以是 float32、float16、bfloat16、int8、int16、int32、int64、uint8、uint16、uint32、"
            "uint64、bool，也可以是 `dtypes` 中的符号或 dtype 类属性。不足一字节的类型不受支持：GE 的张量大小与 "
            "TileLang 的搬运均以整字节计。`dtypes` 写成表格时各行须列出相同的符号，测试用例只能选取表中存在的组合。",
        ),
        "inputs:\n  - {name: x, dtype: fp16, shape: [...]}\n  - {name: y, dtype: T, shape: [...]}\n",
        "inputs:\n  - {name: x, dtype: float16, shape: [...]}\n  - {name: y, dtype: T, shape: [...]}\n",
    ),
    Rule(
        "OPG202",
        Text("the type of an output does not follow", "输出类型无法推导"),
        Text(
            "GE calls InferDataType with the types of the inputs and the attributes, and needs the types of the "
            "outputs from it. A symbol that only outputs have can be anything. It has to be the symbol of a "
            "required input, be settled by a row of the table in `dtypes`, or be an attribute of type dtype.",
            "GE 以输入类型与属性调用 InferDataType，由此得到输出类型。只出现在输出上的类型符号无从确定：它必须同时"
            "是某个必选输入的类型，或由 `dtypes` 表格的行确定，或改为 dtype 类属性。",
        ),
        "dtypes: {T: [float32, float16], U: [float32, float16]}\noutputs:\n  - {name: z, dtype: U, shape: [...]}\n",
        "dtypes: [{T: float32, U: float16}, {T: float16, U: float32}]\n"
        "outputs:\n"
        "  - {name: z, dtype: U, shape: [...]}\n",
    ),
    Rule(
        "OPG203",
        Text("unknown dim", "未知的维度"),
        Text(
            "Every symbol of a shape stands in `dims`, with the size that samples and tests use; their order is "
            "the order of the kernel script's arguments. Shapes may also name int attributes, and bool attributes "
            "in conditions. `...` stands for any number of leading dims and comes first.",
            "shape 中的每个符号都要列在 `dims` 中，并给出样例与测试使用的大小；其顺序即 kernel 脚本的参数顺序。"
            "shape 还可以引用 int 属性，条件中可以引用 bool 属性。`...` 表示任意个前导维度，只能放在最前。",
        ),
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [..., C]}\n"
        "  - {name: y, dtype: T, shape: [..., C]}\n"
        "outputs:\n"
        "  - {name: z, dtype: T, shape: [..., C]}\n",
        "dims:\n"
        "  ...: {default: [8], dynamic: true}\n"
        "  C: {default: 128}\n"
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [..., C]}\n"
        "  - {name: y, dtype: T, shape: [..., C]}\n"
        "outputs:\n"
        "  - {name: z, dtype: T, shape: [..., C]}\n",
    ),
    Rule(
        "OPG204",
        Text("a dim that no required input binds", "维度未被任何必选输入确定"),
        Text(
            "The host computes all sizes from the shapes of the required inputs, before anything runs: a dim is an "
            "axis `S` or `k * S` of one of them, or its `count`. The size of an output may not depend on the data; "
            "such an operator returns the largest size and a count.",
            "host 在运行前由必选输入的 shape 计算所有大小：维度须是某个必选输入的轴 `S` 或 `k * S`，或其 `count`。"
            "输出大小不能依赖数据；此类算子按最大可能的大小输出，并另外返回有效个数。",
        ),
        "dims:\n"
        "  ...: {default: [8], dynamic: true}\n"
        "  C: {default: 128}\n"
        "outputs:\n"
        "  - {name: z, dtype: T, shape: [..., C]}\n",
        "dims:\n"
        "  ...: {default: [8], dynamic: true}\n"
        "  C: {default: 128}\n"
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [..., C]}\n"
        "  - {name: y, dtype: T, shape: [..., C]}\n"
        "outputs:\n"
        "  - {name: z, dtype: T, shape: [..., C]}\n",
    ),
    Rule(
        "OPG205",
        Text("a symbol that nothing uses", "未使用的符号"),
        Text(
            "A dim is an argument of the kernel script and part of the kernel's key, a type symbol multiplies the "
            "number of kernels. One that no tensor has is a slip, or costs kernels for nothing.",
            "维度是 kernel 脚本的参数，也是 kernel 键的一部分；类型符号会使 kernel 个数成倍增加。没有张量使用的符号"
            "多半是笔误，否则只会白白增加 kernel。",
        ),
        "dtypes: {T: [float32, float16], U: [int32, int64]}\n",
        "dtypes: {T: [float32, float16]}\n",
    ),
    Rule(
        "OPG206",
        Text("a value outside its limits", "取值超出范围"),
        Text(
            "Defaults, the values listed and the values of test cases keep to `values`, `min`, `max` and "
            "`multiple_of`: the host refuses everything else, so that such a test could never run. Sizes are at "
            "least 1, because GE cannot allocate an empty output, and limits of elements are values of the "
            "tensor's type.",
            "默认值、`values` 中的值以及测试用例的取值都必须满足 `values`、`min`、`max` 与 `multiple_of`：host 会拒"
            "绝其他取值，这样的测试无法运行。大小至少为 1，因为 GE 无法分配空输出；元素的上下限必须是张量类型能表示"
            "的值。",
        ),
        "attrs:\n  - {name: alpha, type: float, default: 2.0, max: 1.0}\n",
        "attrs:\n  - {name: alpha, type: float, default: 1.0, max: 1.0}\n",
    ),
    Rule(
        "OPG207",
        Text("static and open, but compiled before it is known", "取值开放的静态量需提前编译"),
        Text(
            "A static size or attribute is compiled into the kernel. In an eager project `run.sh` compiles all "
            "kernels before the build, so each such value needs a finite list (`values`) or has to be passed at "
            "run time (`dynamic: true`). Online and offline projects compile when GE knows the value.",
            "静态的大小或属性会编译进 kernel。eager 工程由 `run.sh` 在构建前编译全部 kernel，因此这类值要么用 "
            "`values` 列出有限个取值，要么写 `dynamic: true` 在运行时传入。online 与 offline 工程在 GE 得知取值后才"
            "编译，没有此限制。",
        ),
        "scenario: eager\ndims:\n  ...: {default: [8, 128]}\n",
        "scenario: eager\ndims:\n  ...: {default: [8, 128], dynamic: true}\n",
    ),
    Rule(
        "OPG208",
        Text("too many kernels", "kernel 个数过多"),
        Text(
            "There is one kernel for each combination of types, sizes listed under `values`, values of static "
            "attributes and optional inputs that are there. A library holds at most 64 of an operator: each is "
            "compiled, kept in memory and, offline, stored in the OM. More of the choices can be made at run time.",
            "类型组合、`values` 列出的大小、静态属性的取值、可选输入是否连接，每种组合对应一个 kernel。每个算子最"
            "多 64 个：每个 kernel 都要编译、常驻内存，离线场景还要写入 OM。可将部分选择改为运行时传入。",
        ),
        "attrs:\n"
        "  - name: steps\n"
        "    type: int\n"
        "    default: 1\n"
        "    values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,\n"
        "             18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33]\n"
        "compute: z = x * steps + y\n",
        "attrs:\n  - {name: steps, type: int, default: 1, dynamic: true}\ncompute: z = x * steps + y\n",
    ),
    Rule(
        "OPG209",
        Text("not on this chip", "目标芯片不支持"),
        Text(
            "GE and ATC compare the name of the chip letter by letter. Kernels are generated for TileLang's "
            "platforms A2 (Ascend910B1 to B4) and A3 (Ascend910_93xx), and a function has only the element types "
            "that the vector unit of the chip has. `910B` and `910_93` are families, not chips: `npu-smi info` "
            "shows the chip.",
            "GE 与 ATC 按字母逐一比较芯片名称。生成的 kernel 面向 TileLang 的 A2（Ascend910B1 至 B4）与 A3（"
            "Ascend910_93xx）平台；每个函数只支持芯片向量单元具备的数据类型。`910B`、`910_93` 是系列名而非芯片名，"
            "具体芯片可用 `npu-smi info` 查看。",
        ),
        "soc: Ascend310P3\n",
        "soc: Ascend910B3\n",
    ),
    Rule(
        "OPG210",
        Text("in place without such an input", "原地输出缺少对应的输入"),
        Text(
            "`inplace: true` says that the output is the input of the same name: GE passes one buffer for both, "
            "and the kernel has one parameter. So there has to be such an input, required and no list.",
            "`inplace: true` 表示该输出就是同名输入：GE 为两者传入同一块内存，kernel 只有一个参数。因此必须存在同名"
            "输入，且该输入必选、不是列表。",
        ),
        "outputs:\n  - {name: total, inplace: true}\ncompute: total = alpha * x + y\n",
        "outputs:\n  - {name: y, inplace: true}\ncompute: y = alpha * x + y\n",
    ),
    Rule(
        "OPG211",
        Text("the default of an optional input", "可选输入的默认值不当"),
        Text(
            "`default` makes an input optional: where it is not connected, the formula sees that scalar, so it has "
            "the kind of the tensor (true or false, a whole number, a number). Sizes and types that only an "
            "optional input has would be unknown then.",
            "`default` 使输入成为可选输入：未连接时公式看到的就是该标量，因此它必须与张量同类（布尔、整数或浮点"
            "数）。只由可选输入确定的大小与类型在其未连接时无从得知，故不允许。",
        ),
        "inputs:\n  - {name: x, dtype: T, shape: [...]}\n  - {name: y, dtype: T, shape: [...], default: true}\n",
        "inputs:\n  - {name: x, dtype: T, shape: [...]}\n  - {name: y, dtype: T, shape: [...], default: 0.0}\n",
    ),
    Rule(
        "OPG212",
        Text("`count` without `kernel`, or in pypto", "`count` 需要 `kernel`，且不可用于 pypto"),
        Text(
            "`count` makes a list of equal tensors (DYNAMIC_INPUT, DYNAMIC_OUTPUT). A formula works on single "
            "tensors, so the kernel is written by hand. The parameters of a PyPTO kernel are single tensors as "
            "well.",
            "`count` 声明由若干相同张量组成的列表（DYNAMIC_INPUT、DYNAMIC_OUTPUT）。公式只处理单个张量，因此 "
            "kernel 须手写。PyPTO kernel 的参数同样只能是单个张量。",
        ),
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [...]}\n"
        "  - {name: y, dtype: T, shape: [...], count: 2}\n"
        "compute: z = alpha * x\n",
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [...]}\n"
        "  - {name: y, dtype: T, shape: [...], count: 2}\n"
        "kernel: axpy_list.py\n"
        "reference: axpy_list_reference.py\n",
    ),
    Rule(
        "OPG213",
        Text("no golden values", "没有标杆数据"),
        Text(
            "An operator with a kernel, and neither a formula nor a reference, can be run and not be checked. The "
            "sample programs then compare nothing, and they and the README say so.",
            "只有 kernel、既无公式也无 reference 的算子可以运行，但无从校验。此时样例程序不做比较，程序输出与 "
            "README 都会说明这一点。",
        ),
        "kernel: axpy_fast.py\n",
        "kernel: axpy_fast.py\ncompute: z = alpha * x + y\n",
    ),
    Rule(
        "OPG214",
        Text("a required attribute without a test value", "必选属性缺少测试取值"),
        Text(
            "An attribute without `default` must be set by every caller. Samples and tests are callers too, and "
            "take its value from the first case.",
            "没有 `default` 的属性由调用者给出。样例与测试也是调用者，其取值来自第一个测试用例。",
        ),
        "attrs:\n  - {name: alpha, type: float}\n",
        "attrs:\n  - {name: alpha, type: float}\ntests:\n  cases: [{alpha: 0.5}]\n",
    ),
)

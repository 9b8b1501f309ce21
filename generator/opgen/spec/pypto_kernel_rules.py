"""Pages of the rules about the text of PyPTO kernels (OPG820 to OPG829). wrong and right: lines of a kernel file."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.pypto_launch_rules import PYPTO_LAUNCH_RULES
from opgen.spec.rule import Rule

PYPTO_KERNEL_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG820",
        Text("a kernel file has one kernel, named like the file", "kernel 文件中只有一个与文件同名的 kernel"),
        Text(
            "The build looks for the one function under `@pl.jit`. Its name, the file, `enable_pypto_kernel()` and "
            "`opFile.value` are one name. With two functions older tools declare the tiling parameters twice, so "
            "that the host file does not compile; newer ones refuse the file.",
            "构建时会查找唯一的 `@pl.jit` 函数。函数名、文件名、`enable_pypto_kernel()` 和 `opFile.value` 必须一致。"
            "存在两个函数时，旧版工具会重复声明 tiling 参数，导致 host 文件无法编译；新版工具会直接拒绝该文件。",
        ),
        '# op_kernel/scaled_add.py\n@pl.jit(arch="a5", tiling_key=ScaledAddTilingKey)\ndef kernel(x, y, workspace, '
        "tiling): ...\n",
        '# op_kernel/scaled_add.py\n@pl.jit(arch="a5", tiling_key=ScaledAddTilingKey)\ndef scaled_add(x, y, '
        "workspace, tiling): ...\n",
    ),
    Rule(
        "OPG821",
        Text("parameters of a PyPTO kernel", "PyPTO kernel 的参数"),
        Text(
            "The build passes pointers only, by place: inputs and outputs in the order of the definition, then the "
            "workspace, then the address of TilingData. The pointer in front of tiling is the workspace whatever "
            "its name, a scalar gets a value that nobody passes, and a dynamic tensor appends arguments: all of it "
            "translates and computes with wrong addresses.",
            "构建时只按位置传递指针：先按原型顺序传入输入、输出，再传入 workspace，最后是 TilingData 的地址。"
            "tiling 之前的指针无论叫什么都被当作 workspace；标量参数没有人传值；动态 Tensor 会追加参数。这些写法都"
            "能通过翻译，但计算时使用的是错误的地址。",
        ),
        "def scaled_add(\n    x: pl.Ptr[pl.DT_UINT8], alpha: pl.DT_FP32, z: pl.Ptr[pl.DT_UINT8], tiling: Tiling\n"
        "): ...\n",
        "def scaled_add(\n    x: pl.Ptr[pl.DT_UINT8], z: pl.Ptr[pl.DT_UINT8], workspace: pl.Ptr[pl.DT_UINT8], "
        "tiling: Tiling\n): ...\n",
    ),
    Rule(
        "OPG822",
        Text("the class of TilingData", "TilingData 类"),
        Text(
            "The C++ class of the host is made from the dataclass: its fields are int, float, bool, or arrays of "
            "them with a literal length up to 2048. Everything else is answered with one opaque message, and a "
            "field that is a keyword of C++ is accepted and breaks the header.",
            "host 侧的 C++ 类由该 dataclass 生成：字段只能是 int、float、bool，或长度为字面量且不超过 2048 的数组。"
            "其他写法只会得到一条含糊的报错；字段名为 C++ 关键字时工具不会报错，但生成的头文件无法编译。",
        ),
        "@dataclass\nclass Tiling:\n    register: int\n    shape: list\n",
        "@dataclass\nclass Tiling:\n    first_row: int\n    alpha: float\n",
    ),
    Rule(
        "OPG823",
        Text("the class of TilingKey", "TilingKey 类"),
        Text(
            "Every combination of the fields is a kernel of its own. A field packs the index of its value, so that "
            "its bits must hold the number of values; values are distinct integers from 0 on, all fields have 64 "
            "bits together, and their names are free in the kernel. A negative value passes the kernel side and "
            "does not compile on the host.",
            "字段的每种组合都对应一个独立的 kernel。字段打包的是取值的下标，因此位宽必须容纳取值个数；取值为互不相"
            "同的非负整数，所有字段合计不超过 64 位，且字段名不得与 kernel 中的其他名称冲突。负值能通过 kernel 侧"
            "检查，但 host 侧无法编译。",
        ),
        "class Key:\n    mode = TilingKeyField(bits=1, values=[0, 1, 2])\n",
        "class Key:\n    mode = TilingKeyField(bits=2, values=[0, 1, 2])\n",
    ),
    Rule(
        "OPG824",
        Text("datatype of a PyPTO kernel", "PyPTO kernel 的 datatype"),
        Text(
            "`datatype` maps required inputs and outputs to variables that hold their types in each instance. The "
            "build passes the types as macros whose names are put into lower case, and passes none for an absent "
            "input; a variable has one type in every column of the definition.",
            "`datatype` 将必选的输入、输出映射为变量，变量在每个实例中保存其数据类型。构建以宏的形式传递类型，宏名"
            "会转换为小写；未连接的可选输入没有对应的宏；同一个变量在原型的每一列中只能有一种类型。",
        ),
        '@pl.jit(arch="a5", tiling_key=Key, datatype={"X": "data_dtype"})\ndef relu(X, y, workspace, tiling): ...\n',
        '@pl.jit(arch="a5", tiling_key=Key, datatype={"x": "data_dtype"})\ndef relu(x, y, workspace, tiling): ...\n',
    ),
    Rule(
        "OPG825",
        Text("not part of the kernel language", "不属于 kernel 语言的写法"),
        Text(
            "The text of a kernel is translated, not executed. The front end takes loops over `pl.range`, `while`, "
            "`if`, assignments, calls of `pl` and of plain functions of the file, `min` and `max`; other "
            "statements, unknown names and chained comparisons end with an error at build time.",
            "kernel 的文本是被翻译而不是被执行的。前端接受 `pl.range` 循环、`while`、`if`、赋值、对 `pl` 及本文件"
            "普通函数的调用，以及 `min`、`max`；其他语句、未知名称和链式比较会在构建时报错。",
        ),
        "for i in range(tiling.tile_num):\n    assert 0 <= i < 8\n",
        "for i in pl.range(0, tiling.tile_num, 1):\n    pass\n",
    ),
    Rule(
        "OPG826",
        Text("the stride of the workers counts blocks only", "worker 步长只计算了 block 数"),
        Text(
            "In a vector section `pl.get_block_idx()` counts vector cores and `pl.get_block_num()` counts blocks. "
            "A block has one vector core or two, depending on the version of the tools. With the number of blocks "
            "as the stride two cores do the same tiles, and an operator that works in place computes them twice.",
            "在 vector section 中，`pl.get_block_idx()` 按向量核计数，而 `pl.get_block_num()` 按 block 计数。一个 "
            "block 包含一个或两个向量核，取决于工具版本。以 block 数为步长时，两个核会处理相同的分块，原地计算的算"
            "子会被重复计算。",
        ),
        "for i in pl.range(pl.get_block_idx(), tiling.tile_num, pl.get_block_num()):\n    pass\n",
        "workers = pl.get_block_num() * pl.get_subblock_num()\nfor i in pl.range(pl.get_block_idx(), "
        "tiling.tile_num, workers):\n    pass\n",
    ),
    Rule(
        "OPG827",
        Text("host and kernel disagree on the fields", "host 与 kernel 的字段不一致"),
        Text(
            "TilingData is bytes and the key is a number: both sides read them by place, and nothing compares "
            "their names. Fields, order, types and values are those of op.yaml; every field that the host computes "
            "is read, and every field that is read is computed.",
            "TilingData 是一段字节，TilingKey 是一个数：两侧都按位置读取，没有任何机制比较名称。字段、顺序、类型和"
            "取值必须与 op.yaml 一致；host 计算的每个字段都要被读取，kernel 读取的每个字段都要有人计算。",
        ),
        "@dataclass\nclass Tiling:\n    total: int\n    unused: int\n\nx_view = pl.make_tensor(x, [1, tiling.totl])\n",
        "@dataclass\nclass Tiling:\n    total: int\n\nx_view = pl.make_tensor(x, [1, tiling.total])\n",
    ),
    Rule(
        "OPG828",
        Text("tiles are moved outside of a section", "在 section 之外搬运分块"),
        Text(
            "What stands in neither section is compiled for cube cores and for vector cores, and both execute it.",
            "不在任何 section 中的代码会同时为 Cube 核和向量核编译，并由两者执行。",
        ),
        "pl.load(x_tile, x_view, [0, 0])\n",
        "with pl.section_vector():\n    pl.load(x_tile, x_view, [0, 0])\n",
    ),
    Rule(
        "OPG829",
        Text("arch of @pl.jit", "@pl.jit 的 arch"),
        Text(
            "PyPTO Pro's vector operations are for Ascend 950, whose architecture is a5. Without `arch` the tools "
            "ask the device, and on a machine without one they take a3.",
            "PyPTO Pro 的向量运算面向 Ascend 950，其架构为 a5。不写 `arch` 时工具会查询设备；在没有设备的机器上会"
            "取 a3。",
        ),
        "@pl.jit(tiling_key=Key)\ndef relu(x, y, workspace, tiling): ...\n",
        '@pl.jit(arch="a5", tiling_key=Key)\ndef relu(x, y, workspace, tiling): ...\n',
    ),
    *PYPTO_LAUNCH_RULES,
)

"""Pages of the rules about kernel text (OPG7xx). wrong and right: statements of a kernel of 1024 elements a tile."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.kernel_order_rules import KERNEL_ORDER_RULES
from opgen.spec.rule import Rule

KERNEL_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG701",
        Text("the kernel script fails", "kernel 脚本运行失败"),
        Text(
            "The script is executed with its arguments, with stand-ins for `tilelang`, `torch` and `torch_npu`. It "
            "raised an exception or ended with a code other than 0; the place is its own line, the innermost one.",
            "检查时会带参数执行该脚本，其中 `tilelang`、`torch`、`torch_npu` 由替身模块代替。脚本抛出了异常，或以非 "
            "0 退出码结束；报告的位置是脚本自身最内层的那一行。",
        ),
        "T.dynamic('n')\n",
        "T.symbolic('n')\n",
    ),
    Rule(
        "OPG703",
        Text("something the checker does not know", "检查器不认识的用法"),
        Text(
            "The name exists in TileLang-Ascend, and the checker does not carry it out: memory that it would write "
            "counts as written, and what follows is checked less.",
            "该名称在 TileLang-Ascend 中存在，但检查器不执行它：它要写入的内存视为已写入，其后的检查会相应减弱。",
        ),
        'a = T.alloc_ub((1024,), "float32")\nT.tile.fill(a, 0.0)\nT.tile.abs_experiment(a, a, 1024)\n',
        'a = T.alloc_ub((1024,), "float32")\nT.tile.fill(a, 0.0)\nT.tile.abs(a, a)\n',
    ),
    Rule(
        "OPG710",
        Text("on-chip memory overflows", "片上内存溢出"),
        Text(
            "A vector core has 196352 bytes of UB, the cube core 524032 of L1, 65536 each of L0A and L0B and 131072 "
            "of L0C. Reductions, broadcasts, sigmoid, sin, cos, pow and others take hidden scratch memory in "
            "addition. The compiler does not check it: addresses run past the end, or with memory planning it "
            "crashes without a message.",
            "向量核的 UB 为 196352 字节；Cube 核的 L1 为 524032 字节，L0A、L0B 各 65536 字节，L0C 为 131072 字节。归"
            "约、广播、sigmoid、sin、cos、pow 等还会占用隐藏的暂存区。编译器不检查容量：地址直接越界，开启内存规划时"
            "则会无提示崩溃。",
        ),
        'a = T.alloc_ub((65536,), "float32")\nT.tile.fill(a, 0.0)\n',
        'a = T.alloc_ub((32768,), "float32")\nT.tile.fill(a, 0.0)\n',
    ),
    Rule(
        "OPG711",
        Text("rows of a tile are not a multiple of 32 bytes", "分块的行宽不是 32 字节的整数倍"),
        Text(
            "A copy puts each row at the next multiple of 32 bytes, and vector operations take the rows to follow "
            "one another without a gap. With other row lengths every row behind the first is garbled, silently.",
            "搬运时每行从下一个 32 字节对齐处开始存放，而向量运算认为各行之间没有空隙。行宽不是 32 字节的整数倍时，第"
            "一行之后的数据全部错位，且没有任何报错。",
        ),
        'a = T.alloc_ub((8, 100), "float16")\nT.copy(m[0, 0], a)\nT.tile.exp(a, a)\n',
        'a = T.alloc_ub((8, 112), "float16")\nT.copy(m[0, 0], a)\nT.tile.exp(a, a)\n',
    ),
    Rule(
        "OPG712",
        Text("an on-chip address or length is not a multiple of 32 bytes", "片上地址或长度不是 32 字节的整数倍"),
        Text(
            "Vector operations and copies address the chip in blocks of 32 bytes, and copies within UB move whole "
            "blocks.",
            "向量运算与搬运以 32 字节块为单位访问片上内存，UB 内部的搬运只能移动整块。",
        ),
        'a = T.alloc_ub((8, 4), "float32")\nT.tile.fill(a, 0.0)\nT.tile.exp(a[1, :], a[1, :])\n',
        'a = T.alloc_ub((8, 8), "float32")\nT.tile.fill(a, 0.0)\nT.tile.exp(a[1, :], a[1, :])\n',
    ),
    Rule(
        "OPG713",
        Text("a comparison is not a multiple of 256 bytes", "比较的长度不是 256 字节的整数倍"),
        Text(
            "Comparisons take whole steps of the vector unit, 256 bytes each: 64 elements of float32, 128 of float16.",
            "比较指令按向量单元的整步执行，每步 256 字节：float32 为 64 个元素，float16 为 128 个元素。",
        ),
        'a = T.alloc_ub((32,), "float32")\nbits = T.alloc_ub((32,), "uint8")\nT.tile.fill(a, 0.0)\n'
        'T.tile.compare(bits, a, 0.0, "GT")\n',
        'a = T.alloc_ub((64,), "float32")\nbits = T.alloc_ub((32,), "uint8")\nT.tile.fill(a, 0.0)\n'
        'T.tile.compare(bits, a, 0.0, "GT")\n',
    ),
    Rule(
        "OPG714",
        Text("more than an instruction can do", "超出指令的能力"),
        Text(
            "A copy has at most 4095 rows of at most 2097151 bytes. A sum of float16 is one instruction a row, of at "
            "most 128 elements and 255 rows over the last axis. Matrices on the cube core have multiples of 16 rows "
            "of 32 bytes.",
            "一次搬运最多 4095 行，每行最多 2097151 字节。float16 求和时每行对应一条指令，只支持最后一个轴，且每行最"
            "多 128 个元素、最多 255 行。Cube 核上的矩阵，行数须为 16 的整数倍，行宽须为 32 字节的整数倍。",
        ),
        'a = T.alloc_ub((8, 256), "float16")\nr = T.alloc_ub((8, 1), "float16")\nT.tile.fill(a, 0.0)\n'
        "T.reduce_sum(a, r, dim=-1)\n",
        'a = T.alloc_ub((8, 256), "float32")\nr = T.alloc_ub((8, 1), "float32")\nT.tile.fill(a, 0.0)\n'
        "T.reduce_sum(a, r, dim=-1)\n",
    ),
    *KERNEL_ORDER_RULES,
    Rule(
        "OPG730",
        Text("on-chip memory is read before it is written", "读取了未写入的片上内存"),
        Text(
            "On-chip memory holds what the last kernel left. A load that is clipped at the end of the tensor fills "
            "the rest of its tile with `pad_value`, but only for types of 16 and 32 bits.",
            "片上内存中残留着上一个 kernel 的数据。在张量末尾被裁剪的搬运会用 `pad_value` 填满分块的剩余部分，但只对 "
            "16 位和 32 位类型有效。",
        ),
        'a = T.alloc_ub((1024,), "float32")\ns = T.alloc_ub((1024,), "float32")\nT.copy(x[0], a)\n'
        "T.tile.add(s, s, a)\n",
        'a = T.alloc_ub((1024,), "float32")\ns = T.alloc_ub((1024,), "float32")\nT.copy(x[0], a)\nT.tile.fill(s, 0.0)\n'
        "T.tile.add(s, s, a)\n",
    ),
    Rule(
        "OPG731",
        Text("an access is out of range", "访问越界"),
        Text(
            "Copies are clipped at the end of a tensor in global memory, and only there: a negative start, an index "
            "or a count beyond an on-chip buffer, and an index of a single element are not checked by anybody.",
            "搬运只会在全局内存张量的末尾被裁剪：负的起始位置、超出片上缓冲区的下标或元素个数、单个元素的下标，都没有"
            "任何检查。",
        ),
        'a = T.alloc_ub((1024,), "float32")\nT.copy(x[cid * 1024 - 16], a)\n',
        'a = T.alloc_ub((1024,), "float32")\nT.copy(x[cid * 1024], a)\n',
    ),
    Rule(
        "OPG732",
        Text("an output is not written completely", "输出没有写全"),
        Text(
            "The wrapper allocates outputs without clearing them: elements that no core stores to hold whatever was "
            "there before.",
            "输出由封装代码分配且不清零：没有任何核写入的元素，其内容是之前的残留数据。",
        ),
        'a = T.alloc_ub((1024,), "float32")\nT.tile.fill(a, 0.0)\nT.copy(a, y[0])\n',
        'a = T.alloc_ub((1024,), "float32")\nT.tile.fill(a, 0.0)\nT.copy(a, y[vid * 1024])\n',
    ),
    Rule(
        "OPG740",
        Text("an operation does not have this type", "运算不支持该数据类型"),
        Text(
            "Each vector operation of A2 and A3 has its own list of element types. TileLang does not check it: the "
            "device compiler fails, or the result is wrong. bfloat16 has no arithmetic at all; 8-bit types are cast "
            "to float16 first.",
            "A2、A3 的每种向量运算都有各自支持的元素类型。TileLang 不做检查：要么设备编译器报错，要么结果错误。"
            "bfloat16 没有任何算术运算；8 位类型须先转换为 float16。",
        ),
        'a = T.alloc_ub((1024,), "bfloat16")\nT.tile.fill(a, 0.0)\nT.tile.exp(a, a)\n',
        'a = T.alloc_ub((1024,), "float32")\nT.tile.fill(a, 0.0)\nT.tile.exp(a, a)\n',
    ),
    Rule(
        "OPG741",
        Text("a cast that does not exist", "不存在的类型转换"),
        Text(
            "A2 and A3 cast only between certain types, each pair with certain rounding modes: widening ones with "
            "CAST_NONE, narrowing ones with a direction, float32 to bfloat16 not with CAST_NONE.",
            "A2、A3 只支持特定类型之间的转换，每一对类型只支持特定的舍入模式：加宽用 CAST_NONE，收窄须指明舍入方向，"
            "float32 到 bfloat16 不支持 CAST_NONE。",
        ),
        'a = T.alloc_ub((1024,), "float32")\nb = T.alloc_ub((1024,), "bfloat16")\nT.tile.fill(a, 0.0)\n'
        'T.tile.cast(b, a, "CAST_NONE", 1024)\n',
        'a = T.alloc_ub((1024,), "float32")\nb = T.alloc_ub((1024,), "bfloat16")\nT.tile.fill(a, 0.0)\n'
        'T.tile.cast(b, a, "CAST_RINT", 1024)\n',
    ),
    Rule(
        "OPG742",
        Text("source and destination must not overlap", "源与目的不能重叠"),
        Text(
            "sigmoid, silu, sin, cos, pow, xor, clamp, broadcast and reductions take several steps and read their "
            "source again after they have written. The others allow the same buffer, not a shifted one.",
            "sigmoid、silu、sin、cos、pow、xor、clamp、broadcast 和归约分多步执行，写出之后还会再次读取源数据。其他运"
            "算允许源与目的是同一段数据，但不允许部分重叠。",
        ),
        'a = T.alloc_ub((1024,), "float32")\nT.copy(x[0], a)\nT.tile.sigmoid(a, a)\n',
        'a = T.alloc_ub((1024,), "float32")\nb = T.alloc_ub((1024,), "float32")\nT.copy(x[0], a)\n'
        "T.tile.sigmoid(b, a)\n",
    ),
    Rule(
        "OPG743",
        Text("arguments do not fit together", "参数不匹配"),
        Text(
            "All operands of a vector operation have one number of elements; copies have equal shapes and types on "
            "both sides; everything but T.copy takes whole buffers, single indices and `:`, no other slices. Shapes of "
            "buffers are constant: a number that the kernel itself assigns to a name is a variable on the device.",
            "同一向量运算的所有操作数元素个数相同；搬运两端的形状与类型一致；除 T.copy 外，其余操作只接受整个缓冲区、"
            "单个下标和 `:`，不接受其他切片。缓冲区的形状必须是常量：在 kernel 内部赋值的名字即使值是数字，在设备上也"
            "是变量。",
        ),
        'a = T.alloc_ub((1024,), "float32")\nb = T.alloc_ub((512,), "float32")\nT.copy(x[0], a)\nT.tile.exp(b, a)\n',
        'a = T.alloc_ub((1024,), "float32")\nb = T.alloc_ub((1024,), "float32")\nT.copy(x[0], a)\nT.tile.exp(b, a)\n',
    ),
    Rule(
        "OPG744",
        Text("there is no way between these memories", "这些内存之间没有通路"),
        Text(
            "Copies go between global memory and UB, global memory and L1, L1 and L0A or L0B, L0C and global memory, "
            "and within UB. Vector operations work on UB, matrix products on L1 and L0.",
            "搬运通路只有：全局内存与 UB、全局内存到 L1、L1 到 L0A 或 L0B、L0C 到全局内存，以及 UB 内部。向量运算只访"
            "问 UB，矩阵乘只访问 L1 和 L0。",
        ),
        "T.copy(x[0:1024], y[0:1024])\n",
        'a = T.alloc_ub((1024,), "float32")\nT.copy(x[0:1024], a)\nT.copy(a, y[0:1024])\n',
    ),
    Rule(
        "OPG745",
        Text("the wrong kind of core", "代码所在的核不对"),
        Text(
            'Without `T.Scope("V")` or `T.Scope("C")` the whole body runs on the cube core and on both vector '
            "cores, unless TL_ASCEND_AUTO_CV_COMBINE splits it. Cube cores have no UB, vector cores no L1 and L0.",
            '不写 `T.Scope("V")` 或 `T.Scope("C")`，且未开启 TL_ASCEND_AUTO_CV_COMBINE 时，整段代码会在 Cube 核和'
            "两个向量核上都执行一遍。Cube 核没有 UB，向量核没有 L1 和 L0。",
        ),
        'a = T.alloc_ub((1024,), "float32")\nwith T.Scope("C"):\n    T.tile.fill(a, 0.0)\n',
        'a = T.alloc_ub((1024,), "float32")\nwith T.Scope("V"):\n    T.tile.fill(a, 0.0)\n',
    ),
    Rule(
        "OPG746",
        Text("a size is taken from the module", "尺寸取自模块级变量"),
        Text(
            "A kernel inside a function may read that function's variables. Names that only the annotations of its "
            "parameters read are looked for in the module: where that has a variable of the same name, the tensor "
            "silently gets its size, and every copy is clipped to it.",
            "写在函数内部的 kernel 可以读取该函数的变量。但仅在参数注解中出现的名称会到模块中查找：若模块中恰有同名变"
            "量，张量就会不加提示地采用它的值作为尺寸，所有搬运都按该尺寸裁剪。",
        ),
        'n = 64\n\n\ndef build(n):\n    @T.prim_func\n    def main(x: T.Tensor((n,), "float32")):\n'
        "        with T.Kernel(1, is_npu=True) as (cid, vid):\n            pass\n\n    return main\n\n\n"
        "tilelang.compile(build(128))\n",
        'def build(n):\n    @T.prim_func\n    def main(x: T.Tensor((n,), "float32")):\n'
        "        with T.Kernel(1, is_npu=True) as (cid, vid):\n            pass\n\n    return main\n\n\n"
        "tilelang.compile(build(128))\n",
    ),
)

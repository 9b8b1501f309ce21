"""Pages of the rules about tiling, languages and the fields of PyPTO (OPG4xx, OPG5xx, OPG801 to OPG804)."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

TILING_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG401",
        Text("the tile does not fit on chip", "分块超出片上内存"),
        Text(
            "A vector core has 196352 bytes for the buffers of a kernel: every input and output once or twice, "
            "float32 scratch for the half types, temporaries, and the compiler's own scratch. More is not reported "
            "by the compiler: addresses run past the end, or it crashes. Without `tiling.block` opgen plans the "
            "largest tile that fits.",
            "向量核可供 kernel 使用的片上内存为 196352 字节，用于输入输出的单缓冲或双缓冲、半精度类型的 float32 中"
            "间结果、中间变量以及编译器自用的暂存区。超出时编译器不会报错，而是地址越界或直接崩溃。不写 "
            "`tiling.block` 时由 opgen 规划能放下的最大分块。",
        ),
        "tiling:\n  block: 65536\n",
        "tiling:\n  block: 4096\n",
    ),
    Rule(
        "OPG402",
        Text("rows are not a multiple of 32 bytes", "行宽不是 32 字节的整数倍"),
        Text(
            "Copies between global memory and the chip work in blocks of 32 bytes, and buffers begin at multiples "
            "of 32. A tile that is no multiple of that shifts every row behind the first; comparisons want 256 "
            "bytes.",
            "全局内存与片上内存之间的搬运以 32 字节为单位，缓冲区也按 32 字节对齐。分块不是其整数倍时，第一行之后的"
            "数据全部错位；比较指令要求 256 字节对齐。",
        ),
        "tiling:\n  block: 100\n",
        "tiling:\n  block: 1024\n",
    ),
    Rule(
        "OPG403",
        Text("unknown name or cycle in `tiling`", "`tiling` 中存在未知名称或循环依赖"),
        Text(
            "Expressions of `tiling` know dims, bool, int and float attributes, the fields of `data` and `key`, "
            "and `block`, `elements`, `tiles`, `cores`, `device_cores`. `block` and `buffers` are constants of the "
            "kernel, and may depend on fields of `key` only. No value may depend on itself.",
            "`tiling` 的表达式可以引用维度、bool/int/float 属性、`data` 与 `key` 的字段，以及 `block`、`elements`、"
            "`tiles`、`cores`、`device_cores`。`block` 与 `buffers` 是 kernel 的常量，只能依赖 `key` 的字段。任何值"
            "都不能依赖自身。",
        ),
        "tiling:\n  block: tile_size\n",
        "tiling:\n  block: 2048\n",
    ),
    Rule(
        "OPG404",
        Text("workspace without `kernel`", "未写 `kernel` 却声明 workspace"),
        Text(
            "`tiling.workspace` is global memory that the host allocates for a kernel written by hand. Generated "
            "kernels keep everything on chip, or bring along the workspace that they need.",
            "`tiling.workspace` 是 host 为手写 kernel 分配的全局内存。生成的 kernel 不出片上内存，或自带工作空间。",
        ),
        "tiling:\n  workspace: 4096\n",
        "tiling:\n  workspace: 4096\nkernel: axpy_fast.py\ncompute: z = alpha * x + y\n",
    ),
    Rule(
        "OPG501",
        Text("a language is missing or mixed", "缺少某种语言或语言混用"),
        Text(
            "Every text stands in op.yaml in English and in Chinese, and each README shows one of them. An empty "
            "text, Chinese characters or full-width punctuation in English, a Chinese text without Chinese, and "
            "the same long text in both languages are reported. Names of code stand in backticks, where anything "
            "goes.",
            "op.yaml 中每段文字都有中英文两份，两个 README 各用其一。空文本、英文中的汉字或全角标点、不含汉字的中"
            "文、两种语言完全相同的长文本都会被报告。代码中的名称放在反引号里，不受此限制。",
        ),
        "summary:\n  en: 带系数的张量相加。\n  zh: 带系数的张量相加。\n",
        "summary:\n  en: Adds a tensor scaled by a number.\n  zh: 带系数的张量相加。\n",
    ),
    Rule(
        "OPG801",
        Text("only for pypto", "仅用于 pypto"),
        Text(
            "`tiling.data` and `tiling.key` are the fields of PyPTO's TilingData and TilingKey. In the GE "
            "scenarios static values are constants of the kernel, and dynamic ones are parameters of `call`.",
            "`tiling.data` 与 `tiling.key` 是 PyPTO 的 TilingData、TilingKey 字段。GE 场景中静态值是 kernel 的常"
            "量，动态值是 `call` 的参数。",
        ),
        "tiling:\n  data:\n    - {name: total, value: elements}\n",
        "tiling:\n  block: 1024\n",
    ),
    Rule(
        "OPG802",
        Text("values and width of a TilingKey field", "TilingKey 字段的取值与位宽"),
        Text(
            "The index of a candidate is packed, the first field in the lowest bits: a field needs as many bits as "
            "the number of its candidates asks for, and all of them have 64 bits together.",
            "TilingKey 打包的是候选值的下标，第一个字段位于最低位：字段位宽须容纳候选个数，全部字段合计不超过 64 位。",
        ),
        "scenario: pypto\n"
        "tiling:\n"
        "  block: 1024 if mode else 2048\n"
        "  key:\n"
        "    - {name: mode, bits: 1, values: [0, 1, 2], value: 0}\n",
        "scenario: pypto\n"
        "tiling:\n"
        "  block: 1024 if mode else 2048\n"
        "  key:\n"
        "    - {name: mode, bits: 2, values: [0, 1, 2], value: 0}\n",
    ),
    Rule(
        "OPG803",
        Text("a value that is no candidate", "取值不在候选之列"),
        Text(
            "The host computes the value of a key field and picks the kernel that was built for it. A value "
            "outside of `values` has no kernel.",
            "host 计算 key 字段的值，并据此选择已构建的 kernel。不在 `values` 中的值没有对应的 kernel。",
        ),
        "scenario: pypto\n"
        "tiling:\n"
        "  block: 1024 if mode else 2048\n"
        "  key:\n"
        "    - {name: mode, values: [0, 1], value: 2}\n",
        "scenario: pypto\n"
        "tiling:\n"
        "  block: 1024 if mode else 2048\n"
        "  key:\n"
        "    - {name: mode, values: [0, 1], value: elements > 65536}\n",
    ),
    Rule(
        "OPG804",
        Text("a field that nothing reads", "从未被读取的字段"),
        Text(
            "The host would compute the field and copy it to the device for nothing, and a key field doubles the "
            "kernels without a difference between them.",
            "host 会白白计算该字段并拷贝到设备；若是 key 字段，还会成倍增加毫无差别的 kernel。",
        ),
        "scenario: pypto\n"
        "tiling:\n"
        "  block: 1024\n"
        "  key:\n"
        "    - {name: mode, values: [0, 1], value: elements > 65536}\n",
        "scenario: pypto\n"
        "tiling:\n"
        "  block: 2048 if mode else 1024\n"
        "  key:\n"
        "    - {name: mode, values: [0, 1], value: elements > 65536}\n",
    ),
)

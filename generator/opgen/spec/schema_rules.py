"""Pages of the rules about the form of op.yaml: as YAML, and by its JSON Schema (OPG011 to OPG018)."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule
from opgen.spec.schema_yaml_rules import YAML_RULES

SCHEMA_RULES: tuple[Rule, ...] = (
    *YAML_RULES,
    Rule(
        "OPG011",
        Text("an unknown key", "未知的键"),
        Text(
            "op.yaml is a closed language: a key that it does not know would be ignored silently, and with it what "
            "you meant. The finding names the nearest known key, and those that may stand there.",
            "op.yaml 是封闭的语言：未知的键若被静默忽略，您的意图也会随之丢失。检查结果会给出最接近的已知键以及此处允"
            "许的键。",
        ),
        "attributes: [{name: alpha, typ: float}]\n",
        "attrs: [{name: alpha, type: float}]\n",
    ),
    Rule(
        "OPG012",
        Text("a value of the wrong type", "值的类型不对"),
        Text(
            "Each field takes a mapping, a list, a string, a number or a boolean, and readers of the spec rely on "
            "it. Only `true` and `false` are booleans: `yes`, `no`, `on` and `off` are strings, as in YAML 1.2.",
            "每个字段只接受映射、列表、字符串、数字或布尔值中的特定类型。布尔值只有 `true` 与 `false`；`yes`、`no`、"
            "`on`、`off` 按 YAML 1.2 均为字符串。",
        ),
        "inputs:\n  - {name: x, dtype: T, shape: N}\n",
        "inputs:\n  - {name: x, dtype: T, shape: [N]}\n",
    ),
    Rule(
        "OPG013",
        Text("a string that needs quotes", "需要加引号的字符串"),
        Text(
            "Without quotes `910_93` is the number 91093 to a YAML 1.1 reader, `9.10` is 9.1 to every reader, "
            "`12:30` is 750 and `2024-01-01` is a date. Where a string is meant, quotes make it the same for all of "
            "them.",
            "不加引号时，`910_93` 对 YAML 1.1 读取器是数字 91093，`9.10` 对所有读取器都是 9.1，`12:30` 是 750，"
            "`2024-01-01` 是日期。需要字符串时加上引号，各读取器的结果才会一致。",
        ),
        "cann: 9.2\nsoc: 910_93\n",
        'cann: "9.2"\nsoc: "910_93"\n',
    ),
    Rule(
        "OPG014",
        Text("a missing key", "缺少键"),
        Text(
            "Nothing else says what this key says, and opgen does not guess. An operator needs `op`, `inputs`, "
            "`outputs` and a `compute` or a `kernel`; a dim needs a `default` unless it has `values`; an attribute "
            "of type string or dtype needs its `values`.",
            "该键的内容无法从别处得出，opgen 也不会猜测。算子需要 `op`、`inputs`、`outputs` 以及 `compute` 或 "
            "`kernel`；维度没有 `values` 时需要 `default`；string 与 dtype 类属性需要 `values`。",
        ),
        "dims: {N: {dynamic: true}}\n",
        "dims: {N: {default: 4096, dynamic: true}}\n",
    ),
    Rule(
        "OPG015",
        Text("a value that is not allowed", "值不在允许范围内"),
        Text(
            "The field takes one of a few words, or a number within limits. Types of less than a byte (int4) are "
            "refused, because GE and the kernels count whole bytes.",
            "该字段只接受若干固定单词之一，或一定范围内的数字。不足一字节的类型（如 int4）不支持，因为 GE 与 kernel "
            "均按整字节计算。",
        ),
        "dtypes: {T: [fp16, int4]}\n",
        "dtypes: {T: [float16, int8]}\n",
    ),
    Rule(
        "OPG016",
        Text("keys that exclude each other", "互斥的键"),
        Text(
            "Two keys say the same thing or contradict each other: a formula and a reference both say which values "
            "are right; a reference without a kernel has nothing to judge; with `ops` the fields of an operator "
            "stand in its items; an in-place output has the type and shape of its input; only a float or an int "
            "attribute can be dynamic.",
            "两个键表达同一件事或相互矛盾：公式与 reference 都说明正确结果；没有 kernel 时不需要 reference；使用 "
            "`ops` 时算子的字段应写在其各项中；原地输出的类型与 shape 取自同名输入；只有 float 与 int 属性可以设置 "
            "dynamic。",
        ),
        "compute: z = x + y\nkernel: my_kernel.py\nreference: my_reference.py\n",
        "compute: z = x + y\nkernel: my_kernel.py\n",
    ),
    Rule(
        "OPG017",
        Text("a text that breaks the rule of its field", "文本不符合该字段的规则"),
        Text(
            "Names become identifiers in C++, Python, CMake and shell and names of files, so there is one rule for "
            "all: operator types, dims and type symbols begin with a capital, then letters and digits (`AddCustom`, "
            "`N`); tensors, attributes, projects and files are lower snake case (`add_custom`). Files stay inside "
            "the folder of op.yaml. The finding states the rule of the field and the character that breaks it.",
            "名称会成为 C++、Python、CMake、shell 中的标识符以及文件名，因此规则统一：算子类型、维度与类型符号以大写"
            "字母开头，后接字母和数字（`AddCustom`、`N`）；张量、属性、工程与文件名采用小写蛇形（`add_custom`）。文件"
            "必须位于 op.yaml 所在目录之内。检查结果会给出该字段的规则以及违反规则的字符。",
        ),
        "op: add.custom\n",
        "op: AddCustom\n",
    ),
    Rule(
        "OPG018",
        Text("a list that is empty, too long or repeats itself", "列表为空、过长或有重复项"),
        Text(
            "A list that is given has at least one item; `dtypes` and `values` list each choice once, because each "
            "makes a kernel; a tensor has at most 8 axes, as in GE.",
            "写出的列表至少要有一项；`dtypes` 与 `values` 中的每个取值只列一次，因为每个取值对应一个 kernel；张量最"
            "多 8 维，与 GE 一致。",
        ),
        "dtypes: {T: [float32, float32]}\n",
        "dtypes: {T: [float32, float16]}\n",
    ),
)

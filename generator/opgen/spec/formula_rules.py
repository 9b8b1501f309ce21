"""Pages of the rules about formulas (OPG3xx)."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

FORMULA_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG301",
        Text("not part of the language", "不属于公式语言"),
        Text(
            "A formula is one assignment a line, written as in Python, and nothing of it is executed. It has "
            "arithmetic, comparisons, `& | ~` for bool values, `a if s else b` with a static condition, indexing "
            "of the last axis and calls of the functions listed in the reference. Shifts, loops, chained "
            "comparisons, methods and strings outside of conditions are not in it. What no formula says goes into "
            "a kernel of your own (`kernel:`).",
            "公式每行一条赋值，写法同 Python，但不会被执行。支持算术、比较、用于布尔值的 `& | ~`、条件为静态值的 "
            "`a if s else b`、对最后一维的索引，以及参考文档所列函数的调用；不支持移位、循环、链式比较、方法调用，"
            "字符串只能出现在条件中。公式无法表达的内容请用 `kernel:` 手写。",
        ),
        "compute: z = alpha * x << y\n",
        "compute: z = alpha * x + y\n",
    ),
    Rule(
        "OPG302",
        Text("unknown name", "未知的名称"),
        Text(
            "A line can name inputs, attributes, dims and the lines before it; a test case can name dims, "
            "attributes and type symbols.",
            "公式的一行可以引用输入、属性、维度以及前面各行的结果；测试用例可以设置维度、属性与类型符号。",
        ),
        "compute: z = alpha * x + bias\n",
        "compute: z = alpha * x + y\n",
    ),
    Rule(
        "OPG303",
        Text("unknown function or argument", "未知的函数或参数"),
        Text(
            "Functions have NumPy's names where NumPy has them, else PyTorch's. `max(x, axis=-1)` reduces an axis, "
            "and `maximum(a, b)` takes the larger of two values; `clip` is what others call clamp.",
            "函数名优先采用 NumPy 的名称，NumPy 没有的采用 PyTorch 的名称。`max(x, axis=-1)` 沿轴归约，"
            "`maximum(a, b)` 取两者中较大的；其他框架的 clamp 在这里叫 `clip`。",
        ),
        "compute: z = clamp(alpha * x + y, 0, 1)\n",
        "compute: z = clip(alpha * x + y, 0, 1)\n",
    ),
    Rule(
        "OPG304",
        Text("the wrong kind of value", "值的类别不符"),
        Text(
            "A value is bool, int or float. bool never turns into a number by itself, int tensors are cast before "
            "`/`, and `& | ~` take bool only. The check is made for every combination of types and every value of "
            "the static attributes; the finding names the first one that fails.",
            "值分为 bool、int、float 三类。bool 不会自动变成数值，int 张量做 `/` 前须先 cast，`& | ~` 只接受 bool。"
            "检查覆盖所有类型组合与静态属性取值，报告中给出第一个不满足的组合。",
        ),
        "compute: z = alpha * x & y\n",
        "compute: z = where((x > 0) & (y > 0), alpha * x, y)\n",
    ),
    Rule(
        "OPG305",
        Text("shapes do not broadcast", "形状无法广播"),
        Text(
            "Two axes agree when they are the same expression, or one is the number 1; `...` agrees with `...` or "
            "with no axis at all. Sizes that happen to be equal in tests do not count: the kernel has to be right "
            "for all sizes.",
            "两个轴相同的条件是表达式相同，或其中一个是数字 1；`...` 只与 `...` 或没有轴的情形相容。测试中恰好相等"
            "的大小不算数：kernel 必须对所有大小都正确。",
        ),
        "dims: {N: {default: 128}, M: {default: 128}}\n"
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [N]}\n"
        "  - {name: y, dtype: T, shape: [M]}\n"
        "outputs:\n"
        "  - {name: z, dtype: T, shape: [N]}\n",
        "dims: {N: {default: 128}}\n"
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [N]}\n"
        "  - {name: y, dtype: T, shape: [N]}\n"
        "outputs:\n"
        "  - {name: z, dtype: T, shape: [N]}\n",
    ),
    Rule(
        "OPG306",
        Text("an output that is never or twice assigned", "输出未赋值或重复赋值"),
        Text(
            "Every output has one line, and every temporary too. An input is assigned only where an output is that "
            "input, updated in place; before its line the name means the old value, after it the new one.",
            "每个输出、每个中间变量恰好赋值一次。只有存在同名的原地输出时才能对输入赋值：该行之前读到旧值，之后读到"
            "新值。",
        ),
        "compute: total = alpha * x + y\n",
        "compute: z = alpha * x + y\n",
    ),
    Rule(
        "OPG307",
        Text("a value that does not fit its output", "值与输出不匹配"),
        Text(
            "The value has the shape that the output declares, or has it once an axis left by a reduction is "
            "dropped; nothing is broadcast when it is stored. bool goes into any type, int into ints and floats, "
            "float into floats. Whatever loses something is written out with `cast`.",
            "值的形状须与输出声明一致，或去掉归约保留的轴后一致；写出时不做广播。bool 可写入任何类型，int 可写入整"
            "型与浮点型，float 只能写入浮点型。会丢失信息的转换须用 `cast` 写明。",
        ),
        "outputs:\n  - {name: z, dtype: int32, shape: [...]}\n",
        "outputs:\n  - {name: z, dtype: int32, shape: [...]}\ncompute: z = cast(round(alpha * x + y), int32)\n",
    ),
    Rule(
        "OPG308",
        Text("never read", "从未被读取"),
        Text(
            "An input that the formula does not read is copied to the chip for nothing, an attribute is set in "
            "vain, a temporary is computed for nothing. Most often a name was mistyped.",
            "公式没有读取的输入会被白白搬到片上，属性形同虚设，中间变量白算一遍。多数情况是名称写错了。",
        ),
        "compute: z = alpha * x\n",
        "compute: z = alpha * x + y\n",
    ),
    Rule(
        "OPG309",
        Text("no schedule for this formula", "该公式没有可用的调度"),
        Text(
            "opgen writes kernels in which all tensors have one shape or one element, and kernels on rows, `[..., "
            "C]` or `[R, C]`, with reductions over the last axis, `arange(C)`, one row `[C]`, one value a row `[..., "
            "1]`, and longer rows such as `[..., 2 * C]`, which slices take apart and `concat` puts together: at "
            "multiples of `C`, or at any column where `C` is compiled in and tells all lengths. With several named "
            "leading axes, as in `[B, S, C]`, inputs may have any of them (`[B, 1, C]`, `[S, C]`, `[B, S, 1]`), and "
            "outputs share one. Besides these, there is the matrix product of two inputs with what is computed from "
            "it element by element; work before a product and reductions after it have no generated kernel in this "
            "version. The formula still gives the golden values, the shapes and the README; name a kernel of your own"
            " with `kernel:`.",
            "opgen 生成三类 kernel：一类要求所有张量形状相同或只有一个元素；一类按行（`[..., C]` 或 `[R, C]`）计算，"
            "支持沿最后一维的归约和 `arange(C)`，操作数可以是一行 `[C]` 或每行一个值的 `[..., 1]`；"
            "更长的行（如 `[..., 2 * C]`）可由切片拆开、由 `concat` 拼成，分界须为 `C` 的整数倍；"
            "若 `C` 在编译时确定且所有行长都由它给出，则可为任意列。"
            "有多个具名前置维时（如 `[B, S, C]`），输入可以只含其中一部分，"
            "如 `[B, 1, C]`、`[S, C]`、`[B, S, 1]`，各输出须有一个共同的前置维。"
            "还有一类是两个输入的矩阵乘及其后的逐元素计算。"
            "矩阵乘之前的计算和之后的归约在当前版本没有生成的 kernel，但公式仍可用于标杆数据、形状推导与 README；"
            "请用 `kernel:` 指定手写的 kernel。",
        ),
        "dims:\n"
        "  ...: {default: [8], dynamic: true}\n"
        "  C: {default: 128}\n"
        "  E: {default: 64}\n"
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [..., C]}\n"
        "  - {name: y, dtype: T, shape: [..., E]}\n"
        "outputs:\n"
        "  - {name: z, dtype: T, shape: [..., E]}\n"
        "compute: z = alpha * x[..., :E] + y\n",
        "dims:\n"
        "  ...: {default: [8], dynamic: true}\n"
        "  C: {default: 128}\n"
        "inputs:\n"
        "  - {name: x, dtype: T, shape: [..., C]}\n"
        "  - {name: y, dtype: T, shape: [..., 64]}\n"
        "outputs:\n"
        "  - {name: z, dtype: T, shape: [..., 64]}\n"
        "compute: z = alpha * x[..., :64] + y\n",
    ),
)

"""Pages of the rules about names (OPG1xx)."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

NAME_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG102",
        Text("a name is used twice", "名称重复"),
        Text(
            "Inputs, outputs, attributes, temporaries and tiling fields of an operator share one set of names: "
            "REG_OP makes member functions from them, the kernel has parameters of these names, and the formula "
            "reads them. An output may have the name of an input only where it is that input, updated in place.",
            "同一算子的输入、输出、属性、中间变量与切分字段共用一个命名空间：REG_OP 由名称生成成员函数，kernel 以其"
            "作为参数名，公式也通过名称引用。只有原地更新的输出可以与输入同名。",
        ),
        "inputs:\n  - {name: x, dtype: T, shape: [...]}\n  - {name: x, dtype: T, shape: [...]}\n",
        "inputs:\n  - {name: x, dtype: T, shape: [...]}\n  - {name: y, dtype: T, shape: [...]}\n",
    ),
    Rule(
        "OPG103",
        Text("a reserved word or macro", "名称是保留字或宏"),
        Text(
            "A name of op.yaml appears in C++, Python, CMake and shell. Keywords of these languages, macros of "
            "compilers, Linux, CANN and TileLang (`linux`, `major`, `NULL`), the names that generated files use, "
            "and the words that op.yaml itself gives a meaning (`inf`, `block`, `workspace`) would not compile "
            "there or mean something else. Names are lower snake case, and dims and type symbols begin with a "
            "capital.",
            "op.yaml 中的名称会出现在 C++、Python、CMake 与 shell 代码里。这些语言的关键字，编译器、Linux、CANN、"
            "TileLang 的宏（如 `linux`、`major`、`NULL`），生成文件自用的名称，以及 op.yaml 自身赋予含义的词（如 "
            "`inf`、`block`、`workspace`），放进生成代码后要么无法编译，要么含义改变。普通名称使用小写蛇形写法，维"
            "度与类型符号以大写字母开头。",
        ),
        "attrs:\n  - {name: linux, type: float, default: 1.0}\ncompute: z = linux * x + y\n",
        "attrs:\n  - {name: alpha, type: float, default: 1.0}\ncompute: z = alpha * x + y\n",
    ),
    Rule(
        "OPG104",
        Text("an operator type that CANN ships", "与 CANN 自带算子重名"),
        Text(
            "GE has one operator of a type. The first registration wins, and every other one is ignored with a "
            "warning in the log, so that the operator of CANN may run in place of yours, or yours in place of it.",
            "GE 中每个算子类型只有一份实现：先注册者生效，其余注册仅在日志中告警后被忽略。重名时实际运行的可能是 "
            "CANN 自带算子，也可能是自定义算子取代了自带算子。",
        ),
        "op: Softmax\n",
        "op: SoftmaxCustom\n",
    ),
    Rule(
        "OPG105",
        Text("derived names collide", "派生名称冲突"),
        Text(
            "File names, folders, CMake targets and member functions are derived from the names of op.yaml. The "
            "stem of files is the operator type in snake case (a capital begins a word when it follows a small "
            "letter or digit, or precedes a small letter: `Conv2D` is `conv2_d`, `ABC2dEF` is `abc2d_ef`); `name` "
            "replaces it. Two of them must not become the same, also not on file systems that do not tell letters "
            "by case.",
            "文件名、目录名、CMake 目标与成员函数都由 op.yaml 中的名称派生。文件名主干是算子类型的蛇形写法（大写字"
            "母前一个字符为小写字母或数字，或后一个字符为小写字母时另起一词：`Conv2D` 为 `conv2_d`，`ABC2dEF` 为 "
            "`abc2d_ef`），可用 `name` 指定。派生结果不得相同，在不区分大小写的文件系统上也不得相同。",
        ),
        "name: kernel\n",
        "name: axpy\n",
    ),
    Rule(
        "OPG106",
        Text("an ignore that does nothing", "无效的 ignore"),
        Text(
            "`ignore` silences advice and matters of judgement: OPG104, OPG205, OPG213, OPG308 and OPG501. Every "
            "other rule says that something cannot be generated, built or run, and there is nothing left when it "
            "is silenced.",
            "`ignore` 只能关闭提示与需要权衡的规则：OPG104、OPG205、OPG213、OPG308、OPG501。其余规则表示无法生成、"
            "编译或运行，关闭后也得不到可用的工程。",
        ),
        "ignore:\n  - {rule: OPG203, why: The dim is listed elsewhere.}\n",
        "ignore:\n  - {rule: OPG501, why: The text is a product name.}\n",
    ),
)

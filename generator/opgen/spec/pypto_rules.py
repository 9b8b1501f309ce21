"""Pages of the rules about PyPTO folders (OPG8xx)."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

PYPTO_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG800",
        Text("no part of a PyPTO folder", "PyPTO 算子目录中没有的内容"),
        Text(
            "A PyPTO project is the folder of one operator in a repository of CANN operators, whose build takes the "
            "files that it knows by name. Several operators in one library, files of your own in the build and a "
            "neighbouring scenario belong to the GE scenarios.",
            "PyPTO 工程是 CANN 算子仓中一个算子的目录，算子仓的构建只按固定文件名收集文件。一个库中包含多个算子、在构建"
            "中加入自有文件、与相邻场景对比，都只属于 GE 场景。",
        ),
        "scenario: pypto\nextra: [helpers.h]\n",
        "scenario: pypto\n",
    ),
    Rule(
        "OPG805",
        Text("the operator type and its file names do not match", "算子类型与文件名不一致"),
        Text(
            "op_build finds the files of an operator type by its snake case, and scripts of the operator repositories "
            "go the other way. `RMSNorm` becomes `rms_norm`, which becomes `RmsNorm`: write the type in the form that "
            "comes back. `name` cannot change the files.",
            "op_build 由算子类型的蛇形写法查找文件，算子仓的脚本则反向由文件名得到类型。`RMSNorm` 变为 `rms_norm`，再变"
            "回来是 `RmsNorm`：请使用能够还原的写法。`name` 不能改变文件名。",
        ),
        "scenario: pypto\nop: RMSNormPro\n",
        "scenario: pypto\nop: RmsNormPro\n",
    ),
    Rule(
        "OPG806",
        Text("the kernel file has another name", "kernel 文件名不符"),
        Text(
            "The name of the operator, the kernel file, the one function with `@pl.jit` in it, the argument of "
            "`enable_pypto_kernel` and `opFile.value` of the definition are the same word: the build looks each up by "
            "another. The file stands in op_kernel.",
            "算子名、kernel 文件名、文件中唯一的 `@pl.jit` 函数名、`enable_pypto_kernel` 的参数以及算子定义中的 "
            "`opFile.value` 必须是同一个词：构建过程用其中一个查找另一个。文件位于 op_kernel 目录。",
        ),
        "scenario: pypto\nkernel: fast.py\n",
        "scenario: pypto\nkernel: axpy_custom.py\n",
    ),
    Rule(
        "OPG807",
        Text("many kernels to build", "需要构建的 kernel 较多"),
        Text(
            "A kernel is compiled for each combination of the key's candidates and for each column of types. More than "
            "64 make the build of the operator package slow and the package large.",
            "TilingKey 候选值的每种组合与每一列数据类型都要编译一个 kernel。超过 64 个时，算子包的构建变慢，体积变大。",
        ),
        "scenario: pypto\n"
        "tiling:\n"
        "  block: 1024 + 32 * step\n"
        "  key:\n"
        "    - name: step\n"
        "      values: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,\n"
        "        23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39]\n"
        "      value: minimum(elements // 65536, 39)\n",
        "scenario: pypto\n"
        "tiling:\n"
        "  block: 1024 + 32 * step\n"
        "  key:\n"
        "    - {name: step, values: [0, 1, 2, 3], value: 'minimum(elements // 65536, 3)'}\n",
    ),
    Rule(
        "OPG808",
        Text("parameters of the aclnn interface collide", "aclnn 接口的参数名冲突"),
        Text(
            "op_build makes the parameters of the aclnn function: names in lower camel case (`y_in` becomes `yIn`), a "
            "single output is `out`, one of several is `zOut`, an optional input is `xOptional`, a tensor updated in "
            "place `xRef`; `workspaceSize` and `executor` follow. Two of them must not be the same.",
            "op_build 由定义得到 aclnn 函数的参数：名称采用小驼峰（`y_in` 变为 `yIn`），唯一的输出为 `out`，多个输出时"
            "为 `zOut`，可选输入为 `xOptional`，原地更新的张量为 `xRef`，其后是 `workspaceSize` 与 `executor`。参"
            "数名不得相同。",
        ),
        "scenario: pypto\nattrs:\n  - {name: out, type: float, default: 1.0}\ncompute: z = out * x + y\n",
        "scenario: pypto\nattrs:\n  - {name: factor, type: float, default: 1.0}\ncompute: z = factor * x + y\n",
    ),
)

"""Pages of the rules about texts and documents in two languages (OPG502 to OPG510)."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

DOCUMENT_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG502",
        Text("the headings of a pair differ", "两份文档的标题不一致"),
        Text(
            "Both documents have the same headings, in the same order and of the same levels, so that a reader of "
            "one finds the place in the other.",
            "两份文档的标题、顺序与层级必须一致，读者才能在另一份文档中找到对应位置。",
        ),
        "README.md\n## 前置依赖\n## 快速运行\nREADME_en.md\n## Quick Start\n",
        "README.md\n## 前置依赖\n## 快速运行\nREADME_en.md\n## Prerequisites\n## Quick Start\n",
    ),
    Rule(
        "OPG503",
        Text("the tables of a pair differ", "两份文档的表格不一致"),
        Text(
            "A table has as many rows and columns in one language as in the other; a row that is missing is a fact "
            "that one group of readers does not learn.",
            "同一表格在两种语言中的行数与列数必须相同；缺一行就意味着一部分读者少看到一条信息。",
        ),
        "README.md\n"
        "| 名称 | 类型 |\n"
        "| --- | --- |\n"
        "| x | float32 |\n"
        "| y | float32 |\n"
        "README_en.md\n"
        "| Name | Type |\n"
        "| --- | --- |\n"
        "| x | float32 |\n",
        "README.md\n"
        "| 名称 | 类型 |\n"
        "| --- | --- |\n"
        "| x | float32 |\n"
        "README_en.md\n"
        "| Name | Type |\n"
        "| --- | --- |\n"
        "| x | float32 |\n",
    ),
    Rule(
        "OPG504",
        Text("the code of a pair differs", "两份文档的代码不一致"),
        Text(
            "Commands and code are copied by readers of either language, so they are equal line by line; only "
            "comments are translated.",
            "两种语言的读者都会复制命令与代码，因此代码块须逐行一致，只有注释可以翻译。",
        ),
        "README.md\n`export ASCEND_HOME_PATH=$HOME/cann`\nREADME_en.md\n`export ASCEND_HOME_PATH=HOME/cann`\n",
        "README.md\n`export ASCEND_HOME_PATH=$HOME/cann`\nREADME_en.md\n`export ASCEND_HOME_PATH=$HOME/cann`\n",
    ),
    Rule(
        "OPG505",
        Text("a link that leads astray", "链接指向有误"),
        Text(
            "A link leads to a file that exists and, where that file has a version in the reader's language, to "
            "that version. A page in English that links into the Chinese documentation leaves its readers stranded.",
            "链接指向的文件必须存在；该文件有对应语言的版本时，必须指向该版本。英文页面链接到中文文档会让读者无法继"
            "续阅读。",
        ),
        "README_en.md\n[the online sample](../add_custom_online/README.md)\n",
        "README_en.md\n[the online sample](../add_custom_online/README_en.md)\n",
    ),
    Rule(
        "OPG506",
        Text("Chinese in English prose", "英文正文中出现汉字"),
        Text(
            "A reader of the English document cannot read it. Names of code that hold Chinese stand in backticks.",
            "英文文档的读者看不懂汉字。含汉字的代码名称应放在反引号中。",
        ),
        "README_en.md\nBuild the 算子 first.\n",
        "README_en.md\nBuild the operator first.\n",
    ),
    Rule(
        "OPG507",
        Text("no Chinese in Chinese prose", "中文正文未翻译"),
        Text(
            "A paragraph that is English in the Chinese document, or the same in both documents, is a translation "
            "that was forgotten.",
            "中文文档中整段为英文，或两份文档的长段落完全相同，说明漏了翻译。",
        ),
        "README.md\nThe kernel is compiled before the build.\n",
        "README.md\nkernel 在构建前编译。\n",
    ),
    Rule(
        "OPG508",
        Text("full-width punctuation in English or code", "英文或代码中出现全角标点"),
        Text(
            "Full-width punctuation comes from a Chinese input method. In code it does not compile or run; in "
            "English prose it looks broken.",
            "全角标点通常来自中文输入法：出现在代码中无法编译或运行，出现在英文正文中则显得错乱。",
        ),
        "README_en.md\nSet the variable， then run it.\n",
        "README_en.md\nSet the variable, then run it.\n",
    ),
    Rule(
        "OPG509",
        Text("something is empty or missing", "内容为空或缺失"),
        Text(
            "A section without text, an empty table cell or list item, and lists of different length are facts "
            "that one or both documents lack.",
            "没有内容的章节、空的表格单元或列表项，以及长度不同的列表，都表示某一份或两份文档缺少信息。",
        ),
        "README_en.md\n## Notes\n## Quick Start\n",
        "README_en.md\n## Notes\n- The kernel counts in int32.\n## Quick Start\n",
    ),
    Rule(
        "OPG510",
        Text("a translation has fallen behind", "译文未随原文更新"),
        Text(
            "A text of op.yaml stands there in English and in Chinese. One of the two changed since they last agreed, "
            "and the other did not, so that its readers still read the old fact. The lock keeps a hash of both. "
            "Changing the other text too makes them agree again; where it still fits as it is, `opgen accept` records "
            "that somebody has looked. Where lines are broken does not count.",
            "op.yaml 中的文本有中英文两份。自上次一致以来只改了其中一份，另一份的读者看到的仍是旧信息。锁文件记录两份文"
            "本的哈希：另一份也修改后即视为重新一致；若另一份无需修改，请执行 `opgen accept` 表示已核对。换行位置的变化"
            "不计入。",
        ),
        "summary:\n  en: Adds two tensors.\n  zh: 将三个张量相加。   # was 将两个张量相加。\n",
        "summary:\n  en: Adds three tensors.\n  zh: 将三个张量相加。\n",
    ),
)

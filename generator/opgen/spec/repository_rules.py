"""Pages of the rules about a repository of operators: opgen.toml, templates of its own, overview, collisions."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

REPOSITORY_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG617",
        Text("opgen.toml cannot be used", "opgen.toml 不可用"),
        Text(
            "opgen.toml holds for every project below its folder: defaults of op.yaml, the language of README.md, a "
            "licence header, templates, where projects lie, and the documents with an overview. An unknown key is "
            "refused, because nobody would notice that it does nothing. Paths are relative to its folder and stay "
            "inside it.",
            "opgen.toml 对其所在目录下的所有工程生效：op.yaml 的默认值、README.md 的语言、许可证文件头、自定义模板、"
            "工程所在位置以及总览文档。未知的键会被拒绝，否则它不起作用也无人察觉。其中的路径相对于该文件所在目录，且不得超出"
            "该目录。",
        ),
        '[readme]\nfrist = "en"\n',
        '[readme]\nfirst = "en"\n',
    ),
    Rule(
        "OPG618",
        Text("a template of the repository cannot be used", "仓库自定义模板不可用"),
        Text(
            "A file below the folder that opgen.toml names under `[templates]` stands in for the template of the same "
            "path. It may use the names of the template that it shadows and no others: one that is undefined is an "
            "error, never an empty text. Templates run in a sandbox, where they cannot reach Python.",
            "opgen.toml 的 `[templates]` 所指目录中的文件会替换同路径的模板。它只能使用原模板可用的名称；未定义的名称"
            "一律报错，绝不会变成空文本。模板在沙箱中渲染，无法执行 Python 代码。",
        ),
        'templates/run.sh.j2:\necho "{{ porject }}"\n',
        'templates/run.sh.j2:\necho "{{ project }}"\n',
    ),
    Rule(
        "OPG619",
        Text("the overview of a repository is out of date", "仓库总览已过期"),
        Text(
            "opgen.toml names documents that hold a table of all operators between two markers; the rest of the "
            "document is yours. The table follows from every op.yaml below, so that an operator that was added, "
            "renamed or removed shows there. `opgen generate` at the repository's root writes the table again.",
            "opgen.toml 指定的文档在两个标记之间放置全部算子的总览表，其余内容由您编写。该表由下属的所有 op.yaml 得出，"
            "因此新增、改名或删除的算子都会反映在表中。在仓库根目录执行 `opgen generate` 即可重新写入。",
        ),
        "# Operators\n",
        "# Operators\n<!-- opgen overview begins -->\n<!-- opgen overview ends -->\n",
    ),
    Rule(
        "OPG620",
        Text("two projects of a repository collide", "仓库中的两个工程冲突"),
        Text(
            "GE finds an operator by its type, and file names follow from its name. Two operators of one repository "
            "that have the same type, types that differ in letter case only, or different types with the same name, "
            "cannot be installed, or looked at, side by side. The same operator in another scenario is no collision.",
            "GE 按算子类型查找算子，文件名由算子名得出。同一仓库中若有两个算子类型相同、仅大小写不同，或类型不同而名称"
            "相同，则无法同时安装，也难以区分。同一算子用于不同场景不算冲突。",
        ),
        "a/op.yaml: op: AddCustom\nb/op.yaml: op: Addcustom\n",
        "a/op.yaml: op: AddCustom\nb/op.yaml: op: AddScaledCustom\n",
    ),
)

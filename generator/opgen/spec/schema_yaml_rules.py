"""Pages of the rules about op.yaml as YAML (OPG001 to OPG010, OPG019 to OPG021). The reader in `text` knows the ids."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.rule import Rule

YAML_RULES: tuple[Rule, ...] = (
    Rule(
        "OPG001",
        Text("the text is not YAML", "文本不是合法的 YAML"),
        Text(
            "The reader stops at the first character that fits nowhere, and nothing behind it can be judged. Most "
            "often a line is indented differently from its neighbours, a bracket or quote is open, or a plain value "
            "contains `: `, which begins a value of its own.",
            "读取在第一个无法解释的字符处停止，其后的内容无法检查。最常见的原因是某一行与相邻行缩进不同、括号或引号未"
            "闭合，或未加引号的值中含有 `: `（冒号加空格会被当作新的键值对）。",
        ),
        "dims:\n  N: {default: 4096}\n M: {default: 16}\n",
        "dims:\n  N: {default: 4096}\n  M: {default: 16}\n",
    ),
    Rule(
        "OPG002",
        Text("a key stands twice in one mapping", "同一映射中键重复"),
        Text(
            "YAML readers keep one of the two values and drop the other silently; which one depends on the reader.",
            "YAML 读取器只保留其中一个值，另一个被悄悄丢弃；保留哪一个因读取器而异。",
        ),
        "attrs: [{name: alpha, type: float}]\nattrs: [{name: beta, type: float}]\n",
        "attrs: [{name: alpha, type: float}, {name: beta, type: float}]\n",
    ),
    Rule(
        "OPG003",
        Text("a tag", "使用了标签"),
        Text(
            "A tag (`!!python/object`, `!!str`, `!x`) asks the reader to build something else than plain data. "
            "op.yaml holds plain data only, so that reading it can never run anything; quotes make a string.",
            "标签（`!!python/object`、`!!str`、`!x`）要求读取器构造普通数据以外的对象。op.yaml 只含普通数据，读取它绝"
            "不会执行任何代码；需要字符串时加引号即可。",
        ),
        "soc: !!str 910_9362\n",
        'soc: "910_9362"\n',
    ),
    Rule(
        "OPG004",
        Text("a merge key", "使用了合并键"),
        Text(
            "`<<` was an extension of YAML 1.1 and is gone from 1.2, so readers differ about what it does. Anchors "
            "and aliases for whole values are allowed.",
            "`<<` 是 YAML 1.1 的扩展，1.2 中已取消，各读取器的行为并不一致。允许用锚点与别名重复整个值。",
        ),
        "- {name: x, dtype: T, shape: [N]}\n- {<<: *x, name: y}\n",
        "- {name: x, dtype: T, shape: &s [N]}\n- {name: y, dtype: T, shape: *s}\n",
    ),
    Rule(
        "OPG005",
        Text("an alias without an anchor, or too many aliases", "别名没有对应的锚点，或别名过多"),
        Text(
            "An alias (`*name`) repeats the value that an anchor (`&name`) marked before it. Aliases of aliases grow "
            "exponentially, so at most 100 aliases may stand for at most 10,000 values. Text that begins with `*` "
            "needs quotes.",
            "别名（`*name`）重复此前由锚点（`&name`）标记的值。别名的别名会呈指数增长，因此别名最多 100 个，展开后最"
            "多 10,000 个值。以 `*` 开头的文本需要加引号。",
        ),
        "inputs: [{name: x, dtype: T, shape: *s}]\n",
        "inputs: [{name: x, dtype: T, shape: &s [N]}, {name: y, dtype: T, shape: *s}]\n",
    ),
    Rule(
        "OPG006",
        Text("the file is not UTF-8", "文件不是 UTF-8 编码"),
        Text(
            "op.yaml is UTF-8, with or without a byte order mark, so that every machine reads the same characters. "
            "Editors on Chinese Windows save GBK unless told otherwise; the finding names the encoding that the "
            "bytes look like.",
            "op.yaml 采用 UTF-8 编码（有无 BOM 均可），以保证任何机器读到的字符一致。中文 Windows 上的编辑器默认可能"
            "保存为 GBK；检查结果会指出字节看起来属于哪种编码。",
        ),
        "# saved as GBK\nsummary: {en: Adds two tensors., zh: 将两个张量相加。}\n",
        "# iconv -f GB18030 -t UTF-8 op.yaml > op.new && mv op.new op.yaml\n"
        "summary: {en: Adds two tensors., zh: 将两个张量相加。}\n",
    ),
    Rule(
        "OPG007",
        Text("a full-width or look-alike character", "使用了全角或形似字符"),
        Text(
            "A Chinese input method types `：` `，` `（` `“` and wide spaces, which look like YAML's own characters "
            "and are letters to it: `op：AddCustom` is one word, `[1，2]` has one item. They are welcome in "
            "sentences (`en`, `zh`, `why`), in quotes and in comments.",
            "中文输入法会输入 `：`、`，`、`（`、`“` 以及全角空格，它们与 YAML 的符号相似，但对 YAML 来说只是普通字"
            "母：`op：AddCustom` 是一个单词，`[1，2]` 只有一项。说明文字（`en`、`zh`、`why`）、引号内与注释中可以使"
            "用。",
        ),
        "inputs:\n  - {name: x， dtype: T, shape: [N，4]}\n",
        "inputs:\n  - {name: x, dtype: T, shape: [N, 4]}\n",
    ),
    Rule(
        "OPG008",
        Text("a folded block for a formula", "公式使用了折叠块"),
        Text(
            "`>` joins lines with spaces, and a formula has one assignment a line. `|` keeps the lines, and every "
            "finding in the formula its exact place.",
            "`>` 会用空格把各行连接起来，而公式每行是一个赋值。`|` 保留换行，公式中的检查结果也能精确定位。",
        ),
        "compute: >\n  t = x * y\n  z = t + x\n",
        "compute: |\n  t = x * y\n  z = t + x\n",
    ),
    Rule(
        "OPG009",
        Text("not one mapping", "不是单个映射"),
        Text(
            "A file holds one mapping of keys to values: one project. It is empty, or a list, or has several "
            "documents (`---`), or lacks the space behind the first `:`. Several operators of one library stand "
            "under `ops`.",
            "一个文件只含一个由键到值的映射，即一个工程。该文件为空、是列表、含有多个文档（`---`），或第一个 `:` 后缺"
            "少空格。同一算子库的多个算子写在 `ops` 下。",
        ),
        "edition: 1\nop: AddCustom\n---\nedition: 1\nop: SubCustom\n",
        "edition: 1\nproject: arithmetic\nops: [{op: AddCustom, ...}, {op: SubCustom, ...}]\n",
    ),
    Rule(
        "OPG010",
        Text("too large or too deep", "文件过大或嵌套过深"),
        Text(
            "An op.yaml is a few kilobytes with a few levels. More than 1 MiB or 50 levels is a mistake, or an "
            "attempt to exhaust the machine.",
            "op.yaml 通常只有几 KB、几层嵌套。超过 1 MiB 或 50 层属于误用，或是企图耗尽机器资源。",
        ),
        "dims: {N: {default: [[[[[[[[ ... ]]]]]]]]}}\n",
        "dims: {N: {default: 4096}}\n",
    ),
    Rule(
        "OPG019",
        Text("a tab in the indentation", "缩进中使用了制表符"),
        Text(
            "YAML indents with spaces only, because editors disagree about the width of a tab.",
            "YAML 只能用空格缩进，因为各编辑器对制表符宽度的处理不同。",
        ),
        "dims:\n\tN: {default: 4096}\n",
        "dims:\n  N: {default: 4096}\n",
    ),
    Rule(
        "OPG020",
        Text("a control character", "含有控制字符"),
        Text(
            "Control characters are invisible in editors, and YAML 1.1 and 1.2 disagree about some that end a line. "
            "Only line feed, carriage return and tab are accepted.",
            "控制字符在编辑器中不可见，且 YAML 1.1 与 1.2 对其中一些换行字符的解释不同。只接受换行、回车与制表符。",
        ),
        "op: Add\u2400Custom   # \u2400 stands for the invisible character\n",
        "op: AddCustom\n",
    ),
    Rule(
        "OPG021",
        Text("a number that is not the same to everybody", "数字存在歧义"),
        Text(
            "`012` is 12 to a YAML 1.2 reader and 10, an octal number, to a YAML 1.1 reader; `1e999` is larger than "
            "a float64 can be. The same text must be the same number for every reader.",
            "`012` 对 YAML 1.2 读取器是 12，对 YAML 1.1 读取器则是八进制的 10；`1e999` 超出 float64 的范围。同一文本"
            "对任何读取器都必须是同一个数。",
        ),
        "tiling: {block: 0512}\n",
        "tiling: {block: 512}\n",
    ),
)

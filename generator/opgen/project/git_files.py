"""The two files that tell git how to treat a project."""

from __future__ import annotations

from opgen.formula.signature import Text
from opgen.spec.outline import Entry

_HEADER = "# Generated from op.yaml by opgen.\n"

ENTRIES = (
    Entry(".gitattributes", "generated", Text("keeps LF line ends", "保持 LF 换行")),
    Entry(".gitignore", "generated", Text("build results stay out of git", "构建产物不入库")),
)

# Of opgen's state, git keeps what other people need: the lock, and the texts for merges.
TEXTS = {
    ".gitattributes": _HEADER + "* text=auto eol=lf\n",
    ".gitignore": _HEADER + "build/\noutput/\n__pycache__/\n/.opgen/*\n!/.opgen/base/\n!/.opgen/lock.json\n",
}

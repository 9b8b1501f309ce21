"""What fields and blocks that the planner adds are called and say, in both languages."""

from __future__ import annotations

from opgen.formula.signature import Text

ELEMENTS = Text("Number of elements.", "元素总数。")
TILES = Text("Number of tiles.", "分块个数。")
ROWS = Text("Number of rows.", "行数。")
COLUMNS = Text("Elements of a row.", "每行的元素个数。")
TILE_LENGTH = Text("Elements of a tile.", "每个分块的元素个数。")
TILE_ROWS = Text("Rows of a tile.", "每个分块的行数。")
TILE_COLUMNS = Text("Columns of a tile on chip.", "片上分块的列数。")
ONLY = Text("There is one kernel.", "只有一个 kernel 实例。")


def size(dim: str) -> Text:
    """Of a field that holds the size of a dim."""
    return Text(f"Size of `{dim}`.", f"`{dim}`的大小。")


def as_float(name: str) -> Text:
    """Of a field that holds a whole number as a float."""
    return Text(f"`{name}` as a float.", f"`{name}`的浮点值。")


def attribute(name: str) -> Text:
    return Text(f"Attribute `{name}`.", f"属性`{name}`。")


def connected(name: str) -> Text:
    return Text(f"1 when the input `{name}` is connected.", f"连接了输入`{name}`时取1。")

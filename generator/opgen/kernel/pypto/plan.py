"""The plan of a PyPTO operator: what the host computes and hands over, and how the kernel divides its work.

Host code, kernel text, unit tests and tables are printed from the same expressions, so that they cannot disagree.

An expression (`Size`) is over these names:

    N, C           a dim symbol: the size of that axis
    ...            the product of the leading axes that `...` stands for (`Size.name("...")`)
    alpha          an attribute; a closed one without a number of its own (`KeyField.choices`): the index of its value
    has_gamma      1 when the optional input `gamma` is connected, else 0
    itemsize(T)    bytes of an element of the type that symbol T has (`Size.name("itemsize(T)")`), where it varies
    device_cores   GetCoreNumAic()
    elements       PyptoPlan.elements
    block, block_C PyptoPlan.blocks
    tiles, cores   PyptoPlan.tiles, PyptoPlan.cores
    rounds         one of PyptoPlan.helpers
    total_length   a field of TilingData or TilingKey

`//` and `%` are of numbers that are not negative. A field may bear the name of the attribute that it holds; its value
then means the attribute.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from opgen.formula.signature import NO_TEXT, Text, Value
from opgen.formula.sizes import Size

if TYPE_CHECKING:
    from opgen.kernel.pypto.model import KernelModel

REST = "..."  # the name of the product of `...` in expressions

FieldType = Literal["int", "float", "bool"]
FIELD_BYTES: dict[FieldType, int] = {"int": 8, "float": 4, "bool": 1}
FIELD_CXX: dict[FieldType, str] = {"int": "int64_t", "float": "float", "bool": "bool"}


@dataclass(frozen=True)
class TilingField:
    """A field of TilingData. items: the elements of an array, empty for a single value; `value` is the first then."""

    name: str
    type: FieldType
    value: Size
    doc: Text = NO_TEXT
    items: tuple[Size, ...] = ()

    @property
    def bytes(self) -> int:
        return FIELD_BYTES[self.type] * max(1, len(self.items))


@dataclass(frozen=True)
class KeyField:
    """A field of TilingKey. values: its candidates, of which the index is packed.

    value: picks a candidate; where it gives none, the launch fails. choices: what each candidate stands for, when the
    field is an attribute whose values are no numbers from 0: candidate n is choices[n]. given: op.yaml has the field.
    """

    name: str
    bits: int
    values: tuple[int, ...]
    value: Size
    doc: Text = NO_TEXT
    choices: tuple[Value | tuple[int, ...] | tuple[float, ...], ...] = ()
    given: bool = False


@dataclass(frozen=True)
class Block:
    """A size of a tile. name: in expressions, "block" or "block_C". constant: its name in kernel and host code,
    "TILE_LENGTH". value: a number, or an expression over fields of the key."""

    name: str
    constant: str
    value: Size
    doc: Text


@dataclass(frozen=True)
class Ring:
    """Tiles of one use on chip. dtype: the widest type that it holds. holds: what, in words of op.yaml. slots: tiles of
    it at most. bytes: of all slots. offset: of its first byte in the Unified Buffer."""

    name: str
    holds: str
    dtype: str
    rows: int
    columns: int
    slots: int
    bytes: int
    offset: int


@dataclass(frozen=True)
class PyptoPlan:
    """schedule: "user" for a hand-written kernel, of which tiles and memory are unknown.

    data, key: in order; neither is empty. columns: the type combinations of the definition, each (symbol, type) pairs.
    elements: of the flattened tensor `full`; None when a hand-written kernel's tensors have no common size. tiles: None
    where nothing says how long one is. cores: the block dim, which is at least 1. workspace: bytes of the user's own
    part. helpers: other values, by the names that expressions have for them. order: the names of blocks, helpers,
    tiles, cores and fields so that each comes after those that it depends on.
    held: quantity -> the field that holds it, as ("tiles", "tile_num"); the names of the list above, and "rows" and
    "columns". datatype: kernel parameter -> variable of its type. parameters: of the kernel in front of workspace and
    tiling. used, budget: bytes of the Unified Buffer.
    """

    schedule: Literal["elementwise", "rows", "user"]
    data: tuple[TilingField, ...]
    key: tuple[KeyField, ...]
    columns: tuple[tuple[tuple[str, str], ...], ...]
    full: str
    elements: Size | None
    blocks: tuple[Block, ...]
    tiles: Size | None
    cores: Size
    workspace: Size
    order: tuple[str, ...]
    held: tuple[tuple[str, str], ...]
    datatype: tuple[tuple[str, str], ...]
    parameters: tuple[str, ...]
    rings: tuple[Ring, ...] = ()
    helpers: tuple[tuple[str, Size], ...] = ()
    used: int = 0
    budget: int = 0
    model: KernelModel | None = dataclasses.field(default=None, repr=False, compare=False)

    @property
    def combinations(self) -> int:
        """Kernels that are built for a column: the product of the candidates of the key."""
        count = 1
        for field in self.key:
            count *= len(field.values)
        return count

    def value(self, name: str) -> Size:
        """The expression behind a name of `order`; a field may bear the name of the quantity that it holds. KeyError:
        there is none."""
        known: dict[str, Size] = {field.name: field.value for field in self.data}
        known |= {field.name: field.value for field in self.key}
        known |= {block.name: block.value for block in self.blocks}
        known |= dict(self.helpers) | {"cores": self.cores} | ({"tiles": self.tiles} if self.tiles is not None else {})
        return known[name]


@dataclass(frozen=True)
class Place:
    """Where a field of TilingData lies: bytes from the start, with C's natural alignment."""

    field: TilingField
    offset: int


def data_layout(data: tuple[TilingField, ...]) -> tuple[tuple[Place, ...], int]:
    """The place of every field, and the size of the class, padding at its end included."""
    places, offset, widest = [], 0, 1
    for field in data:
        step = FIELD_BYTES[field.type]
        offset = -(-offset // step) * step
        places.append(Place(field, offset))
        offset += field.bytes
        widest = max(widest, step)
    return tuple(places), -(-offset // widest) * widest


def pack(key: tuple[KeyField, ...], chosen: tuple[int, ...]) -> int:
    """The packed key: the index of each value in its candidates, first field in the lowest bits. ValueError: a value
    is no candidate."""
    packed, shift = 0, 0
    for field, value in zip(key, chosen, strict=True):
        packed |= field.values.index(value) << shift
        shift += field.bits
    return packed


def packed_keys(key: tuple[KeyField, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every packed key, ascending, with the candidates that it stands for."""
    # The first field has the lowest bits, so it changes fastest.
    for chosen in itertools.product(*(field.values for field in reversed(key))):
        values = tuple(reversed(chosen))
        yield pack(key, values), values

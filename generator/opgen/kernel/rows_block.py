"""What `tiling.block` says of a kernel on rows: how many rows a tile has, and how many columns of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from opgen.formula.signature import Variant
from opgen.formula.sizes import Size
from opgen.kernel.blocks import Blocks
from opgen.kernel.forms import Rows
from opgen.kernel.rows_ways import Types
from opgen.spec.model import Operator
from opgen.text.findings import Finding


@dataclass(frozen=True)
class RowsBlock:
    """rows: of a tile, by types; empty where they are planned. columns: of a tile, None where they are planned."""

    rows: Mapping[Types, int] = field(default_factory=dict)
    columns: int | None = None


def counted_by(rows: Rows) -> str | None:
    """The dim that `block` counts the rows of a tile with: the leading axis, or the last of several; None: there is one
    row."""
    if isinstance(rows, Blocks):
        return rows.lead.name
    return rows.axes[-1].name if rows.axes else None


def rows_block(
    operator: Operator, rows: Rows, variants: Iterable[Variant], value: Callable[[Size, Variant, str], int]
) -> tuple[RowsBlock, tuple[Finding, ...]]:
    """value: of an expression for a variant, which stands at a field of `tiling`. Findings are OPG402."""
    block = operator.tiling.block
    if block is None:
        return RowsBlock(), ()
    findings = dict.fromkeys(_form_findings(operator, rows))
    if findings or isinstance(block, Size):
        return RowsBlock(), tuple(findings)
    given = dict(block)
    found: dict[Types, int] = {}
    columns = set()
    for variant in variants:
        if (lead := counted_by(rows)) in given and lead is not None:
            found[variant.types] = value(given[lead], variant, f"block/{lead}")
        if rows.last.name in given:
            columns.add(value(given[rows.last.name], variant, f"block/{rows.last.name}"))
    if len(columns) > 1:
        what = f"pieces of {' or '.join(map(str, sorted(columns)))} columns"
        why = "One script serves all types, with pieces of one size."
        findings[_at(operator, what, why, "Write one number.", f"block/{rows.last.name}")] = None
    if any(number < 1 for number in found.values()):
        why = "A tile has at least one row."
        findings[_at(operator, "a tile of no rows", why, "Write a number from 1.", f"block/{counted_by(rows)}")] = None
    return RowsBlock(found, min(columns, default=None)), tuple(findings)


def _form_findings(operator: Operator, rows: Rows) -> Iterator[Finding]:
    lead, last = counted_by(rows), rows.last.name
    known = [name for name in (lead, last) if name is not None]
    example = ", ".join([*([f"{lead}: 8"] if lead else []), f"{last}: 1024"])
    block = operator.tiling.block
    if isinstance(block, Size):
        why = "A tile of a kernel on rows has a number of rows and one of columns."
        fix = f"Write `block: {{{example}}}`, or one of the two."
        yield _at(operator, "`block` is one number", why, fix, "block")
        return
    for name, _ in block or ():
        if name not in known:
            axes = f"has rows along `{lead}` and columns along `{last}`" if lead else f"is a piece of `{last}`"
            fix = f"Write `block: {{{example}}}`, or one of the two." if lead else f"Write `block: {{{example}}}`."
            yield _at(operator, f"`block` gives a size along `{name}`", f"A tile {axes}.", fix, f"block/{name}")


def _at(operator: Operator, what: str, why: str, fix: str, field_: str) -> Finding:
    return Finding("OPG402", what, why, fix, pointer=f"{operator.pointer}/tiling/{field_}")

"""Tables in HTML, as the operator repositories write those whose columns have fixed widths."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def html_table(widths: Sequence[int], header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """widths: of the columns, in pixels. Cells are plain text."""
    lines = [f'<table style="table-layout: fixed; width: {sum(widths)}px"><colgroup>']
    lines += [f'  <col style="width: {width}px">' for width in widths]
    lines += ["  </colgroup>", "  <thead>", "    <tr>"]
    lines += [f"      <th>{html.escape(cell, quote=False)}</th>" for cell in header]
    lines[-1:] = [lines[-1], "    </tr></thead>", "  <tbody>"]
    for row in rows:
        lines.append("    <tr>")
        lines += [f"      <td>{html.escape(cell, quote=False)}</td>" for cell in row]
        lines.append("    </tr>")
    lines[-1] = "    </tr></tbody></table>" if lines[-1] == "    </tr>" else "  </tbody></table>"
    return "\n".join(lines)

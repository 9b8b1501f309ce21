"""opgen show for PyPTO: fields and places of TilingData and TilingKey, memory on chip, names, commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from opgen.cli.projects import Project

if TYPE_CHECKING:
    from opgen.kernel.pypto.plan import PyptoPlan
    from opgen.spec.model import Operator, OpSpec

_DATA = ("offset", "bytes", "type", "field", "value")
_KEY = ("bits", "field", "values", "value")
_RINGS = ("offset", "tile", "type", "rows", "columns", "slots", "bytes", "holds")
_RIGHT = ("offset", "bytes", "rows", "columns", "slots", "key", "blocks")
_MOST_KEYS = 16  # of a page; JSON has all


def described(project: Project, spec: OpSpec, operator: Operator, plan: PyptoPlan) -> dict[str, Any]:
    from opgen.formula.sizes import show
    from opgen.kernel.pypto.plan import FIELD_CXX, data_layout
    from opgen.pypto.aclnn import interface
    from opgen.pypto.build_files import package_command
    from opgen.pypto.outline import kernel_file

    places, size = data_layout(plan.data)
    return {
        "file": project.name,
        "operator": operator.type,
        "name": operator.name,
        "scenario": spec.scenario,
        "soc": spec.soc,
        "kernel": kernel_file(operator),
        "parameters": [*plan.parameters, "workspace", "tiling"],
        "aclnn": [*interface(operator).prototypes],
        "build": package_command(spec),
        "schedule": plan.schedule,
        "kernels": plan.combinations * len(plan.columns),
        "block_dim": show(plan.cores),
        "workspace": show(plan.workspace),
        "tiling_data_bytes": size,
        "tiling_data": [
            {
                "offset": place.offset,
                "bytes": place.field.bytes,
                "type": FIELD_CXX[place.field.type] + (f"[{len(place.field.items)}]" if place.field.items else ""),
                "field": place.field.name,
                "value": ", ".join(map(show, place.field.items or (place.field.value,))),
            }
            for place in places
        ],
        "tiling_key": list(_key(plan)),
        "keys": list(_keys(plan)),
        "host": list(_host(operator, plan)),
        "budget": plan.budget,
        "used": plan.used,
        "on_chip": [
            {
                "offset": f"{ring.offset:#07x}",
                "tile": ring.name,
                "type": ring.dtype,
                "rows": ring.rows,
                "columns": ring.columns,
                "slots": ring.slots,
                "bytes": ring.bytes,
                "holds": ring.holds,
            }
            for ring in plan.rings
        ],
    }


def _key(plan: PyptoPlan) -> Iterator[dict[str, Any]]:
    from opgen.formula.sizes import show

    first = 0
    for field in plan.key:
        last = first + field.bits - 1
        meant = field.choices or field.values
        yield {
            "bits": f"{first}" if last == first else f"{first}-{last}",
            "field": field.name,
            "values": ", ".join(
                str(value) if value == meaning else f"{value} ({_meaning(meaning)})"
                for value, meaning in zip(field.values, meant, strict=True)
            ),
            "value": show(field.value),
        }
        first += field.bits


def _meaning(value: object) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _keys(plan: PyptoPlan) -> Iterator[dict[str, Any]]:
    """Every packed key and the candidates that it stands for."""
    from opgen.kernel.pypto.plan import packed_keys

    for packed, values in packed_keys(plan.key):
        names = (field.name for field in plan.key)
        yield {"key": packed, **dict(zip(names, values, strict=True))}


def _host(operator: Operator, plan: PyptoPlan) -> Iterator[dict[str, Any]]:
    """What the host hands over for the test cases of op.yaml, on the device that unit tests make up."""
    from opgen.pypto.samples import case_samples, launched
    from opgen.pypto.unit_tests import CORES

    for sample in case_samples(operator):
        found = launched(operator, plan, sample, CORES)
        if found is not None:
            shapes = " ".join(f"{t.name}{list(sample.shape(t))}" for t in operator.inputs)
            words = " ".join(map(str, found.words))
            yield {"inputs": shapes, "key": found.key, "blocks": found.blocks, "words": words}


def page(operator: dict[str, Any]) -> Iterator[str]:
    yield f"{operator['operator']}: pypto, {operator['soc']}"
    rows = {
        "op.yaml": operator["file"],
        "kernel": f"{operator['kernel']}: {operator['name']}({', '.join(operator['parameters'])})",
        "schedule": "user: nothing is known of it" if operator["schedule"] == "user" else operator["schedule"],
        "kernels": f"{operator['kernels']}, built with the operator package",
        "block dim": operator["block_dim"],
        "workspace": "of the system" if operator["workspace"] == "0" else f"of the system, and {operator['workspace']}",
        "build": operator["build"],
    }
    for label, value in rows.items():
        yield f"  {label:<15}{value}"
    yield ""
    yield f"  TilingData, {operator['tiling_data_bytes']} bytes"
    yield from _table(operator["tiling_data"], _DATA)
    yield ""
    yield "  TilingKey"
    yield from _table(operator["tiling_key"], _KEY)
    yield ""
    keys = operator["keys"]
    yield from _table(keys[:_MOST_KEYS], tuple(keys[0]))
    if len(keys) > _MOST_KEYS:
        yield f"    and {len(keys) - _MOST_KEYS} more"
    yield ""
    yield "  Host, on a device of 64 cores"
    yield from _table(operator["host"], ("inputs", "key", "blocks", "words"))
    if operator["on_chip"]:
        yield ""
        yield f"  On chip, {operator['used']} of {operator['budget']} bytes"
        yield from _table(operator["on_chip"], _RINGS)


def _table(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> Iterator[str]:
    texts = [{column: str(row[column]) for column in columns} for row in rows]
    widths = {column: max(len(column), *(len(row[column]) for row in texts), 0) for column in columns}
    for row in [{column: column for column in columns}, *texts]:
        cells = (f"{row[c]:>{widths[c]}}" if c in _RIGHT else f"{row[c]:<{widths[c]}}" for c in columns)
        yield f"    {'  '.join(cells)}".rstrip()

"""opgen show: what the planner chose, and what is called how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from opgen.cli import show_pypto
from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.cli.projects import Project, find
from opgen.text.findings import Refused

if TYPE_CHECKING:
    from opgen.formula.signature import Variant
    from opgen.kernel.plan import KernelPlan, VariantPlan
    from opgen.kernel.traffic import Traffic
    from opgen.spec.model import Operator, OpSpec

_COLUMNS = ("buffer", "type", "elements", "slots", "bytes", "holds", "memory")
_LEFT = ("buffer", "type", "holds", "memory")


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("show", COMMANDS["show"])
    parser.add_paths()
    parser.add_argument(
        "--format", type=parser.one_of(("text", "json")), default="text", metavar="FORMAT", help="text or json"
    )
    arguments = parser.read(words)
    shown: list[dict[str, Any]] = []
    for project in find(arguments.paths):
        try:
            shown += _operators(project)
        except Refused as refused:
            console.findings(refused.findings, project.sources)
            return 2
    if arguments.format == "json":
        console.json({"format": 1, "operators": shown})
    else:
        console.data("\n".join("\n".join(_page(operator)) + "\n" for operator in shown))
    return 0


def _operators(project: Project) -> Iterator[dict[str, Any]]:
    from opgen.project.plan import plan_kernels, plan_pypto_kernels

    spec, _ = project.spec()
    if spec.scenario == "pypto":
        pypto, _ = plan_pypto_kernels(spec, project.data, project.name)
        for operator in spec.operators:
            yield show_pypto.described(project, spec, operator, pypto[operator.name])
        return
    plans, _ = plan_kernels(spec, project.data, project.name)
    for operator in spec.operators:
        yield _described(project, spec, operator, plans[operator.name])


def _described(project: Project, spec: OpSpec, operator: Operator, plan: KernelPlan) -> dict[str, Any]:
    from opgen.docs.subject import Subject
    from opgen.kernel.interface import kernel_interface, precompiled
    from opgen.kernel.traffic import traffic

    interface = kernel_interface(operator)
    subject = Subject(spec, operator, plan)
    by_run = len(list(precompiled(spec, operator))) if spec.scenario == "eager" else None
    return {
        "file": project.name,
        "operator": operator.type,
        "name": operator.name,
        "project": spec.project,
        "scenario": spec.scenario,
        "soc": spec.soc,
        "platform": spec.platform,
        "script": interface.script,
        "arguments": [dim.name for dim in interface.dims],
        "call": [f"{p.cxx} {p.name}".replace("* ", "*") for p in subject.call],
        "key_of_the_sample": subject.key,
        "kernels_built_by_run_sh": by_run,
        "schedule": plan.schedule,
        "cores": plan.cores,
        "tile_of_op_yaml": operator.tiling.block is not None and operator.kernel is None,
        "budget": plan.budget,
        "long_rows": _long_rows(plan),
        "variants": [
            _variant(variant, interface.key(variant.variant, subject.sizes), traffic(operator, plan, variant))
            for variant in plan.variants
        ],
    }


def _long_rows(plan: KernelPlan) -> dict[str, int] | None:
    """The tile of rows that do not fit on chip, a piece of some of them, and the passes over their pieces at most."""
    if not plan.long:
        return None
    piece = plan.long[0]
    return {"rows": piece.rows, "columns": piece.columns, "passes": max(len(v.passes) for v in plan.long)}


def _short(number: float) -> float:
    """With two digits behind the point, or none."""
    return int(number) if number == int(number) else round(number, 2)


def _variant(plan: VariantPlan, key: str, moved: Traffic) -> dict[str, Any]:
    buffers = [
        dict(zip(_COLUMNS, (b.name, b.dtype, b.elements, b.slots, b.bytes, b.holds, b.memory), strict=True))
        for b in plan.buffers
    ]
    return {
        "variant": _title(plan.variant),
        "key": key,
        "tile": plan.tile,
        "rows": plan.rows or None,
        "columns": plan.columns or None,
        "depth": plan.depth or None,
        "slots": plan.slots,
        "buffers": buffers,
        "scratch": plan.scratch,
        "used": plan.used,
        "vector_operations": plan.vector_ops,
        "bytes_per_element": _short(moved.moved),
        "least_bytes_per_element": _short(moved.least),
    }


def _pieces(long: dict[str, int] | None) -> str:
    if long is None:
        return ""
    passes = "one pass" if long["passes"] == 1 else f"{long['passes']} passes"
    return f"in pieces of {long['columns']} elements of {long['rows']} rows, {passes}"


def _title(variant: Variant) -> str:
    parts = [f"{name}={value}" for name, value in variant.types]
    parts += [f"{name}={value}" for name, value in variant.attrs]
    parts += [f"without {name}" for name in variant.absent]
    return ", ".join(parts) or "the only variant"


def _page(operator: dict[str, Any]) -> Iterator[str]:
    if operator["scenario"] == "pypto":
        yield from show_pypto.page(operator)
        return
    yield f"{operator['operator']}: {operator['scenario']}, {operator['soc']} ({operator['platform']})"
    cores = operator["cores"]
    rows = {
        "op.yaml": operator["file"],
        "name": operator["name"],
        "project": operator["project"],
        "kernel script": f"{operator['script']} {' '.join([*operator['arguments'], 'OUT'])}",
        "call": ", ".join(operator["call"]),
        "sample's key": operator["key_of_the_sample"],
        "kernels": operator["kernels_built_by_run_sh"] and f"{operator['kernels_built_by_run_sh']}, built by run.sh",
        "schedule": "user: nothing is known of it" if operator["schedule"] == "user" else operator["schedule"],
        "cores": cores and f"{cores} at most",
        "long rows": _pieces(operator["long_rows"]),
    }
    for label, value in rows.items():
        if value:
            yield f"  {label:<15}{value}"
    for variant in operator["variants"]:
        yield ""
        yield f"  {variant['variant']}"
        yield f"    {'key':<13}{variant['key']}"
        tile = f"{variant['rows']} rows of {variant['columns']}" if variant["rows"] else variant["tile"]
        given = ", as op.yaml has it" if operator["tile_of_op_yaml"] else ""
        yield f"    {'tile':<13}{tile} elements{given}, {'double' if variant['slots'] == 2 else 'single'} buffering"
        if operator["schedule"] == "matmul":
            yield f"    {'steps':<13}{variant['depth']} terms of the sums at a time"
        least = variant["least_bytes_per_element"]
        yield f"    {'moved':<13}{variant['bytes_per_element']} bytes an element, {least} at least"
        if operator["schedule"] != "matmul" or variant["vector_operations"]:
            yield f"    {'computed':<13}{variant['vector_operations']} vector operations a tile"
        for memory, (used, budget) in _memories(variant, operator).items():
            yield f"    {'on chip' if memory == 'UB' else memory:<13}{used} of {budget} bytes"
        yield from (f"      {line}" for line in _table(variant))


def _table(variant: dict[str, Any]) -> Iterator[str]:
    columns = [c for c in _COLUMNS if c != "memory" or any(b["memory"] != "UB" for b in variant["buffers"])]
    rows = [{column: str(buffer[column]) for column in columns} for buffer in variant["buffers"]]
    if variant["scratch"]:
        scratch = dict.fromkeys(columns, "")
        rows.append(
            {**scratch, "buffer": "tmp_ub", "bytes": str(variant["scratch"]), "holds": "scratch of the compiler"}
        )
    widths = {column: max(len(column), *(len(row[column]) for row in rows), 0) for column in columns}
    for row in [{column: column for column in columns}, *rows]:
        cells = (f"{row[c]:<{widths[c]}}" if c in _LEFT else f"{row[c]:>{widths[c]}}" for c in columns)
        yield "  ".join(cells).rstrip()


def _memories(variant: dict[str, Any], operator: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Bytes used, and bytes that there are, of each memory that a kernel uses."""
    from opgen.facts.socs import PLATFORMS

    if operator["schedule"] != "matmul":
        return {"UB": (variant["used"], operator["budget"])}
    chip = PLATFORMS[operator["platform"]]
    budgets = {"L1": chip.l1, "L0A": chip.l0a, "L0B": chip.l0b, "L0C": chip.l0c, "UB": chip.unified_buffer}
    used = dict.fromkeys(budgets, 0)
    for buffer in variant["buffers"]:
        used[buffer["memory"]] += buffer["bytes"]
    used["UB"] += variant["scratch"]
    return {name: (used[name], budget) for name, budget in budgets.items() if used[name]}

"""The largest errors of the gallery's kernels, as tables in docs/accuracy.md and docs/accuracy_zh.md.

    python scripts/accuracy.py [NAME...]      (names: prints these operators only, writes nothing)

Every kernel is executed by the checker, or as a PyPTO kernel by its counterpart, at the sizes at which `opgen verify`
runs it, and compared in float64 with its formula or reference.
"""

from __future__ import annotations

import math
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opgen.disk.write import write
from opgen.docs import markdown
from opgen.docs.subject import scientific
from opgen.project.plan import plan_project
from opgen.spec.loader import load
from opgen.verify.copies import copy_project
from opgen.verify.golden import make_expected, share_of_tolerance, tolerance_of
from opgen.verify.kernels import Run, written
from opgen.verify.ladder import Site, kernel_runs

ROOT = Path(__file__).resolve().parents[1]
SPECS = ROOT / "specs"
PAGES = {"en": ROOT / "docs" / "accuracy.md", "zh": ROOT / "docs" / "accuracy_zh.md"}


@dataclass
class Row:
    """What all runs of an operator with the same types have in common. error: |actual - expected| / (1 + |expected|) at
    most, tolerance: what is allowed of it there. smallest, largest: elements of an output."""

    operator: str
    types: str
    runs: int = 0
    smallest: int = sys.maxsize
    largest: int = 0
    error: float = 0.0
    tolerance: float = 0.0

    def add(self, run: Run) -> None:
        assert run.kernel is not None and not isinstance(run.expected, str), run.title
        wanted = run.expected if run.expected is not None else make_expected(run.operator, run.point, run.inputs)
        held = written(run, run.kernel)
        self.runs += 1
        for name, expected in wanted.items():
            self.smallest = min(self.smallest, expected.size)
            self.largest = max(self.largest, expected.size)
            if not expected.size:
                continue
            tolerance = tolerance_of(run.operator, run.point, name)
            error = float(share_of_tolerance(held[name].reshape(expected.shape), expected, 1.0).max())
            if (error, tolerance) >= (self.error, self.tolerance):
                self.error, self.tolerance = error, tolerance


def rows(name: str) -> Iterator[Row]:
    folder = SPECS / name
    data = (folder / "op.yaml").read_bytes()
    spec = load(data, "op.yaml")
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / name
        copy_project(folder, copy)
        plan = plan_project(spec, data)
        write(plan, copy)
        found: dict[tuple[str, str], Row] = {}
        for run in kernel_runs(Site(folder, "op.yaml", spec, data, plan, copy, Path(scratch), True), print).runs:
            types = ", ".join(dict.fromkeys(dtype for _, dtype in run.point.variant.types)) or _fixed(run)
            if run.comparable:
                found.setdefault((run.operator.type, types), Row(run.operator.type, types)).add(run)
    yield from found.values()


def _fixed(run: Run) -> str:
    tensors = (*run.operator.inputs, *run.operator.outputs)
    return ", ".join(dict.fromkeys(tensor.dtype for tensor in tensors))


def _cells(row: Row) -> list[str]:
    sizes = str(row.largest) if row.smallest == row.largest else f"{row.smallest} … {row.largest}"
    error = "0" if row.error == 0 else f"{row.error:.1e}"
    allowed = scientific(row.tolerance) if row.tolerance else "0"
    return [row.operator, row.types, str(row.runs), sizes, error, allowed]


_TEXTS = {
    "en": {
        "title": "Accuracy of the Gallery's Kernels",
        "other": "[中文](accuracy_zh.md)",
        "what": "Every kernel of `specs/` was executed with NumPy by opgen's checker,"
        " which keeps to the element types "
        "and rounding of the chip, and compared in float64 with its formula or reference. An error is "
        "`abs(actual - expected) / (1 + abs(expected))`; what is allowed is the tolerance "
        "of op.yaml for that type. The "
        "sizes are those of `opgen verify`: the test cases, and one element, tiles"
        " less one, whole tiles and one more, "
        "several tiles. Nothing here was run on an NPU. `python scripts/accuracy.py` writes this page.",
        "head": "Operator|Types|Runs|Elements of an output|Largest error|Allowed",
        "why": "Why These Tolerances",
        "reasons": "Inputs are rounded before expected values are computed from them, so that an error is what the "
        "kernel adds.|float32: a few units in the last place (6e-8) for each opera"
        "tion, more where large terms cancel: "
        "1e-5 by default.|float16 and bfloat16: computed in float32 and rounded once at the "
        "store, which is half a unit "
        "in the last place, 4.9e-4 and 3.9e-3: 1e-3 and 1e-2 by default.|Sums over n elements add at most n units in "
        "the last place, and far fewer in fact; norms and products of matrices give their own tolerance in op.yaml.|"
        "Whole numbers and truth values are exact, unless op.yaml allows a step where a quotient is rounded.",
    },
    "zh": {
        "title": "算子库中 kernel 的精度",
        "other": "[English](accuracy.md)",
        "what": "`specs/` 中的每个 kernel 都由 opgen 的检查器使用 NumPy 执行，元素类"
        "型与舍入方式与芯片一致，结果在 float64 下"
        "与公式或参考实现比较。误差为 `abs(actual - expected) / (1 + abs(expec"
        "ted))`；允许值为 op.yaml 中该类型的容差。"
        "大小与 `opgen verify` 相同：测试用例，以及一个元素、整块减一、整块、整块加一和多块。以上均未在 NPU 上运行。"
        "本页由 `python scripts/accuracy.py` 生成。",
        "head": "算子|数据类型|执行次数|输出元素个数|最大误差|允许值",
        "why": "容差的由来",
        "reasons": "期望值由已舍入的输入计算，因此误差只来自 kernel。|float32：每次运算"
        "引入若干个末位单位（6e-8），大数相消时"
        "更多：默认 1e-5。|float16 和 bfloat16：在 float32 下计算，写出时舍入一次，即"
        "半个末位单位，分别为 4.9e-4 和 3.9e-3："
        "默认 1e-3 和 1e-2。|n 个元素求和至多引入 n 个末位单位，实际远少于此；归一化"
        "和矩阵乘在 op.yaml 中给出各自的容差。|"
        "整数和布尔值要求完全相等，除非 op.yaml 允许商在舍入处相差一级。",
    },
}


def page(language: str, table: list[Row]) -> str:
    say = _TEXTS[language]
    return (
        "\n\n".join(
            [
                f"# {say['title']}\n\n{say['other']}",
                say["what"],
                markdown.table(say["head"].split("|"), map(_cells, table)),
                f"## {say['why']}",
                markdown.bullets(say["reasons"].split("|")),
            ]
        )
        + "\n"
    )


def main(names: list[str]) -> int:
    table = []
    for name in names or sorted(path.parent.name for path in SPECS.glob("*/op.yaml")):
        for row in rows(name):
            assert row.error <= row.tolerance and math.isfinite(row.error), row
            print(*_cells(row), sep="  ", flush=True)
            table.append(row)
    if not names:
        for language, path in PAGES.items():
            path.write_text(page(language, table), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

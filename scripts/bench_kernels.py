"""What generated kernels do, counted by the checker: bytes, instructions, order, memory, and cycles of its model.

    python scripts/bench_kernels.py [NAME...]

Goals are cycles of hand-written kernels in the same model, times 1.15 where sizes are compiled in and 1.3 where they
are not. Nothing here was measured on a device: the model compares kernels, it predicts no times.
"""

from __future__ import annotations

import contextlib
import io
import math
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from opgen.dialect import Counters, check_here
from opgen.facts.dtypes import DTYPES
from opgen.formula.signature import Variant
from opgen.kernel.interface import kernel_interface, other_options, type_option
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.loader import load
from opgen.spec.model import Operator
from opgen.spec.variants import variants
from opgen.verify.points import environment, shape_of

SPECS = Path(__file__).resolve().parents[1] / "specs"
SLACK, SLACK_DYNAMIC = 1.15, 1.3

# Operators that the gallery has otherwise: additions with the tile of the samples that they follow, a layer
# normalization with more outputs.
OWN = {
    "add": """\
edition: 1
op: AddBench
scenario: online
summary: {en: Adds two tensors., zh: 两个张量逐元素相加。}
dtypes: {T: [float32, float16]}
dims:
  N: {default: 4096, dynamic: true}
inputs:
  - {name: x, dtype: T, shape: [N]}
  - {name: y, dtype: T, shape: [N]}
outputs:
  - {name: z, dtype: T, shape: [N]}
compute: z = x + y
""",
    "layer_norm_plain": """\
edition: 1
op: LayerNormBench
scenario: online
summary: {en: Normalizes rows., zh: 逐行归一化。}
dims:
  ...: {default: [64], dynamic: true}
  C: {default: 1024}
inputs:
  - {name: x, dtype: float32, shape: [..., C]}
  - {name: gamma, dtype: float32, shape: [C]}
  - {name: beta, dtype: float32, shape: [C]}
outputs:
  - {name: y, dtype: float32, shape: [..., C]}
attrs:
  - {name: eps, type: float, default: 1e-5}
compute: |
  centred = x - mean(x, axis=-1)
  y = centred * rsqrt(mean(centred * centred, axis=-1) + eps) * gamma + beta
""",
}


@dataclass(frozen=True)
class Bench:
    """One kernel. spec: of the gallery, or of OWN. sizes: of the dims. best: cycles of the best kernel known, 0 where
    none is. least: bytes moved by that kernel over the minimum."""

    spec: str
    dtype: str
    sizes: dict[str, int]
    best: int = 0
    least: float = 1.0


BENCHES = (
    Bench("add", "float32", {"N": 1 << 20}, 5627),
    Bench("add", "float32", {"N": 1 << 23}, 33984),
    Bench("add", "float16", {"N": 1 << 20}, 3496),
    Bench("gelu_tanh", "float16", {"...": 1 << 20}, 6628),
    Bench("gelu_tanh", "float16", {"...": 1 << 23}, 40543),
    Bench("softmax", "float16", {"...": 1024, "C": 1024}, 6229),
    Bench("rms_norm", "float16", {"...": 1024, "C": 4096}, 16498),
    Bench("layer_norm_plain", "float32", {"...": 1024, "C": 1024}, 8017),
    Bench("silu_and_mul", "float16", {"...": 1024, "C": 1024}),
    Bench("add_rms_norm", "float16", {"...": 1024, "C": 4096}),
    Bench("matmul", "float16", {"M": 512, "N": 512, "K": 512}, 4398, 3.0),
    Bench("matmul", "float16", {"M": 1024, "N": 1024, "K": 1024}, 17206, 5.1),
    Bench("matmul", "float16", {"M": 2048, "N": 2048, "K": 2048}, 108397, 8.6),
    Bench("linear_gelu", "float16", {"...": 512, "N": 512, "K": 512}),
)


@dataclass(frozen=True)
class Row:
    bench: Bench
    dynamic: bool
    minimum: int
    counters: Counters

    @property
    def cells(self) -> list[str]:
        counts, bench = self.counters, self.bench
        moved = counts.bytes_in + counts.bytes_out
        tiles = max(1, counts.tiles)
        size = "x".join(map(str, bench.sizes.values()))
        return [
            f"{bench.spec} {bench.dtype} {size}{' dynamic' if self.dynamic else ''}",
            f"{moved / self.minimum:.2f}",
            f"{moved / max(1, counts.copies_in + counts.copies_out) / 1024:.1f}",
            f"{sum(counts.vector_calls.values()) / tiles:.1f}",
            f"{sum(counts.syncs.values()) / tiles:.1f}",
            " ".join(f"{memory} {used}" for memory, used in counts.peak.items()),
            f"{counts.hidden / counts.copying:.0%}" if counts.copying else "-",
            f"{counts.cycles:.0f}",
            f"{counts.cycles / bench.best:.2f}" if bench.best else "-",
            ("yes" if self._good(moved) else "NO") if bench.best else "-",
        ]

    def _good(self, moved: int) -> bool:
        limit = self.bench.best * (SLACK_DYNAMIC if self.dynamic else SLACK)
        return self.counters.cycles <= limit and moved <= 1.1 * self.bench.least * self.minimum


HEAD = [
    "kernel", "bytes/min", "KiB/copy", "vector/tile", "syncs/tile", "on chip", "hidden", "cycles", "of best", "goal",
]  # fmt: skip


def rows(bench: Bench, scratch: Path) -> Iterator[Row]:
    """With every size compiled in, and as op.yaml has it where that leaves some open."""
    text = OWN[bench.spec].encode() if bench.spec in OWN else (SPECS / bench.spec / "op.yaml").read_bytes()
    spec = load(text, "op.yaml")
    (operator,) = spec.operators
    variant = next(v for v in variants(operator) if set(dict(v.types).values()) <= {bench.dtype} and not v.absent)
    plan, found = plan_kernel(spec, operator)
    assert plan is not None, found
    path = scratch / f"{operator.name}_kernel.py"
    path.write_text(script(spec, operator, plan), encoding="utf-8")
    interface = kernel_interface(operator)
    sizes = {d.name: math.prod(bench.sizes[name] for name in d.of) if d.of else _all(bench) for d in interface.dims}
    choices = [False] + [True] * any(d.dynamic for d in interface.dims)
    for dynamic in choices:
        words = [str(-1 if d.dynamic and dynamic else sizes[d.name]) for d in interface.dims]
        words += [str(scratch / "kernel.so")]
        options = Variant(variant.types, tuple({**_defaults(operator), **dict(variant.attrs)}.items()), variant.absent)
        words += ["--dtype", type_option(variant)] if variant.types else []
        words += other_options(interface, options)
        symbols = {form: size for name, size in sizes.items() for form in (name, name.lower(), f"{name.lower()}_")}
        with contextlib.redirect_stdout(io.StringIO()):
            report = check_here(path, words, symbols, generated=True)
        assert report.ok, report.findings
        yield Row(bench, dynamic, _minimum(operator, variant, bench), report.kernels[0].counters)


def _all(bench: Bench) -> int:
    return math.prod(bench.sizes.values())


def _defaults(operator: Operator) -> dict[str, object]:
    case = dict(operator.cases[0].attrs)
    return {a.name: case.get(a.name, a.default) for a in operator.static_attrs}


def _minimum(operator: Operator, variant: Variant, bench: Bench) -> int:
    """Bytes when every input comes in once and every output goes out once."""
    dims = {name: (size,) if name == "..." else size for name, size in bench.sizes.items()}
    env = environment(dims, {**_defaults(operator), **dict(variant.attrs)})
    tensors = [t for t in operator.inputs if t.name not in variant.absent] + list(operator.outputs)
    return sum(math.prod(shape_of(t.shape, dims, env)) * DTYPES[variant.dtype(t.dtype)].size for t in tensors)


def main(names: list[str]) -> int:
    table = [list(HEAD)]
    with tempfile.TemporaryDirectory() as folder:
        for bench in BENCHES:
            if not names or bench.spec in names:
                table += [row.cells for row in rows(bench, Path(folder))]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for line in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The part of a kernel script that chooses tiles: the rule of `matmul_model`, as lines of Python."""

from __future__ import annotations

from opgen.facts import costs, cube
from opgen.facts.operations import BLOCK_BYTES, CUBE_ROWS
from opgen.kernel.lines import call
from opgen.kernel.matmul_model import MULTIPLY_ADDS, SUM_BYTES

_PARAMETERS = ("m", "n", "k", "size", "cores")


def chooser(batched: bool, sizes: tuple[int, ...], open_sizes: bool, fixed: dict[str, int], step: int = 1) -> list[str]:
    """Lines of `cycles` and `tile_of`. sizes: bytes that elements can have. fixed: rows, columns or depth that op.yaml
    chose; with all of them nothing is left to choose. step: columns are a multiple of it."""
    return [*_cycles(batched, sizes), "", "", *_tile_of(batched, sizes, open_sizes, fixed, step), "", ""]


def parameters(batched: bool) -> tuple[str, ...]:
    """Of both functions."""
    return ("batch", *_PARAMETERS) if batched else _PARAMETERS


def _cycles(batched: bool, sizes: tuple[int, ...]) -> list[str]:
    of = {size: MULTIPLY_ADDS[size] for size in sorted(sizes)}
    speed = f"{{{', '.join(f'{size}: {speed}' for size, speed in of.items())}}}[size]"
    if len(of) == 1:
        speed = str(next(iter(of.values())))
    tile = ["rows: int", "columns: int", "depth: int"]
    to_l0 = f"(rows / {costs.L1_TO_L0['L0A']} + columns / {costs.L1_TO_L0['L0B']})"
    stored = costs.COPY_START + costs.COPY_LATENCY
    return [
        *call("def cycles(", [*(f"{p}: int" for p in parameters(batched)), *tile], ") -> float:"),
        '    """Of the busiest core, in a model: one step is multiplied while others are loaded and copied into L0."""',
        f"    tiles = {'batch * ' if batched else ''}-(-m // rows) * -(-n // columns)",
        "    blocks = min(cores, tiles)",
        f"    load = {2 * costs.COPY_START} + (rows + columns) * depth * size / "
        f"min({costs.GM_CUBE_CORE}, {costs.GM_BYTES_PER_CYCLE} / blocks)",
        f"    feed = {2 * costs.L1_TO_L0_START} + {to_l0} * depth * size",
        f"    multiply = {costs.CUBE_START} + rows * columns * depth / {speed}",
        f"    store = {stored} + {SUM_BYTES} * rows * columns / {costs.L0C_BYTES_PER_CYCLE}",
        "    steps = -(-k // depth) * max(load, feed, multiply)",
        f"    each = steps if {2 * SUM_BYTES} * rows * columns <= L0C else steps + store",
        f"    return {costs.COPY_LATENCY} + load + feed + -(-tiles // blocks) * each + store",
    ]


def _tile_of(batched: bool, sizes: tuple[int, ...], open_sizes: bool, fixed: dict[str, int], step: int) -> list[str]:
    names = parameters(batched)
    least = f"{max(CUBE_ROWS, BLOCK_BYTES // sizes[0])}" if len(sizes) == 1 else "least"
    lines = [
        *call("def tile_of(", [f"{name}: int" for name in names], ") -> tuple[int, int, int]:"),
        '    """Rows and columns of a tile of the product, and the depth of a step along k: with the fewest cycles."""',
        "    shapes = [(m, n, k)]",
    ]
    if open_sizes:
        typical = f"({', '.join(map(str, cube.OPEN_SIZES))})"
        lines += [
            "    if -1 in shapes[0]:  # known at run time: a tile that is good for several sizes",
            f"        shapes = [tuple(met if s == -1 else s for s in (m, n, k)) for met in {typical}]",
        ]
        lines += [f"    batch = {cube.OPEN_BATCH} if batch == -1 else batch"] if batched else []
    if least == "least":
        lines.append(f"    least = max({CUBE_ROWS}, {BLOCK_BYTES} // size)  # a fractal of the cube core")
    loops = {"rows": f"range({least}, min(257, shapes[-1][0] + {least}), {least})"}
    across = str(step) if step >= BLOCK_BYTES else least
    loops["columns"] = f"range({across}, min(257, shapes[-1][1] + {across}), {across})"
    loops["depth"] = f"({', '.join(f'{depth} // size' for depth in cube.DEPTHS)})"
    if len(sizes) == 1:
        loops["depth"] = f"({', '.join(str(depth // sizes[0]) for depth in cube.DEPTHS)})"
    loops |= {name: f"({value},)" for name, value in fixed.items()}
    lines.append("    best = (math.inf, 0, 0, 0)")
    lines += [f"{'    ' * level}for {name} in {text}:" for level, (name, text) in enumerate(loops.items(), start=1)]
    batch = "batch, " if batched else ""
    return [
        *lines,
        f"                if max(rows, columns) * depth * size <= L0 and {SUM_BYTES} * rows * columns <= L0C:",
        f"                    costs = (cycles({batch}*shape, size, cores, rows, columns, depth) for shape in shapes)",
        "                    best = min(best, (math.prod(costs), rows, columns, depth))",
        "    return best[1:]",
    ]

# Generated from op.yaml by opgen.
"""Writes the input data of both test programs, and what row_cumsum_reference.py makes of it.

python3 row_cumsum_golden.py FOLDER
"""

import importlib.util
import sys
from pathlib import Path

import numpy as np

REFERENCE = Path(__file__).resolve().parent.parent / "row_cumsum_reference.py"

# Inputs: name, type or symbol, least and greatest value. Outputs: name, type or symbol.
INPUTS = [
    ("x", "T", -2.0, 2.0, None),
]
OUTPUTS = [
    ("y", "T"),
]
# The columns of the definition: how the programs call them, and what the symbols are.
COLUMNS = [
    ("float16", {"T": "float16"}),
    ("float32", {"T": "float32"}),
]
# Shapes of the inputs, None for one that is absent; shapes of the outputs; attributes.
TESTS = [
    ([(128, 2048)], [(128, 2048)], {}),
    ([(1, 2048)], [(1, 2048)], {}),
]


def load_reference():
    """The function `reference` of the reference file, which may import its neighbours."""
    spec = importlib.util.spec_from_file_location("reference_module", REFERENCE)
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(REFERENCE.parent))
    spec.loader.exec_module(module)
    return module.reference


def rounded(values, dtype):
    """The values as NumPy holds them: bfloat16 is a float32 with 8 bits of precision, rounded half to even."""
    if dtype != "bfloat16":
        return values.astype(dtype)
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return bits.astype(np.uint32).view(np.float32)


def random_values(generator, dtype, shape, low, high):
    """Values from `low` to `high`, in their type."""
    if dtype in ("float32", "float16", "bfloat16"):
        return rounded(generator.uniform(low, high, shape), dtype)
    number = "int64" if dtype == "bool" else dtype
    return generator.integers(low, high, shape, number, endpoint=True).astype(dtype)


def write(path, values, dtype):
    """The bytes that a device has for the values."""
    if dtype == "bfloat16":
        values = (np.asarray(values).view(np.uint32) >> 16).astype(np.uint16)
    np.ascontiguousarray(values).tofile(path)


def write_test(folder, number, test, column):
    """The files of a test: NUMBER.TYPES.TENSOR.in and .expected, not rounded to the type of the output."""
    title, types = column
    shapes, output_shapes, attributes = test
    generator = np.random.default_rng(42)
    arguments = []
    for (name, dtype, low, high, default), shape in zip(INPUTS, shapes, strict=True):
        if shape is None:
            arguments.append(default)
            continue
        dtype = types.get(dtype, dtype)
        arguments.append(random_values(generator, dtype, shape, low, high))
        write(folder / f"{number}.{title}.{name}.in", arguments[-1], dtype)
    chosen = {name: types.get(name, value) for name, value in attributes.items()}
    results = load_reference()(*arguments, **chosen)
    results = list(results) if isinstance(results, (tuple, list)) else [results]
    if len(results) != len(OUTPUTS):
        sys.exit(f"{REFERENCE}: {len(results)} outputs, expected {len(OUTPUTS)}")
    for (name, dtype), shape, result in zip(OUTPUTS, output_shapes, results, strict=True):
        wide = "float64" if "float" in types.get(dtype, dtype) else "int64"
        values = np.asarray(result).astype(wide)
        if values.shape != shape:
            sys.exit(f"{REFERENCE}: {name} has shape {values.shape}, expected {shape}")
        values.tofile(folder / f"{number}.{title}.{name}.expected")


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for number, test in enumerate(TESTS):
        for column in COLUMNS:
            write_test(folder, number, test, column)


if __name__ == "__main__":
    main()

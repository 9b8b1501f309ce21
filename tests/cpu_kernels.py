"""A kernel script's command line for the CPU: what TileLang does for a device, this does with g++ for the stand-in.

cpu_kernels.py OP_YAML SCRIPT DIM... OUT [--dtype ...] [--platform A3] [--cores 24] [--OPTION V] [--without NAME]

The kernel is the formula, one element after the other, so that results tell whether host code and programs hand over
the right tensors, attributes and sizes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from opgen.facts.dtypes import DTYPES
from opgen.formula.cxx import scalar
from opgen.formula.signature import Tensor, Variant
from opgen.kernel.interface import call_parameters, kernel_interface, key_text
from opgen.spec.loader import load
from opgen.spec.model import Operator
from opgen.spec.variants import typed, variants
from opgen.templating import render

_ELEMENTS = {"float16": "sample::Float16", "bfloat16": "sample::BFloat16", "bool": "uint8_t"}


def element(dtype: str) -> str:
    return _ELEMENTS.get(dtype, DTYPES[dtype].cxx)


def variant_of(operator: Operator, options: dict[str, str], absent: tuple[str, ...]) -> Variant:
    """The variant that the command line asks for."""
    symbols = [name for name, _ in operator.combinations[0]]
    given = options.get("dtype", "")
    types = dict(part.split("=") for part in given.split(",")) if "=" in given else dict.fromkeys(symbols, given)
    for variant in variants(operator):
        same = all(options[name] == key_text(value) for name, value in variant.attrs)
        if dict(variant.types) == types and set(variant.absent) == set(absent) and same:
            return variant
    raise SystemExit(f"no variant {types} {options} without {absent}")


def is_single(tensor: Tensor) -> bool:
    return all(axis.number == 1 for axis in tensor.shape)


def kernel_text(operator: Operator, variant: Variant, count: int, options: dict[str, str]) -> str:
    formula = typed(operator, variant)
    parameters = call_parameters(operator, variant)
    names = {p.role: p.name for p in parameters if p.role in ("size", "stream")}
    tensors = {t.name: t for t in operator.inputs}
    lines = []
    loads = {str(node.value): node.kind for node in formula.walk() if node.op == "load"}
    for name, kind in loads.items():
        tensor = tensors[name]
        index = "0" if is_single(tensor) else "i"
        cxx = {"float": "double", "int": "int64_t", "bool": "bool"}[kind]
        lines.append(
            f"const {cxx} v_{name} = static_cast<const {element(variant.dtype(tensor.dtype))} *>(a.{name})[{index}];"
        )
    code = scalar(
        formula,
        element=lambda name: f"v_{name}",
        attr=lambda name: f"static_cast<double>(a.{name})" if name in {p.name for p in parameters} else options[name],
        dim=lambda name: options[name],
        rounding=lambda dtype, text: f"static_cast<double>({element(dtype)}({text}))",
        taken=("a", "i"),
    )
    lines += code.statements
    for name, text in code.outputs:
        output = next(t for t in operator.outputs if t.name == name)
        target = element(variant.dtype(output.dtype))
        lines.append(
            f"static_cast<{target} *>(const_cast<void *>(static_cast<const void *>(a.{name})))[i] = {target}({text});"
        )
    fields = [p for p in parameters if p.role not in ("size", "stream")]
    size = names.get("size", str(count))
    return "\n".join(
        [
            *(f"#include {header}" for header in sorted({"<cstdint>", *code.headers})),
            '#include "half.h"',
            '#include "standin/launch.h"',
            "namespace {",
            "struct Arguments {",
            *(f"  {p.cxx} {p.name};" for p in fields),
            "  int64_t count;",
            "};",
            "void Run(const void *bytes) {",
            "  const Arguments &a = *static_cast<const Arguments *>(bytes);",
            "  for (int64_t i = 0; i < a.count; ++i) {",
            *(f"    {line}" for line in lines),
            "  }",
            "}",
            "}  // namespace",
            f'extern "C" void call({", ".join(f"{p.cxx} {p.name}" for p in parameters)}) {{',
            f"  const Arguments arguments{{{', '.join([*(p.name for p in fields), size])}}};",
            f"  standinLaunch({names['stream']}, Run, &arguments, sizeof(arguments));",
            "}",
            "",
        ]
    )


def main() -> None:
    spec = load(Path(sys.argv[1]).read_bytes(), "op.yaml")
    script, *rest = sys.argv[2:]
    operator = next(o for o in spec.operators if kernel_interface(o).script.endswith(Path(script).name))
    (dim,) = kernel_interface(operator).dims
    count, out = int(rest[0]), Path(rest[1])
    options: dict[str, str] = {}
    absent: list[str] = []
    for name, value in zip(rest[2::2], rest[3::2], strict=True):
        if name == "--without":
            absent.append(value)
        else:
            options[name.removeprefix("--")] = value
    variant = variant_of(operator, options, tuple(absent))
    if (count == -1) != dim.dynamic:
        raise SystemExit(f"{count} elements, but the size is {'dynamic' if dim.dynamic else 'static'}")
    home = Path(os.environ["ASCEND_HOME_PATH"])
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "half.h").write_text(render("common/half.h.j2"))
        Path(folder, "kernel.cc").write_text(kernel_text(operator, variant, count, options))
        out.parent.mkdir(parents=True, exist_ok=True)
        command = ["g++", "-std=c++17", "-O1", "-shared", "-fPIC", f"-I{home / 'include'}", f"-I{folder}"]
        command += [f"{folder}/kernel.cc", f"-L{home / 'lib64'}", "-lascendcl", "-o", str(out)]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()

"""Compiles ComputeExpected of many formulas into one program, and compares what it computes with NumPy."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from formula_cases import shape
from opgen.cxx.arrays import SizedFormula
from opgen.cxx.expected import expected_code
from opgen.facts.dtypes import DTYPES, Kind
from opgen.formula.evaluate import evaluate
from opgen.formula.ir import Node, TypedFormula
from opgen.formula.signature import Signature, Variant

REST = (2, 3)
_ELEMENTS: Mapping[Kind, str] = {"float": "double", "int": "int64_t", "bool": "uint8_t"}
_FLAGS = ("-std=c++17", "-O0", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror", "-D_GLIBCXX_ASSERTIONS")

ROUNDING = """
double RoundToBfloat16(double value) {
  int exponent = 0;
  if (value == 0.0 || !std::isfinite(value)) return value;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 8, -133));
  return std::nearbyint(value / step) * step;
}
double RoundToFloat16(double value) {
  int exponent = 0;
  if (value == 0.0 || !std::isfinite(value)) return value;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 11, -24));
  return std::nearbyint(value / step) * step;
}
"""

_ROUNDING = """
double RoundToBfloat16(double value) {
  int exponent = 0;
  if (value == 0.0 || !std::isfinite(value)) return value;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 8, -133));
  return std::nearbyint(value / step) * step;
}
double RoundToFloat16(double value) {
  int exponent = 0;
  if (value == 0.0 || !std::isfinite(value)) return value;
  std::frexp(value, &exponent);
  const double step = std::ldexp(1.0, std::max(exponent - 11, -24));
  return std::nearbyint(value / step) * step;
}
"""


def call_of_rounding(dtype: str, expression: str) -> str:
    return f"{'RoundToFloat16' if dtype == 'float16' else 'RoundToBfloat16'}({expression})"


def sized(
    formula: TypedFormula,
    sig: Signature,
    choice: Variant,
    sizes: Mapping[str, int],
    attrs: Mapping[str, float | int],
) -> SizedFormula:
    """With `...` as REST. sizes also has the attributes that sizes are computed from."""
    outputs = tuple(
        (line.name, shape(line.value.shape or (), dict(sizes), REST)) for line in formula.assignments if line.output
    )
    return SizedFormula(
        typed=formula,
        inputs=tuple(
            (tensor.name, shape(tensor.shape, dict(sizes), REST))
            for tensor in sig.inputs
            if tensor.name not in choice.absent
        ),
        outputs=outputs,
        counts={name: f"{int(np.prod(dims))}U" for name, dims in outputs},
        sizes=sizes,
        rest=REST,
        attrs={name: repr(value) for name, value in attrs.items()},
        rounding=call_of_rounding,
    )


@dataclass
class ExpectedProgram:
    """Functions that print every output, and what they should print."""

    sizes: Mapping[str, int]
    attrs: Mapping[str, float | int]
    functions: list[str] = field(default_factory=list)
    headers: set[str] = field(default_factory=lambda: {"algorithm", "cmath", "cstddef", "cstdint", "cstdio", "vector"})
    expected: list[tuple[str, np.ndarray]] = field(default_factory=list)

    def add(
        self, source: str, formula: TypedFormula, sig: Signature, choice: Variant, inputs: dict[str, np.ndarray]
    ) -> str:
        """The text of the function. ValueError: a piece lies outside of its tensor."""
        values = evaluate(formula, inputs, self.attrs, self.sizes)
        static = {name: int(value) for name, value in choice.attrs if isinstance(value, bool)}
        code = expected_code(sized(formula, sig, choice, {**self.sizes, **static}, self.attrs), source)
        self.headers |= code.includes
        kinds = {t.name: DTYPES[choice.dtype(t.dtype)].kind for t in sig.inputs if t.name in inputs}
        outputs: dict[str, Node] = {line.name: line.value for line in formula.assignments if line.output}
        members = [f"  std::vector<{_ELEMENTS[kind]}> {name};" for name, kind in kinds.items()]
        results = [f"  std::vector<{_ELEMENTS[node.kind]}> {name};" for name, node in outputs.items()]
        lines = [f"namespace f{len(self.functions)} {{", "struct Inputs {", *members, "};"]
        lines += ["struct Expected {", *results, "};", code.text, "void Print() {", "  Inputs inputs;"]
        lines += [f"  inputs.{name} = {{{_numbers(inputs[name], kind)}}};" for name, kind in kinds.items()]
        lines.append("  const Expected expected = ComputeExpected(inputs);")
        for name in outputs:
            lines.append(f'  for (const auto e : expected.{name}) std::printf("%.17g ", static_cast<double>(e));')
            lines.append(r'  std::printf("\n");')
        self.functions.append("\n".join([*lines, "}", "}", ""]))
        self.expected += [(f"{source} {choice}", np.ravel(values[name])) for name in outputs]
        return code.text

    def check(self, folder: Path) -> None:
        text = "".join(f"#include <{header}>\n" for header in sorted(self.headers)) + _ROUNDING
        calls = "".join(f"  f{i}::Print();\n" for i in range(len(self.functions)))
        main = f"\nint main() {{\n{calls}}}\n"
        (folder / "formulas.cpp").write_text(text + "\n".join(self.functions) + main, encoding="utf-8")
        command = ["g++", *_FLAGS, "formulas.cpp", "-o", "formulas"]
        built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert built.returncode == 0, built.stderr[:4000]
        output = subprocess.run([folder / "formulas"], check=True, capture_output=True, text=True).stdout
        lines = output.splitlines()
        assert len(lines) == len(self.expected)
        for line, (what, expected) in zip(lines, self.expected, strict=True):
            actual = np.array([float(word) for word in line.split()])
            np.testing.assert_allclose(actual, expected.astype(float), rtol=1e-11, atol=1e-12, err_msg=what)


def _numbers(array: np.ndarray, kind: Kind) -> str:
    return ", ".join(repr(float(value)) if kind == "float" else str(int(value)) for value in np.ravel(array))

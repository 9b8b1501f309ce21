"""common/half.h against NumPy: every pattern of both types, and rounding where it is hard."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from opgen.formula.evaluate import round_to
from opgen.templating import render
from program_support import gxx

_DRIVER = """
#include <cstdint>
#include <cstdio>
#include "half.h"
int main() {
  for (uint32_t bits = 0; bits < 65536U; ++bits) {
    const double values[] = {sample::Float16::FromBits(static_cast<uint16_t>(bits)),
                             sample::BFloat16::FromBits(static_cast<uint16_t>(bits))};
    (void)std::fwrite(values, sizeof(double), 2, stdout);
  }
  double value = 0.0;
  while (std::fread(&value, sizeof(value), 1, stdin) == 1) {
    const uint16_t bits[] = {sample::Float16(value).bits(), sample::BFloat16(value).bits()};
    (void)std::fwrite(bits, sizeof(uint16_t), 2, stdout);
  }
}
"""

_PATTERNS = np.arange(65536, dtype=np.uint16)
_FLOAT16 = _PATTERNS.view(np.float16)
_BFLOAT16 = (_PATTERNS.astype(np.uint32) << 16).view(np.float32)


def halfway(values: NDArray[Any]) -> NDArray[np.float64]:
    """Neighbours, what lies halfway between them, and a little beside that."""
    finite = np.unique(values[np.isfinite(values)].astype(np.float64))
    middle = (finite[:-1] + finite[1:]) / 2
    return np.concatenate([finite, middle, np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf)])


@pytest.fixture(scope="module")
def values() -> NDArray[np.float64]:
    generator = np.random.default_rng(7)
    edges = [65504, 65519.999, 65520, 65536, 2.0**128, 1e300, 5e-324, 1e-40, 2.0**-25, 2.0**-134, np.inf, np.nan, 0.0]
    spread = generator.standard_normal(20000) * 10.0 ** generator.integers(-50, 45, 20000)
    return np.concatenate([halfway(_FLOAT16), halfway(_BFLOAT16), edges, np.negative(edges), spread])


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory, values: NDArray[np.float64]) -> bytes:
    folder: Path = tmp_path_factory.mktemp("half")
    (folder / "half.h").write_text(render("common/half.h.j2"))
    (folder / "driver.cc").write_text(_DRIVER)
    result = gxx("-fsanitize=undefined", "-fno-sanitize-recover", "driver.cc", "-o", "driver", cwd=folder)
    assert result.returncode == 0, result.stderr
    run = subprocess.run([folder / "driver"], input=values.tobytes(), capture_output=True, check=True)
    return run.stdout


def test_every_pattern_has_its_value(output: bytes) -> None:
    decoded = np.frombuffer(output, np.float64, 2 * 65536).reshape(-1, 2)
    for column, patterns in enumerate([_FLOAT16, _BFLOAT16]):
        numbers = ~np.isnan(patterns)
        np.testing.assert_array_equal(np.isnan(decoded[:, column]), ~numbers)
        np.testing.assert_array_equal(decoded[numbers, column], patterns[numbers].astype(np.float64))
        np.testing.assert_array_equal(np.signbit(decoded[numbers, column]), np.signbit(patterns[numbers]))


def test_every_number_is_rounded_once_half_to_even(output: bytes, values: NDArray[np.float64]) -> None:
    encoded = np.frombuffer(output, np.uint16, offset=2 * 65536 * 8).reshape(-1, 2)
    for column, dtype in enumerate(["float16", "bfloat16"]):
        rounded = round_to(values, dtype)
        wanted = rounded.view(np.uint16) if dtype == "float16" else (rounded.view(np.uint32) >> 16).astype(np.uint16)
        numbers = ~np.isnan(values)
        np.testing.assert_array_equal(encoded[numbers, column], wanted[numbers])
        infinity = 0x7C00 if dtype == "float16" else 0x7F80
        assert ((encoded[~numbers, column] & 0x7FFF) > infinity).all()

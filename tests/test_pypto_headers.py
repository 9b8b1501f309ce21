"""The headers that the build derives from a kernel file: what they say, and which kernels are refused."""

from __future__ import annotations

import pytest
from opgen.sim.pypto_headers import DataField, HeaderError, KeyField, kernel_headers

_KERNEL = """\
from __future__ import annotations
from dataclasses import dataclass
import pypto_pro.language as pl
from pypto_pro.runtime.tilingkey import TilingKeyField

SIDES = 2

@dataclass
class Data:
    flag: bool
    total: int
    scale: float
    sizes: int[3]
    on: bool

class Key:
    mode = TilingKeyField(bits=3, values=[4, 0, SIDES])
    wide = TilingKeyField(bits=1, values=(0, 1))

@pl.jit(arch="a5", tiling_key=Key)
def add(x: pl.Ptr[pl.DT_FP32], y: pl.Ptr[pl.DT_FP32], workspace: pl.Ptr[pl.DT_UINT8], tiling: Data):
    pass
"""


def test_classes_are_read_with_the_layout_of_c() -> None:
    headers = kernel_headers(_KERNEL)
    assert (headers.kernel, headers.data_class, headers.key_class) == ("add", "Data", "Key")
    assert headers.data == (
        DataField("flag", "bool", 0, 0),
        DataField("total", "int", 0, 8),
        DataField("scale", "float", 0, 16),
        DataField("sizes", "int", 3, 24),
        DataField("on", "bool", 0, 48),
    )
    assert headers.data_size == 56
    assert headers.key == (KeyField("mode", 3, (4, 0, 2), 0), KeyField("wide", 1, (0, 1), 3))


def test_the_header_of_the_key_comes_first() -> None:
    (key_name, key), (data_name, data) = kernel_headers(_KERNEL).files
    assert (key_name, data_name) == ("Key_tilingkey.h", "Data_tiling.h")
    assert (
        "class Data { public: bool flag; int64_t total; float scale; int64_t sizes[3]; bool on; };" in data.splitlines()
    )
    assert "include" not in data
    lines = [line.strip() for line in key.splitlines()]
    assert '#include "ascendc/host_api/tiling/template_argument.h"' in lines
    assert "ASCENDC_TPL_ARGS_DECL(add," in lines
    assert "ASCENDC_TPL_UINT_DECL(mode, ASCENDC_TPL_3_BW, ASCENDC_TPL_UI_LIST, 4, 0, 2)," in lines
    assert sum(line.startswith("ASCENDC_TPL_ARGS_SEL(") for line in lines) == 6


_TWO_KERNELS = _KERNEL + "\n@pl.jit(tiling_key=Key)\ndef other(tiling: Data):\n    pass\n"

# What is replaced by what, the message, and the line.
_REFUSED = [
    ("tiling_key=Key", "auto_mutex=True", "@pl.jit needs `tiling_key=`", 20),
    (", workspace: pl.Ptr[pl.DT_UINT8], tiling: Data)", ", tiling: Data, workspace: pl.Ptr[pl.DT_UINT8])", "last", 21),
    ("workspace: pl.Ptr[pl.DT_UINT8]", "first: Data", "the last parameter, and no other", 21),
    ("@dataclass\n", "\n", "Data is no @dataclass", 9),
    ("total: int", "total: str", "unsupported type of a tiling field: str", 11),
    ("int[3]", "int[0]", "int[0]", 13),
    ("int[3]", "int[2049]", "int[2049]", 13),
    ("int[3]", "int[SIDES]", "int[SIDES]", 13),
    ("on: bool", "flag: bool", "Data has the field flag twice", 14),
    ("bits=3", "bits=1", "mode has 1 bits for the values [4, 0, 2]", 17),
    ("[4, 0, SIDES]", "[4, 4]", "mode has 3 bits for the values [4, 4]", 17),
    ("[4, 0, SIDES]", "[]", "mode has 3 bits for the values []", 17),
    ("[4, 0, SIDES]", "[4, -1]", "negative value -1, which C++ refuses", 17),
    ("[4, 0, SIDES]", "list(range(3))", "the values of mode must be written as a list", 17),
    ("[4, 0, SIDES]", "[4, True]", "not a whole number: True", 17),
    ("bits=3", "bits=64", "Key uses 65 bits, and a tiling key has 64", 16),
    ("@pl.jit", "@pl.helper", "exactly one @pl.jit kernel, found 0", 1),
]


@pytest.mark.parametrize(("right", "wrong", "message", "line"), _REFUSED)
def test_what_the_header_step_refuses(right: str, wrong: str, message: str, line: int) -> None:
    assert right in _KERNEL
    with pytest.raises(HeaderError) as error:
        kernel_headers(_KERNEL.replace(right, wrong, 1))
    assert message in error.value.message
    assert error.value.line == line


def test_two_kernels_in_a_file_are_refused() -> None:
    with pytest.raises(HeaderError, match=r"line 25: .*exactly one @pl\.jit kernel, found 2"):
        kernel_headers(_TWO_KERNELS)


def test_what_is_not_python_is_told() -> None:
    with pytest.raises(HeaderError, match="line 1: not Python"):
        kernel_headers("def (")

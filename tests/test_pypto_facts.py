"""PyPTO's tables agree with opgen's element types and with each other."""

from __future__ import annotations

from opgen.facts import pypto
from opgen.facts.dtypes import DTYPES


def test_tables_name_known_types() -> None:
    named = {dtype for operation in pypto.OPERATIONS.values() for dtype in operation.dtypes}
    named |= {dtype for along in pypto.REDUCTIONS.values() for dtypes in along for dtype in dtypes}
    named |= {dtype for pair in pypto.CASTS.items() for dtype in (pair[0], *pair[1])}
    named |= {*pypto.DATATYPES, *pypto.INDEX_TYPES, *pypto.SELECT_SCALAR, *pypto.ODD_CAST}
    assert named <= set(DTYPES) == set(pypto.NAMES)


def test_arithmetic_leaves_out_what_the_chip_does_not_have() -> None:
    assert "int8" in pypto.OPERATIONS["add"].dtypes and "int8" not in pypto.OPERATIONS["mul"].dtypes
    assert "bfloat16" in pypto.OPERATIONS["mul"].dtypes and "bfloat16" not in pypto.OPERATIONS["div"].dtypes
    assert pypto.OPERATIONS["exp"].dtypes == ("float16", "float32")
    assert not any("bool" in operation.dtypes for operation in pypto.OPERATIONS.values())
    assert "bfloat16" not in pypto.REDUCTIONS["sum"][0] and "bfloat16" in pypto.REDUCTIONS["sum"][1]


def test_every_narrow_type_reaches_float32_in_two_casts() -> None:
    for dtype in ("int8", "uint8", "int16", "float16", "bfloat16", "int32", "int64"):
        direct = pypto.CASTS[dtype]
        assert "float32" in direct or any("float32" in pypto.CASTS.get(middle, ()) for middle in direct)

"""Numbers as people write them, in Python and C++ alike."""

from __future__ import annotations


def shortest(value: float) -> str:
    """The shortest text that is read as the same double: "1e-5", "0.5", "1.0", "inf"."""
    mantissa, e, exponent = repr(float(value)).partition("e")
    return f"{mantissa}e{int(exponent)}" if e else mantissa

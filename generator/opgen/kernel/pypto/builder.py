"""Builds vector programs in terms of the tile operations that PyPTO Pro documents."""

from __future__ import annotations

import math

from opgen.kernel.builder import Builder, Truth
from opgen.kernel.pypto.program import extreme, factor
from opgen.kernel.rows_builder import RowBuilder, Unsupported
from opgen.kernel.scalar import Scalar, const
from opgen.kernel.vector import Instruction, Operand, Register

_MISSING = {
    "pow": (
        "a power whose exponent is not a whole number from -64 to 64, 0.5 or -0.5",
        "For a positive base, write `a ** b` as `exp(b * log(a))`.",
    ),
    "sin": ("`sin`", ""),
    "cos": ("`cos`", ""),
}
_SCALAR = ("const", "name", "neg", "add", "sub", "mul", "to_float")


class TileBuilder(Builder):
    """Elementwise programs."""

    def emit(self, op: str, dtype: str, *operands: Operand, mode: str = "") -> Register:
        if op in _MISSING:
            raise Unsupported(*_MISSING[op])
        for operand in operands:
            if isinstance(operand, Scalar):
                self._check_scalar(op, operand)
        operands = tuple(self._finite(op, dtype, operand) for operand in operands)
        if isinstance(operands[0] if op == "fill" else None, Register):
            assert isinstance(operands[0], Register)
            return operands[0]
        return self._instead(op, dtype, operands) or super().emit(op, dtype, *operands, mode=mode)

    def _instead(self, op: str, dtype: str, operands: tuple[Operand, ...]) -> Register | None:
        """What has a form of its own here."""
        first = operands[0] if operands else None
        other = operands[1] if len(operands) > 1 else None
        if op == "mul" and isinstance(first, Register) and isinstance(other, Scalar):
            if other.constant == -1:
                return self.emit("neg", dtype, first)
            if other.op == "div" and other.args[0].constant == 1.0:
                return self.emit("div", dtype, first, other.args[1])
        if op == "div" and isinstance(first, Register) and isinstance(other, Register):
            return self._reciprocal(first, other, dtype)
        if op == "leaky_relu" and isinstance(first, Register) and isinstance(other, Scalar):
            below = self.emit("mul", dtype, self.emit("min", dtype, first, const(0.0)), other)
            return self.emit("add", dtype, self.emit("relu", dtype, first), below)
        return None

    def _finite(self, op: str, dtype: str, operand: Operand) -> Operand:
        """An infinite number as a tile of them: kernels have no literal for it."""
        number = operand.constant if isinstance(operand, Scalar) else None
        if not isinstance(number, float) or math.isfinite(number):
            return operand
        large = math.copysign(60000.0 if dtype == "float16" else 3e38, number)
        with self.noting(f"{'minus ' if number < 0 else ''}infinity, as twice what is almost too large"):
            return self.emit("mul", dtype, self.emit("fill", dtype, const(large)), const(2.0))

    def _reciprocal(self, first: Register, other: Register, dtype: str) -> Register | None:
        """c / x as c * (1 / x), which is exact where c is a power of two."""
        made = self._made_by.get(first)
        if made is None or made.op != "fill" or not isinstance(made.operands[0], Scalar):
            return None
        number = made.operands[0].constant
        if not number or math.frexp(number)[0] not in (0.5, -0.5):
            return None
        result = self.emit("recip", dtype, other)
        return result if number == 1 else self.emit("mul", dtype, result, const(float(number)))

    def _check_scalar(self, op: str, scalar: Scalar) -> None:
        """Unsupported: the front end, or this printer, has no such expression. op: what it is an operand of."""
        if factor(scalar) is not None:
            self._check_scalar("", scalar.args[0])
            return
        for arg in scalar.args[1:] if extreme(scalar) else scalar.args:
            self._check_scalar("", arg)
        allowed = scalar.op in _SCALAR or extreme(scalar) or (op == "mul" and scalar.op == "div")
        if not allowed or (scalar.op == "to_float" and scalar.args[0].op != "name"):
            what = f"the scalar operation `{_SPOKEN.get(scalar.op, scalar.op)}` on attributes or sizes"
            raise Unsupported(what, "Let the caller compute it: make the result an attribute.")

    def _in_half(self, made: Instruction) -> None:
        """Both half types are narrowed when the program is finished, where rows and columns are spread already."""

    # int32 has comparisons and selections of its own here.

    def _as_exact_floats(self, a: Register, b: Register | Scalar) -> None:
        return None

    def _compare_int32(self, op: str, a: Register, b: Register | Scalar) -> Truth:
        return Truth(self.emit("compare", "mask", a, b, mode=op.upper()))

    def _where_int32(self, condition: Truth, a: Register | Scalar, b: Register | Scalar) -> Register | Scalar:
        like = "opposite" if isinstance(a, Scalar) and isinstance(b, Register) else "as is"
        return self._choose(self.mask(condition, like), a, b, "int32")


class RowTileBuilder(TileBuilder, RowBuilder):
    """Programs on rows. Operations see no more than the valid shape of a tile, so that there is no padding."""

    def reduce_ints(self, op: str, value: Register) -> Register:
        if value.form == "row":
            return value
        return self.emit(f"reduce_{op}", "int32", self.spread(value))

    def _spread_int32(self, value: Register) -> Register:
        return self.emit("broadcast", "int32", value)


_SPOKEN = {
    "where": "where",
    "div": "/",
    "floordiv": "//",
    "mod": "%",
    "to_int": "cast to an int",
    "to_bool": "cast to bool",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "and": "&",
    "or": "|",
    "not": "~",
}

"""Builds a vector program: one method for each thing that formulas need, in terms of what the chip has."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from opgen.facts.dtypes import Kind
from opgen.facts.operations import OPERATIONS
from opgen.kernel.forms import Form
from opgen.kernel.scalar import Scalar, apply, const
from opgen.kernel.vector import MASK, Instruction, Operand, Register, Registers

COMPUTED_AS: dict[Kind, str] = {"float": "float32", "int": "int32", "bool": "float16"}

# Whole numbers of at most this size are exact in a floating type.
EXACT = {"float16": 2**11, "float32": 2**24}

_ROUNDED_ONCE = ("add", "sub", "mul")
_EXACT_IN_HALF = ("max", "min", "abs", "relu")  # of halves, as halves

_RELATION = {"lt": "LT", "le": "LE", "gt": "GT", "ge": "GE", "eq": "EQ", "ne": "NE"}
_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}


@dataclass(frozen=True)
class Truth:
    """A tile of truth values: a mask, perhaps the opposite of it, or float16 numbers 0 and 1."""

    register: Register
    opposite: bool = False

    @property
    def numbers(self) -> bool:
        return self.register.dtype != MASK


Value = Register | Truth | Scalar  # a register holds float32 or int32


class Builder:
    """Appends instructions. Equal ones are made once, except fills, which are cheaper to repeat than to keep."""

    spread_once = True  # a value for each column is spread over a tile before the first one, not for each

    def __init__(self, exact_division: bool = False) -> None:
        """exact_division: what comes after a division jumps, as rounding does, so that its last bit counts."""
        self.exact_division = exact_division
        self.padding = False  # what is made is for the padding of rows
        self.registers = Registers()
        self.instructions: list[Instruction] = []
        self.hint = ""  # what new registers hold, in words of op.yaml
        self.line = -1  # of the formula, whose instructions are being made
        self._note = ""
        self._known: dict[tuple[str, str, tuple[Operand, ...], str, bool], Register] = {}
        self._made_by: dict[Register, Instruction] = {}
        self.numbers: set[Register] = set()  # of columns
        self._exact: dict[Register, Register] = {}  # int32 register -> float register of the same values

    @contextmanager
    def noting(self, text: str) -> Iterator[None]:
        """What is made inside is headed by `text`, unless it is part of something that is headed itself."""
        before, self._note = self._note, self._note or text
        yield
        self._note = before if self._note else ""

    # ---- instructions ----

    def emit(self, op: str, dtype: str, *operands: Operand, mode: str = "") -> Register:
        key = (op, dtype, operands, mode, self.padding)
        if op != "fill" and key in self._known:
            return self._known[key]
        register = self.registers.new(dtype, self.hint, self.form_of(op, operands))
        instruction = Instruction(op, register, operands, mode, self.line, self._note, self.padding)
        self._note = ""
        self.instructions.append(instruction)
        self._known[key] = register
        self._made_by[register] = instruction
        return register

    def form_of(self, op: str, operands: tuple[Operand, ...]) -> Form:
        """The form of what an instruction makes."""
        return ""

    def current(self, register: Register) -> Register:
        """The register that holds these values by now."""
        return register

    def cast(self, source: Register, dtype: str, mode: str) -> Register:
        if source.dtype == dtype and mode == "CAST_NONE":
            return source
        made = self._made_by.get(source)
        widened = made is not None and made.op == "cast" and made.mode == "CAST_NONE" and made.reads[0].dtype == dtype
        if widened and made is not None and dtype in OPERATIONS["copy"].dtypes:
            return made.reads[0]  # narrowing what was widened gives it back exactly
        if dtype == "float16" and mode == "CAST_RINT" and made is not None:
            return self._in_half(made) or self.emit("cast", dtype, source, mode=mode)
        return self.emit("cast", dtype, source, mode=mode)

    def _in_half(self, made: Instruction) -> Register | None:
        """What an instruction on float32 makes, as float16 and computed as such, where that gives the same bits.

        float32 has more than twice the digits of float16 and two, so that rounding one sum, difference or product of
        halves twice is rounding it once (Figueroa, 1995).
        """
        if made.op not in (*_ROUNDED_ONCE, *_EXACT_IN_HALF) or "float16" not in OPERATIONS[made.op].dtypes:
            return None
        operands = [self._half_of(operand) for operand in made.operands]
        if any(operand is None for operand in operands):
            return None
        return self.emit(made.op, "float16", *(operand for operand in operands if operand is not None))

    def _half_of(self, operand: Operand) -> Operand | None:
        """A float32 operand as float16, if all its values are halves."""
        if isinstance(operand, Scalar):
            number = operand.constant
            return operand if number is not None and _is_half(number) else None
        made = self._made_by.get(operand)
        if made is None or operand.dtype != "float32":
            return None
        if made.op == "cast" and made.mode == "CAST_NONE" and made.reads[0].dtype == "float16":
            return made.reads[0]
        return self._in_half(made) if made.op in _EXACT_IN_HALF else None

    def fill(self, scalar: Scalar, dtype: str) -> Register:
        return self.emit("fill", dtype, scalar)

    # ---- kinds ----

    def tile(self, value: Register | Scalar) -> Register:
        """A scalar spread over a tile; a register as it is."""
        return value if isinstance(value, Register) else self.fill(value, COMPUTED_AS[value.kind])

    def to_float(self, value: Value) -> Register | Scalar:
        if isinstance(value, Scalar):
            return apply("to_float", value)
        if isinstance(value, Truth):
            return self.cast(self.number(value), "float32", "CAST_NONE")
        if value.dtype == "float32":
            return value
        exact = self.exact(value)
        return (
            self.cast(exact, "float32", "CAST_NONE") if exact else self.emit("cast", "float32", value, mode="CAST_RINT")
        )

    def to_int(self, value: Value) -> Register | Scalar:
        """Toward zero."""
        if isinstance(value, Scalar):
            return apply("to_int", value)
        if isinstance(value, Truth):
            return self.whole(self.number(value))
        if value.dtype == "int32":
            return value
        return self.emit("cast", "int32", value, mode="CAST_TRUNC")

    def whole(self, source: Register) -> Register:
        """The int32 values of a floating register that holds whole numbers."""
        result = self.emit("cast", "int32", source, mode="CAST_RINT")
        self._exact[result] = source
        return result

    def exact(self, value: Register) -> Register | None:
        """A floating register with the values of this int32 register, if there is one."""
        if value in self._exact:
            return self._exact[value]
        made = self._made_by.get(value)
        if made is not None and made.op == "cast" and made.reads[0].dtype == "float32":
            return self.emit("cast", "float32", made.reads[0], mode=made.mode)
        return None

    def _one_kind(self, a: Register | Scalar, b: Register | Scalar) -> tuple[Register | Scalar, Register | Scalar, str]:
        """Both operands float32, or both int32."""
        kinds = {kind_of(a), kind_of(b)}
        if kinds == {"int"}:
            return a, b, "int32"
        return self.to_float(a), self.to_float(b), "float32"

    # ---- arithmetic ----

    def add(self, a: Register | Scalar, b: Register | Scalar) -> Register | Scalar:
        a, b, dtype = self._one_kind(a, b)
        if isinstance(a, Scalar):
            a, b = b, a
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return apply("add", b, a)
        assert isinstance(a, Register)
        if isinstance(b, Scalar) and b.constant == 0:
            return a
        return self._joined("add", a, b) or self.emit("add", dtype, a, b)

    def negate(self, a: Register | Scalar) -> Register | Scalar:
        return apply("neg", a) if isinstance(a, Scalar) else self.multiply(a, const(-1))

    def subtract(self, a: Register | Scalar, b: Register | Scalar) -> Register | Scalar:
        a, b, dtype = self._one_kind(a, b)
        if isinstance(b, Scalar):
            return apply("sub", a, b) if isinstance(a, Scalar) else self.add(a, apply("neg", b))
        if isinstance(a, Scalar):
            return self.add(self.negate(b), a)
        return self.emit("sub", dtype, a, b)

    def multiply(self, a: Register | Scalar, b: Register | Scalar) -> Register | Scalar:
        a, b, dtype = self._one_kind(a, b)
        if isinstance(a, Scalar):
            a, b = b, a
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return apply("mul", b, a)
        assert isinstance(a, Register)
        if isinstance(b, Scalar) and b.constant == 1:
            return a
        return self._joined("mul", a, b) or self.emit("mul", dtype, a, b)

    def _joined(self, op: str, a: Register, b: Register | Scalar) -> Register | Scalar | None:
        """(x + 1) + 2 as x + 3, (x * 2) * 3 as x * 6, where the numbers are known and stay in range."""
        made = self._made_by.get(a)
        if made is None or made.op != op or not isinstance(b, Scalar) or b.constant is None:
            return None
        first = made.operands[1]
        if not isinstance(first, Scalar) or first.constant is None:
            return None
        number = apply(op, first, b)
        assert number.constant is not None
        if not 1e-30 < abs(number.constant) < (1e30 if number.kind == "float" else 2**31) and number.constant != 0:
            return None
        source = made.reads[0]
        return self.add(source, number) if op == "add" else self.multiply(source, number)

    def divide(self, a: Register | Scalar, b: Register | Scalar) -> Register | Scalar:
        """Of floats. Divisors that are scalars become factors where the last bit does not count."""
        a, b = self.to_float(a), self.to_float(b)
        if isinstance(b, Scalar):
            if isinstance(a, Scalar):
                return apply("div", a, b)
            if _reciprocal_serves(b, self.exact_division):
                return self.multiply(a, apply("div", const(1.0), b))
        return self.emit("div", "float32", self.tile(a), self.tile(b))

    def extreme(self, op: str, a: Register | Scalar, b: Register | Scalar) -> Register | Scalar:
        """op: max or min."""
        a, b, dtype = self._one_kind(a, b)
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return apply("where", apply("gt" if op == "max" else "lt", a, b), a, b)
        if isinstance(a, Scalar):
            a, b = b, a
        assert isinstance(a, Register)
        idle = float("-inf") if op == "max" else float("inf")
        if isinstance(b, Scalar) and b.constant == idle:
            return a
        return self.emit(op, dtype, a, b)

    def function(self, op: str, a: Register | Scalar) -> Register:
        """A function that the chip has, of floats."""
        return self.emit(op, "float32", self.tile(self.to_float(a)))

    # ---- truth values ----

    def compare(self, op: str, a: Register | Scalar, b: Register | Scalar) -> Truth | Scalar:
        if isinstance(a, Scalar):
            a, b, op = b, a, _SWAPPED[op]
        if isinstance(a, Scalar):
            assert isinstance(b, Scalar)
            return apply(_SWAPPED[op], b, a)
        a, b, dtype = self._one_kind(a, b)
        assert isinstance(a, Register)
        if dtype == "int32":
            floats = self._as_exact_floats(a, b)
            if floats is None:
                return self._compare_int32(op, a, b)
            a, b = floats
        return Truth(self.emit("compare", MASK, a, b, mode=_RELATION[op]))

    def _as_exact_floats(self, a: Register, b: Register | Scalar) -> tuple[Register, Register | Scalar] | None:
        """Floats that compare as these ints do. Rounding keeps an int that float32 cannot hold on its side of all those
        that it holds with room to spare, so that one exact side is enough then."""
        exact_a = self.exact(a)
        if exact_a is None:
            exact_b = self.exact(b) if isinstance(b, Register) else None
            if exact_b is None or not self._small(exact_b):
                return None
            return self.emit("cast", "float32", a, mode="CAST_RINT"), self.cast(exact_b, "float32", "CAST_NONE")
        if self._small(exact_a) and (self.exact(b) if isinstance(b, Register) else b.constant) is None:
            other = self.to_float(b)
            return self.cast(exact_a, "float32", "CAST_NONE"), other
        if isinstance(b, Scalar):
            if b.constant is None or abs(b.constant) > EXACT[exact_a.dtype]:
                return None
            return exact_a, const(float(b.constant))
        exact_b = self.exact(b)
        if exact_b is None:
            return None
        if exact_a.dtype != exact_b.dtype:
            return self.cast(exact_a, "float32", "CAST_NONE"), self.cast(exact_b, "float32", "CAST_NONE")
        return exact_a, exact_b

    def _small(self, exact: Register) -> bool:
        """Whether whole numbers in a floating register are below 2**24 by their origin."""
        made = self._made_by.get(exact)
        if exact.dtype == "float16" or made is None:
            return exact.dtype == "float16"
        return exact in self.numbers or (made.op == "cast" and made.reads[0].dtype == "int16")

    def _compare_int32(self, op: str, a: Register, b: Register | Scalar) -> Truth:
        """int32 has only equality: a >= b is max(a, b) == a, and a < b its opposite."""
        if op in ("ge", "lt", "le", "gt"):
            extreme, sign = ("max", ">=") if op in ("ge", "lt") else ("min", "<=")
            with self.noting(f"int32 has equality only: a {sign} b is {extreme}(a, b) == a"):
                limited = self.extreme(extreme, a, b)
                return Truth(self.emit("compare", MASK, limited, a, mode="EQ"), opposite=op in ("lt", "gt"))
        return Truth(self.emit("compare", MASK, a, b, mode="EQ"), opposite=op == "ne")

    def mask(self, value: Truth, like: str = "") -> Truth:
        """As a mask. like: which opposite is convenient, if both are to be had for the same price ("yes" or "no")."""
        if value.numbers:
            relation = "EQ" if like == "opposite" else "NE"
            return Truth(self.emit("compare", MASK, value.register, const(0.0), mode=relation), relation == "EQ")
        made = self._made_by[value.register]
        if (
            like
            and value.opposite != (like == "opposite")
            and made.reads[0].dtype != "int32"
            and made.mode in ("EQ", "NE")
        ):
            other = self.emit("compare", MASK, *made.operands, mode="NE" if made.mode == "EQ" else "EQ")
            return Truth(other, not value.opposite)
        return value

    def number(self, value: Truth) -> Register:
        """As float16 numbers 0 and 1."""
        if value.numbers:
            return value.register
        yes, no = (0.0, 1.0) if value.opposite else (1.0, 0.0)
        return self.emit("select", "float16", value.register, self.fill(const(yes), "float16"), const(no))

    def negation(self, value: Truth | Scalar) -> Truth | Scalar:
        if isinstance(value, Scalar):
            return apply("not", value)
        if not value.numbers:
            return Truth(value.register, not value.opposite)
        mask = self.mask(value)
        return Truth(mask.register, not mask.opposite)

    def both(self, a: Truth | Scalar, b: Truth | Scalar, op: str) -> Truth | Scalar:
        """`and`, `or`."""
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return apply(op, a, b)
        a, b = self.truth_tile(a), self.truth_tile(b)
        if a.numbers and b.numbers:
            return Truth(self.emit("mul" if op == "and" else "max", "float16", a.register, b.register))
        if a.numbers:
            a, b = b, a
        # a is a mask now: `and` takes b where a holds and 0 elsewhere, `or` takes 1 where a holds and b elsewhere.
        b_number = self.number(b)
        if op == "and":
            return Truth(self._choose(a, b_number, const(0.0), "float16"))
        return Truth(self._choose(a, const(1.0), b_number, "float16"))

    def truth_tile(self, value: Truth | Scalar) -> Truth:
        if isinstance(value, Truth):
            return value
        return Truth(self.fill(apply("to_float", value), "float16"))

    def equal_truths(self, a: Truth | Scalar, b: Truth | Scalar, op: str) -> Truth | Scalar:
        """`==` and `!=` of truth values."""
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            return apply(op, a, b)
        numbers = self.number(self.truth_tile(a)), self.number(self.truth_tile(b))
        return Truth(self.emit("compare", MASK, *numbers, mode=_RELATION[op]))

    # ---- choice ----

    def where(self, condition: Truth | Scalar, a: Value, b: Value) -> Value:
        if isinstance(condition, Scalar):
            if condition.constant is not None:
                return a if condition.constant else b
            if isinstance(a, Scalar) and isinstance(b, Scalar):
                return apply("where", condition, a, b)
            condition = self.truth_tile(condition)
        if isinstance(a, Truth) or isinstance(b, Truth) or kind_of(a) == "bool":
            assert not isinstance(a, Register) and not isinstance(b, Register)
            x, y = self.number(self.truth_tile(a)), self.number(self.truth_tile(b))
            return Truth(self._choose(self.mask(condition), x, y, "float16"))
        a, b, dtype = self._one_kind(a, b)
        if dtype == "int32":
            return self._where_int32(condition, a, b)
        # A scalar can only stand where the mask does not hold.
        like = "opposite" if isinstance(a, Scalar) and isinstance(b, Register) else "as is"
        return self._choose(self.mask(condition, like), a, b, "float32")

    def _choose(self, mask: Truth, a: Register | Scalar, b: Register | Scalar, dtype: str) -> Register:
        if mask.opposite:
            a, b = b, a
        if isinstance(a, Scalar):
            a = self.fill(a, dtype)
        return self.emit("select", dtype, mask.register, a, b)

    def _where_int32(self, condition: Truth, a: Register | Scalar, b: Register | Scalar) -> Register | Scalar:
        """a * c + b * (1 - c) with c 0 or 1: there is no selection of int32, and this overflows nowhere."""
        with self.noting("int32 has no selection: a * c + b * (1 - c), where c is 0 or 1"):
            c = self.whole(self.number(condition))
            if isinstance(b, Scalar) and b.constant == 0:
                return self.multiply(a, c)
            other = self.add(self.multiply(c, const(-1)), const(1))
            if isinstance(a, Scalar) and a.constant == 0:
                return self.multiply(b, other)
            return self.add(self.multiply(a, c), self.multiply(b, other))


def _reciprocal_serves(divisor: Scalar, exact: bool) -> bool:
    """Whether a factor can stand for a divisor: its reciprocal is in the range of float32, and exact if it must be."""
    number = divisor.constant
    if number is None:
        return not exact
    return 1e-37 < abs(number) < 1e37 and (not exact or math.frexp(number)[0] in (0.5, -0.5))


def _is_half(number: float) -> bool:
    """Whether float16 holds a number exactly."""
    try:
        return bool(struct.unpack("e", struct.pack("e", number))[0] == number)
    except (OverflowError, ValueError):
        return False


def kind_of(value: Value) -> Kind:
    if isinstance(value, Scalar):
        return value.kind
    if isinstance(value, Truth):
        return "bool"
    return "float" if value.dtype == "float32" else "int"

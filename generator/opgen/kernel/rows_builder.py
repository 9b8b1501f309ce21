"""Builds vector programs on rows: values for each element, each row or each column, and what stands behind a row."""

from __future__ import annotations

import math
from collections.abc import Mapping

from opgen.facts.operations import FILLED_WHEN_CLIPPED
from opgen.formula.sizes import Size
from opgen.kernel.builder import Builder
from opgen.kernel.forms import Form
from opgen.kernel.scalar import Scalar, apply, const, counted, named
from opgen.kernel.vector import MASK, Operand, Register

FIRST = "#first"  # the first column of a piece, beside the names of the formula
NEUTRAL = {"sum": 0.0, "max": -math.inf, "min": math.inf}


class Unsupported(Exception):
    """The schedule has no way to do this. The text says what. instead: a way to write it that it has. offset: where it
    is, in characters of the formula."""

    def __init__(self, what: str, instead: str = "") -> None:
        super().__init__(what)
        self.instead = instead
        self.offset: int | None = None


class RowBuilder(Builder):
    """Operands of one instruction get one form: values of rows and columns are spread over the tile once.

    columns: the length of a row in the formula's words. aligned: rows have no padding. pads: input -> what stands
    behind the end of its rows. spread_once: see Builder. pieces: a tile has a piece of each row, from column FIRST on.
    several: rows have several lengths, and `measure` tells which.
    """

    def __init__(
        self,
        columns: str,
        aligned: bool,
        pads: Mapping[str, float],
        exact_division: bool = False,
        spread_once: bool = True,
        pieces: bool = False,
        several: bool = False,
    ) -> None:
        super().__init__(exact_division)
        self.spread_once = spread_once
        self.pieces = pieces
        self.several = several
        self.columns = named(columns, "int")
        self.aligned = aligned
        self.pads = dict(pads)
        self.behind: dict[Register, float | None] = {}  # a known value in the padding, or None
        self.masked = 0  # reductions that need their padding masked
        self._masked_as: dict[Register, Register] = {}  # register -> the one that its padding was masked in
        self._row_fills: dict[tuple[Scalar, str], Register] = {}
        self._form: Form = ""

    def form_of(self, op: str, operands: tuple[Operand, ...]) -> Form:
        if op.startswith("reduce_"):
            return "row"
        if op in ("fill", "createvecindex"):
            return self._form
        if op == "broadcast":
            return ""
        return next((o.form for o in operands if isinstance(o, Register)), "")

    def emit(self, op: str, dtype: str, *operands: Operand, mode: str = "") -> Register:
        operands = tuple(self.current(o) if isinstance(o, Register) else o for o in operands)
        if op not in ("fill", "broadcast", "createvecindex") and not op.startswith("reduce_"):
            alike = self._alike(op, operands)
            operands = tuple(self.current(o) if isinstance(o, Register) else o for o in alike)
        register = super().emit(op, dtype, *operands, mode=mode)
        if register not in self.behind:
            self.behind[register] = self._behind(op, register, operands)
        return register

    def measure(self, length: Size) -> None:
        """How long the rows are that are reduced next."""
        if self.several:
            self.columns = counted(length)

    def current(self, register: Register) -> Register:
        while register in self._masked_as:
            register = self._masked_as[register]
        return register

    # ---- forms ----

    def _alike(self, op: str, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        """The operands in one form. Comparisons and powers of one value a row are not whole steps: they take tiles."""
        registers = [o for o in operands if isinstance(o, Register)]
        forms = {r.form for r in registers if not self._is_fill(r)} or {r.form for r in registers}
        form: Form = forms.pop() if len(forms) == 1 else ""
        if form == "row" and op in ("compare", "select", "pow"):
            form = ""
        return tuple(self.spread(o, form) if isinstance(o, Register) and o.form != form else o for o in operands)

    def _is_fill(self, register: Register) -> bool:
        made = self._made_by.get(register)
        return made is not None and made.op == "fill"

    def spread(self, value: Register, form: Form = "") -> Register:
        """The value in another form."""
        if value.form == form:
            return value
        made = self._made_by.get(value)
        if made is not None and made.op == "fill":
            scalar = made.operands[0]
            assert isinstance(scalar, Scalar)
            return self.filled(scalar, value.dtype, form)
        if form:
            raise Unsupported(f"a value for each {form} out of one for each {value.form or 'element'}")
        if value.dtype == MASK:
            assert made is not None
            whole = [self.spread(o) if isinstance(o, Register) else o for o in made.operands]
            return self.emit(made.op, MASK, *whole, mode=made.mode)
        if value.dtype not in ("float32", "float16"):
            exact = self.exact(value)
            return self._spread_int32(value) if exact is None else self.whole(self.spread(exact))
        before, self.hint = self.hint, value.hint or self.hint
        result = self.emit("broadcast", value.dtype, value)
        self.hint = before
        if value in self.numbers:
            self.numbers.add(result)
        return result

    def _spread_int32(self, value: Register) -> Register:
        with self.noting("int32 has no broadcast: its halves of 16 bits go as float32, which holds them exactly"):
            high = self.emit("bitwise_rshift", "int32", value, const(16))
            low = self.emit("sub", "int32", value, self.emit("mul", "int32", high, const(65536)))
            halves = [self.spread(self.emit("cast", "float32", half, mode="CAST_RINT")) for half in (high, low)]
            high, low = (self.emit("cast", "int32", half, mode="CAST_RINT") for half in halves)
            return self.emit("add", "int32", self.emit("mul", "int32", high, const(65536)), low)

    def filled(self, scalar: Scalar, dtype: str, form: Form) -> Register:
        if form == "row" and (scalar, dtype) in self._row_fills:
            return self._row_fills[scalar, dtype]
        before, self._form = self._form, form
        register = self.fill(scalar, dtype)
        self._form = before
        if form == "row":
            self._row_fills[scalar, dtype] = register
        return register

    # ---- arithmetic ----

    def divide(self, a: Register | Scalar, b: Register | Scalar) -> Register | Scalar:
        """By one value a row or column: one division for each of these, and a multiplication by its result, where the
        last bit does not count."""
        a, b = self.to_float(a), self.to_float(b)
        if isinstance(a, Register) and isinstance(b, Register) and b.form and not (a.form or self.exact_division):
            return self.multiply(a, self.divide(const(1.0), b))
        return super().divide(a, b)

    # ---- reductions ----

    def reduce_ints(self, op: str, value: Register) -> Register | None:
        """op: sum, max or min, of an int32 for each element. None: the floats of the same values serve."""
        exact = self.exact(value)
        if value.form == "row":
            return value
        if exact is not None and (op != "sum" or exact.dtype == "float16"):
            if op != "sum":
                return None
            return self.whole(self._reduced("sum", self.cast(exact, "float32", "CAST_NONE")))
        value = self.current(self.spread(value) if value.form else value)
        return self._sum_of_bytes(value) if op == "sum" else self._extreme_of_halves(op, value)

    def _sum_of_bytes(self, value: Register) -> Register:
        if self.pieces:
            raise Unsupported("`sum` of ints in rows of any length", "Give the length of a row a `max`")
        rest, parts = value, []
        with self.noting("int32 has no reductions: bytes are added up as float32, exactly for up to 65793 of them"):
            for _ in range(3):
                above = self.emit("bitwise_rshift", "int32", rest, const(8))
                parts.append(self._less(rest, above, 256))
                rest = above
            total = self._whole_sum(rest)
            for part in reversed(parts):
                total = self.emit("add", "int32", self.emit("mul", "int32", total, const(256)), self._whole_sum(part))
        return total

    def _extreme_of_halves(self, op: str, value: Register) -> Register:
        """The extreme of the upper 16 bits, and of the lower ones where the upper ones are that."""
        with self.noting("int32 has no reductions: its halves of 16 bits go as float32, which holds them exactly"):
            high = self.emit("bitwise_rshift", "int32", value, const(16))
            low = self.emit("cast", "float32", self._less(value, high, 65536), mode="CAST_RINT")
            tops = self.emit("cast", "float32", high, mode="CAST_RINT")
            top = self._reduced(op, tops)
            same = self.emit("compare", MASK, self.current(tops), top, mode="EQ")
            bottom = self._reduced(op, self.emit("select", "float32", same, low, const(NEUTRAL[op])))
            upper, lower = (self.emit("cast", "int32", part, mode="CAST_RINT") for part in (top, bottom))
            return self.emit("add", "int32", self.emit("mul", "int32", upper, const(65536)), lower)

    def _less(self, value: Register, above: Register, size: int) -> Register:
        """What is left of `value` without `size` times `above`."""
        return self.emit("sub", "int32", value, self.emit("mul", "int32", above, const(size)))

    def _whole_sum(self, part: Register) -> Register:
        summed = self._reduced("sum", self.emit("cast", "float32", part, mode="CAST_RINT"))
        return self.emit("cast", "int32", summed, mode="CAST_RINT")

    def _reduced(self, op: str, tile: Register) -> Register:
        result = self.reduce(op, tile)
        assert isinstance(result, Register)
        return result

    def reduce(self, op: str, value: Register | Scalar) -> Register | Scalar:
        """op: sum, mean, max or min, of a float for each element."""
        tile = self.current(self.tile(self.to_float(value)))
        if tile.form == "row":
            return tile
        if tile.form == "column":
            tile = self.current(self.spread(tile))
        kind = "sum" if op == "mean" else op
        if not self.aligned and not self._neutral(kind, tile):
            tile = self._masked(tile, NEUTRAL[kind])
        result = self.emit(f"reduce_{kind}", "float32", tile)
        if op == "mean":
            return self.multiply(result, apply("div", const(1.0), apply("to_float", self.columns)))
        return result

    def _neutral(self, kind: str, tile: Register) -> bool:
        """Whether a reduction may take what stands behind the rows as well. A 0 changes no maximum of magnitudes."""
        behind = self.behind[tile]
        return behind == NEUTRAL[kind] or (kind == "max" and behind == 0 and self._never_negative(tile))

    def _never_negative(self, tile: Register) -> bool:
        made = self._made_by.get(tile)
        if made is None:
            return False
        square = made.op == "mul" and made.operands[0] == made.operands[1]
        return square or made.op in ("abs", "exp", "relu", "sqrt")

    def _masked(self, tile: Register, neutral: float) -> Register:
        """The tile with `neutral` in its padding, which takes its place from now on."""
        self.masked += 1
        self.padding = not self.several  # of several lengths, one may be a whole number of blocks and others not
        with self.noting(f"what stands behind a row counts as {_shown(neutral)}"):
            result = self.emit("select", "float32", self._inside(), tile, const(neutral))
        self.padding = False
        self._masked_as[tile] = result
        self.behind[result] = neutral
        return result

    def _inside(self) -> Register:
        """A mask of the columns that are no padding."""
        before, self.hint = self.hint, "inside"
        mask = self.emit("compare", MASK, self.spread(self.positions()), apply("to_float", self.columns), mode="LT")
        self.hint = before
        return mask

    # ---- numbers of columns ----

    def positions(self) -> Register:
        """0, 1, 2 ... as float32, which is exact: longer rows than float32 can count are refused."""
        before, self._form = self._form, "column"
        numbers = self.emit("createvecindex", "float32", const(0))
        self._form = before
        if self.pieces:
            numbers = self.emit("add", "float32", numbers, apply("to_float", named(FIRST, "int")))
        self.numbers.add(numbers)
        return numbers

    def first(self, op: str, tile: Register) -> Register:
        """The first column, as float32, that holds the largest or smallest element of its row. op: max or min.

        What stands behind a row may be as large, but stands behind.
        """
        if tile.form == "row":
            return self.filled(const(0.0), "float32", "row")
        extreme = self.reduce(op, tile)
        assert isinstance(extreme, Register)
        with self.noting(f"the first of the columns that hold the {'largest' if op == 'max' else 'smallest'} element"):
            mask = self.emit("compare", MASK, tile, extreme, mode="EQ")
            columns = self.emit("select", "float32", mask, self.spread(self.positions()), const(math.inf))
            return self.emit("reduce_min", "float32", columns)

    # ---- padding ----

    def arrives(self, register: Register, tensor: str) -> None:
        """A register that an input is loaded into."""
        stale = self.pieces and register.dtype not in FILLED_WHEN_CLIPPED  # what an earlier piece left there
        self.behind[register] = None if stale else self.pads.get(tensor, 0.0)

    def _behind(self, op: str, register: Register, operands: tuple[Operand, ...]) -> float | None:
        if register.form == "row":
            return None
        values = [self._value(o) for o in operands]
        if op == "broadcast":
            assert isinstance(operands[0], Register)
            return values[0] if operands[0].form == "column" else None
        if op in ("add", "sub") and values[0] == -math.inf and values[1] is None:
            return -math.inf if isinstance(operands[1], Register) else None  # of finite values, and NaN of others
        if op == "select" and values[1] == values[2]:
            return values[1]
        if any(v is None for v in values):
            return None
        if op == "cast":
            whole = values[0] in (0.0, math.inf, -math.inf)
            return values[0] if whole and register.dtype.startswith(("float", "bfloat")) else None
        return _evaluated(op, [v for v in values if v is not None])

    def _value(self, operand: Operand) -> float | None:
        if isinstance(operand, Register):
            return self.behind.get(operand)
        return None if operand.constant is None else float(operand.constant)


def _evaluated(op: str, v: list[float]) -> float | None:
    """The same operation on numbers, where it is plain and its result is."""
    try:
        match op:
            case "fill" | "copy":
                result = v[0]
            case "add":
                result = v[0] + v[1]
            case "sub":
                result = v[0] - v[1]
            case "mul":
                result = v[0] * v[1]
            case "max" | "min":
                result = (max if op == "max" else min)(v[0], v[1])
            case "exp":
                result = math.exp(v[0])
            case "bitwise_rshift":
                result = float(int(v[0]) >> int(v[1]))
            case "abs":
                result = abs(v[0])
            case "relu":
                result = max(v[0], 0.0)
            case "sqrt":
                result = math.sqrt(v[0])
            case _:
                return None
    except (OverflowError, ValueError):
        return None
    return None if result != result else result


def _shown(number: float) -> str:
    return {0.0: "0", math.inf: "infinity", -math.inf: "minus infinity"}[number]

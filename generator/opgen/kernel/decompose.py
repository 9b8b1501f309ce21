"""Typed formula -> vector program, for one variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from opgen.facts.dtypes import DTYPES
from opgen.facts.operations import MOVED_AS
from opgen.formula.ir import Node, TypedFormula
from opgen.formula.sizes import Size
from opgen.kernel import composite
from opgen.kernel.builder import COMPUTED_AS, Builder, Truth, Value, kind_of
from opgen.kernel.forms import REDUCTIONS, Form, Moved
from opgen.kernel.pieces import Piece, read, stored
from opgen.kernel.prune import split
from opgen.kernel.rows_builder import RowBuilder, Unsupported
from opgen.kernel.scalar import COMPARISONS, Scalar, apply, const, named
from opgen.kernel.vector import Element, Load, Program, Register, Store

Number = Register | Scalar


@dataclass(frozen=True)
class Place:
    """How a tensor is held. dtype: its element type. single: one element, although others have more. input: is read.
    form: what it has a value for. piece: the columns of a tensor that it is, None for all of it. moved: when an input
    is loaded.
    """

    dtype: str
    single: bool
    input: bool
    form: Form = ""
    piece: Piece | None = None
    moved: Moved = "tile"


def moved_as(dtype: str) -> str:
    """The type that copies of `dtype` are written with."""
    return MOVED_AS.get(dtype, dtype)


def decompose(formula: TypedFormula, places: Mapping[str, Place]) -> Program:
    """The vector program. places: of every tensor that is there. The formula is elementwise and complete."""
    return _Decomposer(formula, places, Builder(exact_division=jumps(formula))).program()


def decompose_rows(formula: TypedFormula, places: Mapping[str, Place], build: RowBuilder) -> Program:
    """The vector program of a tile of rows. Unsupported: the schedule cannot do it."""
    return _Decomposer(formula, places, build).program()


@dataclass(frozen=True)
class Parts:
    """What is around the instructions of a builder: the ends of a program."""

    elements: tuple[Element, ...]
    loads: tuple[Load, ...]
    stores: tuple[Store, ...]
    vectors: tuple[Load, ...]


def build_parts(formula: TypedFormula, places: Mapping[str, Place], build: Builder) -> Parts:
    """Builds a formula's instructions, for whoever ends the program in another way. Unsupported: it cannot be done."""
    return _Decomposer(formula, places, build).parts()


class _Decomposer:
    def __init__(self, formula: TypedFormula, places: Mapping[str, Place], build: Builder) -> None:
        self.formula = formula
        self.places = places
        self.build = build
        self.locals: dict[str, Value] = {}
        self.inputs: dict[str, Value] = {}
        self.loads = {
            name: self._arrival(name, place) for name, place in places.items() if place.input and not place.single
        }
        self.elements: list[Element] = []

    def _arrival(self, name: str, place: Place) -> Load:
        register = self.build.registers.new(moved_as(place.dtype), name, place.form)
        if not isinstance(self.build, RowBuilder):
            return Load(name, register)
        self.build.arrives(register, name)
        return Load(name, register, self.build.pads.get(name, 0.0), place.moved)

    def program(self) -> Program:
        parts = self.parts()
        return split(self.build, parts.elements, parts.loads, parts.stores, parts.vectors)

    def parts(self) -> Parts:
        stores: dict[str, Value] = {}
        for position, assignment in enumerate(self.formula.assignments):
            self.build.hint = assignment.name
            self.build.line = position if assignment.line is None else assignment.line
            members = [*stored(assignment)]
            for member, start, _ in members:
                stores[self._piece(assignment.name, True, start)] = self._member(member, assignment.value)
            if members:
                continue
            value = self.value(assignment.value)
            self.locals[assignment.name] = value
            if assignment.output:
                stores[assignment.name] = value
        done = []
        self.build.line = -1
        for name, value in stores.items():
            self.build.hint = name
            done.append(Store(name, self._stored(self._formed(value, name), self.places[name].dtype)))
        loads = [load for load in self.loads.values() if load.moved == "tile"]
        vectors = [load for load in self.loads.values() if load.moved != "tile"]
        return Parts(tuple(self.elements), tuple(loads), tuple(done), tuple(vectors))

    def _piece(self, tensor: str, output: bool, start: Size, stop: Size | None = None) -> str:
        """What the columns of a tensor from `start` on are called."""
        for name, place in self.places.items():
            piece = place.piece
            if (
                piece is not None
                and (piece.tensor, piece.output, piece.start) == (tensor, output, start)
                and stop in (None, piece.stop)
            ):
                return name
        return tensor

    def _member(self, member: Node, whole: Node) -> Value:
        """A member of a concat, in the kind of all."""
        value = self.value(member)
        return value if whole.kind in ("bool", kind_of(value)) else self.build.to_float(value)

    def _formed(self, value: Value, name: str) -> Value:
        """The value in the form of the output that takes it."""
        form = self.places[name].form
        if not isinstance(self.build, RowBuilder):
            return value
        if isinstance(value, Scalar):
            dtype = COMPUTED_AS[value.kind]
            filled = self.build.filled(apply("to_float", value) if value.kind == "bool" else value, dtype, form)
            return Truth(filled) if value.kind == "bool" else filled
        register = value.register if isinstance(value, Truth) else value
        if register.form == form:
            return value
        if form == "row":
            return self._one_a_row(value)
        spread = self.build.spread(register, form)
        return Truth(spread, value.opposite) if isinstance(value, Truth) else spread

    def _one_a_row(self, value: Register | Truth) -> Value:
        """One of equal values, which a comparison spread over their row."""
        assert isinstance(self.build, RowBuilder)
        if isinstance(value, Truth):
            floats = self.build.cast(self.build.number(value), "float32", "CAST_NONE")
            return Truth(self.build.cast(self._reduced("max", floats), "float16", "CAST_RINT"))
        if value.dtype == "float32":
            return self._reduced("max", value)
        ints = self.build.reduce_ints("max", value)
        exact = self.build.exact(value)
        if ints is None and exact is not None:
            return self.build.whole(self._reduced("max", self.build.cast(exact, "float32", "CAST_NONE")))
        assert ints is not None
        return ints

    # ---- inputs and outputs ----

    def _input(self, name: str) -> Value:
        if name not in self.inputs:
            place = self.places[name]
            before, self.build.hint = self.build.hint, name
            self.inputs[name] = self._element(name, place.dtype) if place.single else self._loaded(name, place.dtype)
            self.build.hint = before
        return self.inputs[name]

    def _loaded(self, name: str, dtype: str) -> Value:
        build = self.build
        register = self.loads[name].register
        if dtype in ("float32", "int32", "uint32"):
            return register
        if dtype in ("float16", "bfloat16"):
            return build.cast(register, "float32", "CAST_NONE")
        if dtype == "bool":
            return Truth(build.cast(register, "float16", "CAST_NONE"))
        if dtype in ("int8", "uint8"):
            return build.whole(build.cast(register, "float16", "CAST_NONE"))
        if dtype in ("int64", "uint64"):
            return build.emit("cast", "int32", register, mode="CAST_NONE")
        signed = build.cast(register, "float32", "CAST_NONE")
        if dtype == "uint16":  # negative numbers stand for those from 32768
            with build.noting("int16 below 0 stands for uint16 from 32768"):
                below = build.extreme("max", build.extreme("min", signed, const(0.0)), const(-1.0))
                moved = build.add(build.multiply(below, const(-65536.0)), signed)
            assert isinstance(moved, Register)
            return build.whole(moved)
        return build.whole(signed)

    def _element(self, name: str, dtype: str) -> Scalar:
        """A one-element input: the scalar unit reads it before the first tile."""
        kind = DTYPES[dtype].kind
        read = named(name, "float" if kind == "float" else "int")
        steps: tuple[tuple[str, str], ...] = ()
        if dtype in ("float16", "bfloat16"):
            steps = (("float32", "CAST_NONE"),)
        elif dtype in ("int8", "uint8", "bool"):
            steps = (("float16", "CAST_NONE"), ("int32", "CAST_RINT"))
        elif dtype in ("int16", "uint16"):
            steps = (("float32", "CAST_NONE"), ("int32", "CAST_RINT"))
        elif dtype in ("int64", "uint64"):
            steps = (("int32", "CAST_NONE"),)
        self.elements.append(Element(name, moved_as(dtype), steps, read))
        if dtype == "uint16":
            return apply("where", apply("lt", read, const(0)), apply("add", read, const(65536)), read)
        return apply("to_bool", read) if kind == "bool" else read

    def _stored(self, value: Value, dtype: str) -> Register:
        """The value as it leaves the chip."""
        build = self.build
        if isinstance(value, Scalar):
            value = build.truth_tile(value) if value.kind == "bool" else build.fill(value, COMPUTED_AS[value.kind])
        if isinstance(value, Truth):
            number = build.number(value)
            if dtype in ("bool", "uint8", "int8", "float16"):
                return build.cast(number, moved_as(dtype), "CAST_NONE" if dtype == "float16" else "CAST_RINT")
            floating = DTYPES[dtype].kind == "float"
            value = build.cast(number, "float32", "CAST_NONE") if floating else build.whole(number)
        if DTYPES[dtype].kind == "float":
            result = build.to_float(value)
            assert isinstance(result, Register)
            return result if dtype == "float32" else build.cast(result, dtype, "CAST_RINT")
        assert value.dtype == "int32"
        return self._stored_int(value, dtype)

    def _stored_int(self, value: Register, dtype: str) -> Register:
        build = self.build
        if dtype in ("int32", "uint32"):
            return value
        if dtype in ("int64", "uint64"):
            return build.emit("cast", "int64", value, mode="CAST_NONE")
        exact = build.exact(value)
        if dtype == "int16":
            if exact is not None and exact.dtype == "float32":
                return build.cast(exact, "int16", "CAST_RINT")
            return build.emit("cast", "int16", value, mode="CAST_NONE")
        if dtype == "uint16":  # numbers from 32768 go out as the negative ones of the same bits
            with build.noting("uint16 from 32768 goes out as int16 below 0"):
                above = build.extreme("min", build.extreme("max", build.add(value, const(-32767)), const(0)), const(1))
                moved = build.add(build.multiply(above, const(-65536)), value)
            assert isinstance(moved, Register)
            return build.emit("cast", "int16", moved, mode="CAST_NONE")
        if exact is None or exact.dtype != "float16":
            floating = build.to_float(value)
            assert isinstance(floating, Register)
            exact = build.cast(floating, "float16", "CAST_RINT")
        return build.cast(exact, dtype, "CAST_RINT")

    # ---- expressions ----

    def value(self, node: Node) -> Value:
        try:
            return self._value(node)
        except Unsupported as problem:
            problem.offset = node.offset if problem.offset is None else problem.offset
            raise

    def _value(self, node: Node) -> Value:
        if node.op == "const":
            assert isinstance(node.value, bool | int | float)
            return const(node.value)
        if node.op in ("attr", "dim"):
            return named(str(node.value), node.kind)
        columns = read(node)
        if columns is not None:
            tensor, start, stop = columns
            return self._input(self._piece(tensor, False, start, stop))
        if node.op == "load":
            return self._input(str(node.value))
        if node.op == "local":
            if str(node.value) not in self.locals:
                raise Unsupported(f"`{node.value}`, which `concat` puts together, is read again", _BEFORE)
            return self.locals[str(node.value)]
        if node.op == "slice":
            return self.value(node.args[0])  # of an input that is not there, and so a number
        if node.op == "expand":
            return self.value(node.args[0])  # where an axis belongs is told by its name
        if node.op == "concat":
            raise Unsupported("`concat` inside an expression", "Make it the whole value of an output")
        if node.op == "cast" and DTYPES[str(node.value)].kind == "int" and node.args[0].op in composite.ROUNDING:
            return self._rounded_to_int(node.args[0])
        if node.op == "arange":
            assert isinstance(self.build, RowBuilder)
            return self.build.whole(self.build.positions())
        if node.op in ("mul", "add") and node.kind == "float" and (parts := _one_plus_tanh(node)):
            factor, inner = (self.build.to_float(_number(self.value(part))) for part in parts)
            return composite.times_one_plus_tanh(self.build, factor, inner)
        args = [self.value(arg) for arg in node.args]
        if node.op in REDUCTIONS:
            self._measure(node.args[0])
            return self._reduction(node.op, args[0])
        if node.op in ("argmax", "argmin"):
            self._measure(node.args[0])
            return self._position(node.op, args[0])
        if node.op == "cast":
            return self._cast(args[0], str(node.value))
        if node.op in COMPARISONS or node.op in ("and", "or", "not", "where"):
            return self._logic(node.op, args)
        return self._number(node, [_number(a) for a in args])

    def _logic(self, op: str, args: list[Value]) -> Value:
        build = self.build
        if op == "where":
            return build.where(_truth(args[0]), args[1], args[2])
        if op == "not":
            return build.negation(_truth(args[0]))
        if op in ("and", "or"):
            return build.both(_truth(args[0]), _truth(args[1]), op)
        if kind_of(args[0]) == "bool":
            return build.equal_truths(_truth(args[0]), _truth(args[1]), op)
        return build.compare(op, _number(args[0]), _number(args[1]))

    def _cast(self, value: Value, dtype: str) -> Value:
        build = self.build
        kind = DTYPES[dtype].kind
        if kind == "bool":
            if kind_of(value) == "bool":
                return value
            number = _number(value)
            return build.compare("ne", number, const(0) if kind_of(number) == "int" else const(0.0))
        if kind == "int":
            return build.to_int(value)
        floating = build.to_float(value)
        if dtype == "float32":
            return floating
        narrow = build.cast(build.tile(floating), dtype, "CAST_RINT")
        return build.cast(narrow, "float32", "CAST_NONE")

    def _rounded_to_int(self, node: Node) -> Value:
        """round, floor or ceil on the way to an int: the cast rounds, and no int is too large to have a fraction."""
        value = _number(self.value(node.args[0]))
        if isinstance(value, Scalar) or node.kind == "int":
            return self.build.to_int(self._number(node, [value]))
        return self.build.emit("cast", "int32", value, mode=composite.ROUNDING[node.op])

    def _measure(self, node: Node) -> None:
        assert isinstance(self.build, RowBuilder)
        if node.shape:
            self.build.measure(node.shape[-1])

    def _reduction(self, op: str, value: Value) -> Value:
        assert isinstance(self.build, RowBuilder)
        if isinstance(value, Scalar):
            raise Unsupported(f"`{op}` of one element")
        if isinstance(value, Register) and value.dtype == "int32" and op != "mean":
            reduced_ints = self.build.reduce_ints(op, value)
            if reduced_ints is not None:
                return reduced_ints
            exact = self.build.exact(value)
            if exact is None or op == "sum":
                raise Unsupported(f"`{op}` of ints", _AS_FLOATS)
            return self.build.whole(self._reduced(op, exact))
        reduced = self._reduced(op, value)
        return self.build.whole(reduced) if isinstance(value, Truth) and op == "sum" else reduced

    def _position(self, op: str, value: Value) -> Value:
        """op: argmax or argmin."""
        assert isinstance(self.build, RowBuilder)
        if isinstance(value, Scalar):
            raise Unsupported(f"`{op}` of one element")
        if isinstance(value, Register) and value.dtype == "int32":
            exact = self.build.exact(value)
            if exact is None:
                raise Unsupported(f"`{op}` of int32", _AS_FLOATS)
            value = exact
        assert isinstance(value, Register)
        floats = self.build.cast(value, "float32", "CAST_NONE")
        return self.build.whole(self.build.first(op.removeprefix("arg"), floats))

    def _reduced(self, op: str, value: Value) -> Register:
        assert isinstance(self.build, RowBuilder)
        floats = self.build.to_float(value) if not isinstance(value, Register) else value
        if isinstance(floats, Register) and floats.dtype == "float16":
            floats = self.build.cast(floats, "float32", "CAST_NONE")
        reduced = self.build.reduce(op, floats)
        assert isinstance(reduced, Register)
        return reduced

    def _number(self, node: Node, args: list[Number]) -> Value:
        build = self.build
        if node.op in _ARITHMETIC:
            return _ARITHMETIC[node.op](build, *args)
        if node.op == "pow" and node.kind == "float":
            return composite.power(build, *args)
        if node.op == "gelu":
            return (composite.gelu_tanh if node.value == "tanh" else composite.gelu_erf)(build, build.to_float(args[0]))
        if node.op in ("round", "floor", "ceil"):
            return args[0] if node.kind == "int" else composite.rounded(build, node.op, args[0])
        if node.op in ("floordiv", "mod"):
            x, y = args
            assert isinstance(x, Scalar) and isinstance(y, Scalar)
            return apply(node.op, x, y)
        return _FUNCTIONS[node.op](build, *(build.to_float(a) for a in args))


def _one_plus_tanh(node: Node) -> tuple[Node, Node] | None:
    """factor and x of factor * (1 + tanh(x)), in either order; factor 1 where there is none."""
    if node.op == "add":
        for one, other in (node.args, node.args[::-1]):
            if one.op == "const" and one.value == 1 and other.op == "tanh":
                return one, other.args[0]
        return None
    for factor, other in (node.args, node.args[::-1]):
        if other.op == "add" and (parts := _one_plus_tanh(other)):
            return factor, parts[1]
    return None


def jumps(formula: TypedFormula) -> bool:
    """Whether the last bit of a quotient counts."""
    return any(_jumps(node) for node in formula.walk())


def _jumps(node: Node) -> bool:
    """Whether a small change of an operand can change the result by a whole number, or turn it round."""
    to_whole = node.op == "cast" and DTYPES[str(node.value)].kind != "float"
    return to_whole or node.op in (*COMPARISONS, "round", "floor", "ceil")


_BEFORE = "Compute with its members before they are put together"
_AS_FLOATS = "Take `cast(x, float32)`, which is exact as long as values and result stay below 2**24"


def _number(value: Value) -> Number:
    assert not isinstance(value, Truth)
    return value


def _truth(value: Value) -> Truth | Scalar:
    assert not isinstance(value, Register)
    return value


def _absolute(build: Builder, x: Number) -> Number:
    if kind_of(x) == "int" or isinstance(x, Scalar):
        return build.extreme("max", x, build.negate(x))
    return build.function("abs", x)


def _relu(build: Builder, x: Number) -> Number:
    if isinstance(x, Scalar):
        return build.extreme("max", x, const(0) if x.kind == "int" else const(0.0))
    return build.emit("relu", x.dtype, x)


def _clip(build: Builder, x: Number, low: Number, high: Number) -> Number:
    return composite.limit(build, x, low, high)


_ARITHMETIC: dict[str, Callable[..., Number]] = {
    "add": Builder.add,
    "sub": Builder.subtract,
    "mul": Builder.multiply,
    "div": lambda build, a, b: build.divide(a, b),
    "neg": Builder.negate,
    "pow": composite.power,
    "abs": _absolute,
    "relu": _relu,
    "maximum": lambda build, a, b: build.extreme("max", a, b),
    "minimum": lambda build, a, b: build.extreme("min", a, b),
    "clip": _clip,
}

_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "exp": composite.exponential,
    "log": composite.logarithm,
    "sqrt": composite.square_root,
    "rsqrt": lambda build, x: composite.reciprocal(build, composite.square_root(build, x)),
    "reciprocal": composite.reciprocal,
    "sin": lambda build, x: build.function("sin", x),
    "cos": lambda build, x: build.function("cos", x),
    "tanh": composite.tanh,
    "erf": composite.erf,
    "sigmoid": composite.sigmoid,
    "silu": composite.silu,
    "leaky_relu": composite.leaky_relu,
}

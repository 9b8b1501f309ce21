"""What the host hands over for given sizes and attributes: the expected values of unit tests, examples and checks."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from opgen.formula.size_tree import Size, apply
from opgen.kernel.pypto.plan import PyptoPlan, TilingField, data_layout, pack

Number = int | float
_FORMAT = {"int": "<q", "float": "<f", "bool": "<?"}


@dataclass(frozen=True)
class Launch:
    """values: every field, block and quantity. key: packed. data: bytes of TilingData. blocks: the block dim.
    workspace: bytes of the user's own part."""

    values: Mapping[str, Number]
    items: Mapping[str, tuple[Number, ...]]
    key: int
    data: bytes
    blocks: int
    workspace: int

    @property
    def words(self) -> tuple[int, ...]:
        """TilingData as whole 64-bit words, as unit tests of operator repositories print it."""
        padded = self.data + bytes(-len(self.data) % 8)
        return struct.unpack(f"<{len(padded) // 8}q", padded)


def launch(plan: PyptoPlan, known: Mapping[str, Number]) -> Launch:
    """known: values of the names that plan.py lists and the plan does not compute. ValueError: a key field has no
    candidate of the value."""
    values: dict[str, Number] = dict(known)
    if plan.elements is not None:
        values.setdefault("elements", evaluate(plan.elements, values))
    fields = {field.name for field in plan.data}
    computed: dict[str, Number] = {}
    for name in plan.order:
        computed[name] = evaluate(plan.value(name), values)
        # A field of the name of an attribute holds the attribute.
        values.setdefault(name, computed[name]) if name in fields else values.update({name: computed[name]})
    items = {f.name: tuple(evaluate(item, values) for item in f.items) for f in plan.data if f.items}
    places, size = data_layout(plan.data)
    data = bytearray(size)
    for place in places:
        for number, value in enumerate(items.get(place.field.name, (computed[place.field.name],))):
            _write(data, place.offset, number, place.field, value)
    chosen = tuple(int(computed[field.name]) for field in plan.key)
    return Launch(
        values | computed,
        items,
        pack(plan.key, chosen),
        bytes(data),
        int(evaluate(plan.cores, values)),
        int(evaluate(plan.workspace, values)),
    )


def _write(data: bytearray, offset: int, number: int, field: TilingField, value: Number) -> None:
    form = _FORMAT[field.type]
    exact = float(value) if field.type == "float" else bool(value) if field.type == "bool" else int(value)
    struct.pack_into(form, data, offset + number * struct.calcsize(form), exact)


def evaluate(size: Size, env: Mapping[str, Number]) -> Number:
    """The value of an expression in which attributes may be floats. KeyError: a name has no value."""
    if size.op == "const":
        assert not isinstance(size.value, str)
        return size.value
    if size.op == "name":
        return env[str(size.value)]
    if size.op == "if":
        condition, then, otherwise = size.args
        return evaluate(then if evaluate(condition, env) else otherwise, env)
    values = [evaluate(arg, env) for arg in size.args]
    if size.op in ("floordiv", "mod", "ceildiv", "align") and not values[1]:
        return 0  # as the host code does where a size is zero
    if any(isinstance(value, float) for value in values):
        return _of_floats(size.op, values)
    return apply(size.op, [int(value) for value in values])


def _of_floats(op: str, v: list[Number]) -> Number:
    match op:
        case "neg":
            return -v[0]
        case "not":
            return int(not v[0])
        case "add":
            return v[0] + v[1]
        case "sub":
            return v[0] - v[1]
        case "mul":
            return v[0] * v[1]
        case "minimum":
            return min(v[0], v[1])
        case "maximum":
            return max(v[0], v[1])
        case "lt" | "le" | "gt" | "ge" | "eq" | "ne":
            return int(_RELATIONS[op](v[0], v[1]))
        case _:
            raise ValueError(f"{op} of a float")


_RELATIONS = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}

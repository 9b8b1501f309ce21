"""The normal form of integer expressions: a sum of products, so that equal sizes compare equal."""

from __future__ import annotations

from opgen.facts.dtypes import DTYPES
from opgen.formula.size_text import show
from opgen.formula.size_tree import Size, apply

# A sum: factors (sorted) -> coefficient. Factors are names and what is no sum or product of names.
Factors = tuple[Size, ...]
Sum = dict[Factors, int]

_MAX_TERMS = 64  # a product of sums with more terms than this is left as it is written


def simplify(size: Size) -> Size:
    """The normal form. It has the value of the expression wherever that has one."""
    if size.op in ("rest", "const", "name"):
        return size
    return _build(_sum(size))


def difference(first: Size, second: Size) -> int | None:
    """first - second, where that is the same number for all values of the names; else None."""
    if "rest" in (first.op, second.op):
        return 0 if first.op == second.op else None
    total = _add(_sum(first), _sum(second), -1)
    if not total:
        return 0
    return total[()] if set(total) == {()} else None


def least(size: Size) -> int | None:
    """The smallest value for dims from 1, where that follows from the form; else None. Only dims count as positive."""
    total = _sum(size)
    if any(
        factors and (count < 0 or not all(_is_symbol(factor) for factor in factors)) for factors, count in total.items()
    ):
        return None
    return sum(total.values())


def binding(size: Size) -> tuple[str, Size] | None:
    """(symbol, multiplier) of an axis that binds a dim: `S`, or `k * S` with `k` a number or an attribute."""
    size = simplify(size)
    if size.op == "name" and _is_symbol(size):
        return str(size.value), Size.const(1)
    if size.op != "mul":
        return None
    symbols = [arg for arg in size.args if _is_symbol(arg)]
    others = [arg for arg in size.args if not _is_symbol(arg)]
    if len(symbols) != 1 or len(others) != 1 or others[0].op not in ("const", "name"):
        return None
    if others[0].op == "const" and int(others[0].value) <= 0:
        return None
    return str(symbols[0].value), others[0]


def _is_symbol(size: Size) -> bool:
    return size.op == "name" and str(size.value)[:1].isupper()


def _sum(size: Size) -> Sum:
    """The expression as a sum. `...` and floats are factors like names; they meet nothing."""
    number = size.number
    if number is not None:
        return {(): int(number)} if number else {}
    if size.op in ("name", "rest", "const"):
        return {(size,): 1}
    args = tuple(_sum(arg) for arg in size.args)
    match size.op:
        case "neg":
            return {key: -count for key, count in args[0].items()}
        case "add":
            return _add(args[0], args[1], 1)
        case "sub":
            return _add(args[0], args[1], -1)
        case "mul":
            return _multiply(args[0], args[1])
        case "floordiv" | "mod" | "ceildiv" | "align":
            return _divide(size.op, args[0], args[1])
        case "if":
            return _choose(args)
        case "minimum" | "maximum":
            return _extreme(size.op, args[0], args[1])
        case "itemsize":
            known = DTYPES.get(str(size.value))
            return {(): known.size} if known else {(size,): 1}
        case _:
            return _compare(size.op, args)


def _add(first: Sum, second: Sum, sign: int) -> Sum:
    total = dict(first)
    for key, count in second.items():
        total[key] = total.get(key, 0) + sign * count
        if not total[key]:
            del total[key]
    return total


def _multiply(first: Sum, second: Sum) -> Sum:
    if len(first) * len(second) > _MAX_TERMS:
        factors = sorted((_build(first), _build(second)), key=show)
        return {tuple(factors): 1}
    total: Sum = {}
    for left, one in first.items():
        for right, two in second.items():
            key = tuple(sorted(left + right, key=show))
            total = _add(total, {key: one * two}, 1)
    return total


def _constant(value: Sum) -> int | None:
    if not value:
        return 0
    return value[()] if set(value) == {()} else None


def _divide(op: str, value: Sum, by: Sum) -> Sum:
    number, divisor = _constant(value), _constant(by)
    if divisor:
        if number is not None:
            return _number(apply(op, [number, divisor]))
        if op == "mod":
            value = {key: count for key, count in value.items() if count % divisor}
            number = _constant(value)
            if number is not None:
                return _number(number % divisor)
        elif all(count % divisor == 0 for count in value.values()):
            return dict(value) if op == "align" else {key: count // divisor for key, count in value.items()}
    elif divisor is None and op != "mod" and value and value == by:
        return dict(value) if op == "align" else {(): 1}
    return _atom(op, value, by)


def _choose(args: tuple[Sum, ...]) -> Sum:
    condition = _constant(args[0])
    if condition is not None:
        return dict(args[1] if condition else args[2])
    if args[1] == args[2]:
        return dict(args[1])
    return _atom("if", *args)


def _extreme(op: str, first: Sum, second: Sum) -> Sum:
    difference = _constant(_add(first, second, -1))
    if difference is not None:
        return dict(first if (difference <= 0) == (op == "minimum") else second)
    one, two = sorted((_build(first), _build(second)), key=show)
    return {(Size(op, (one, two)),): 1}


def _compare(op: str, args: tuple[Sum, ...]) -> Sum:
    if op == "not":
        value = _constant(args[0])
        return _atom(op, args[0]) if value is None else _number(int(not value))
    difference = _constant(_add(args[0], args[1], -1))
    return _atom(op, *args) if difference is None else _number(apply(op, [difference, 0]))


def _number(value: int) -> Sum:
    return {(): value} if value else {}


def _atom(op: str, *args: Sum) -> Sum:
    return {(Size(op, tuple(_build(arg) for arg in args)),): 1}


def _build(total: Sum) -> Size:
    """The expression of a sum: products of many factors first, what is subtracted last, the number at the end."""
    if not total:
        return Size.const(0)
    terms = sorted(total.items(), key=lambda term: (term[1] < 0, -len(term[0]), [show(part) for part in term[0]]))
    numbers = [term for term in terms if not term[0]]
    terms = [term for term in terms if term[0]] + numbers
    if terms[0][1] < 0 and numbers and numbers[0][1] > 0:
        terms = numbers + [term for term in terms if term[0]]
    factors, count = terms[0]
    if count < 0 and factors and count != -1:
        result = _product(factors, count)
    elif count < 0 and factors:
        result = Size("neg", (_product(factors, 1),))
    else:
        result = _product(factors, count)
    for factors, count in terms[1:]:
        result = Size("add" if count > 0 else "sub", (result, _product(factors, abs(count))))
    return result


def _product(factors: Factors, count: int) -> Size:
    parts = list(factors)
    if count != 1 or not parts:
        parts.insert(0, Size.const(count))
    result = parts[0]
    for part in parts[1:]:
        result = Size("mul", (result, part))
    return result

"""`compute` of op.yaml: syntax, names, and every variant's kinds and shapes (OPG301 to OPG308)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from opgen.formula.infer import resolve
from opgen.formula.signature import Signature, Variant
from opgen.formula.sizes import Size, names
from opgen.formula.syntax import Formula, FormulaError, parse
from opgen.spec.collect import Collector, at
from opgen.spec.names import reserved_name

_SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# Rules whose findings stay true when a tensor's type or shape is still wrong.
_OF_NAMES = frozenset(("OPG301", "OPG302", "OPG303", "OPG306"))


def read_formula(source: str, pointer: str, out: Collector) -> Formula | None:
    """The formula as written; None when it is none, which is reported."""
    try:
        return parse(source)
    except FormulaError as error:
        out.problems(pointer, error.problems)
        return None


def check_formula(
    formula: Formula,
    signature: Signature,
    variants: Iterable[Variant],
    pointer: str,
    out: Collector,
    only_names: bool = False,
) -> None:
    """Reports each problem once, for the first variant that has it. only_names: the signature is not right yet."""
    _check_temporaries(formula, signature, pointer, out)
    seen: set[tuple[str, int]] = set()
    for variant in variants:
        for problem in resolve(formula, signature, variant)[1]:
            if (problem.rule, problem.offset) not in seen and (not only_names or problem.rule in _OF_NAMES):
                seen.add((problem.rule, problem.offset))
                out.problems(pointer, [problem])
    if not seen:
        _check_read(formula, signature, pointer, out)


def _check_temporaries(formula: Formula, signature: Signature, pointer: str, out: Collector) -> None:
    outputs = {tensor.name for tensor in signature.outputs}
    for line in formula.lines:
        if line.name in outputs:
            continue
        if not _SNAKE.fullmatch(line.name):
            what = f"the temporary `{line.name}` is not in lower snake case"
            why = "Temporaries become names in the kernel; capitals are for dims and type symbols."
            near = re.sub(r"_+", "_", line.name).strip("_").lower() or "t"
            out.add("OPG103", pointer, what, why, f"Call it `{near}`.", offset=line.offset, length=line.length)
        else:
            reserved_name(line.name, pointer, "temporary", out, line.offset)


def _check_read(formula: Formula, signature: Signature, pointer: str, out: Collector) -> None:
    """OPG308. Attributes may also choose a type or a size."""
    read = set(_read(formula))
    shaped = {t.dtype for t in signature.inputs + signature.outputs}
    for tensor in signature.inputs + signature.outputs:
        for size in (*tensor.shape, tensor.count, tensor.low, tensor.high):
            if isinstance(size, Size):
                shaped.update(names(size))
    owner = pointer.rpartition("/")[0]
    for number, tensor in enumerate(signature.inputs):
        if tensor.name not in read:
            what, why = f"the input `{tensor.name}` is never read", "It would be copied to the chip for nothing."
            out.add("OPG308", at(owner, "inputs", number, "name"), what, why, "Use it in the formula, or remove it.")
    for number, attr in enumerate(signature.attrs):
        if attr.name not in read | shaped:
            what, why = f"the attribute `{attr.name}` is never read", "A caller would set it in vain."
            out.add("OPG308", at(owner, "attrs", number, "name"), what, why, "Use it in the formula, or remove it.")
    outputs = {tensor.name for tensor in signature.outputs}
    for line in formula.lines:
        if line.name not in outputs and line.name not in read:
            what, why = f"the temporary `{line.name}` is never read", "It would be computed for nothing."
            fix = "Remove the line, or assign it to an output."
            out.add("OPG308", pointer, what, why, fix, offset=line.offset, length=line.length)


def _read(formula: Formula) -> Iterator[str]:
    for expr in formula.walk():
        if expr.op == "name":
            yield str(expr.value)
        if isinstance(expr.value, Size):
            yield from names(expr.value)
        for index in expr.index:
            for size in (index.start, index.stop):
                if size is not None:
                    yield from names(size)

"""`compute` of op.yaml: syntax, names, and every variant's kinds and shapes (OPG301 to OPG308)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from opgen.formula.infer import resolve
from opgen.formula.signature import Signature, Variant
from opgen.formula.syntax import Formula, FormulaError, parse
from opgen.spec.collect import Collector, at
from opgen.spec.names import reserved_name
from opgen.spec.usage import unused

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
    read_elsewhere: Iterable[str] = (),
) -> None:
    """Reports each problem once, for the first variant that has it.

    only_names: the signature is not right yet. read_elsewhere: names that something else than formula and shapes reads.
    """
    _check_temporaries(formula, signature, pointer, out)
    seen: set[tuple[str, int]] = set()
    for variant in variants:
        for problem in resolve(formula, signature, variant)[1]:
            if (problem.rule, problem.offset) not in seen and (not only_names or problem.rule in _OF_NAMES):
                seen.add((problem.rule, problem.offset))
                out.problems(pointer, [problem])
    if not seen:
        _check_read(formula, signature, read_elsewhere, pointer, out)


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


def _check_read(
    formula: Formula, signature: Signature, read_elsewhere: Iterable[str], pointer: str, out: Collector
) -> None:
    """OPG308. Temporaries have their place in the formula, inputs and attributes where they are declared."""
    owner = pointer.rpartition("/")[0]
    places = {("input", t.name): at(owner, "inputs", number, "name") for number, t in enumerate(signature.inputs)}
    places |= {("attr", a.name): at(owner, "attrs", number, "name") for number, a in enumerate(signature.attrs)}
    for what, name, problem in unused(formula, signature, read_elsewhere):
        if what == "temporary":
            out.problems(pointer, [problem])
        else:
            out.add(problem.rule, places[what, name], problem.what, problem.why, problem.fix)

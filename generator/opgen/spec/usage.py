"""What a formula reads, and what nothing reads (OPG308)."""

from __future__ import annotations

from collections.abc import Iterable

from opgen.formula.problems import Problem
from opgen.formula.signature import Signature
from opgen.formula.sizes import Size, names, type_names
from opgen.formula.syntax_tree import Expr, Formula


def reads(expr: Expr) -> frozenset[str]:
    """Every name in an expression: tensors, attributes, dims, types; both sides of a condition."""
    found: set[str] = set()
    for part in expr.walk():
        if part.op == "name":
            found.add(str(part.value))
        sizes = [part.value] if isinstance(part.value, Size) else []
        for entry in part.index:
            sizes += [bound for bound in (entry.start, entry.stop) if bound is not None]
        for size in sizes:
            found.update(names(size), type_names(size))
    return frozenset(found)


def unused(formula: Formula, signature: Signature, also: Iterable[str] = ()) -> tuple[tuple[str, str, Problem], ...]:
    """(what it is, name, problem) of each temporary, input and attribute that nothing reads.

    Both sides of every condition count, so the answer holds for all variants together. Attributes are also read by
    shapes, counts, limits and types of tensors, and by what else the caller names in `also`. The offset is that of the
    assignment for a temporary, and 0 for an input or attribute.
    """
    outputs = {tensor.name for tensor in signature.outputs}
    before: set[str] = set()  # read as inputs: in-place ones up to their own line
    after: set[str] = set()  # read as earlier lines
    assigned: set[str] = set()
    for line in formula.lines:
        found = reads(line.value)
        after |= found & assigned
        before |= found - assigned
        assigned.add(line.name)
    elsewhere = set(also) | _signature_reads(signature)
    result: list[tuple[str, str, Problem]] = []
    for line in formula.lines:
        if line.name not in outputs and line.name not in after:
            what, why = f"the temporary `{line.name}` is never read", "It would be computed for nothing."
            fix = "Remove the line, or use the name."
            result.append(("temporary", line.name, Problem("OPG308", what, why, fix, line.offset, line.length)))
    for tensor in signature.inputs:
        if tensor.name not in before:
            what, why = f"the input `{tensor.name}` is never read", "The kernel would copy it for nothing."
            result.append(("input", tensor.name, Problem("OPG308", what, why, "Remove it, or use it in `compute`.", 0)))
    for attr in signature.attrs:
        if attr.name not in before | elsewhere:
            what, why = f"the attribute `{attr.name}` is never read", "Callers would set it for nothing."
            result.append(("attr", attr.name, Problem("OPG308", what, why, "Remove it, or use it in `compute`.", 0)))
    return tuple(result)


def _signature_reads(signature: Signature) -> set[str]:
    found: set[str] = set()
    for tensor in (*signature.inputs, *signature.outputs):
        found.add(tensor.dtype)
        for size in (*tensor.shape, tensor.count, tensor.low, tensor.high):
            if isinstance(size, Size):
                found.update(names(size))
    return found

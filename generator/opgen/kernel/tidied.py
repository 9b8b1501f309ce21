"""Text of a kernel that was joined from several, tidied: branches in one piece, no barriers without a purpose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from opgen.kernel.joined import Statement, parse

_BARRIER = 'T.pipe_barrier("v")'
# What gives the vector unit nothing to do.
_IDLE = ("#", "T.set_flag", "T.wait_flag")


def tidied(lines: Sequence[str]) -> list[str]:
    """The lines without barriers that follow one, or that another follows, with nothing to wait for in between; with
    those inside that stand between the same branches; and with one condition for a branch that is all of another."""
    statements, _ = _sparse(_ended(_fused(parse(lines))), False)
    return [line for statement in _flat(statements) for line in _lines(statement)]


def _flat(statements: Sequence[Statement]) -> Iterator[Statement]:
    for statement in statements:
        this = replace(statement, suites=tuple(tuple(_flat(suite)) for suite in statement.suites))
        inner = this.suites[0][0] if len(this.suites) == 1 and len(this.suites[0]) == 1 else None
        if inner and len(inner.suites) == 1 and all(map(_one_condition, (this, inner))):
            tests = [f"({test})" if " or " in test else test for test in (_test(this), _test(inner))]
            this = replace(inner, heads=(f"if {' and '.join(tests)}:",))
        yield this


def _one_condition(statement: Statement) -> bool:
    head = statement.heads[0]
    return head.startswith("if ") and "\n" not in head


def _test(statement: Statement) -> str:
    return statement.heads[0].removeprefix("if ").removesuffix(":")


def _fused(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements with branches joined that have the same conditions and barriers between them."""
    result: list[Statement] = []
    for statement in statements:
        this = replace(statement, suites=tuple(map(_fused, statement.suites)))
        between = 0
        while len(result) > between and result[-1 - between].heads[0] == _BARRIER:
            between += 1
        before = result[-1 - between] if len(result) > between else None
        heads = before.heads if before else ()
        if before and between and this.heads[-1] == "else:" and heads in (this.heads, this.heads[:1]):
            barrier = result[-1]
            del result[-1 - between :]
            suites = [(*a, barrier, *b) for a, b in zip_longest(before.suites, this.suites, fillvalue=())]
            this = replace(this, suites=tuple(map(_fused, suites)))
        result.append(this)
    return tuple(result)


def _sparse(statements: Sequence[Statement], done: bool) -> tuple[tuple[Statement, ...], bool]:
    """done: whether the vector unit has nothing to do in front of the statements; the same behind them."""
    result: list[Statement] = []
    for statement in statements:
        head = statement.heads[0]
        if head == _BARRIER:
            if not done:
                result.append(statement)
            done = True
        elif statement.suites:
            branching = head.startswith("if ")
            suites, ends = zip(*(_sparse(suite, done and branching) for suite in statement.suites), strict=True)
            kept = [suite or before for suite, before in zip(suites, statement.suites, strict=True)]
            if any(suites):
                result.append(replace(statement, suites=tuple(kept)))
            whole = statement.heads[-1] == "else:"
            done = branching and all(ends) and (whole or done)
        else:
            result.append(statement)
            done = done and not _works(head)
    return tuple(result), done


def _ended(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements with branches that do not end with a barrier where one follows them."""
    result: list[Statement] = []
    for position, statement in enumerate(statements):
        suites = tuple(map(_ended, statement.suites))
        follows = next((s.heads[0] for s in statements[position + 1 :] if _works(s.heads[0])), "")
        if follows == _BARRIER and statement.heads[0].startswith("if "):
            suites = tuple(
                suite[:-1] if len(suite) > 1 and suite[-1].heads[0] == _BARRIER else suite for suite in suites
            )
        result.append(replace(statement, suites=suites))
    return tuple(result)


def _works(head: str) -> bool:
    return bool(head) and not head.startswith(_IDLE) and " = T.meta_var(" not in head


def _lines(statement: Statement) -> Iterator[str]:
    if not statement.suites:
        yield from statement.heads[0].split("\n")
    for head, suite in zip(statement.heads, statement.suites, strict=False):
        yield from head.split("\n")
        for inner in suite:
            yield from (f"    {line}" if line else "" for line in _lines(inner))

"""Joined texts of a kernel, tidied: the vector unit does the same, and waits between the same instructions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from opgen.kernel.tidied import tidied

BARRIER = 'T.pipe_barrier("v")'
CHOICES = list(itertools.product((True, False), repeat=2))


class Recorder:
    """Stands for T: what is called, in order."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Recorder:
        self.calls.append(name)
        return self

    def __call__(self, *args: object) -> None:
        if args and name_of(args[0]):
            self.calls[-1] += f" {args[0]}"


def name_of(argument: object) -> bool:
    return isinstance(argument, str) and argument != "v"


def run(text: Sequence[str], half: bool, has_bias: bool) -> list[tuple[str, bool]]:
    """What a text does: instructions and flags, and for an instruction whether a barrier is between it and the last."""
    recorder = Recorder()
    exec("\n".join([*text, "pass"]), {"T": recorder, "half": half, "has_bias": has_bias})
    result, waited = [], False
    for call in recorder.calls:
        if call == "pipe_barrier":
            waited = True
        elif call.startswith("set_flag"):
            result.append((call, False))
        else:
            result.append((call, waited))
            waited = False
    return result


def test_a_barrier_behind_a_barrier_goes() -> None:
    text = [BARRIER, "# y = x", 'T.set_flag("v", "mte3", 2)', BARRIER, "T.exp('a')"]
    assert tidied(text) == [BARRIER, "# y = x", 'T.set_flag("v", "mte3", 2)', "T.exp('a')"]


def test_a_branch_does_not_end_with_a_barrier_in_front_of_another() -> None:
    text = ["if half:", "    T.cast('a')", f"    {BARRIER}", BARRIER, "T.exp('a')"]
    assert tidied(text) == ["if half:", "    T.cast('a')", BARRIER, "T.exp('a')"]


def test_branches_of_the_same_conditions_are_one() -> None:
    one = ["if half:", "    T.exp('a')", "else:", "    T.exp('b')"]
    text = [*one, BARRIER, *(line.replace("exp", "abs") for line in one)]
    assert tidied(text) == [
        "if half:",
        "    T.exp('a')",
        f"    {BARRIER}",
        "    T.abs('a')",
        "else:",
        "    T.exp('b')",
        f"    {BARRIER}",
        "    T.abs('b')",
    ]


def test_a_branch_that_is_all_of_another_has_one_condition() -> None:
    text = ["if half or has_bias:", "    if has_bias:", "        T.exp('a')"]
    assert tidied(text) == ["if (half or has_bias) and has_bias:", "    T.exp('a')"]


NAMES = st.sampled_from(["a", "b", "c"])
PLAIN = st.one_of(st.just([BARRIER]), NAMES.map(lambda n: [f"T.exp('{n}')"]), st.just(['T.set_flag("v", "mte3", 2)']))


def branch(inner: list[list[str]], other: list[list[str]], head: str) -> list[str]:
    lines = [head, *(f"    {line}" for part in inner for line in part)]
    return [*lines, "else:", *(f"    {line}" for part in other for line in part)] if other else lines


SUITES = st.lists(PLAIN, min_size=1, max_size=3)
HEADS = st.sampled_from(["if half:", "if has_bias:", "if not half:"])
BRANCHES = st.builds(branch, SUITES, st.one_of(st.just([]), SUITES), HEADS)
NESTED = st.builds(branch, st.lists(st.one_of(PLAIN, BRANCHES), min_size=1, max_size=3), st.just([]), HEADS)


@given(st.lists(st.one_of(PLAIN, BRANCHES, NESTED), max_size=8))
def test_it_does_what_it_did(parts: list[list[str]]) -> None:
    text = [line for part in parts for line in part]
    for half, has_bias in CHOICES:
        assert run(tidied(text), half, has_bias) == run(text, half, has_bias)

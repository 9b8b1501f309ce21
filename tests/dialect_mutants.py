"""Ways to break a correct kernel: each gives texts with one mistake, and the rules one of which has to speak.

Rules none: the numbers may tell instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

RACE = frozenset({"OPG725", "OPG732"})
ORDER = frozenset({"OPG720", "OPG721", "OPG722", "OPG724", "OPG725"})


@dataclass(frozen=True)
class Mutant:
    """what: for messages. line: counts from 1. rules: one of them must be found; empty: wrong numbers will do too."""

    what: str
    line: int
    text: str
    rules: frozenset[str]


Way = Callable[[str], Iterator[Mutant]]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines of the kernel's body."""
    inside = False
    for number, line in enumerate(text.split("\n")):
        inside = inside or "T.Kernel(" in line
        if inside and line and not line.startswith(" "):
            return
        if inside:
            yield number, line


def _with(text: str, number: int, line: str | None) -> str:
    lines = text.split("\n")
    if line is None:
        lines[number] = lines[number][: len(lines[number]) - len(lines[number].lstrip())] + "pass"
    else:
        lines[number] = line
    return "\n".join(lines)


def dropped(pattern: str, rules: frozenset[str] = ORDER) -> Way:
    """Without one line that matches."""

    def way(text: str) -> Iterator[Mutant]:
        for number, line in _lines(text):
            if re.search(pattern, line):
                yield Mutant(f"dropped {line.strip()}", number + 1, _with(text, number, None), rules)

    return way


def changed(pattern: str, new: str, rules: frozenset[str] = frozenset()) -> Way:
    """One line with something else."""

    def way(text: str) -> Iterator[Mutant]:
        for number, line in _lines(text):
            other = re.sub(pattern, new, line)
            if other != line:
                yield Mutant(f"{line.strip()} -> {other.strip()}", number + 1, _with(text, number, other), rules)

    return way


def constant(pattern: str, new: str, rules: frozenset[str] = frozenset()) -> Way:
    """One place anywhere in the text."""

    def way(text: str) -> Iterator[Mutant]:
        for match in re.finditer(pattern, text):
            other = text[: match.start()] + match.expand(new) + text[match.end() :]
            line = text[: match.start()].count("\n") + 1
            yield Mutant(f"{match[0]} -> {match.expand(new)}", line, other, rules)

    return way


def _rules(*names: str) -> frozenset[str]:
    return frozenset(f"OPG{name}" for name in names)


WAYS: dict[str, Way] = {
    "set_flag left out": dropped(r"T\.set_flag"),
    "wait_flag left out": dropped(r"T\.wait_flag"),
    "vector barrier left out": dropped(r'T\.pipe_barrier\("v"\)', _rules("721")),
    "barrier left out": dropped(r"T\.barrier_all"),
    "cross-core flag left out": dropped(r"T\.(set|wait)_cross_flag", _rules("724", "725")),
    "sync_all left out": dropped(r"T\.sync_all", _rules("725")),
    "another id for one flag": changed(r"(T\.(?:set|wait)_flag\(.*), (EVENT|[2-7])", r"\1, 1 + \2", ORDER),
    "the compiler's events": constant(r"EVENT = 2", "EVENT = 0", _rules("723")),
    "ids that do not exist": constant(r"EVENT = 2", "EVENT = 7", _rules("723")),
    "another source pipe": changed(r'_flag\("(mte1|mte2|mte3|v|m)"', '_flag("s"', ORDER),
    "another target pipe": changed(r'_flag\("(\w+)", "(\w+)"', r'_flag("\1", "s"', ORDER),
    "the same for both vector cores": changed(r" \+ vid\b|\bvid \* ", ""),
    "one place for both vector cores": changed(r"^(\s+(?:start|first|turn|worker) = .*) \+ vid\b", r"\1", RACE),
    "the same for all blocks": changed(r"\bcid \* 2 \+ ", ""),
    "one place for all blocks": changed(r"^(\s+(?:start|first|turn|worker) = .*)\bcid \* 2 \+ ", r"\1", RACE),
    "one element further": changed(r"^(\s+(?:start|first|turn) = )(.*)$", r"\1\2 + 1"),
    "sixteen elements before": changed(r"^(\s+(?:start|first) = )(.*)$", r"\1\2 - 16", _rules("731")),
    "a round less": constant(r"T\.serial\((rounds|T\.ceildiv\(.*\))\):", r"T.serial(\1 - 1):"),
    "smaller buffers": changed(r"alloc_(ub|L1|L0A|L0B|L0C)\((\(.*), (\w+)\)", r"alloc_\1(\2, \3 // 2)"),
    "smaller flat buffers": changed(r"alloc_ub\(\((\w+),\)", r"alloc_ub((\1 // 2,)"),
    "another type": changed(r'alloc_(ub|L1|L0A|L0B|L0C)\((.*), (dtype|"\w+")\)', r'alloc_\1(\2, "int64")'),
    "cast without rounding": changed(r'T\.tile\.cast(.*)"CAST_RINT"', r'T.tile.cast\1"CAST_ODD"'),
    "rounding where nothing is to round": changed(r'"CAST_NONE"', '"CAST_RINT"', _rules("741")),
    "too many elements": changed(r"(T\.tile\.cast\(.*), ([^,]+)\)$", r"\1, \2 + 64)", _rules("731", "730", "720")),
    "a load left out": dropped(r"T\.copy\((?:x|y|a|b|table|mask|s|sums|workspace)\[", frozenset()),
    "a store left out": dropped(r"T\.copy\(.*, (?:y|z|c|workspace|sums)\[", frozenset()),
    "a vector operation left out": dropped(r"T\.tile\.|T\.reduce|T\.mma|T\.gemm_v0", frozenset()),
    "rows without padding": constant(r"PADDED = 208", "PADDED = 200", _rules("711")),
    "padding of zeros": changed(r', pad_value=-T\.infinity\("float16"\)', ""),
    "more than fits": constant(r"TILE = (\d+)", r"TILE = \1 * 64", frozenset()),
    "always a fresh sum": changed(r"init=\(i == 0\)", "init=True"),
    "never a fresh sum": changed(r"init=(\(i == 0\)|True)", "init=False", _rules("730")),
}

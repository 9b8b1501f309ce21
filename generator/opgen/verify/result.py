"""What the ladder found, as data that processes can hand to each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

Status = Literal["passed", "failed", "skipped"]

# The rungs, from the ground up, with what each shows.
RUNGS: dict[str, str] = {
    "spec": "op.yaml has no errors",
    "files": "every generated file is what op.yaml says",
    "kernel": "the kernel, executed under the rules of the chip",
    "numbers": "its results against the formula in NumPy",
    "cpp": "the C++ at -Wall -Wextra -Werror",
    "host": "pypto: definition, inference, tiling and unit tests, executed",
    "chain": "run.sh as it is, in the stand-in; pypto: both examples",
}


@dataclass(frozen=True)
class Result:
    """One rung.

    summary: one line; of a skipped rung, why. details: what a person needs to see of failures and warnings. lacking:
    skipped because something is not installed here. seconds: wall time.
    """

    rung: str
    status: Status
    summary: str
    details: str = ""
    lacking: bool = False
    seconds: float = 0.0


@dataclass(frozen=True)
class Climbed:
    """One project in one scenario. refused: op.yaml cannot be used. asked: the scenario was put in by opgen."""

    project: str
    scenario: str
    results: tuple[Result, ...]
    refused: bool = False
    asked: bool = False

    @property
    def title(self) -> str:
        return f"{self.project} (as {self.scenario})" if self.asked else f"{self.project} ({self.scenario})"

    def count(self, status: Status) -> int:
        return sum(result.status == status for result in self.results)


def as_data(climbed: Climbed) -> dict[str, Any]:
    return asdict(climbed)


def from_data(data: Mapping[str, Any]) -> Climbed:
    return Climbed(**{**data, "results": tuple(Result(**result) for result in data["results"])})


def exit_code(everything: Iterable[Climbed], strict: bool) -> int:
    """0: all passed; 1: a rung failed, or with `strict` could not be climbed here; 2: an op.yaml cannot be used."""
    code = 0
    for climbed in everything:
        lacking = strict and any(result.lacking for result in climbed.results)
        code = max(code, 2 if climbed.refused else 1 if climbed.count("failed") or lacking else 0)
    return code

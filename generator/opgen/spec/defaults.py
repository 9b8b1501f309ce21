"""What a repository says for all its projects. Imports nothing, for checks that read no op.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Defaults:
    """cann, soc: where op.yaml has none; soc "" is the scenario's usual one. first: the language of README.md."""

    cann: str = "9.2"
    soc: str = ""
    first: Literal["en", "zh"] = "zh"

"""What a repository says for all its projects. Imports nothing, for checks that read no op.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CMAKE_MACROS = ("add_modules_sources", "add_modules_sources_with_soc", "add_all_modules_sources")


@dataclass(frozen=True)
class Repository:
    """The operator repository that PyPTO folders are for. macro: of CMAKE_MACROS, what its CMake adds the sources of an
    operator with. require_pypto_pro: it has that macro, which skips an operator where Python has no pypto_pro. vendor:
    of the operator package, in commands."""

    macro: str = CMAKE_MACROS[0]
    require_pypto_pro: bool = False
    vendor: str = "custom"

    @property
    def at_root(self) -> bool:
        """Whether the macro is called in the operator's own folder, not in op_host."""
        return self.macro == "add_all_modules_sources"


@dataclass(frozen=True)
class Defaults:
    """cann, soc: where op.yaml has none; soc "" is the scenario's usual one. first: the language of README.md."""

    cann: str = "9.2"
    soc: str = ""
    first: Literal["en", "zh"] = "zh"
    repository: Repository = Repository()

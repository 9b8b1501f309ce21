"""Kernel scripts of the Ascend dialect, unchanged, compiled for the CPU through TileLang's target `c`."""

from opgen.dialect.cpu.environment import Environment, conflict, describe, ensure, find, interpreter

__all__ = ["Environment", "conflict", "describe", "ensure", "find", "interpreter"]

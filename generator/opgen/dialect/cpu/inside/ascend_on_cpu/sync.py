"""Flags and barriers. Within a core everything happens in program order here; between cores it does not."""

from __future__ import annotations

from typing import Any

from .tracing import call, current

_PIPES = ("fix", "mte1", "mte2", "mte3", "m", "v", "s")


def _check_pipes(what: str, *pipes: str) -> None:
    for pipe in pipes:
        if not isinstance(pipe, str) or pipe.lower() not in _PIPES:
            raise ValueError(f"{what}: pipe {pipe!r}: must be one of {', '.join(_PIPES)}")


def set_flag(src: str, dst: str, eventId: Any) -> None:  # noqa: N803 - the dialect's name
    """T.set_flag: nothing to do, the pipes of a core run in program order."""
    _check_pipes("T.set_flag", src, dst)


def wait_flag(src: str, dst: str, eventId: Any) -> None:  # noqa: N803
    """T.wait_flag."""
    _check_pipes("T.wait_flag", src, dst)


def pipe_barrier(pipe: str) -> None:
    """T.pipe_barrier."""
    if pipe != "all":
        _check_pipes("T.pipe_barrier", pipe)


def barrier_all() -> None:
    """T.barrier_all."""


def set_cross_flag(pipe: str, flag: Any, mode: int = 2) -> Any:
    """T.set_cross_flag: from the cube core to both vector cores of a block, or from them to it."""
    if mode != 2:
        raise NotImplementedError(f"T.set_cross_flag: mode {mode}: only mode 2 is known")
    current().flags = True
    return call("set_cross_flag", flag)


def wait_cross_flag(flag: Any, pipe: str = "") -> Any:
    """T.wait_cross_flag."""
    current().flags = True
    return call("wait_cross_flag", flag)


def sync_all() -> Any:
    """T.sync_all: waits for all cores of the launch."""
    current().everyone = True
    return call("sync_all")

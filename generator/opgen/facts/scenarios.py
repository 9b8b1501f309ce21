"""Scenarios: how the kernel gets to the device."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scenario:
    """letter: as the GE samples call it. interfaces: base classes of the operator, in order. neighbour: the scenario
    that the README compares with."""

    name: str
    letter: str
    interfaces: tuple[str, ...]
    neighbour: str
    programs: tuple[str, ...]


SCENARIOS: dict[str, Scenario] = {
    s.name: s
    for s in (
        Scenario("eager", "A", ("EagerExecuteOp", "ShapeInferOp"), "online", ("session_run",)),
        Scenario("online", "B", ("CompilableOp", "EagerExecuteOp", "ShapeInferOp"), "eager", ("session_run",)),
        Scenario(
            "offline",
            "C",
            ("CompilableOp", "PortableOp", "EagerExecuteOp", "ShapeInferOp"),
            "online",
            ("graph_build", "model_exec"),
        ),
    )
}

MAX_KERNELS = 64  # of one operator in one process
MAX_KEY_LENGTH = 200
MAX_KERNEL_BYTES = 100 * 1024 * 1024

# What Serialize writes at the head of the kernels of an operator.
SERIAL_MAGIC = 0x4F504B4E
SERIAL_VERSION = 2

"""opgen doctor: what is installed here and what that allows; prepares what opgen itself needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from opgen.cli.arguments import Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console
from opgen.verify.inventory import Item, inventory
from opgen.verify.process import interruptible
from opgen.verify.surroundings import listed, require_programs

_EPILOG = "--install puts both into the user's cache; nothing else of the machine changes."


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("doctor", COMMANDS["doctor"], _EPILOG)
    parser.add_argument(
        "--install", action="store_true", help="build the CANN stand-in and install TileLang for the CPU"
    )
    parser.add_argument(
        "--format", type=parser.one_of(("text", "json")), default="text", metavar="FORMAT", help="text or json"
    )
    arguments = parser.read(words)
    if arguments.install:
        with interruptible():
            _install(console)
    items = list(inventory())
    if arguments.format == "json":
        console.json({"format": 1, "items": [asdict(item) for item in items]})
    else:
        console.data("".join(f"{line}\n" for item in items for line in _lines(item)))
        console.note(_verdict(items))
    return 0


def _install(console: Console) -> None:
    from opgen.dialect.cpu import environment
    from opgen.sim import build

    require_programs()
    build.ensure(console.note)
    environment.ensure(console.note)


def _lines(item: Item) -> Iterator[str]:
    yield f"{item.name:<22}{item.found or 'not found'}"
    yield f"{'':<4}{'for':<9}{item.allows}"
    if not item.found and item.without:
        yield f"{'':<4}{'without':<9}{item.without}"
    if item.warning:
        yield f"{'':<4}{'warning' if item.found else 'why':<9}{item.warning}"


def _verdict(items: Sequence[Item]) -> str:
    there = {item.name for item in items if item.found}
    if {"CANN", "NPU"} <= there:
        return "`opgen run` uses CANN and the NPU"
    missing = [name for name in ("g++", "cmake", "make") if name not in there]
    if missing:
        return f"`opgen run` cannot work: {listed(missing)} not found"
    if {"CANN stand-in", "TileLang for the CPU"} <= there:
        return "`opgen run` runs in the stand-in"
    return "`opgen run` runs in the stand-in, which it prepares first (or `opgen doctor --install` now)"

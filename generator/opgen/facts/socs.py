"""Chips: names, TileLang platform, memories."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """A family of chips as TileLang-Ascend names it. Memories are bytes, cores are AI cores of the usual part."""

    name: str
    unified_buffer: int
    l1: int
    l0a: int
    l0b: int
    l0c: int
    cores: int


# 196352 is 192 KiB less 256 bytes: what TileLang-Ascend's memory planner gives out on every platform.
PLATFORMS = {
    "A2": Platform("A2", 196352, 524032, 65536, 65536, 131072, 24),
    "A3": Platform("A3", 196352, 524032, 65536, 65536, 131072, 24),
    "A5": Platform("A5", 196352, 524032, 65536, 65536, 131072, 32),
}


# Platforms that kernels are generated for: TileLang compiles for A5 through another target.
GENERATED_FOR = ("A2", "A3")

# More AI cores than any of these chips has: what limits on sizes allow for.
MAX_CORES = 64


@dataclass(frozen=True)
class Soc:
    """A chip. name: as GE and ATC spell it. platform: key of PLATFORMS. since: first CANN version that knows it."""

    name: str
    platform: str
    since: str
    aliases: tuple[str, ...] = ()


SOCS: tuple[Soc, ...] = (
    Soc("Ascend910B1", "A2", "9.0", ("910B1",)),
    Soc("Ascend910B2", "A2", "9.0", ("910B2",)),
    Soc("Ascend910B2C", "A2", "9.0", ("910B2C",)),
    Soc("Ascend910B3", "A2", "9.0", ("910B3",)),
    Soc("Ascend910B4", "A2", "9.0", ("910B4",)),
    Soc("Ascend910B4-1", "A2", "9.0", ("910B4-1",)),
    Soc("Ascend910_9362", "A3", "9.0", ("910_9362",)),
    Soc("Ascend910_9372", "A3", "9.0", ("910_9372",)),
    Soc("Ascend910_9381", "A3", "9.0", ("910_9381",)),
    Soc("Ascend910_9382", "A3", "9.0", ("910_9382",)),
    Soc("Ascend910_9391", "A3", "9.0", ("910_9391",)),
    Soc("Ascend910_9392", "A3", "9.0", ("910_9392",)),
    Soc("ascend950", "A5", "9.1", ("Ascend950", "950", "ascend910_95", "Ascend910_95", "910_95")),
)

DEFAULT_SOC = "Ascend910_9362"
DEFAULT_PYPTO_SOC = "ascend950"

# Names of families, in small letters: each stands for several chips, which GE tells apart. Repositories of CANN
# operators and spoken language use them. Name -> how the names of its chips begin.
FAMILIES = {
    "ascend910b": "Ascend910B",
    "910b": "Ascend910B",
    "ascend910_93": "Ascend910_93",
    "910_93": "Ascend910_93",
    "ascend910c": "Ascend910_93",
    "910c": "Ascend910_93",
}

# Chips that people name and that no scenario serves, in small letters: how the name begins, and the reason.
UNSUPPORTED = {
    "ascend310": "TileLang-Ascend has no platform for it",
    "ascend610": "TileLang-Ascend has no platform for it",
    "ascend910a": "TileLang-Ascend has no platform for it, and it has no bfloat16",
    "ascend910pro": "TileLang-Ascend has no platform for it, and it has no bfloat16",
    "ascend910premium": "TileLang-Ascend has no platform for it, and it has no bfloat16",
    "310": "TileLang-Ascend has no platform for it",
    "910a": "TileLang-Ascend has no platform for it, and it has no bfloat16",
}

# Names that mean a chip only when they stand alone.
UNSUPPORTED_EXACT = {
    "ascend910": "it is the first generation, for which TileLang-Ascend has no platform and which has no bfloat16",
    "910": "it is the first generation, for which TileLang-Ascend has no platform and which has no bfloat16",
}


def supported_socs(cann: str, platforms: tuple[str, ...]) -> tuple[Soc, ...]:
    """Chips of these platforms that a CANN version ("9.2") knows."""
    return tuple(soc for soc in SOCS if soc.platform in platforms and _version(soc.since) <= _version(cann))


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))

"""What this machine has of CANN: a toolkit, its version, devices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_DEVICES = Path("/dev")
_LIBRARIES = ("libascendcl.so", "libge_runner.so")

# Files of a toolkit that say its version, the first that is there counts.
_VERSION_FILES = (
    "version.info",
    "compiler/version.info",
    "runtime/version.info",
    "version.cfg",
    "*-linux/ascend_toolkit_install.info",
)
_VERSION = re.compile(r"(?im)^\s*(?:version|runtime_running_version)\s*=\s*\[?(?:[\d.]+:)?([0-9][\w.-]*)")


@dataclass(frozen=True)
class Toolkit:
    """home: what ASCEND_HOME_PATH names. version: "" where no file says it."""

    home: Path
    version: str

    def __str__(self) -> str:
        return f"CANN {self.version} in {self.home}" if self.version else f"CANN in {self.home}"


def find_toolkit(environment: Mapping[str, str]) -> tuple[Toolkit | None, str]:
    """The toolkit that the environment names, or None and why not."""
    named = environment.get("ASCEND_HOME_PATH", "")
    if not named:
        return None, "ASCEND_HOME_PATH is not set"
    home = Path(named)
    if not home.is_dir():
        return None, f"ASCEND_HOME_PATH names {home}, which is no folder"
    if (home / "include" / "standin").is_dir():
        return None, "ASCEND_HOME_PATH names a stand-in"
    if not (home / "include").is_dir():
        return None, f"{home} has no include/"
    if not any((home / "lib64" / name).exists() for name in _LIBRARIES):
        return None, f"{home} has none of {', '.join(_LIBRARIES)} in lib64/"
    return Toolkit(home, _version(home)), ""


def devices() -> tuple[Path, ...]:
    """The NPUs of this machine."""
    return tuple(sorted(path for path in _DEVICES.glob("davinci*") if path.name.removeprefix("davinci").isdigit()))


def _version(home: Path) -> str:
    for pattern in _VERSION_FILES:
        for path in sorted(home.glob(pattern)):
            try:
                found = _VERSION.search(path.read_text(encoding="utf-8", errors="replace"))
            except OSError:
                continue
            if found:
                return found[1]
    return ""

"""The CANN stand-in: headers (and later libraries and tools) in the shape of a CANN toolkit, our own text."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).resolve().parent

# What the generated CMakeLists.txt adds to the include path of a CANN toolkit, relative to ASCEND_HOME_PATH.
INCLUDE_FOLDERS = (
    "include",
    "include/graph",
    "include/ge",
    "include/register",
    "include/external",
    "opp/built-in/op_proto/inc",
)


def home() -> Path:
    """The folder to use as ASCEND_HOME_PATH when there is no CANN toolkit."""
    return _ROOT


def include_folders() -> tuple[Path, ...]:
    """Those of INCLUDE_FOLDERS that the stand-in has."""
    return tuple(folder for folder in (_ROOT / name for name in INCLUDE_FOLDERS) if folder.is_dir())

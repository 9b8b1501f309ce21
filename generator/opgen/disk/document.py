"""A hand-written document, of which opgen owns a part."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from opgen.text.findings import CannotWork


def read_document(path: Path) -> str | None:
    """Its text with its own line ends, None when it is not there. CannotWork for what is no text file."""
    if path.is_symlink():
        raise CannotWork(f"{path} is a symbolic link", "name the document itself in opgen.toml")
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise CannotWork(f"{path} is not UTF-8", "save it as UTF-8") from None
    except OSError as error:
        raise CannotWork(f"cannot read {path}: {error.strerror}") from error


def write_document(path: Path, text: str) -> None:
    """Replaces it in one step, and keeps its mode. CannotWork when it cannot be written: then it is as it was."""
    descriptor, staged = -1, None
    try:
        mode = path.stat().st_mode
        descriptor, staged = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        Path(staged).chmod(mode & 0o7777)
        Path(staged).replace(path)
    except BaseException as error:
        if staged is not None:
            with suppress(OSError):
                Path(staged).unlink()
        if isinstance(error, OSError):
            raise CannotWork(f"cannot write {path}: {error.strerror}", "it is as it was") from error
        raise

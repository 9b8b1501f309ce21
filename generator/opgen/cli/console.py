"""Where words go: data to stdout, the rest to stderr; UTF-8 wherever a stream can take it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal, TextIO

from opgen.text.findings import Finding

Format = Literal["text", "json", "github"]


class Console:
    """A reader that closes its end early (`opgen diff | head`) is no error: what it does not want is dropped."""

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stderr):
            _use_utf8(stream)
        self._closed = False

    def data(self, text: str) -> None:
        """What the command is for: stdout, as it is."""
        if self._closed:
            return
        try:
            sys.stdout.write(text)
        except BrokenPipeError:
            self._drop()

    def line(self, text: str) -> None:
        """A line of something that takes long: stdout, at once."""
        self.data(f"{text}\n")
        self.flush()

    def flush(self) -> None:
        if not self._closed:
            try:
                sys.stdout.flush()
            except BrokenPipeError:
                self._drop()

    def note(self, line: str) -> None:
        """A line on stderr."""
        with suppress(BrokenPipeError):
            sys.stderr.write(f"{line}\n")

    def error(self, message: str, fix: str = "") -> None:
        self.note(f"opgen: {_one_line(message)}")
        if fix:
            self.note(f"  fix: {_one_line(fix)}")

    def status(self, word: str, path: str, note: str = "") -> None:
        self.note(f"{word:<9} {path}{f'  ({note})' if note else ''}")

    def findings(
        self, findings: Iterable[Finding], sources: Mapping[str, str], format: Format = "text", data: bool = False
    ) -> None:
        """data: findings are what the command is for and go to stdout. The machine formats always do."""
        from opgen.text import report

        if format == "json":
            self.data(report.as_json(findings))
        elif format == "github":
            self.data(report.github(findings))
        elif data:
            self.data(report.text(findings, sources, report.use_colour(sys.stdout)))
        else:
            self.note(report.text(findings, sources, report.use_colour(sys.stderr)).rstrip("\n"))

    def json(self, value: object) -> None:
        self.data(json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def close(self) -> None:
        """Everything written is out when this returns."""
        self.flush()

    def _drop(self) -> None:
        # The interpreter flushes stdout once more when it ends; that must not fail again.
        self._closed = True
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _use_utf8(stream: TextIO) -> None:
    """Files, pipes and terminals of unknown or ASCII encoding get UTF-8; another terminal keeps its own."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is None:
        return
    encoding = (stream.encoding or "ascii").lower().replace("-", "").replace("_", "")
    own = stream.isatty() and encoding not in ("ascii", "usascii", "ansix3.41968", "utf8")
    reconfigure(encoding=None if own else "utf-8", errors="backslashreplace")


def shown(path: Path | str) -> str:
    """A path in print. Its bytes are taken for UTF-8 even where the locale says ASCII."""
    return os.fsencode(path).decode("utf-8", "backslashreplace").replace("\n", "\\n")


def reason(error: OSError) -> str:
    """What an error of the system says, with the file."""
    named = f": {shown(error.filename)}" if isinstance(error.filename, str | Path) else ""
    return f"{error.strerror or error}{named}"


def _one_line(words: str) -> str:
    return " ".join(words.split())

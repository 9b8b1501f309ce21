"""Options of a command. A mistake is one line that says what was meant."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import NoReturn

from opgen.text.findings import CannotWork
from opgen.text.suggest import closest

FORMATS = ("text", "json", "github")


class Parser(argparse.ArgumentParser):
    """Raises CannotWork where argparse would print a usage and end the process."""

    def __init__(self, command: str, description: str, epilog: str = "") -> None:
        self._command = command
        super().__init__(
            prog=f"opgen {command}",
            description=description,
            epilog=epilog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    def error(self, message: str) -> NoReturn:
        raise CannotWork(f"{self._command}: {message}", f"`{self.prog} --help` lists arguments and options")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Options may stand before, between and behind the other arguments."""
        found, left = self.parse_known_intermixed_args(words)
        for word in left:
            name = word.split("=")[0]
            if word.startswith("-"):
                near = closest(name, (o for o in self._option_string_actions if o.startswith("--")))
                fix = f"did you mean {near}?" if near else f"`{self.prog} --help` lists arguments and options"
                raise CannotWork(f"{self._command}: unknown option {name}", fix)
            self.error(f'"{word}" is one argument too many')
        return found

    def one_of(self, known: Sequence[str]) -> Callable[[str], str]:
        """A type that takes one of `known` and suggests the nearest."""

        def read(word: str) -> str:
            if word in known:
                return word
            near = closest(word, known)
            hint = f"; did you mean {near}?" if near else ""
            raise argparse.ArgumentTypeError(f'"{word}" is not one of {", ".join(known)}{hint}')

        return read

    def add_paths(self) -> None:
        self.add_argument(
            "paths", nargs="*", metavar="PATH", default=["."],
            help="an op.yaml, its folder, or a folder of projects (default: here)",
        )  # fmt: skip

    def add_format(self) -> None:
        self.add_argument(
            "--format", type=self.one_of(FORMATS), default="text", metavar="FORMAT",
            help="how findings are printed: text, json or github (default: text)",
        )  # fmt: skip

    def add_jobs(self) -> None:
        self.add_argument(
            "--jobs", default="1", metavar="N", help="processes that work on many projects, or auto (default: 1)"
        )

    def add_strict(self) -> None:
        self.add_argument("--strict", action="store_true", help="count warnings")

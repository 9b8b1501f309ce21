"""Entry of the command `opgen`. What needs no work is answered before anything is imported."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from opgen import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. 0: done or clean; 1: something was found; 2: it could not work; 130: interrupted."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        print(f"opgen {__version__}")
        return 0
    try:
        from opgen.cli.app import run

        return run(words)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())

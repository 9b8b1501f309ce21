"""Finds the command, runs it, and turns every outcome into an exit code and words."""

from __future__ import annotations

import importlib
import traceback
from collections.abc import Sequence

from opgen.cli.commands import COMMANDS, HELP
from opgen.cli.console import Console, reason
from opgen.text.findings import CannotWork, Refused


def run(words: Sequence[str]) -> int:
    """The exit code of `opgen WORDS...`. Prints; raises nothing but what ends the process."""
    own = list(words).index("--") if "--" in words else len(words)
    debug = "--debug" in words[:own]
    rest = [word for word in words[:own] if word != "--debug"] + list(words[own:])
    console = Console()
    try:
        code = _command(rest, console)
    except KeyboardInterrupt:
        console.note("interrupted")
        code = 130
    except SystemExit as ended:  # argparse, after it printed a help text
        code = ended.code if isinstance(ended.code, int) else 0
    except Refused as refused:
        console.findings(refused.findings, {})
        code = 2
    except CannotWork as error:
        console.error(error.message, error.fix)
        code = 2
    except OSError as error:
        if debug:
            traceback.print_exc()
        console.error(reason(error))
        code = 2
    except Exception as error:
        if debug:
            traceback.print_exc()
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        console.error(f"internal error: {what}", "" if debug else "run it again with --debug and report what it prints")
        code = 2
    console.close()
    return code


def _command(words: Sequence[str], console: Console) -> int:
    if words and words[0] in ("-h", "--help"):
        console.data(HELP)
        return 0
    if not words:
        console.note(HELP.rstrip("\n"))
        return 2
    name = words[0]
    if name not in COMMANDS:
        raise CannotWork(*_unknown(name))
    module = importlib.import_module(f"opgen.cli.{name.replace('-', '_')}")
    code: int = module.run(list(words[1:]), console)
    return code


def _unknown(word: str) -> tuple[str, str]:
    from opgen.text.suggest import closest

    if word.startswith("-"):
        return f"unknown option {word}", "`opgen --help` lists what there is; options of a command follow its name"
    near = closest(word, COMMANDS)
    hint = f"did you mean `opgen {near}`?" if near else "`opgen --help` lists the commands"
    return f'there is no command "{word}"', hint

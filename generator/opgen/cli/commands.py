"""The commands, and the text of `opgen --help`. Imports nothing, so that help is instant."""

from __future__ import annotations

COMMANDS = {
    "new": "write a new project: op.yaml and everything that follows from it",
    "generate": "bring projects in line with their op.yaml",
    "check": "tell what has drifted from op.yaml; 0: nothing, 1: something, 2: could not work",
    "diff": "show what generate would change",
    "list": "list the files of a project: path, owner, role",
    "clean": "remove what opgen wrote and nobody changed",
    "lint-kernel": "check any TileLang-Ascend or PyPTO kernel for mistakes that the hardware punishes",
    "accept": "record that a translation still fits although the other language changed",
    "eject": "hand a project over: opgen manages it no longer",
    "show": "show the plan of a kernel: schedule, tile, on-chip memory, names, keys",
    "run": "build and run a project, with CANN and an NPU or in the stand-in",
    "verify": "climb the ladder: spec, files, kernel, numbers, C++, the whole chain",
    "doctor": "tell what is installed here and what that allows",
    "explain": "explain a rule, with a wrong and a right example",
    "schema": "print or install the JSON Schema of op.yaml for editors",
    "completion": "print the completion script of a shell",
}

_ROWS = "\n".join(f"  {name:<12}{what}" for name, what in COMMANDS.items())

EXIT_CODES = "exit codes: 0 done or clean, 1 something was found, 2 it could not work, 130 interrupted"

HELP = f"""usage: opgen COMMAND ...

One op.yaml becomes a complete Ascend custom-operator project.

commands:
{_ROWS}

options:
  -h, --help  this text; `opgen COMMAND --help` for a command
  --version   the version
  --debug     show the traceback of an error

{EXIT_CODES}
"""

"""opgen completion: a script that completes commands, options and their values in a shell."""

from __future__ import annotations

from collections.abc import Sequence

from opgen.cli.arguments import FORMATS, Parser
from opgen.cli.commands import COMMANDS
from opgen.cli.console import Console

_EPILOG = """\
bash: eval "$(opgen completion bash)" in ~/.bashrc
zsh:  eval "$(opgen completion zsh)" in ~/.zshrc, after compinit
fish: opgen completion fish > ~/.config/fish/completions/opgen.fish"""

_SCENARIOS = ("eager", "online", "offline", "pypto")
_CHECKED = ("--format", "--strict")
_MANY = (*_CHECKED, "--jobs")
OPTIONS: dict[str, tuple[str, ...]] = {
    "new": (
        "--output", "--scenario", "--dtype", "--shape", "--formula", "--kernel", "--op", "--soc", "--cann",
        "--summary-en", "--summary-zh", "--keep", "--format",
    ),
    "generate": (*_MANY, "--dry-run", "--merge", "--force", "--restore"),
    "check": _MANY,
    "diff": (),
    "list": ("--format", "--lang"),
    "clean": ("--dry-run", "--force"),
    "lint-kernel": ("--dims", "--types", *_CHECKED),
    "accept": ("--project",),
    "eject": ("--yes",),
    "show": ("--format",),
    "run": ("--on", "--sanitize", "--keep", "--log"),
    "verify": ("--scenario", "--format", "--jobs", "--only", "--keep", "--strict"),
    "doctor": ("--install", "--format"),
    "explain": ("--lang",),
    "schema": ("--install",),
    "completion": (),
}  # fmt: skip
_VALUES = {
    "--scenario": _SCENARIOS,
    "--format": FORMATS,
    "--lang": ("en", "zh", "both"),
    "--cann": ("9.1", "9.2"),
    "--on": ("auto", "cann", "standin"),
    "--only": ("spec", "files", "kernel", "numbers", "cpp", "chain"),
}
_SHELLS = ("bash", "zsh", "fish")


def run(words: Sequence[str], console: Console) -> int:
    parser = Parser("completion", COMMANDS["completion"], _EPILOG)
    parser.add_argument("shell", type=parser.one_of(_SHELLS), metavar="SHELL", help="bash, zsh or fish")
    shell = parser.read(words).shell
    console.data({"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]())
    return 0


def _bash() -> str:
    values = "\n".join(
        f'    {option}) mapfile -t COMPREPLY < <(compgen -W "{" ".join(known)}" -- "$word"); return ;;'
        for option, known in _VALUES.items()
    )
    options = "\n".join(f'    {name}) words="{" ".join((*found, "--help"))}" ;;' for name, found in OPTIONS.items())
    return f"""\
_opgen() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" previous="${{COMP_WORDS[COMP_CWORD-1]}}" words=""
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "{" ".join(COMMANDS)} --help --version" -- "$word")
    return
  fi
  case "$previous" in
{values}
  esac
  if [[ "${{COMP_WORDS[1]}}" == completion ]]; then
    mapfile -t COMPREPLY < <(compgen -W "{" ".join(_SHELLS)}" -- "$word")
    return
  fi
  if [[ "$word" != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{options}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o filenames -F _opgen opgen
"""


def _zsh() -> str:
    return "autoload -Uz bashcompinit && bashcompinit\n" + _bash().replace(
        "mapfile -t COMPREPLY < <(compgen", "COMPREPLY=($(compgen"
    ).replace('-- "$word")', '-- "$word"))')


def _fish() -> str:
    lines = ["complete -c opgen -n __fish_use_subcommand -f"]
    for name, what in COMMANDS.items():
        lines.append(f"complete -c opgen -n __fish_use_subcommand -a {name} -d {_quoted(what)}")
    for name, options in OPTIONS.items():
        for option in options:
            known = _VALUES.get(option)
            tail = f" -x -a {_quoted(' '.join(known))}" if known else ""
            lines.append(f"complete -c opgen -n '__fish_seen_subcommand_from {name}' -l {option[2:]}{tail}")
    lines.append(f"complete -c opgen -n '__fish_seen_subcommand_from completion' -f -a {_quoted(' '.join(_SHELLS))}")
    return "\n".join(lines) + "\n"


def _quoted(words: str) -> str:
    return "'" + words.replace("\\", "\\\\").replace("'", "\\'") + "'"

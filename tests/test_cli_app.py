"""What holds for every command: exit codes, one-line errors, suggestions, streams."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import Run, run, write_spec
from conftest import ROOT, Opgen
from opgen import __version__
from opgen.cli import check
from opgen.cli.commands import COMMANDS
from opgen.cli.completion import OPTIONS

__all__ = ["run"]

SOURCES = str(ROOT / "generator")


def test_version_and_help(opgen: Opgen) -> None:
    assert opgen("--version").stdout == f"opgen {__version__}\n"
    for words in (["--help"], ["-h"]):
        done = opgen(*words)
        assert done.returncode == 0
        assert all(f"  {name} " in done.stdout for name in COMMANDS)


def test_version_and_help_import_no_parser() -> None:
    program = "import sys; from opgen.__main__ import main; main([{!r}]); print('argparse' in sys.modules)"
    for word in ("--version", "--help"):
        done = subprocess.run(
            [sys.executable, "-c", program.format(word)],
            env={**os.environ, "PYTHONPATH": SOURCES},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.endswith("False\n"), word


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(run: Run, command: str) -> None:
    ran = run(command, "--help")
    assert ran.code == 0
    assert ran.out.startswith(f"usage: opgen {command}")
    assert not ran.err


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_completion_knows_every_option(run: Run, command: str) -> None:
    options = set(re.findall(r"(?<![\w-])--[a-z-]+", run(command, "--help").out)) - {"--help"}
    assert options == set(OPTIONS[command])


def test_no_command_is_a_mistake_that_shows_the_commands(run: Run) -> None:
    ran = run()
    assert (ran.code, ran.out) == (2, "")
    assert "usage: opgen COMMAND" in ran.err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["chekc"], "did you mean `opgen check`?"),
        (["gen"], "did you mean `opgen generate`?"),
        (["xyzzy"], "lists the commands"),
        (["--verbose"], "unknown option --verbose"),
        (["check", "--strikt"], "did you mean --strict?"),
        (["check", "--format=jsn"], "did you mean json?"),
        (["check", "--format"], "expected one argument"),
        (["generate", "--forse"], "did you mean --force?"),
        (["explain", "OPG601", "--lang", "cn"], '"cn" is not one of en, zh, both'),
        (["completion", "basch"], "did you mean bash?"),
        (["completion", "bash", "zsh"], '"zsh" is one argument too many'),
        (["check", "addd_custom"], "did you mean add_custom?"),
        (["check", ""], "a path is empty"),
        (["check", "a\0b"], "no file or folder"),
        (["check", "add_custom/notes.txt"], "is not an op.yaml"),
        (["check", "empty"], "no op.yaml in empty or below"),
    ],
)
def test_a_mistake_of_usage_is_one_line_with_a_way_out(run: Run, tmp_path: Path, words: list[str], says: str) -> None:
    write_spec(tmp_path / "add_custom")
    (tmp_path / "add_custom/notes.txt").write_text("")
    (tmp_path / "empty").mkdir()
    ran = run(*words)
    assert ran.code == 2
    assert ran.out == ""
    lines = ran.err.splitlines()
    assert says in ran.err
    assert lines[0].startswith("opgen: ")
    assert len(lines) <= 2
    assert all(line.startswith("  fix: ") for line in lines[1:])


def test_options_stand_anywhere(run: Run, tmp_path: Path) -> None:
    write_spec(tmp_path / "a")
    write_spec(tmp_path / "b")
    assert run("generate", "a", "--dry-run", "b").code == 0
    assert run("check", "--format", "json", "a", "--strict", "b").code == 1


def test_an_interrupted_run_is_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "run", interrupt)
    ran = run("check")
    assert (ran.code, ran.err) == (130, "interrupted\n")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (PermissionError(13, "Permission denied", "x/op.yaml"), "opgen: Permission denied: x/op.yaml\n"),
        (RuntimeError("one\ntwo"), "opgen: internal error: RuntimeError: one\n  fix: run it again with --debug"),
    ],
)
def test_no_error_is_a_traceback_unless_it_is_wanted(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception, says: str
) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(check, "run", fail)
    ran = run("check")
    assert ran.code == 2
    assert ran.err.startswith(says)
    assert "Traceback" not in ran.err
    ran = run("check", "--debug")
    assert ran.code == 2
    assert "Traceback" in ran.err


def test_a_reader_that_has_seen_enough_is_no_error(opgen: Opgen) -> None:
    program = "import sys; from opgen.__main__ import main; sys.exit(main(['schema']))"
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "{program}" | true; echo "${{PIPESTATUS[0]}}"'],
        env={**os.environ, "PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "0\n"
    assert "BrokenPipe" not in done.stderr


ASCII = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}


def test_chinese_comes_out_under_an_ascii_locale(opgen: Opgen, tmp_path: Path) -> None:
    done = opgen("explain", "OPG606", "--lang", "zh", **ASCII)
    assert done.returncode == 0
    assert "生成文件被手工修改" in done.stdout
    (tmp_path / "算子").mkdir()
    done = opgen("check", "算子", **ASCII)
    assert done.returncode == 2
    assert "there is no op.yaml in 算子 or below" in done.stderr


def test_completion_scripts_are_taken_by_their_shell(run: Run) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert all(name in run("completion", shell).out for name in COMMANDS)
    program = 'eval "$1"; COMP_WORDS=(opgen check --fo); COMP_CWORD=2; _opgen; echo "${COMPREPLY[*]}"'
    done = subprocess.run(
        ["bash", "-c", program, "bash", run("completion", "bash").out], capture_output=True, text=True, check=True
    )
    assert done.stdout == "--format\n"

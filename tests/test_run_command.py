"""opgen run: where it runs, what it says, what it leaves behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Opgen
from opgen.cli import app
from opgen.cli import run as command
from opgen.verify import surroundings as where
from opgen.verify.process import follow
from opgen.verify.runner import forget_other_configuration, run_project
from opgen.verify.surroundings import Choice, shielded
from run_support import GOOD, HEAD, UNCHECKED, fake_toolkit, marked, project


@pytest.fixture
def cann(tmp_path: Path) -> dict[str, str]:
    return {"ASCEND_HOME_PATH": str(fake_toolkit(tmp_path / "cann"))}


def test_a_good_run_streams_logs_and_passes(opgen: Opgen, tmp_path: Path, cann: dict[str, str]) -> None:
    folder = project(tmp_path / "add", GOOD)
    ran = opgen("run", "add", "--on", "cann", **cann)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[0] == "[INFO] Step 1/2: build the operator"
    assert "Precision check passed, max_error=0" in ran.stdout
    assert f"add runs with CANN 9.2.0 in {tmp_path / 'cann'}" in ran.stderr
    assert "the run passed; log: add/build/opgen-run.log" in ran.stderr
    assert (folder / "build" / "opgen-run.log").read_text() == ran.stdout


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("exit 3\n", "Step 1/2: build the operator failed with exit code 3"),
        ("kill -SEGV $BASHPID\n", "Step 1/2: build the operator failed with signal SIGSEGV"),
        ("bash -c 'kill -ABRT $$'\n", "Step 1/2: build the operator failed with exit code 134 (SIGABRT)"),
        ("echo done\n", 'Step 1/2: build the operator ended well, but the run never said "Precision check passed"'),
    ],
)
def test_the_first_failing_step_is_named(
    opgen: Opgen, tmp_path: Path, cann: dict[str, str], ending: str, said: str
) -> None:
    project(tmp_path / "add", HEAD + ending)
    ran = opgen("run", "add", "--on", "cann", "--log", "my.log", **cann)
    assert ran.returncode == 1
    assert f"opgen: {said}" in ran.stderr
    assert "the log has it all: my.log" in ran.stderr
    assert (tmp_path / "my.log").read_text() == ran.stdout


def test_a_failure_before_the_first_step_is_named_too(opgen: Opgen, tmp_path: Path, cann: dict[str, str]) -> None:
    project(tmp_path / "add", "echo '[ERROR] cmake was not found on PATH.' >&2; exit 1\n")
    ran = opgen("run", "add", "--on", "cann", **cann)
    assert ran.returncode == 1
    assert "run.sh, before its first step, failed with exit code 1" in ran.stderr
    assert "[ERROR] cmake was not found on PATH." in ran.stdout


def test_a_project_that_compares_nothing_needs_no_precision_check(
    opgen: Opgen, tmp_path: Path, cann: dict[str, str]
) -> None:
    project(tmp_path / "add", HEAD, UNCHECKED)
    ran = opgen("run", "add", "--on", "cann", **cann)
    assert ran.returncode == 0
    assert "the run ended well and compared nothing; log: add/build/opgen-run.log" in ran.stderr


def test_what_is_on_disk_is_run_and_drift_is_said_in_one_line(
    opgen: Opgen, tmp_path: Path, cann: dict[str, str]
) -> None:
    opgen("new", "add", "--scenario", "online", "--op", "AddCustom")
    (tmp_path / "add" / "run.sh").write_text(GOOD)
    before = {path for path in (tmp_path / "add").rglob("*") if "build" not in path.parts}
    ran = opgen("run", "add/op.yaml", "--on", "cann", **cann)
    assert ran.returncode == 0, ran.stderr
    assert "1 file is not in sync with op.yaml (`opgen diff add`); what is on disk is run" in ran.stderr
    assert {path for path in (tmp_path / "add").rglob("*") if "build" not in path.parts} == before
    (tmp_path / "add" / "op.yaml").write_text("edition: 1\nop: 5\n")
    ran = opgen("run", "add", "--on", "cann", **cann)
    assert ran.returncode == 0, ran.stderr
    assert "(`opgen check add`); what is on disk is run" in ran.stderr


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"ASCEND_HOME_PATH": ""}, "ASCEND_HOME_PATH is not set"),
        ({"ASCEND_HOME_PATH": "/nowhere"}, "ASCEND_HOME_PATH names /nowhere, which is no folder"),
        ({"ASCEND_HOME_PATH": "/usr"}, "/usr has none of libascendcl.so, libge_runner.so in lib64/"),
    ],
)
def test_cann_that_is_not_there_is_2(opgen: Opgen, tmp_path: Path, environment: dict[str, str], why: str) -> None:
    project(tmp_path / "add", GOOD)
    ran = opgen("run", "add", "--on", "cann", **environment)
    assert ran.returncode == 2
    assert f"opgen: there is no CANN toolkit: {why}" in ran.stderr
    assert ran.stdout == ""


@pytest.mark.parametrize(
    ("npus", "choice", "said"),
    [
        ((), "auto", "runs in the CANN stand-in (CANN 9.2.0 in {home}, but no NPU here): on the CPU, not on an NPU"),
        (("/dev/davinci0", "/dev/davinci1"), "auto", "runs with CANN 9.2.0 in {home} (/dev/davinci0, /dev/davinci1)"),
        (("/dev/davinci0",), "standin", "runs in the CANN stand-in: on the CPU, not on an NPU"),
        ((), "cann", "runs with CANN 9.2.0 in {home} (no NPU here)"),
    ],
)
def test_cann_is_taken_with_a_toolkit_and_a_device(
    tmp_path: Path,
    cann: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    npus: tuple[str, ...],
    choice: Choice,
    said: str,
) -> None:
    monkeypatch.setattr(where, "devices", lambda: tuple(map(Path, npus)))
    monkeypatch.setattr(where, "stand_in", lambda scratch, progress, sanitize: (Path("/standin"), {}))
    monkeypatch.setenv("ASCEND_HOME_PATH", cann["ASCEND_HOME_PATH"])
    found = where.surroundings(choice, tmp_path, lambda line: None)
    assert found.about == said.format(home=cann["ASCEND_HOME_PATH"])
    assert found.home == Path("/standin" if "stand-in" in said else cann["ASCEND_HOME_PATH"])


def test_no_run_sh_and_no_such_place_are_2(opgen: Opgen, tmp_path: Path) -> None:
    (tmp_path / "add").mkdir()
    (tmp_path / "add" / "op.yaml").write_text("")
    ran = opgen("run", "add")
    assert ran.returncode == 2
    assert "add/run.sh is missing" in ran.stderr
    assert "`opgen generate add` writes it" in ran.stderr
    ran = opgen("run", "add", "--on", "can")
    assert ran.returncode == 2
    assert "did you mean cann?" in ran.stderr


def test_a_path_with_a_space_and_a_quote_from_another_folder(
    opgen: Opgen, tmp_path: Path, cann: dict[str, str]
) -> None:
    folder = project(tmp_path / 'it\'s a "project" 算子', GOOD)
    (tmp_path / "elsewhere").mkdir()
    ran = opgen("run", f"../{folder.name}", "--on", "cann", cwd=tmp_path / "elsewhere", **cann)
    assert ran.returncode == 0, ran.stderr
    assert (folder / "build" / "opgen-run.log").is_file()


def test_a_read_only_project_runs_in_a_copy_that_goes(
    tmp_path: Path, cann: dict[str, str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = project(tmp_path / "add", HEAD + "pwd\nmkdir -p build output\necho 'Precision check passed'\n")
    (folder / "output").mkdir()
    (folder / "output" / "old").write_text("")
    monkeypatch.setattr(command, "writable", lambda path: False)
    monkeypatch.setenv("ASCEND_HOME_PATH", cann["ASCEND_HOME_PATH"])
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert app.run(["run", str(folder), "--on", "cann"]) == 0
    out, err = capfd.readouterr()
    assert "runs in a temporary copy: the project's folder is read-only" in err
    copy = Path(out.splitlines()[1])
    assert copy.name == "project"
    assert not copy.exists()
    assert sorted(path.name for path in folder.iterdir()) == ["op.yaml", "output", "run.sh"]
    (log,) = tmp_path.glob("opgen-run-add-*.log")
    assert str(log) in err
    assert "Precision check passed" in log.read_text()


def test_keep_says_where_things_are(opgen: Opgen, tmp_path: Path, cann: dict[str, str]) -> None:
    project(tmp_path / "add", HEAD + 'touch "$TMPDIR/left"\necho "Precision check passed"\n')
    ran = opgen("run", "add", "--on", "cann", "--keep", TMPDIR=str(tmp_path), **cann)
    assert ran.returncode == 0
    (left,) = tmp_path.glob("opgen-run-*/tmp/left")
    assert f"kept {left.parents[1]}" in ran.stderr


_SLOW = HEAD + (
    'echo x >"$TMPDIR/kernel.so"\n'
    "(trap '' INT TERM; exec sleep 100) &\n"
    "setsid --fork sleep 0.01\n"
    'python3 -c "import os, time; os.setpgid(0, 0); time.sleep(100)" &\n'
    'echo "[INFO] Step 2/2: wait"\n'
    "sleep 100\n"
)


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_process_and_no_temporary_file(
    tmp_path: Path, cann: dict[str, str], kind: signal.Signals
) -> None:
    project(tmp_path / "add", _SLOW)
    (tmp_path / "tmp").mkdir()
    mark = f"{tmp_path}-{kind}"
    process = subprocess.Popen(
        [sys.executable, "-m", "opgen", "run", "add", "--on", "cann"],
        cwd=tmp_path,
        env={**os.environ, **cann, "TMPDIR": str(tmp_path / "tmp"), "MARK": mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout
    while "Step 2/2" not in process.stdout.readline():
        assert process.poll() is None
    time.sleep(0.3)
    assert len(marked(mark)) >= 4
    process.send_signal(kind)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "interrupted"
    assert marked(mark) == []
    assert list((tmp_path / "tmp").iterdir()) == []


def test_what_a_command_leaves_running_does_not_hold_the_run(tmp_path: Path) -> None:
    lines: list[str] = []
    begun = time.monotonic()
    code = follow(["bash", "-c", "sleep 100 & printf 'a\\nb'"], tmp_path, os.environ, lines.append)
    assert (code, lines) == (0, ["a", "b"])
    assert time.monotonic() - begun < 20


def test_a_run_that_falls_silent_is_ended_where_nobody_watches(tmp_path: Path) -> None:
    """`opgen verify` in a pipeline would wait for ever."""
    (tmp_path / "run.sh").write_text('echo "[INFO] Step 1/2: waits"\nsleep 100 & sleep 100\n', encoding="utf-8")
    begun = time.monotonic()
    ran = run_project(tmp_path, os.environ, 1, tmp_path / "log", lambda line: None, patience=1.0)
    assert (ran.succeeded, ran.failure) == (False, "Step 1/2: waits hangs: nothing was written for 1 s")
    assert time.monotonic() - begun < 30


def test_bytes_that_are_no_utf_8_are_shown_all_the_same(tmp_path: Path) -> None:
    lines: list[str] = []
    assert follow(["printf", "a\\377b\\nc"], tmp_path, os.environ, lines.append) == 0
    assert lines == ["a\ufffdb", "c"]


def test_the_stand_in_is_shielded_from_the_users_python_and_toolkits() -> None:
    environment = {
        "PATH": "/bin",
        "HOME": "/root",
        "SOC_VERSION": "Ascend910B4",
        "CUSTOM_OP_COMPILE_TIMEOUT": "5",
        "CUSTOM_OP_PYTHON": "/a",
        "CUSTOM_OP_KERNEL_DIR": "/b",
        "PYTHONPATH": "/c",
        "PYTHONHOME": "/d",
        "TILELANG_ASCEND_HOME": "/e",
        "ASCEND_CUSTOM_OPP_PATH": "/f",
        "ASCEND_HOME_PATH": "/g",
    }
    assert sorted(shielded(environment)) == ["CUSTOM_OP_COMPILE_TIMEOUT", "HOME", "PATH", "SOC_VERSION"]


@pytest.mark.parametrize(
    ("cache", "forgotten"),
    [
        ("CANN:PATH=/toolkit\nCMAKE_HOME_DIRECTORY:INTERNAL={here}\nCMAKE_CXX_FLAGS:STRING=\n", False),
        ("CANN:PATH=/other\nCMAKE_HOME_DIRECTORY:INTERNAL={here}\nCMAKE_CXX_FLAGS:STRING=\n", True),
        ("CANN:PATH=/toolkit\nCMAKE_HOME_DIRECTORY:INTERNAL=/moved\nCMAKE_CXX_FLAGS:STRING=\n", True),
        ("CANN:PATH=/toolkit\nCMAKE_HOME_DIRECTORY:INTERNAL={here}\nCMAKE_CXX_FLAGS:STRING=-O0\n", True),
    ],
)
def test_a_build_for_another_toolkit_is_configured_again(tmp_path: Path, cache: str, forgotten: bool) -> None:
    build = tmp_path / "build"
    (build / "CMakeFiles").mkdir(parents=True)
    (build / "CMakeCache.txt").write_text(cache.format(here=tmp_path.resolve()))
    assert forget_other_configuration(tmp_path, {"ASCEND_HOME_PATH": "/toolkit"}) is forgotten
    assert (build / "CMakeCache.txt").exists() is not forgotten

"""The launcher of kernel scripts, and what becomes of the libraries."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from cpu_support import launcher, load, run
from opgen.dialect.cpu import environment
from opgen.kernel.planner import plan_kernel
from opgen.kernel.tilelang import script
from opgen.spec.loader import load as load_spec

__all__ = ["launcher"]

SPEC = Path(__file__).resolve().parents[1] / "specs" / "axpy" / "op.yaml"


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    """A generated kernel script."""
    spec = load_spec(SPEC.read_bytes(), "op.yaml")
    plan = plan_kernel(spec, spec.operators[0])[0]
    assert plan is not None
    path = tmp_path / "axpy_custom_kernel.py"
    path.write_text(script(spec, spec.operators[0], plan), encoding="utf-8")
    return path


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "libraries"


def with_cache(cache: Path, **more: str) -> dict[str, Any]:
    return {"env": {**os.environ, "OPGEN_CPU_LIBRARIES": str(cache), **more}}


def exported(library: Path) -> list[str]:
    said = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True)
    return [line.split()[-1] for line in said.stdout.splitlines()]


def test_it_behaves_as_python(launcher: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("import sys\nprint(__name__, sys.argv[1:])\nsys.exit(7)\n", encoding="utf-8")
    done = run(launcher, program, "a b", "-x")
    assert (done.returncode, done.stdout) == (7, "__main__ ['a b', '-x']\n")
    assert run(launcher, "-c", "import sys; print(sys.argv[1])", "word").stdout == "word\n"
    assert run(launcher, "-m", "json.tool", "-h").returncode == 0
    assert run(launcher, "--version").stdout.startswith("Python 3")
    assert run(launcher, "-", input="print(6 * 7)").stdout == "42\n"


def test_run_sh_finds_tilelang(launcher: Path) -> None:
    code = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("tilelang") is None)'
    assert run(launcher, "-c", code).returncode == 0


def test_it_is_shielded_from_other_packages(launcher: Path, tmp_path: Path) -> None:
    (tmp_path / "tilelang").mkdir()
    (tmp_path / "tilelang" / "__init__.py").write_text("raise SystemExit('the wrong one')\n", encoding="utf-8")
    surroundings = {**os.environ, "PYTHONPATH": str(tmp_path), "TILELANG_ASCEND_HOME": str(tmp_path)}
    code = "import os, tilelang; print(tilelang.__version__, os.environ.get('TILELANG_ASCEND_HOME'))"
    done = run(launcher, "-c", code, env=surroundings)
    assert (done.returncode, done.stdout) == (0, f"{environment.TILELANG} None\n"), done.stderr


def test_paths_with_spaces_and_quotes(launcher: Path, kernel: Path, tmp_path: Path) -> None:
    """The launcher's own path, the script's and the library's."""
    folder = tmp_path / 'it\'s a "folder" $HOME'
    mine = environment.interpreter(folder)
    copied = folder / kernel.name
    copied.write_bytes(kernel.read_bytes())
    out = folder / "out put" / "kernel.so"
    done = run(mine, copied, "1000", out)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"Kernel written to {out}\n"
    assert done.stderr == ""
    assert exported(out) == ["call"]
    assert sorted(p.name for p in out.parent.iterdir()) == ["kernel.so"]


def test_a_broken_script_says_what_is_wrong(launcher: Path, kernel: Path, tmp_path: Path) -> None:
    out = tmp_path / "kernel.so"
    kernel.write_text(kernel.read_text(encoding="utf-8").replace("T.tile.add(", "T.tile.plus("), encoding="utf-8")
    done = run(launcher, kernel, "1000", out)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("AttributeError: T.tile.plus:")
    assert f'File "{kernel}"' in done.stderr
    assert not out.exists()
    kernel.write_text("def broken(:\n", encoding="utf-8")
    done = run(launcher, kernel)
    assert done.returncode == 1
    assert "SyntaxError" in done.stderr


def test_usage_errors_are_the_scripts_own(launcher: Path, kernel: Path, tmp_path: Path) -> None:
    done = run(launcher, kernel, "0", tmp_path / "kernel.so")
    assert done.returncode == 2
    assert "N: 0: must be -1 or from 1 to" in done.stderr


def test_a_library_is_compiled_once(launcher: Path, kernel: Path, cache: Path, tmp_path: Path) -> None:
    """The second time no compiler is needed but to tell its version."""
    fake = tmp_path / "g++"
    fake.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] || echo compiled >> "{tmp_path}/log"\nexec g++ "$@"\n', encoding="utf-8"
    )
    fake.chmod(0o755)
    surroundings = with_cache(cache, CXX=str(fake))
    for _ in range(2):
        assert run(launcher, kernel, "1000", tmp_path / "kernel.so", **surroundings).returncode == 0
    assert (tmp_path / "log").read_text().splitlines() == ["compiled"]
    assert run(launcher, kernel, "1001", tmp_path / "kernel.so", **surroundings).returncode == 0
    assert (tmp_path / "log").read_text().splitlines() == ["compiled"] * 2
    assert len(list(cache.iterdir())) == 2


def test_two_at_once(launcher: Path, kernel: Path, cache: Path, tmp_path: Path) -> None:
    command = [str(launcher), str(kernel), "1000", str(tmp_path / "kernel.so")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, **with_cache(cache)) for _ in range(2)]
    assert [process.communicate()[0] and process.returncode for process in both] == [0, 0]
    assert len(list(cache.iterdir())) == 1
    assert load(tmp_path / "kernel.so")


def test_a_killed_compilation_leaves_nothing_for_long(
    launcher: Path, kernel: Path, cache: Path, tmp_path: Path
) -> None:
    """What it had begun goes at the next compilation; the wanted library is never half there."""
    slow = tmp_path / "slow-g++"
    slow.write_text('#!/bin/sh\n[ "$1" = --version ] || exec sleep 60\nexec g++ "$@"\n', encoding="utf-8")
    slow.chmod(0o755)
    out = tmp_path / "kernel.so"
    command = [str(launcher), str(kernel), "1000", str(out)]
    process = subprocess.Popen(command, start_new_session=True, **with_cache(cache, CXX=str(slow)))
    deadline = time.monotonic() + 60
    while not list(cache.glob(".staging-*/kernel.cpp")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, 9)
    process.wait()
    assert not out.exists()
    assert len(list(cache.glob(".staging-*"))) == 1
    assert run(launcher, kernel, "1000", out, **with_cache(cache)).returncode == 0
    assert [path.suffix for path in cache.iterdir()] == [".so"]


def test_no_compiler(launcher: Path, kernel: Path, cache: Path, tmp_path: Path) -> None:
    done = run(launcher, kernel, "1000", tmp_path / "kernel.so", **with_cache(cache, CXX="no-such-compiler"))
    assert done.returncode == 1
    assert "no C++ compiler: no-such-compiler was not found on PATH" in done.stderr


def test_a_cache_that_cannot_be_written(launcher: Path, kernel: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("", encoding="utf-8")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    surroundings = with_cache(blocked / "cache", TMPDIR=str(temporary))
    done = run(launcher, kernel, "1000", tmp_path / "kernel.so", **surroundings)
    assert done.returncode == 0, done.stderr
    assert exported(tmp_path / "kernel.so") == ["call"]
    assert list(temporary.iterdir()) == []


HOST = """
#include <dlfcn.h>
#include <cstdio>
#include <vector>
int main(int, char** words) {
  void* library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return std::puts(dlerror()), 3;
  std::vector<float> x(100), y(100), z(words[2][0] - '0' ? 100 : 99);
  ((void (*)(void*, void*, void*, float, void*))dlsym(library, "call"))(x.data(), y.data(), z.data(), 2.0f, nullptr);
  return 0;
}
"""


def test_sanitizers_find_what_is_outside(launcher: Path, kernel: Path, tmp_path: Path) -> None:
    source, host, library = tmp_path / "host.cpp", tmp_path / "host", tmp_path / "kernel.so"
    source.write_text(HOST, encoding="utf-8")
    subprocess.run(["g++", "-fsanitize=address,undefined", str(source), "-o", str(host), "-ldl"], check=True)
    mine = environment.interpreter(tmp_path / "sanitizing", sanitize=True)
    assert run(mine, kernel, "100", library).returncode == 0
    assert exported(library) == ["call"]
    assert subprocess.run([str(host), str(library), "1"], check=False).returncode == 0
    done = subprocess.run([str(host), str(library), "0"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
    # Without the option it is another library.
    assert run(launcher, kernel, "100", library).returncode == 0
    assert b"asan" not in library.read_bytes()

"""For tests that run projects: the stand-in, and an interpreter for kernels that needs no TileLang."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Literal

import pytest
from opgen.sim import build
from opgen.verify.surroundings import missing_programs, shielded

Flavour = Literal["9.1", "9.2"]

# Stands for an interpreter with TileLang: "compiles" z = x + y of float32, whatever the script says.
_PYTHON = """#!{python}
import subprocess, sys
words = sys.argv[1:]
if words[0] == "-c":
    sys.exit(0)
script, n, out = words[:3]
compile(open(script, encoding="utf-8").read(), script, "exec")  # a mistake in the script is found
dynamic = n == "-1"
source = '''
#include <stddef.h>
#include <stdint.h>
void standinLaunch(void *stream, void (*function)(const void *), const void *arguments, size_t size);
struct Arguments {{ const float *x; const float *y; float *z; int64_t n; }};
static void Add(const void *given) {{
  const struct Arguments *a = given;
  for (int64_t i = 0; i < a->n; ++i) a->z[i] = a->x[i] + a->y[i];
}}
void call(const float *x, const float *y, float *z, ''' + ("int64_t n, " if dynamic else "") + '''void *stream) {{
  struct Arguments a = {{x, y, z, ''' + ("n" if dynamic else n) + '''}};
  standinLaunch(stream, Add, &a, sizeof(a));
}}
'''
import pathlib
pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-x", "c", "-", "-o", out], input=source.encode(), check=True)
"""


def interpreter(folder: Path) -> Path:
    """A python3 for CUSTOM_OP_PYTHON, in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "python3"
    path.write_text(_PYTHON.format(python=sys.executable), encoding="utf-8")
    path.chmod(0o755)
    return path


@cache
def home(flavour: Flavour = "9.2") -> Path:
    """The stand-in as ASCEND_HOME_PATH; built once. Skips the test where there is no compiler."""
    missing = missing_programs()
    if missing:
        pytest.skip(f"not on PATH: {', '.join(missing)}")
    return build.ensure(lambda text: None, flavour=flavour)


def environment(folder: Path, flavour: Flavour = "9.2") -> dict[str, str]:
    """As a user has it after sourcing set_env.sh. folder: for files of the run."""
    there = home(flavour)
    python = interpreter(folder / "python")
    clean = shielded(os.environ)
    (folder / "tmp").mkdir(parents=True, exist_ok=True)
    return {
        **clean,
        "ASCEND_HOME_PATH": str(there),
        "CUSTOM_OP_PYTHON": str(python),
        "PATH": f"{python.parent}:{there / 'bin'}:{clean['PATH']}",
        "LD_LIBRARY_PATH": str(there / "lib64"),
        "TMPDIR": str(folder / "tmp"),
    }


def shell(command: str, folder: Path, surroundings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Runs lines in bash as a person types them, each only after the one before it went well."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )

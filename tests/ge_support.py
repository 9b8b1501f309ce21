"""Generated GE projects for tests: written to a folder, compiled, formatted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from opgen.ge.outline import outline
from opgen.ge.render import render
from opgen.kernel.plan import KernelPlan
from opgen.kernel.planner import plan_kernel
from opgen.spec.loader import load
from opgen.spec.model import OpSpec

ROOT = Path(__file__).resolve().parents[1]
SIM = ROOT / "generator" / "opgen" / "sim"
CLANG_FORMAT = Path(sys.executable).with_name("clang-format")
STYLE = (
    "{BasedOnStyle: Google, ColumnLimit: 120, DerivePointerAlignment: false, PointerAlignment: Right, "
    "AllowShortFunctionsOnASingleLine: Inline}"
)


def plans_of(spec: OpSpec) -> dict[str, KernelPlan]:
    found = {operator.name: plan_kernel(spec, operator)[0] for operator in spec.operators}
    return {name: plan for name, plan in found.items() if plan is not None}


def project(text: str) -> tuple[OpSpec, dict[str, str]]:
    """The spec and the texts of its project."""
    spec = load(text.encode(), "op.yaml")
    return spec, render(spec, outline(spec), plans_of(spec))


def write(texts: dict[str, str], folder: Path) -> Path:
    for path, text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return folder


def include_options(*folders: Path) -> list[str]:
    system = (SIM / "include", SIM / "include" / "graph", SIM / "opp" / "built-in" / "op_proto" / "inc")
    return [
        *(word for folder in folders for word in ("-I", str(folder))),
        *(word for folder in system for word in ("-isystem", str(folder))),
    ]


def gxx(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-D_GLIBCXX_USE_CXX11_ABI=0", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def formatted(path: Path) -> str:
    """The file as clang-format would write it."""
    command = [str(CLANG_FORMAT), f"--style={STYLE}", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout

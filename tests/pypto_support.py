"""Generated PyPTO folders for tests: their texts, written, formatted, compiled, executed in the stand-in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from host_support import run
from opgen.kernel.pypto.plan import PyptoPlan
from opgen.kernel.pypto.planner import plan_pypto
from opgen.project.plan import plan_project
from opgen.sim.host import HostLibrary, compile_command, link_command, program_command, ut_main
from opgen.sim.pypto_headers import kernel_headers
from opgen.spec.defaults import Defaults
from opgen.spec.loader import check
from opgen.spec.model import Operator

# The style of the operator repositories: pointers to the left, functions begin with a brace on a line of its own.
STYLE = (
    "{BasedOnStyle: Google, ColumnLimit: 120, IndentWidth: 4, AccessModifierOffset: -4, PointerAlignment: Left, "
    "DerivePointerAlignment: false, BreakBeforeBraces: Custom, BraceWrapping: {AfterFunction: true}, "
    "SortIncludes: Never, SpacesBeforeTrailingComments: 1, BreakBeforeTernaryOperators: false}"
)
CLANG_FORMAT = Path(sys.executable).with_name("clang-format")


def planned(text: str) -> tuple[Operator, PyptoPlan]:
    spec, findings = check(text.encode(), "op.yaml")
    assert spec is not None, [f"{f.rule} {f.what}" for f in findings]
    (operator,) = spec.operators
    plan, findings = plan_pypto(spec, operator)
    assert plan is not None, [f"{f.rule} {f.what}" for f in findings]
    return operator, plan


def folder(text: str, defaults: Defaults | None = None) -> dict[str, str]:
    """The files of the project, by path."""
    spec, findings = check(text.encode(), "op.yaml", defaults or Defaults())
    assert spec is not None, [f"{f.rule} {f.what}" for f in findings]
    return {file.path: file.content for file in plan_project(spec, text.encode(), "op.yaml", findings)}


def written(texts: dict[str, str], into: Path) -> Path:
    for path, text in texts.items():
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    return into


def formatted(path: Path) -> str:
    """The file as clang-format would write it."""
    command = [str(CLANG_FORMAT), f"--style={STYLE}", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, encoding="utf-8").stdout


def kernel_of(project: Path) -> str:
    """The name of a written folder's operator."""
    (kernel,) = (project / "op_kernel").glob("*.py")
    return kernel.stem


def build(home: Path, project: Path) -> HostLibrary:
    """Compiles op_host of a written folder at -Wall -Wextra -Werror, as the operator repositories do."""
    (kernel,) = (project / "op_kernel").glob("*.py")
    made = project / "build"
    made.mkdir()
    derived = kernel_headers(kernel.read_text(encoding="utf-8")).files
    for name, text in derived:
        (made / name).write_text(text)
    objects = []
    for source in sorted((project / "op_host").glob("*.cpp")):
        headers = [made / name for name, _ in derived] if "_tiling" in source.name else []
        objects.append(made / f"{source.stem}.o")
        run(compile_command(home, source, objects[-1], headers=headers))
    library = made / "libhost.so"
    run(link_command(home, objects, library))
    return HostLibrary(home, library)


def unit_tests(home: Path, project: Path, library: HostLibrary) -> str:
    """What the unit tests of a built folder say; they must pass."""
    objects = []
    for source in [*sorted((project / "tests" / "ut" / "op_host").glob("*.cpp")), ut_main(home)]:
        objects.append(project / "build" / f"{source.stem}.o")
        run(compile_command(home, source, objects[-1], ut=True))
    program = project / "build" / "unit_tests"
    run(program_command(home, objects, library.path, program))
    return run([str(program)])

"""The rungs that build: the C++ with warnings as errors, and the whole chain."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING

from opgen.verify.process import follow
from opgen.verify.result import Result
from opgen.verify.runner import BUILD, PASSED, RUN, run_project
from opgen.verify.surroundings import missing_programs, shielded, stand_in

if TYPE_CHECKING:
    from opgen.verify.ladder import Site

Progress = Callable[[str], None]

_SHOWN = 40  # lines of a failed command
_PATIENCE = 900.0  # seconds of silence; a kernel's compilation, the longest step without a word, may take 600
_SAID = re.compile(r"(?:error|warning|undefined reference|CMake Error)")
_FLAGS = ("-DCMAKE_CXX_FLAGS=-Werror", "-DCHECK_UNDEFINED=ON")  # the project's own flags have -Wall -Wextra


def cpp_rung(site: Site, progress: Progress) -> Result:
    """Builds the copy of the project. What it builds is left there for the chain, whose build it is but for -Werror."""
    from opgen.sim import build

    missing = missing_programs()
    if missing:
        return Result("cpp", "skipped", f"not on PATH: {', '.join(missing)}", lacking=True)
    home = build.ensure(progress)
    environment = {**shielded(os.environ), "ASCEND_HOME_PATH": str(home)}
    lines: list[str] = []
    folder = site.copy / BUILD
    configure = ["cmake", "-G", "Unix Makefiles", "-S", str(site.copy), "-B", str(folder), *_FLAGS]
    # Without --keep-going the first file that fails would hide the others.
    compile_all = ["cmake", "--build", str(folder), "--parallel", str(os.cpu_count() or 1), "--", "-k"]
    for command in (configure, compile_all):
        code = follow(command, site.copy, environment, lines.append)
        if code:
            shutil.rmtree(folder, ignore_errors=True)
            said = [line for line in lines if _SAID.search(line)]
            summary = said[0].strip() if said else f"{command[1]} failed with exit code {code}"
            return Result("cpp", "failed", _inside(summary, site), _inside(_tail(lines), site))
    count = sum(path.endswith((".cpp", ".cc")) for path in (file.path for file in site.plan))
    return Result("cpp", "passed", f"{count} files without a warning, no undefined symbol")


def chain_rung(site: Site, progress: Progress) -> Result:
    """Runs the copy's run.sh in the stand-in."""
    from opgen.dialect import cpu

    missing = missing_programs()
    if missing:
        return Result("chain", "skipped", f"not on PATH: {', '.join(missing)}", lacking=True)
    if cpu.find() is None:
        why = "no CPU build of TileLang here: `opgen doctor --install` prepares it"
        return Result("chain", "skipped", why, lacking=True)
    if not (site.copy / RUN).is_file():
        return Result("chain", "failed", f"{RUN} is missing")
    scratch = site.scratch / "chain"
    (scratch / "tmp").mkdir(parents=True)
    _, environment = stand_in(scratch, progress)
    environment["TMPDIR"] = str(scratch / "tmp")
    wanted = sum(o.formula is not None or o.reference is not None for o in site.spec.operators)
    ran = run_project(site.copy, environment, wanted, scratch / "run.log", lambda line: None, _PATIENCE)
    if not ran.succeeded:
        return Result("chain", "failed", _inside(ran.failure, site), _inside(_tail(list(ran.tail)), site))
    said = [line for line in ran.tail if line.startswith(PASSED)]
    return Result("chain", "passed", said[-1] if said else "no golden values: the run ended well")


def _tail(lines: list[str]) -> str:
    return "\n".join(lines[-_SHOWN:])


def _inside(text: str, site: Site) -> str:
    """A text without the place of the copy."""
    return text.replace(f"{site.copy}/", "")

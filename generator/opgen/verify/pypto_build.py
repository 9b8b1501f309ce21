"""Builds the folder of a PyPTO operator in the stand-in: host code, unit tests, examples. Warnings are errors."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from opgen.sim import build
from opgen.sim.host import (
    Definition,
    HostCrash,
    HostLibrary,
    compile_command,
    link_command,
    program_command,
    ut_main,
)
from opgen.sim.pypto_headers import HeaderError, KernelHeaders, kernel_headers
from opgen.verify.process import follow
from opgen.verify.pypto_aclnn import aclnn_files
from opgen.verify.surroundings import shielded

if TYPE_CHECKING:
    from opgen.verify.ladder import Site

Progress = Callable[[str], None]
_SAID = re.compile(r"(?:error|warning|undefined reference)")


class BuildFailed(Exception):
    """Something does not compile, or does not link. The lines are what the tools said."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)
        super().__init__(next((line.strip() for line in lines if _SAID.search(line)), lines[0] if lines else "failed"))


@dataclass
class PyptoBuild:
    """What is built of the copy of a project, each part when it is first asked for. Every property may raise
    BuildFailed. compiled: how many files were compiled without a warning."""

    site: Site
    progress: Progress
    compiled: int = field(default=0, init=False)

    @property
    def name(self) -> str:
        return self.site.spec.operators[0].name

    @property
    def kernel(self) -> Path:
        return self.site.copy / "op_kernel" / f"{self.name}.py"

    @cached_property
    def home(self) -> Path:
        return build.ensure(self.progress)

    @cached_property
    def folder(self) -> Path:
        path = self.site.scratch / "host"
        path.mkdir(parents=True, exist_ok=True)
        return path

    @cached_property
    def headers(self) -> KernelHeaders:
        """What the header step makes of the kernel."""
        place = f"op_kernel/{self.name}.py"
        if not self.kernel.is_file():
            raise BuildFailed([f"error: {place} is missing"])
        try:
            return kernel_headers(self.kernel.read_text(encoding="utf-8"))
        except HeaderError as error:
            raise BuildFailed([f"{place}:{error.line}: error: {error.message}"]) from error

    @cached_property
    def library(self) -> HostLibrary:
        """The host code. The build of a repository gives the derived headers to the tiling sources only."""
        ahead = []
        for name, text in self.headers.files:
            ahead.append(self.folder / name)
            ahead[-1].write_text(text, encoding="utf-8")
        sources = sorted((self.site.copy / "op_host").glob("*.cpp"))
        objects = self._compile(
            [(source, compile_command_for(self.home, source, self.folder, ahead)) for source in sources]
        )
        library = self.folder / f"lib{self.name}_host.so"
        self._run([link_command(self.home, objects, library)])
        return HostLibrary(self.home, library)

    @cached_property
    def definition(self) -> Definition:
        try:
            found = self.library.definitions()
        except HostCrash as error:
            raise BuildFailed(str(error).splitlines()) from error
        if len(found) != 1:
            raise BuildFailed([f"error: op_host defines {len(found)} operators with OP_ADD, not one"])
        return found[0]

    @cached_property
    def unit_tests(self) -> Path:
        """The program of tests/ut/op_host."""
        sources = [*sorted((self.site.copy / "tests" / "ut" / "op_host").glob("*.cpp")), ut_main(self.home)]
        objects = self._compile(
            [
                (source, compile_command(self.home, source, self.folder / f"{source.stem}.o", ut=True))
                for source in sources
            ]
        )
        program = self.folder / "unit_tests"
        self._run([program_command(self.home, objects, self.library.path, program)])
        return program

    @cached_property
    def examples(self) -> dict[str, Path]:
        """Source -> object of the example programs."""
        for name, text in aclnn_files(self.definition).items():
            (self.folder / name).write_text(text, encoding="utf-8")
        sources = sorted((self.site.copy / "examples").glob("*.cpp"))
        commands = [
            (source, [*compile_command(self.home, source, self.folder / f"{source.stem}.o"), f"-I{self.folder}"])
            for source in sources
        ]
        objects = self._compile(commands)
        return {source.name: built for source, built in zip(sources, objects, strict=True)}

    @cached_property
    def aclnn_example(self) -> Path:
        """The program of test_aclnn_NAME.cpp, linked with functions in place of those that op_build generates."""
        example = self.examples[f"test_aclnn_{self.name}.cpp"]
        source = self.folder / next(name for name in aclnn_files(self.definition) if name.endswith(".cpp"))
        objects = self._compile([(source, compile_command(self.home, source, source.with_suffix(".o")))])
        program = self.folder / "aclnn_example"
        self._run([program_command(self.home, [example, *objects], self.library.path, program)])
        return program

    @cached_property
    def graph_example(self) -> Path:
        """The program of test_geir_NAME.cpp."""
        program = self.folder / "graph_example"
        example = self.examples[f"test_geir_{self.name}.cpp"]
        self._run([program_command(self.home, [example], self.library.path, program)])
        return program

    def _compile(self, commands: Sequence[tuple[Path, list[str]]]) -> list[Path]:
        """Compiles files, all of them though one fails. Gives the objects."""
        self._run([command for _, command in commands])
        self.compiled += sum(self.site.copy in source.parents for source, _ in commands)
        return [Path(command[command.index("-o") + 1]) for _, command in commands]

    def _run(self, commands: Sequence[list[str]]) -> None:
        lines: list[str] = []
        failed = False
        for command in commands:
            failed = bool(follow(command, self.folder, shielded(os.environ), lines.append)) or failed
        if failed:
            raise BuildFailed([line.replace(f"{self.site.copy}/", "") for line in lines])


def compile_command_for(home: Path, source: Path, folder: Path, headers: Sequence[Path]) -> list[str]:
    """Compiles a source of op_host as the build of a repository does."""
    ahead = headers if "_tiling" in source.name else ()
    return compile_command(home, source, folder / f"{source.stem}.o", headers=ahead)

"""For tests of host code in the stand-in: an operator written by hand, in the form of the operator repositories."""

from __future__ import annotations

import subprocess
from pathlib import Path

from opgen.sim.host import HostLibrary, compile_command, link_command
from opgen.sim.pypto_headers import kernel_headers

FOLDER = Path(__file__).resolve().parent / "host_code"

_objects: dict[tuple[Path, str, str], Path] = {}  # compiled in this session: stand-in, file name, text


def run(command: list[str]) -> str:
    """What a command says; it must succeed."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def build(home: Path, into: Path, texts: dict[str, str]) -> HostLibrary:
    """The library of the hand-written operator. texts: replaced ones, by file name ("scaled_add_tiling.cpp")."""
    kernel = texts.get("scaled_add.py", (FOLDER / "op_kernel" / "scaled_add.py").read_text())
    derived = kernel_headers(kernel).files
    for name, text in derived:
        (into / name).write_text(text)
    objects = []
    for source in sorted((FOLDER / "op_host").glob("*.cpp")):
        text = texts.get(source.name, source.read_text())
        headers = [into / name for name, _ in derived] if "_tiling" in source.name else []
        known = (home, source.name, text + (kernel if headers else ""))
        if known not in _objects:
            own = into / source.name
            own.write_text(text)
            run(compile_command(home, own, own.with_suffix(".o"), headers=headers))
            _objects[known] = own.with_suffix(".o")
        objects.append(_objects[known])
    library = into / "libscaled_add_host.so"
    run(link_command(home, objects, library))
    return HostLibrary(home, library)

"""Damaged models, many models, many threads, killed compilers: nothing crashes, nothing stays behind."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import struct
import subprocess
import time
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from chain_support import interpreter
from opgen.project.plan import plan_project
from opgen.resources import folder
from opgen.sim.build import Sanitize
from opgen.spec.loader import load
from opgen.verify.surroundings import shielded
from standin_support import Place, Ran, place

_HEAD = 16  # bytes of the file's header, and as many of each section's
_SECTION = struct.Struct("<IQI")
_WORDS = ("nodes=AddCustomOffline", "shape=4096", "count=4096")
_FLAGS: dict[Sanitize, str] = {False: "", True: "-fsanitize=address,undefined -g", "thread": "-fsanitize=thread -g"}


@cache
def generated(cann: Place) -> Path:
    """A generated operator: its package. Kernels are compiled by chain_support's interpreter."""
    project = cann.folder / "add custom"
    data = (folder("specs") / "add_custom_offline" / "op.yaml").read_bytes()
    for file in plan_project(load(data, "op.yaml"), data):
        path = project / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(file.content, encoding="utf-8")
    build, output = project / "build", project / "output"
    environment = {**shielded(os.environ), "ASCEND_HOME_PATH": str(cann.home), "CXXFLAGS": _FLAGS[cann.sanitize]}
    for command in (
        ["cmake", "-S", str(project), "-B", str(build), "-DCMAKE_BUILD_TYPE=Debug"],
        ["cmake", "--build", str(build), "--target", "cust_opapi", "--parallel", "2"],
    ):
        result = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
        assert result.returncode == 0, result.stdout + result.stderr
    (library,) = build.rglob("libcust_opapi.so")
    package = cann.package(library)
    (package / "kernel").mkdir()
    for script in project.glob("*_kernel/*_kernel.py"):
        (package / "kernel" / script.name).write_bytes(script.read_bytes())
    assert not output.exists()
    interpreter(cann.folder / "python")
    return package


def with_compiler(cann: Place) -> dict[str, str]:
    return {"CUSTOM_OP_PYTHON": str(cann.folder / "python" / "python3")}


@cache
def generated_om(cann: Place) -> Path:
    """An OM of the generated operator."""
    package = generated(cann)
    air = cann.folder / "add_custom.air"
    run = cann.drive("run", *_WORDS, packages=package, **with_compiler(cann))
    assert "right 4096 of 4096" in run.stdout, run.stderr
    # A program of the project has the type from its header, the driver from the library.
    assert cann.drive("air", air, *_WORDS, "packages", packages=package).returncode == 0
    words = (f"--model={air}", f"--output={air.with_suffix('')}", "--soc_version=Ascend910_9362")
    atc = cann.run(cann.home / "bin" / "atc", "--framework=1", *words, packages=package, **with_compiler(cann))
    assert atc.returncode == 0, atc.stderr
    return air.with_suffix(".om")


@pytest.fixture
def cann() -> Place:
    return place()


@pytest.fixture
def probe_om(cann: Place) -> bytes:
    return cann.om(cann.package(cann.library("probe.cc"))).read_bytes()


def checked(data: bytes) -> bytes:
    """A file whose last checksum is right again."""
    return data[:-4] + struct.pack("<I", zlib.crc32(data[:-4]))


def sections(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Place, kind and bytes of each section."""
    position = _HEAD
    while position < len(data) - 4:
        kind, size, _ = _SECTION.unpack_from(data, position)
        yield position, kind, data[position + _HEAD : position + _HEAD + size]
        position += _HEAD + size


def flipped(data: bytes, position: int, chance: random.Random) -> bytes:
    return data[:position] + bytes([data[position] ^ 1 << chance.randrange(8)]) + data[position + 1 :]


def damaged(good: bytes, chance: random.Random) -> Iterator[bytes]:
    """A flipped bit in each byte of the headers and in some others, and cuts; also with the last checksum right."""
    heads = [range(_HEAD), *(range(place, place + _HEAD) for place, _, _ in sections(good))]
    places = [position for head in heads for position in head]
    places += [chance.randrange(len(good)) for _ in range(30)] + [len(good) - 1]
    cuts = [0, 7, 15, 19, 20, 40, len(good) - 1, *(chance.randrange(len(good)) for _ in range(8))]
    for position in places:
        yield flipped(good, position, chance)
        if position < len(good) - 4:
            yield checked(flipped(good, position, chance))
    for cut in cuts:
        yield good[:cut]
        yield checked(good[:cut]) if cut > 4 else b""


def load_all(cann: Place, good: bytes, bad: list[bytes]) -> Ran:
    """Loads all of them in one process, the good one last."""
    where = cann.folder / f"damaged-{len(bad)}-{random.getrandbits(32):x}"
    where.mkdir()
    paths = [where / f"{number}.om" for number in range(len(bad) + 1)]
    for path, data in zip(paths, [*bad, good], strict=True):
        path.write_bytes(data)
    result = cann.drive("model", *paths, "go-on")
    for path in paths:
        path.unlink()
    return result


def test_a_damaged_model_is_refused_and_leaves_nothing(cann: Place, probe_om: bytes) -> None:
    bad = list(damaged(probe_om, random.Random(1)))
    result = load_all(cann, probe_om, bad)
    assert result.returncode == 0, result.stderr[-1000:]
    assert result.stdout.count("refused ") == len(bad)
    assert result.stdout.count("right 8 of 8") == 1
    assert result.stdout.count("Deserialize1 ") == 1, "a damaged model reached an operator"
    undamaged = load_all(cann, probe_om, [])
    assert re.findall(r"(\d+) files", result.stdout) == re.findall(r"(\d+) files", undamaged.stdout)


def test_a_graph_of_nonsense_with_right_checksums_does_not_crash(cann: Place, probe_om: bytes) -> None:
    chance = random.Random(2)
    (start, kind, graph), *_ = sections(probe_om)
    assert kind == 1
    bad = []
    for _ in range(120):
        nonsense = bytearray(graph)
        for _ in range(chance.choice([1, 1, 2, 8])):
            position = chance.randrange(len(graph))
            nonsense[position] = chance.choice([0, 1, 255, nonsense[position] ^ 1 << chance.randrange(8)])
        head = struct.pack("<IQ", 1, len(graph))
        section = head + struct.pack("<I", zlib.crc32(nonsense, zlib.crc32(head))) + nonsense
        bad.append(checked(probe_om[:start] + section + probe_om[start + len(section) :]))
    result = load_all(cann, probe_om, bad)
    assert result.returncode == 0, result.stderr[-1000:]
    assert re.findall("right .*", result.stdout)[-1] == "right 8 of 8"
    assert result.stdout.count("refused ") > 20


def test_a_damaged_buffer_is_refused_by_the_generated_operator(cann: Place) -> None:
    check_buffer(cann)


def check_buffer(cann: Place) -> None:
    om = generated_om(cann)
    (_, _, section) = next(found for found in sections(om.read_bytes()) if found[1] == 2)
    name = struct.unpack_from("<Q", section)[0]
    buffer = cann.folder / "buffer"
    buffer.write_bytes(section[8 + name + 8 :])
    (library,) = generated(cann).rglob("libcust_opapi.so")
    scratch = cann.folder / "scratch"
    scratch.mkdir(exist_ok=True)
    result = cann.run(cann.deserialize(), library, "AddCustomOffline", buffer, TMPDIR=str(scratch))
    assert result.returncode == 0, result.stderr[-1000:]
    found = re.fullmatch(r"refused (\d+), unchanged (\d+) of (\d+), 0 more files open\n", result.stdout)
    assert found is not None, result.stdout
    assert found[1] == found[2] == found[3] and int(found[3]) > 700
    assert not list(scratch.iterdir())


def test_models_are_loaded_and_unloaded_in_turn(cann: Place) -> None:
    first = cann.om(cann.package(cann.library("probe.cc")))
    second = cann.om(cann.package(cann.library("probe.cc", "-DPROBE_MARK=2")))
    result = cann.drive("model", first, second, first, "loads=3")
    assert result.returncode == 0, result.stderr
    assert result.stdout.count("right 8 of 8") == 3
    marks = re.findall(r"Deserialize(\d) time=(\d)", result.stdout)
    assert marks == [("1", "1"), ("2", "1"), ("1", "1")] * 3
    mixed = cann.drive("model", generated_om(cann), generated_om(cann), "count=4096", "loads=3")
    assert mixed.returncode == 0 and mixed.stdout.count("right 4096 of 4096") == 2, mixed.stderr


def test_sixteen_threads_compile_and_run(cann: Place) -> None:
    check_threads(cann)


def check_threads(cann: Place) -> None:
    for words in (("nodes=Probe,Other,Probe",), ("nodes=Probe,Other", "shape=-1")):
        package = cann.package(cann.library("probe.cc"))
        result = cann.drive("run", *words, "sessions=16", "runs=10", packages=package)
        assert result.returncode == 0, result.stderr[-3000:]
        assert result.stdout.count("right 8 of 8") == 16
    result = cann.drive("run", *_WORDS, "sessions=16", "runs=10", packages=generated(cann), **with_compiler(cann))
    assert result.returncode == 0, result.stderr[-3000:]
    assert result.stdout.count("right 4096 of 4096") == 16


def flat(result: Ran, loads: int) -> None:
    """Between a tenth of the loads and all of them, files and memory do not grow."""
    assert result.returncode == 0, result.stderr[-1000:]
    found = re.findall(r"after (\d+) loads: (\d+) files, (\d+) KiB", result.stdout)
    (early, files, memory), (late, files_then, memory_then) = found
    assert (int(early), int(late)) == (loads // 10, loads)
    assert files == files_then
    assert int(memory_then) - int(memory) < 1024
    assert "files in memory are still open" not in result.stderr


def test_descriptors_and_memory_are_flat_over_many_loads(cann: Place) -> None:
    flat(cann.drive("model", generated_om(cann), "count=4096", "loads=200"), 200)


@pytest.mark.full
def test_descriptors_and_memory_are_flat_over_a_thousand_loads(cann: Place) -> None:
    first = cann.om(cann.package(cann.library("probe.cc")))
    flat(cann.drive("model", first, "loads=1000"), 1000)
    flat(cann.drive("model", generated_om(cann), "count=4096", "loads=1000"), 1000)
    cann_91 = place("9.1")
    flat(cann_91.drive("model", generated_om(cann_91), "count=4096", "loads=1000"), 1000)


def test_a_killed_compilation_leaves_no_child(cann: Place, tmp_path: Path) -> None:
    package = generated(cann)
    compiler = tmp_path / "python3"
    compiler.write_text(
        f'#!/bin/sh\necho $$ > "{tmp_path}/staged" && mv "{tmp_path}/staged" "{tmp_path}/pid"\nexec sleep 600\n'
    )
    compiler.chmod(0o755)
    environment = {
        **shielded(os.environ),
        "ASCEND_HOME_PATH": str(cann.home),
        "ASCEND_CUSTOM_OPP_PATH": str(package),
        "LD_LIBRARY_PATH": str(cann.home / "lib64"),
        "CUSTOM_OP_PYTHON": str(compiler),
        "TMPDIR": str(tmp_path),
    }
    process = subprocess.Popen([cann.driver(), "run", *_WORDS], env=environment, stdout=subprocess.DEVNULL)
    try:
        child = int(wait_for(lambda: (tmp_path / "pid").read_text()))
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert wait_for(lambda: "gone" if not alive(child) else "") == "gone"
    finally:
        process.kill()
        process.wait()


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(look: object, seconds: float = 30.0) -> str:
    assert callable(look)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            found = str(look())
            if found:
                return found
        time.sleep(0.05)
    raise AssertionError("waited in vain")


# With sanitizers


@pytest.mark.full
def test_damage_is_refused_under_the_address_sanitizer() -> None:
    cann = place(sanitize=True)
    good = cann.om(cann.package(cann.library("probe.cc"))).read_bytes()
    test_a_damaged_model_is_refused_and_leaves_nothing(cann, good)
    test_a_graph_of_nonsense_with_right_checksums_does_not_crash(cann, good)
    check_buffer(cann)
    mixed = cann.drive("model", generated_om(cann), generated_om(cann), "count=4096", "loads=3")
    assert mixed.returncode == 0 and mixed.stdout.count("right 4096 of 4096") == 2, mixed.stderr[-3000:]


@pytest.mark.full
def test_threads_under_the_thread_sanitizer() -> None:
    check_threads(place(sanitize="thread"))

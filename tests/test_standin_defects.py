"""Defects that break operators in GE break them in the stand-in, each where it would be seen."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from standin_support import MACHINE, Place, Ran, place


@pytest.fixture
def cann() -> Place:
    return place()


def kernels(cann: Place, name: str = "kernels") -> Path:
    """A folder with the kernels that the operators of standin/defects take."""
    folder = cann.folder / name
    if not folder.exists():
        folder.mkdir()
        for count in (8, 16, 4096):
            shutil.copy(cann.library("defects/kernel.cc", f"-DCOUNT={count}", archive=False), folder / f"{count}.bin")
    return folder


def drive(cann: Place, *words: str | Path, packages: str | Path, folder: Path | None = None) -> Ran:
    return cann.drive(*words, packages=packages, KERNELS=str(folder or kernels(cann)))


def package(cann: Place, defect: str, *flags: str) -> Path:
    return cann.package(cann.library(f"defects/{defect}.cc", *flags))


def om(cann: Place, where: Path, *words: str) -> Path:
    model, result = cann.atc(cann.air(*words), where, KERNELS=str(kernels(cann)))
    assert result.returncode == 0, result.stderr
    return model


def run_model(cann: Place, *words: str | Path) -> Ran:
    return cann.drive("model", *words)


def test_without_a_defect_everything_works(cann: Place) -> None:
    sound = package(cann, "sound")
    result = drive(cann, "run", packages=f"{cann.package()}:{sound}", folder=kernels(cann, "a folder's kernels"))
    assert result.returncode == 0 and "right 8 of 8" in result.stdout, result.stderr
    first, second = om(cann, sound), om(cann, sound, "shape=16")
    result = run_model(cann, first, second, "count=16", "go-on", "loads=20")
    assert "right 16 of 16" in result.stdout and "still open" not in result.stderr
    early, late = re.findall(r"(\d+) files", result.stdout)
    assert early == late
    refused = drive(cann, "run", "ys=4", packages=sound)
    assert refused.returncode == 1 and "Execute of node node0 (Probe) failed" in refused.stderr


def test_another_architecture_in_the_path(cann: Place) -> None:
    where = package(cann, "hard_coded_arch")
    inside = where / "op_graph" / "lib" / "linux" / MACHINE
    shutil.copy(kernels(cann) / "8.bin", inside / "8.bin")
    result = drive(cann, "run", packages=where)
    assert result.returncode == 1 and re.search(r"no kernel .*/op_graph/lib/linux/\w+/8\.bin", result.stderr)


def test_only_the_first_entry_of_the_path(cann: Place) -> None:
    where = package(cann, "first_entry_only")
    shutil.copytree(kernels(cann), where / "kernel")
    assert drive(cann, "run", packages=where).returncode == 0
    result = drive(cann, "run", packages=f"{cann.package()}:{where}")
    assert result.returncode == 1 and "no kernel" in result.stderr


def test_a_kernel_in_the_scanned_folder(cann: Place) -> None:
    where = package(cann, "sound")
    kernel = cann.library("defects/kernel.cc", "-DCOUNT=8", "-DNEEDS_A_DEVICE", archive=False)
    shutil.copy(kernel, where / "op_graph" / "lib" / "linux" / MACHINE / "add_kernel.so")
    result = drive(cann, "run", packages=where)
    assert result.returncode == 1 and "GEInitialize failed" in result.stderr
    assert re.search("add_kernel.so: undefined symbol: LaunchOnADevice", result.stderr)


def test_reg_op_is_not_in_the_library(cann: Place) -> None:
    where = package(cann, "sound", "-DWITHOUT_REG_OP")
    hidden = run_model(cann, om(cann, where, "described"))
    assert hidden.returncode == 0, "described by hand"
    result = run_model(cann, om(cann, where))
    assert result.returncode == 1 and "shapes of the model are not known" in result.stderr


def test_shapes_of_inputs_are_not_compared(cann: Place) -> None:
    where = package(cann, "no_comparison")
    few = drive(cann, "run", "ys=4", packages=where)
    assert "right 4 of 8" in few.stdout, "the guard bytes after y were read"
    many = drive(cann, "run", "shape=4096", "count=4096", "ys=1024", packages=where)
    assert many.returncode < 0 and "something goes on after the 4096 bytes of a tensor" in many.stderr


def test_a_shell_between_ge_and_the_compiler(cann: Place) -> None:
    where = package(cann, "shell")
    assert drive(cann, "run", packages=where).returncode == 0
    result = drive(cann, "run", packages=where, folder=kernels(cann, "a folder's kernels"))
    assert result.returncode == 1 and "Compile of node node0 (Probe) failed" in result.stderr


def test_a_size_that_is_not_known_is_compiled(cann: Place) -> None:
    result = drive(cann, "run", "shape=-1", packages=package(cann, "sound"))
    assert result.returncode == 1 and "no kernel" in result.stderr and "/-1.bin" in result.stderr


def test_memory_files_stay_open(cann: Place) -> None:
    model = om(cann, package(cann, "memory_file_left_open"))
    result = run_model(cann, model, "loads=20")
    assert "20 files in memory are still open although every model is unloaded" in result.stderr
    early, late = re.findall(r"(\d+) files", result.stdout)
    assert int(late) == int(early) + 18


def test_memory_files_are_closed_and_their_names_used_again(cann: Place) -> None:
    where = package(cann, "memory_file_closed")
    first, second = om(cann, where), om(cann, where, "shape=16")
    result = run_model(cann, first, second, "count=16", "go-on")
    assert "right 8 of 16" in result.stdout, "the kernel of the first model ran"


def test_kernels_of_the_first_model_are_closed(cann: Place) -> None:
    """With CANN 9.1 both models have one object."""
    cann_91 = place("9.1")
    where = package(cann_91, "kernels_replaced")
    models = om(cann_91, where), om(cann_91, where, "shape=16")
    result = run_model(cann_91, *models)
    assert result.returncode < 0, "the first model runs code that is gone"
    where = package(cann, "kernels_replaced")
    assert "right 8 of 8" in run_model(cann, om(cann, where), om(cann, where, "shape=16"), "go-on").stdout


def test_an_archive_of_nothing(cann: Place) -> None:
    result = run_model(cann, om(cann, package(cann, "empty_archive"), "shape=-1"))
    assert result.returncode == 1 and "Deserialize of Probe failed" in result.stderr


def test_a_destructor_that_calls_acl(cann: Place) -> None:
    result = drive(cann, "run", packages=package(cann, "acl_in_destructor"))
    assert result.returncode == 1 and "right 8 of 8" in result.stdout
    assert "aclrtFree is called by an operator that dies after ACL was finalized" in result.stderr


@pytest.mark.full
def test_kernels_are_looked_up_without_the_lock() -> None:
    cann = place(sanitize="thread")
    words = ("run", "sessions=6", "runs=3", "each=8,16,4096")
    sound = drive(cann, *words, packages=package(cann, "sound"))
    assert sound.returncode == 0, sound.stderr[-2000:]
    result = drive(cann, *words, packages=package(cann, "look_up_without_lock"))
    assert "data race" in result.stderr and "Find" in result.stderr

"""The stand-in calls custom operators as GE does, also where that hurts."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest
from standin_support import Place, place


@pytest.fixture
def cann() -> Place:
    return place()


@pytest.fixture
def cann_91() -> Place:
    return place("9.1")


@pytest.fixture
def probe(cann: Place) -> Path:
    """A package with the operators of standin/probe.cc."""
    return cann.package(cann.library("probe.cc"))


def said(text: str, start: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


# Packages


def test_a_library_that_cannot_be_loaded_ends_initialization(cann: Place, probe: Path) -> None:
    (library,) = probe.rglob("*.so")
    (library.parent / "zz_kernel.so").write_bytes(b"not a library")
    result = cann.drive("run", packages=probe)
    assert result.returncode == 1 and "GEInitialize failed" in result.stderr
    assert "zz_kernel.so" in result.stderr


def test_other_suffixes_are_not_loaded(cann: Place, probe: Path) -> None:
    (library,) = probe.rglob("*.so")
    (library.parent / "kernel.tlk").write_bytes(b"not a library")
    (probe / "kernel.so").write_bytes(b"not a library, not in the folder that is scanned")
    assert cann.drive("run", packages=probe).returncode == 0


def test_the_path_has_several_packages_and_the_first_wins(cann: Place, probe: Path) -> None:
    second = cann.package(cann.library("probe.cc", "-DPROBE_MARK=2"))
    result = cann.drive("run", packages=f":{probe}::{second}:")
    assert result.returncode == 0 and said(result.stdout, "Execute1") and not said(result.stdout, "Execute2")
    assert "operator type Probe is registered already" in result.stderr
    assert said(cann.drive("run", packages=f"{second}:{probe}").stdout, "Execute2")


def test_the_library_at_the_root_comes_first(cann: Place, probe: Path) -> None:
    shutil.copy(cann.library("probe.cc", "-DPROBE_MARK=2"), probe / "libcust_opapi.so")
    result = cann.drive("run", packages=probe)
    assert said(result.stdout, "Execute2") and not said(result.stdout, "Execute1")


def test_the_path_is_read_once(cann: Place, probe: Path) -> None:
    assert "right 8 of 8" in cann.drive("run", "fresh", packages=probe).stdout
    result = cann.drive("run")
    assert result.returncode == 1 and "operator type Probe of node node0 is not registered" in result.stderr


# Inference and compilation


def test_inference_sees_shapes_without_memory(cann: Place, probe: Path) -> None:
    result = cann.drive("run", packages=probe)
    lines = result.stdout.splitlines()
    assert lines[:2] == ["InferDataType", "InferShape 8 address=0"]
    failed = cann.drive("run", packages=probe, does="fail-InferShape")
    assert failed.returncode == 1 and "InferShape of node node0 (Probe) failed" in failed.stderr
    assert not said(failed.stdout, "Compile")


def test_compile_sees_metadata_only(cann: Place, probe: Path) -> None:
    result = cann.drive("run", packages=probe)
    assert said(result.stdout, "Compile") == [
        "Compile node0 8 address=0 size=0 end=1 soc=Ascend910_9362 attributes=1 together=1 on-object=1"
    ]
    dynamic = cann.drive("run", "shape=-1", packages=probe)
    assert len(said(dynamic.stdout, "Compile node0 -1 ")) == 1
    failed = cann.drive("run", packages=probe, does="fail-Compile")
    assert failed.returncode == 1 and "Compile of node node0 (Probe) failed" in failed.stderr


def test_without_reg_op_in_the_library_nothing_is_inferred_and_attributes_are_missing(cann: Place) -> None:
    package = cann.package(cann.library("probe.cc", "-DPROBE_WITHOUT_REG_OP"))
    _, described = cann.atc(cann.air("described"), package)
    assert described.returncode == 0, described.stderr
    assert not said(described.stdout, "Infer")
    (compiled,) = said(described.stdout, "Compile node0 8 ")
    assert "attributes=0" in compiled
    om, result = cann.atc(cann.air(), package)
    assert result.returncode == 0 and not said(result.stdout, "Infer")
    run = cann.drive("model", om)
    assert run.returncode == 1 and "shapes of the model are not known" in run.stderr
    # A program that has REG_OP itself hides it.
    assert said(cann.drive("run", packages=package).stdout, "InferShape 8")


def test_objects_compile_side_by_side_but_each_its_nodes_one_by_one(cann: Place, probe: Path) -> None:
    result = cann.drive("run", "nodes=Probe,Other,Probe,Other", packages=probe, does="slow-Compile")
    assert result.returncode == 0, result.stderr
    compiled = said(result.stdout, "Compile")
    assert len(compiled) == 4
    assert any("together=2" in line for line in compiled)
    assert all("on-object=1" in line for line in compiled)


def test_sessions_share_the_object_and_call_it_at_once(cann: Place, probe: Path) -> None:
    result = cann.drive("run", "sessions=2", packages=probe, does="slow-Compile")
    assert result.returncode == 0, result.stderr
    assert any("on-object=2" in line for line in said(result.stdout, "Compile"))


# Execution


def test_known_shapes_execute_once_while_the_graph_is_loaded(cann: Place, probe: Path) -> None:
    result = cann.drive("run", "runs=3", packages=probe)
    lines = result.stdout.splitlines()
    executed = [number for number, line in enumerate(lines) if line.startswith("Execute1")]
    assert len(executed) == 1
    assert lines.index("compiled") < executed[0] < lines.index("loaded")
    assert lines[-1] == "right 8 of 8"


@pytest.mark.parametrize("shape", ["-1", "-2"])
def test_unknown_shapes_execute_at_each_run(cann: Place, probe: Path, shape: str) -> None:
    result = cann.drive("run", f"shape={shape}", "runs=3", packages=probe)
    lines = result.stdout.splitlines()
    after = lines[lines.index("loaded") :]
    assert [line.split()[0] for line in after[1:-1]] == ["InferDataType", "InferShape", "Execute1", "workspaces"] * 3
    assert "InferShape 8 address=0" in after and lines[-1] == "right 8 of 8"


def test_what_execute_gets(cann: Place, probe: Path) -> None:
    result = cann.drive("run", packages=probe)
    assert "Execute1 8 ready=1 attributes=1 ports=1" in result.stdout
    assert "workspaces 1 0 out-of-range=0" in result.stdout


@pytest.mark.parametrize(("shape", "step"), [("8", "LoadGraph"), ("-1", "ExecuteGraph")])
def test_an_error_of_execute_fails_the_load_or_the_run(cann: Place, probe: Path, shape: str, step: str) -> None:
    result = cann.drive("run", f"shape={shape}", packages=probe, does="fail-Execute")
    assert result.returncode == 1 and f"{step} failed" in result.stderr
    assert "Execute of node node0 (Probe) failed" in result.stderr


def test_waiting_for_the_stream_while_the_graph_is_loaded(cann: Place, probe: Path) -> None:
    result = cann.drive("run", packages=probe, does="wait")
    assert result.returncode == 1 and "Execute waits for its stream while the graph is loaded" in result.stderr
    assert cann.drive("run", "shape=-1", packages=probe, does="wait").returncode == 0


@pytest.mark.parametrize(
    ("shape", "does"),
    [
        ("8", "grow"),  # the bound output is smaller: nobody looks, the kernel writes past it
        ("8", "write-on"),
        ("-1", "write-on"),
    ],
)
def test_writing_past_a_tensor_is_told(cann: Place, probe: Path, shape: str, does: str) -> None:
    result = cann.drive("run", f"shape={shape}", packages=probe, does=does)
    assert result.returncode == 1 and "aclrtSynchronizeStream failed" in result.stderr
    assert "something was written beside the 32 bytes of output 0 of node0" in result.stderr


def test_reading_past_a_tensor_ends_the_program(cann: Place, probe: Path) -> None:
    result = cann.drive("run", packages=probe, does="read-on")
    assert result.returncode < 0 and "something goes on after the 32 bytes of a tensor" in result.stderr


@pytest.mark.parametrize(("shape", "step"), [("0", "LoadGraph"), ("-1", "ExecuteGraph")])
def test_an_empty_output_is_refused(cann: Place, probe: Path, shape: str, step: str) -> None:
    result = cann.drive("run", f"shape={shape}", "count=0", packages=probe)
    assert result.returncode == 1 and f"{step} failed" in result.stderr
    assert "no output" in result.stdout.splitlines()


def test_an_output_with_the_name_of_an_input_is_its_memory(cann: Place, probe: Path) -> None:
    assert "right 8 of 8" in cann.drive("run", "nodes=InPlace", "runs=2", packages=probe).stdout
    result = cann.drive("run", "nodes=InPlace", packages=probe, does="allocate-in-place")
    assert result.returncode == 1 and "it takes MakeOutputRefInput" in result.stderr


# Models


def test_an_om_brings_library_and_kernels(cann: Place, probe: Path) -> None:
    om = cann.om(probe, "nodes=Probe,Other")
    result = cann.drive("model", om, "nodes=Probe,Other")
    assert result.returncode == 0, result.stderr
    assert said(result.stdout, "Deserialize1 time=1") and "Execute1 8 ready=1" in result.stdout
    assert "right 8 of 8" in result.stdout
    assert not said(result.stdout, "Compile")


def test_each_model_has_objects_of_its_own(cann: Place, probe: Path) -> None:
    om = cann.om(probe)
    result = cann.drive("model", om, om)
    assert said(result.stdout, "Deserialize") == ["Deserialize1 time=1"] * 2
    assert result.stdout.count("right 8 of 8") == 2


def test_models_of_91_share_the_object_of_the_process(cann_91: Place) -> None:
    om = cann_91.om(cann_91.package(cann_91.library("probe.cc")))
    result = cann_91.drive("model", om, om)
    assert said(result.stdout, "Deserialize") == ["Deserialize1 time=1", "Deserialize1 time=2"]
    assert result.stdout.count("right 8 of 8") == 2, result.stderr


def test_unloading_a_model_takes_the_prototypes_of_its_types(cann: Place, cann_91: Place, probe: Path) -> None:
    assert "prototype known 0" in cann.drive("model", cann.om(probe)).stdout
    package = cann_91.package(cann_91.library("probe.cc"))
    assert "prototype known 1" in cann_91.drive("model", cann_91.om(package)).stdout


def test_portable_and_other_operators_do_not_mix(cann: Place) -> None:
    package = cann.package(cann.library("probe.cc", "-DOTHER_NOT_PORTABLE"))
    om, result = cann.atc(cann.air("nodes=Probe,Other"), package)
    assert result.returncode == 1 and not om.exists()
    assert "mixes portable custom operators (Probe) and others (Other)" in result.stderr


def test_an_operator_that_is_not_portable_is_not_in_the_om(cann: Place) -> None:
    package = cann.package(cann.library("probe.cc", "-DOTHER_NOT_PORTABLE"))
    result = cann.drive("model", cann.om(package, "nodes=Other"))
    assert result.returncode == 1 and "custom operator Other is not found in the registry" in result.stderr


def test_a_library_without_the_registry_gives_an_om_that_cannot_be_loaded(cann: Place) -> None:
    package = cann.package(cann.library("probe.cc", archive=False))
    om = cann.om(package)
    result = cann.drive("model", om, om, "go-on")
    assert "pull creator ABI symbols are incomplete" in result.stderr
    assert said(result.stdout, "refused") == [f"refused {om}"] * 2
    assert said(result.stdout, "after 1 loads")


def test_an_empty_buffer_is_an_error_from_92_on(cann: Place, cann_91: Place, probe: Path) -> None:
    om, result = cann.atc(cann.air(), probe, does="save-nothing")
    assert result.returncode == 1 and "Serialize of Probe gave nothing" in result.stderr and not om.exists()
    om, result = cann_91.atc(cann_91.air(), cann_91.package(cann_91.library("probe.cc")), does="save-nothing")
    assert result.returncode == 0 and "Serialize of Probe gave nothing" in result.stderr
    assert cann_91.drive("model", om).returncode == 1


def test_files_are_written_read_only_and_tell_what_they_are(cann: Place, probe: Path) -> None:
    air = cann.air()
    assert stat.S_IMODE(air.stat().st_mode) == stat.S_IRUSR
    assert air.read_bytes()[:8] == b"OPGENAIR"
    om, _ = cann.atc(air, probe)
    assert om.read_bytes()[:8] == b"OPGEN-OM"
    for path, other in ((air, om), (om, air)):
        copy = path.with_suffix(".copy")
        copy.write_bytes(other.read_bytes())
        assert cann.atc(copy, probe)[1].returncode == (0 if other is air else 1)
    for path, said_of_it in (
        (air, "no such file of the stand-in"),
        (om.parent, "cannot read"),
        ("/no/file", "cannot read"),
    ):
        refused = cann.drive("model", path)
        assert refused.returncode == 1 and said_of_it in refused.stderr

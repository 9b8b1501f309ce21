"""The commands on a PyPTO folder."""

from __future__ import annotations

import json

import pytest
from disk_support import picture
from opgen.project.settings import forget
from pypto_zoo import ZOO
from story_support import Story, story

__all__ = ["story"]


@pytest.fixture(autouse=True)
def fresh() -> None:
    forget()


@pytest.fixture
def made(story: Story) -> Story:
    ran = story.run("new", "add_example", "--scenario", "pypto")
    assert ran.code == 0, ran.err
    assert "opgen verify add_example" in ran.err
    assert "opgen run" not in ran.err
    return story


def test_a_new_folder_is_complete_and_in_sync(made: Story) -> None:
    folder = made.folder / "add_example"
    host = (
        "CMakeLists.txt",
        *(f"add_example_{end}" for end in ("def.cpp", "infershape.cpp", "shapes.h", "tiling.cpp")),
    )
    for path in (*(f"op_host/{name}" for name in host), "op_kernel/add_example.py", "op_graph/add_example_proto.h"):
        assert (folder / path).is_file(), path
    assert "soc: ascend950" in (folder / "op.yaml").read_text("utf-8")
    before = picture(folder)
    assert made.run("check", "add_example").code == 0
    assert made.run("generate", "add_example").code == 0
    assert picture(folder) == before


def test_drift_is_found_and_mended(made: Story) -> None:
    tiling = made.folder / "add_example/op_host/add_example_tiling.cpp"
    text = tiling.read_text("utf-8")
    tiling.unlink()
    ran = made.run("check", "add_example")
    assert ran.code == 1
    assert "add_example_tiling.cpp" in ran.out
    assert made.run("generate", "add_example").code == 0
    assert tiling.read_text("utf-8") == text


def test_what_is_ours_can_be_listed_and_removed(made: Story) -> None:
    ran = made.run("list", "add_example", "--format", "json")
    paths = [row["path"] for row in json.loads(ran.out)["files"]]
    assert "add_example/op_host/add_example_def.cpp" in paths
    assert made.run("clean", "add_example").code == 0
    assert not (made.folder / "add_example/op_host").exists()


def test_a_kernel_of_ones_own_is_copied_to_its_place(story: Story) -> None:
    (story.folder / "fast.py").write_text("# mine\n", "utf-8")
    ran = story.run("new", "add_example", "--scenario", "pypto", "--kernel", "fast.py", "--formula", "z = x + y")
    assert ran.code == 0, ran.err
    assert "kernel: add_example.py" in (story.folder / "add_example/op.yaml").read_text("utf-8")
    assert (story.folder / "add_example/op_kernel/add_example.py").read_text("utf-8") == "# mine\n"


def test_the_folder_is_called_like_the_operator(story: Story) -> None:
    ran = story.run("new", "add_example", "--scenario", "pypto", "--op", "AddOther")
    assert ran.code == 2
    assert "add_example" in ran.err
    assert not (story.folder / "add_example").exists()


def test_show_has_fields_keys_and_the_command(story: Story) -> None:
    folder = story.folder / "scaled_add"
    folder.mkdir()
    (folder / "op.yaml").write_text(ZOO["scaled_add"], "utf-8")
    ran = story.run("show", "scaled_add")
    assert ran.code == 0, ran.err
    assert "bash build.sh --pkg --soc=ascend950 --vendor_name=custom --ops=scaled_add" in ran.out
    (shown,) = json.loads(story.run("show", "scaled_add", "--format", "json").out)["operators"]
    assert [(row["offset"], row["type"], row["field"]) for row in shown["tiling_data"]] == [
        (0, "int64_t", "total_length"),
        (8, "int64_t", "tile_num"),
        (16, "float", "alpha"),
    ]
    assert shown["tiling_data_bytes"] == 24
    assert shown["keys"] == [{"key": 0, "sch_mode": 0}, {"key": 1, "sch_mode": 1}]
    assert shown["kernels"] == 6
    # 65536 elements in 8 tiles of 8192; 0.5 is 0x3F000000.
    assert shown["host"][0]["words"] == f"65536 8 {0x3F000000}"
    assert (shown["host"][0]["key"], shown["host"][0]["blocks"]) == (0, 8)


def test_run_says_who_runs_it(made: Story) -> None:
    ran = made.run("run", "add_example")
    assert ran.code == 2
    assert "build.sh" in ran.err


def test_the_repository_chooses_the_macro(made: Story) -> None:
    (made.folder / "opgen.toml").write_text(
        '[pypto]\ncmake = "add_all_modules_sources"\nrequire_pypto_pro = true\nvendor = "mine"\n', "utf-8"
    )
    forget()
    assert made.run("check", "add_example").code == 1
    assert made.run("generate", "add_example").code == 0
    root = (made.folder / "add_example/CMakeLists.txt").read_text("utf-8")
    assert "require_pypto_pro(add_example)" in root
    assert "--vendor_name=mine" in made.run("show", "add_example").out
    assert made.run("check", "add_example").code == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('cmake = "add_sources"', "add_modules_sources"),
        ("require_pypto_pro = 1", "true or false"),
        ('vendor = "my vendor"', "letters, digits and underscores"),
        ('vender = "mine"', "did you mean vendor?"),
    ],
)
def test_settings_that_mean_nothing_are_refused(made: Story, line: str, said: str) -> None:
    (made.folder / "opgen.toml").write_text(f"[pypto]\n{line}\n", "utf-8")
    forget()
    ran = made.run("check", "add_example")
    assert ran.code == 2
    assert "opgen.toml:2:" in ran.out + ran.err
    assert said in ran.out + ran.err

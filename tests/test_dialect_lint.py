"""opgen lint-kernel: anybody's kernel script, in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import Opgen
from dialect_support import HEAD, KERNELS, checked_text, kernel, rules, shown
from opgen.dialect import check_here, check_script

XY = 'x: T.Tensor((2048,), "float32"), y: T.Tensor((2048,), "float32")'
COPY = 'v = T.alloc_ub((1024,), "float32")\nT.copy(x[vid * 1024], v)\nT.copy(v, y[vid * 1024])\n'


def test_a_clean_kernel(opgen: Opgen) -> None:
    ended = opgen("lint-kernel", str(KERNELS / "good_where.py"))
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == "1 kernel checked: nothing found\n"


def test_a_finding_shows_the_line_and_says_why_and_what_to_do(opgen: Opgen) -> None:
    path = KERNELS / "bad_no_barrier.py"
    line = next(n for n, text in enumerate(path.read_text().split("\n"), 1) if "T.tile.add" in text)
    ended = opgen("lint-kernel", path.name, cwd=KERNELS)
    first, excerpt, caret, *rest = ended.stdout.split("\n")
    assert first.startswith(
        f"bad_no_barrier.py:{line}:13: warning OPG721: T.tile.add reads v, which the vector operation"
    )
    assert "cid 0, vid 0; 4 times" in first
    assert excerpt.endswith("|             T.tile.add(v, v, 1.0)")
    assert caret.strip(" |") == "^" * len("T.tile.add(v, v, 1.0)")
    assert rest[0].startswith("  why: ") and rest[1].startswith("  fix: ") and rest[3] == "1 warning"
    assert ended.returncode == 0
    assert opgen("lint-kernel", path.name, "--strict", cwd=KERNELS).returncode == 1


def test_errors_end_with_1(opgen: Opgen) -> None:
    assert opgen("lint-kernel", str(KERNELS / "bad_clamp.py")).returncode == 1


def test_formats_for_programs(opgen: Opgen) -> None:
    ended = opgen("lint-kernel", str(KERNELS / "bad_clamp.py"), "--format", "json")
    (finding,) = json.loads(ended.stdout)["findings"]
    assert (finding["rule"], finding["severity"]) == ("OPG742", "error")
    assert finding["file"].endswith("bad_clamp.py") and finding["line"] > 1
    ended = opgen("lint-kernel", str(KERNELS / "bad_clamp.py"), "--format", "github")
    assert ended.stdout.startswith("::error file=") and "title=OPG742" in ended.stdout


def test_what_the_script_prints_is_no_part_of_the_report(opgen: Opgen) -> None:
    ended = opgen("lint-kernel", str(KERNELS / "good_jit.py"), "--format", "json")
    assert json.loads(ended.stdout)["findings"] == []
    assert "passed\n" in ended.stderr
    assert ended.returncode == 0


def test_arguments_and_neighbours_of_a_script(opgen: Opgen, tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "sizes.py").write_text("import sys\n\nLENGTH = int(sys.argv[1])\n")
    text = HEAD + "from sizes import LENGTH\n" + kernel(COPY, XY.replace("2048", "LENGTH"))[len(HEAD) :]
    (folder / "kernel.py").write_text(text)
    assert opgen("lint-kernel", "a folder/kernel.py", "--", "2048", cwd=tmp_path).returncode == 0
    ended = opgen("lint-kernel", "a folder/kernel.py", cwd=tmp_path)
    assert ended.returncode == 2
    assert "a folder/sizes.py:3:" in ended.stdout and "OPG701: the script fails: IndexError" in ended.stdout
    assert "Traceback" not in ended.stdout + ended.stderr


def test_a_script_that_asks_for_arguments(opgen: Opgen, tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('n')\np.parse_args()\n"
    )
    ended = opgen("lint-kernel", "kernel.py")
    assert ended.returncode == 2
    assert "kernel.py:4:1: error OPG701: the script ends with code 2" in ended.stdout
    assert "fix: give its arguments behind `--`" in ended.stdout


def test_a_script_without_a_kernel(opgen: Opgen, tmp_path: Path) -> None:
    (tmp_path / "empty.py").write_text("print('nothing')\n")
    ended = opgen("lint-kernel", "empty.py")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "opgen: empty.py compiled no kernel" in ended.stderr


def test_no_such_script(opgen: Opgen) -> None:
    ended = opgen("lint-kernel", "none.py")
    assert (ended.returncode, ended.stderr.split("\n")[0]) == (2, "opgen: none.py is no file")


@pytest.mark.parametrize("words", [["--dims", "n"], ["--dims", "n=0"], ["--dims", "n=x"], ["--dim", "n=1"]])
def test_wrong_options(opgen: Opgen, words: list[str]) -> None:
    ended = opgen("lint-kernel", str(KERNELS / "good_where.py"), *words)
    assert ended.returncode == 2 and ended.stderr.startswith("opgen: lint-kernel: ")


def test_sizes_that_are_given(opgen: Opgen) -> None:
    path = str(KERNELS / "good_symbolic_rows.py")
    assert opgen("lint-kernel", path, "--dims", "m=5", "n=7").stderr == "1 kernel checked: nothing found\n"
    assert opgen("lint-kernel", path).stderr == "1 kernel, 3 calls checked: nothing found\n"
    ended = opgen("lint-kernel", path, "--dims", "m=5", "q=7")
    assert (ended.returncode, ended.stderr.splitlines()) == (
        2,
        ["opgen: --dims q: no kernel of the script has a symbolic size of this name", "  fix: symbolic sizes are m, n"],
    )


# ---- in this process ----


def test_a_syntax_error_is_located(tmp_path: Path) -> None:
    (found,) = checked_text(tmp_path, "import tilelang\nx = (1,\n  2]\n").findings
    assert found.rule == "OPG701" and found.place and found.place.line == 3


def test_a_mistake_in_the_dialect_is_located_in_the_kernel(tmp_path: Path) -> None:
    (found,) = checked_text(tmp_path, kernel("T.alloc_local((8,), 'float32')", XY)).findings
    assert "T.alloc_local does not exist: use T.alloc_var for a scalar, T.alloc_ub for a tile" in found.what
    assert found.place and found.place.line == 11
    (found,) = checked_text(tmp_path, kernel("T.tile.sigmod(x, x)", XY)).findings
    assert "T.tile.sigmod does not exist; did you mean sigmoid?" in found.what


def test_python_needs_a_size_that_is_not_known_yet(tmp_path: Path) -> None:
    text = kernel(COPY, XY.replace("2048", "n")).replace("KEY =", 'n = T.symbolic("n")\nif n > 5:\n    pass\nKEY =')
    (found,) = checked_text(tmp_path, text).findings
    assert found.rule == "OPG701" and "the size n has no value before the kernel is called" in found.what
    assert "T.ceildiv" in found.fix


def test_annotations_as_strings(tmp_path: Path) -> None:
    text = "from __future__ import annotations\n" + kernel(COPY, XY)
    assert shown(checked_text(tmp_path, text)) == []


def test_kernels_are_checked_one_by_one(tmp_path: Path) -> None:
    good, bad = kernel(COPY, XY), kernel(COPY.replace("y[vid * 1024]", "y[cid * 1024]"), XY)
    report = checked_text(tmp_path, good + bad[len(HEAD) :])
    assert [len(k.findings) for k in report.kernels] == [0, 1]
    assert rules(report) == {"OPG725"}


def test_kernels_before_a_crash_are_checked(tmp_path: Path) -> None:
    report = checked_text(tmp_path, kernel(COPY, XY) + "raise RuntimeError('too late')\n")
    assert len(report.kernels) == 1 and rules(report) == {"OPG701"}


def test_values_of_scalars_and_tensors(tmp_path: Path) -> None:
    body = COPY.replace("T.copy(v, y", "T.tile.mul(v, v, factor)\nT.copy(v, y")
    x = np.arange(2048, dtype=np.float32)
    text = kernel(body, XY + ", factor: T.float32")
    report = checked_text(tmp_path, text, inputs={"x": x, "factor": 0.5})
    np.testing.assert_array_equal(report.kernels[0].outputs["y"], x / 2)
    assert [(p.name, p.kind, p.dtype, p.shape) for p in report.kernels[0].parameters] == [
        ("x", "tensor", "float32", (2048,)),
        ("y", "tensor", "float32", (2048,)),
        ("factor", "scalar", "float32", ()),
    ]


def test_what_is_not_given_is_the_same_each_time(tmp_path: Path) -> None:
    first, second = (checked_text(tmp_path, kernel(COPY, XY)).kernels[0].outputs["y"] for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert np.std(first) > 0.5


def test_a_process_of_its_own_tells_the_same(tmp_path: Path) -> None:
    path = KERNELS / "good_where.py"
    inputs = {"x": np.linspace(-1, 1, 5000).astype(np.float16), "limit": 0.25}
    here, there = check_here(path, inputs=inputs), check_script(path, inputs=inputs)
    assert there.kernels[0].counters == here.kernels[0].counters
    assert there.kernels[0].parameters == here.kernels[0].parameters
    np.testing.assert_array_equal(there.kernels[0].outputs["y"], here.kernels[0].outputs["y"])
    bad = KERNELS / "bad_clamp.py"
    assert check_script(bad).findings == check_here(bad).findings


def test_what_the_checker_does_not_know_makes_a_report_incomplete(tmp_path: Path) -> None:
    report = checked_text(tmp_path, kernel(COPY + "T.tile.abs_experiment(v, v, 1024)\n", XY))
    assert rules(report) == {"OPG703"} and not report.kernels[0].complete


def test_modules_paths_and_arguments_are_put_back(tmp_path: Path) -> None:
    import sys

    before = sys.argv, list(sys.path), sys.modules.get("tilelang"), sys.modules.get("torch")
    checked_text(tmp_path, "import sys\nsys.path.append('/nowhere')\n" + kernel(COPY, XY))
    assert before == (sys.argv, sys.path, sys.modules.get("tilelang"), sys.modules.get("torch"))


def test_tensors_too_large_for_an_index(tmp_path: Path) -> None:
    (found,) = checked_text(tmp_path, kernel(COPY, XY.replace("2048", "2 ** 31"))).findings
    assert found.what == "the script fails: ValueError: x has 2147483648 elements, and indices are int32"


def test_a_script_that_stopped_leaves_no_sizes_to_the_next(tmp_path: Path) -> None:
    """A symbol is open again after a call that never began, else the next kernel is built for its value."""
    text = 'N = T.symbolic("N")\n' + kernel(COPY, XY.replace("2048", "2 * N"))
    head, rest = text.split("\n", 1)
    text = rest.replace("\n\n\n@T.prim_func", f"\n\n{head}\n\n\n@T.prim_func")
    (found,) = checked_text(tmp_path, text, dims={"N": 2**31}).findings
    assert "indices are int32" in found.what
    report = checked_text(tmp_path, text, dims={"N": 1024})
    assert (shown(report), report.kernels[0].parameters[0].shape) == ([], (2048,))


def test_scripts_that_go_on_with_tensors(tmp_path: Path) -> None:
    """The stand-in for torch holds no data; what comes behind the kernels is none of the checker's business."""
    tail = "import torch\nx = torch.randn(8).npu()\nm, n = x.sum().shape\n"
    (found,) = checked_text(tmp_path, kernel(COPY, XY) + tail).findings
    assert (found.rule, found.severity) == ("OPG701", "note")


def test_modules_of_tilelang_that_nobody_knows(tmp_path: Path) -> None:
    head = "from tilelang import DataType\nfrom tilelang.profiler import do_bench\nimport tilelang.math\n"
    text = head + kernel(COPY, XY.replace("2048", "tilelang.math.next_power_of_2(2000)"))
    assert shown(checked_text(tmp_path, text)) == []


def test_loops_over_elements_and_registers(tmp_path: Path) -> None:
    body = """
        v = T.alloc_ub((8, 64), "float32")
        w = T.alloc_ub((8, 64), "float32")
        n = T.alloc_var("int32", init=3)
        T.copy(x, v)
        for i, j in T.Parallel(8, 64):
            w[i, j] = T.max(v[i, j] * 2.0 + n[0], T.if_then_else(j < 2, 1e6, 0.0))
        T.copy(w, y)
    """
    x = np.arange(512, dtype=np.float32).reshape(8, 64)
    report = checked_text(
        tmp_path, kernel(body, 'x: T.Tensor((8, 64), "float32"), y: T.Tensor((8, 64), "float32")'), inputs={"x": x}
    )
    assert shown(report) == []
    expected = np.where(np.arange(64) < 2, 1e6, x * 2 + 3)
    np.testing.assert_array_equal(report.kernels[0].outputs["y"], expected)
    decided = body.replace(
        "T.copy(w, y)",
        "for i, j in T.Parallel(8, 2):\n            if j < 1:\n                w[i, j] = 0.0\n        T.copy(w, y)",
    )
    report = checked_text(
        tmp_path, kernel(decided, 'x: T.Tensor((8, 64), "float32"), y: T.Tensor((8, 64), "float32")'), inputs={"x": x}
    )
    assert shown(report) == []
    np.testing.assert_array_equal(report.kernels[0].outputs["y"], np.where(np.arange(64) < 1, 0, expected))


def test_registers_are_numbers(tmp_path: Path) -> None:
    body = """
        v = T.alloc_ub((8,), "float32")
        n = T.alloc_var("int32", init=2)
        T.tile.fill(v, T.cast(n + 1, "float32"))
        if n * 2 == 4 and cid * 2 + vid == 0:
            T.copy(v, y[n * 8])
        n = n + 1
        if cid * 2 + vid == 0:
            T.copy(v, y[n * 8])
    """
    report = checked_text(tmp_path, kernel(body, 'y: T.Tensor((64,), "float32")'), inputs={"y": np.zeros(64)})
    assert shown(report) == []
    np.testing.assert_array_equal(report.kernels[0].outputs["y"].nonzero()[0], np.arange(16, 32))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            'v = T.alloc_ub((64,), "float32")\nw = T.alloc_ub((8,), "float32")\nT.copy(x[0], v)\nT.reduce_sum(v, w)\n',
            "T.reduce_sum of one axis has one result and w holds 8",
        ),
        (
            'v = T.alloc_ub((4, 64), "float32")\nT.copy(z[0:4, 0:8], v[:, 0:8])\n',
            "the load of v: 32 bytes of each row of v, whose rows are 256 bytes apart",
        ),
        (
            'n = 64\nv = T.alloc_ub((n,), "float32")\nT.copy(x[0], v)\n',
            "a buffer whose shape contains n, which the kernel assigns",
        ),
        (
            'v = T.alloc_ub((64,), "float32")\nT.copy(x[0], v)\nw = T.reshape(v, (8, 8))\n',
            "T.reshape ends the compilation",
        ),
        (
            'v = T.alloc_ub((4, 64), "float32")\nw = T.alloc_ub((4,), "float32")\nT.copy(z[0, 0], v)\n'
            "T.reduce_sum(v, w, dim=-1, real_shape=[4, 50])\n",
            "T.reduce_sum takes rows that are 50 elements apart, and those of v are 64 apart",
        ),
    ],
)
def test_shapes_that_the_compiler_does_not_take(tmp_path: Path, body: str, told: str) -> None:
    parameters = 'x: T.Tensor((2048,), "float32"), z: T.Tensor((4, 64), "float32")'
    assert told in "\n".join(shown(checked_text(tmp_path, kernel(body, parameters))))


def test_shapes_of_constants_and_numbers_that_are_no_shapes(tmp_path: Path) -> None:
    body = """
        shape = (4, 16)
        v = T.alloc_ub(shape, "float32")
        n = T.alloc_var("int32", init=2)
        at = 64 * vid
        w = T.alloc_ub((SIZE,), "float32")
        for i in T.serial(n):
            T.copy(x[at + 64 * i], w)
    """
    parameters = 'x: T.Tensor((2048,), "float32")'
    assert shown(checked_text(tmp_path, kernel(body, parameters, constants="SIZE = 64\n"))) == []


def test_slices_of_rows_that_fill_their_blocks_are_in_order(tmp_path: Path) -> None:
    body = """
        v = T.alloc_ub((4, 8), "float32")
        if cid * 2 + vid == 0:
            T.copy(z[0, 3], v[:, 0:7])
            T.copy(v[:, 0:7], y[0, 1])
    """
    z = np.arange(64, dtype=np.float32).reshape(4, 16)
    parameters = 'z: T.Tensor((4, 16), "float32"), y: T.Tensor((4, 16), "float32")'
    report = checked_text(tmp_path, kernel(body, parameters), inputs={"z": z, "y": np.zeros((4, 16))})
    assert shown(report) == []
    np.testing.assert_array_equal(report.kernels[0].outputs["y"][:, 1:8], z[:, 3:10])

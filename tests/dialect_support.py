"""Shared by the tests of the kernel checker: kernels from a few statements, and kernels of the gallery."""

from __future__ import annotations

import contextlib
import io
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from conftest import ROOT
from opgen.dialect import KernelReport, Report, check_here
from opgen.formula.signature import Variant
from opgen.kernel.interface import kernel_interface, other_options, type_option
from opgen.spec.model import Operator

KERNELS = ROOT / "tests/dialect"

HEAD = """\
import tilelang
import tilelang.language as T

KEY = tilelang.PassConfigKey
AUTO = {KEY.TL_ASCEND_AUTO_SYNC: True, KEY.TL_ASCEND_AUTO_CV_COMBINE: True}
"""


def kernel(
    body: str, parameters: str, blocks: str = "1", configs: str = "AUTO", out: str = "None", constants: str = ""
) -> str:
    """A script with one kernel. constants: statements before it; what it assigns itself is a variable on the device."""
    return (
        HEAD
        + constants
        + f"\n\n@T.prim_func\ndef main({parameters}):\n    with T.Kernel({blocks}, is_npu=True) as (cid, vid):\n"
        + textwrap.indent(textwrap.dedent(body).strip("\n"), " " * 8)
        + f"\n\n\ntilelang.compile(main, out_idx={out}, pass_configs={configs})\n"
    )


def checked(path: Path, arguments: Sequence[object] = (), **options: Any) -> Report:
    """The report on a script, whose own words are dropped."""
    with contextlib.redirect_stdout(io.StringIO()):
        return check_here(path, [str(argument) for argument in arguments], **options)


def checked_text(folder: Path, text: str, **options: Any) -> Report:
    path = folder / "kernel.py"
    path.write_text(text, encoding="utf-8")
    return checked(path, **options)


def ran(folder: Path, body: str, parameters: str, inputs: Mapping[str, Any], **more: Any) -> KernelReport:
    """One kernel without findings, with its outputs."""
    report = checked_text(folder, kernel(body, parameters, **more), inputs=inputs)
    assert shown(report) == []
    return report.kernels[0]


def shown(report: Report) -> list[str]:
    """Findings in short."""
    return [f"{f.rule}:{f.place.line if f.place else 0} {f.what}" for f in report.findings]


def rules(report: Report) -> set[str]:
    return {finding.rule for finding in report.findings}


def script_arguments(operator: Operator, variant: Variant, size: int, out: Path) -> list[str]:
    """The command line of a generated kernel script. size -1 leaves it open."""
    types = ["--dtype", type_option(variant)] if variant.types else []
    return [str(size), str(out), *types, *other_options(kernel_interface(operator), variant)]

"""Kernel text without an NPU: TileLang-Ascend kernels executed with NumPy under the rules of the chip.

`check_script` runs a kernel script in a process of its own; `check_here` in this one.
"""

from __future__ import annotations

from opgen.dialect.check import check_here, check_script
from opgen.dialect.report import Counters, KernelReport, Parameter, Report

__all__ = ["Counters", "KernelReport", "Parameter", "Report", "check_here", "check_script"]

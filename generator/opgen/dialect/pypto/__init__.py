"""Kernels of PyPTO Pro without an NPU: their text under its rules, and their work executed with NumPy.

`check_apart` runs a kernel file in a process of its own; `check_here` in this one.
"""

from __future__ import annotations

"""Keeps what tilelang says about GPUs off the output of a script."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def importing() -> Iterator[None]:
    """tilelang's import neither builds an extension for PyTorch's tensors nor warns that there is none."""
    os.environ.setdefault("TVM_FFI_DISABLE_TORCH_C_DLPACK", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield

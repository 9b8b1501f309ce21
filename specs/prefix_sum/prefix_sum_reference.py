"""PrefixSum: running sum along each row."""

import numpy as np


def reference(x):
    """Sums of each row up to and with each element."""
    return np.cumsum(x, axis=-1, dtype=np.float64)

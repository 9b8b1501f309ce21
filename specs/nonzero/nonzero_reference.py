"""NonzeroCustom: indices of the non-zero elements, padded with -1, and their number."""

import numpy as np


def reference(x):
    """Indices in ascending order, then -1; how many there are."""
    found = np.flatnonzero(x)
    index = np.full(x.size, -1)
    index[: found.size] = found
    return index, np.array([found.size])

"""What RowCumsum computes, with NumPy."""

import numpy as np


def reference(x):
    return np.cumsum(x.astype(np.float64), axis=-1)

"""TopKCustom: the k largest elements of each row and their indices."""

import numpy as np


def reference(x, *, k):
    """Values and indices, the largest element first; of equal ones the first."""
    indices = np.argsort(-x.astype(np.float64), axis=-1, kind="stable")[:, :k]
    return np.take_along_axis(x, indices, axis=-1), indices

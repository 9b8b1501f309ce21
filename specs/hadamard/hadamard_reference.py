"""HadamardCustom: multiplies each row by the Hadamard matrix of its length and by a factor."""

import numpy as np


def reference(x, *, scale):
    """Rows of `x` times the Hadamard matrix in natural order, times `scale`."""
    matrix = np.ones((1, 1))
    while len(matrix) < x.shape[-1]:
        matrix = np.kron([[1, 1], [1, -1]], matrix)
    return x.astype(np.float64) @ matrix * scale

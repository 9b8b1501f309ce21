"""ConcatCustom: joins equal matrices along the last axis."""

import numpy as np


def reference(xs):
    """The matrices of the list `xs` side by side."""
    return np.concatenate(xs, axis=-1)

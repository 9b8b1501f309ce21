"""SplitCustom: cuts a matrix into equal parts along the last axis."""

import numpy as np


def reference(x, *, parts):
    """A list of `parts` matrices."""
    return np.split(x, parts, axis=-1)

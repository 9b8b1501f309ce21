"""EmbeddingCustom: looks up rows of a table by index."""


def reference(table, indices):
    """Rows of `table`, one for each of `indices`."""
    return table[indices]

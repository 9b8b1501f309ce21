"""The language of `compute:` and of sizes: syntax, types and shapes, NumPy, scalar C++, Markdown."""

"""opgen: one op.yaml becomes a complete Ascend custom-operator project."""

__version__ = "0.1.0"

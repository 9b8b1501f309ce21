"""op.yaml -> OpSpec."""

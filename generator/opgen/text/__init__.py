"""YAML with positions, findings, suggestions, escaping. Knows nothing of operators."""

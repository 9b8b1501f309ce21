"""Runs a project, and climbs the ladder from op.yaml to a precision check that passed."""

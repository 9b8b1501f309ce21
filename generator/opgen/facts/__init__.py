"""Data about types, chips, scenarios and names. Imports nothing of opgen."""

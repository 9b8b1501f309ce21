"""The two READMEs."""

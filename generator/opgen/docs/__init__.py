"""The READMEs of a project in two languages, and the check that a pair of documents says the same."""

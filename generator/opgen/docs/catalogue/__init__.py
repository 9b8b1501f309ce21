"""The phrases of the READMEs, `id: Text(English, Chinese)`, by the section that says them. Nothing but text."""

from opgen.docs.catalogue import files, notes, overview, pipeline, pypto, setup, specification, words

PARTS = (
    words.PHRASES,
    overview.PHRASES,
    pipeline.PHRASES,
    setup.PHRASES,
    files.PHRASES,
    specification.PHRASES,
    notes.PHRASES,
    pypto.PHRASES,
)

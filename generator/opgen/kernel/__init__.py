"""OpSpec -> vector program -> TileLang text."""

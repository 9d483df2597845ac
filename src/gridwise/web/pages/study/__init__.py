"""Pages to learn from, as data: a finished game as a story, guided first games."""

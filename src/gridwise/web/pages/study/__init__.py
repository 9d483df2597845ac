"""Looking back at a game: its pages, and its story as data."""

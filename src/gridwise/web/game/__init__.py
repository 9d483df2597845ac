"""One live game: its events, its state, its listeners. No HTTP and no SQL in here."""

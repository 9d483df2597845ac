"""One live game: its events, its state, its subscribers. No HTTP and no SQL in here."""

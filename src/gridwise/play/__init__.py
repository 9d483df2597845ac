"""Playing: the arbiter and the records."""

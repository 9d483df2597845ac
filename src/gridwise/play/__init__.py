"""Playing: the arbiter, records, deals and the players that are no people."""

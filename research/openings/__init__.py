"""The opening book of a game with face-down cells: what each kind of first claim is worth."""

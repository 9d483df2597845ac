"""What the screens for review and puzzles know, apart from showing it."""

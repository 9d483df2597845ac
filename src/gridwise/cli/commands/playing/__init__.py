"""Commands for people who play: games, records, rules, puzzles."""

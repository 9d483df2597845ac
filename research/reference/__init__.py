"""How the bots rate and score, for the leaderboard of models: see README.md."""

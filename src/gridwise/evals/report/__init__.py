"""The leaderboard: reads evaluation logs, merges runs, and writes tables, plots and pages."""

"""Tournaments: matches of paired games between players of any kind, and what they show."""

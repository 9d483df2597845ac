"""Figures about the games: `python -m research.results` makes them, the pages of docs have them."""

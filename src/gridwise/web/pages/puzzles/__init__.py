"""Puzzles on pages: the whole line is played, and every move is checked here.

Nothing is stored between two requests: the moves so far are in the address. The books say what
every move is worth (`engine.puzzles`), so nobody waits for a search. The browser keeps progress.
"""

from gridwise.web.pages.puzzles.routes import daily_puzzle, router

__all__ = ["daily_puzzle", "router"]

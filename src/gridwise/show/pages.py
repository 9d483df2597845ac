"""The rules page of a game, for the terminal and for the documents, from one source."""

from __future__ import annotations

from gridwise.core.game import Game
from gridwise.show.text import draw, plain


def rules_page(game: Game) -> str:
    """The game's own text, as Markdown, with a board drawn into it."""
    board = game.parse_board(game.example_board)
    state = game.rules.start(board, 1)
    lines = plain(draw(game.view(board, state)))
    return game.page().replace("{board}", f"```text\n{lines}\n```")

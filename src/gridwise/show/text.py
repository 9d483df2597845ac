"""Text for people: a drawn board in colour, and the rules of a game."""

from __future__ import annotations

import re

from gridwise.core.game import Game
from gridwise.core.position import start
from gridwise.core.view import Line, Span, describe, draw, plain
from gridwise.show.palette import TERMINAL_CODES


def coloured(lines: list[Line]) -> str:
    """The lines with the colour codes of a terminal."""
    return "\n".join("".join(_painted(span) for span in line).rstrip() for line in lines)


def _painted(span: Span) -> str:
    code = TERMINAL_CODES.get(span.role)
    return f"\x1b[{code}m{span.text}\x1b[0m" if code and span.text.strip() else span.text


def rules_page(game: Game, *, linear: bool = False) -> str:
    """The rules of a game as Markdown, with a board drawn into them, or described."""
    view = start(game, game.parse_board(game.example_board)).view
    board = "\n\n".join(describe(view)) if linear else f"```text\n{plain(draw(view))}\n```"
    return game.page().replace("{board}", board)


def rules_brief(game: Game) -> list[str]:
    """The rules in a few sentences: the first section of the rules page, and how to type a move.

    Each is a line of plain text, to be wrapped where it is shown.
    """
    first_section = game.page().partition("\n## ")[2].partition("\n## ")[0].partition("\n")[2]
    # A sentence of Markdown goes on in the next line; a new one begins with a dash or after a gap.
    parts = re.split(r"\n(?=- |\n)", first_section.replace("`", ""))
    sentences = [" ".join(part.split()) for part in parts]
    help_lines = game.text.HELP.splitlines()
    return [f"{game.title}: {game.text.SUMMARY}", *filter(None, sentences), *help_lines]

"""`gridwise rules`: a game's rules page."""

from __future__ import annotations

from gridwise.cli.arguments import GameArgument, PlainOption
from gridwise.cli.console import may_colour
from gridwise.core.registry import game as game_named
from gridwise.show.text import rules_page


def rules(game: GameArgument, plain: PlainOption = False) -> None:
    """Print the rules page: formatted for a terminal, or as its plain text."""
    page = rules_page(game_named(game))
    if plain or not may_colour():
        print(page)
        return
    from rich.console import Console  # noqa: PLC0415 - 60 ms, only for this
    from rich.markdown import Markdown  # noqa: PLC0415

    Console().print(Markdown(page))

"""Which games there are. A game is one line here; its folder is loaded when first asked for."""

from __future__ import annotations

import copyreg
import importlib
from typing import TYPE_CHECKING

from gridwise.errors import UnknownGame, quoted

if TYPE_CHECKING:  # loading it takes 40 ms, which a list of names need not cost
    from gridwise.core.game import Game

_modules: dict[str, str] = {}
_loaded: dict[str, Game] = {}


def register(key: str, game: str | Game) -> None:
    """Add a game: the Game itself, or the module that has it as `GAME`."""
    unregister(key)
    if isinstance(game, str):
        _modules[key] = game
    else:
        _modules[key] = ""
        _add(key, game)


def unregister(key: str) -> None:
    """Take a game out again."""
    _modules.pop(key, None)
    _loaded.pop(key, None)


def game(key: str) -> Game:
    """The game with that key; forgiving about case, spaces and underscores."""
    wanted = "-".join(key.casefold().replace("_", " ").replace("-", " ").split())
    if wanted not in _modules:
        import difflib  # noqa: PLC0415 - only for a slip

        close = difflib.get_close_matches(wanted, _modules, n=1, cutoff=0.4)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UnknownGame(
            f"There is no game {quoted(key)}.{hint} The games are {', '.join(_modules)}."
        )
    if wanted not in _loaded:
        _add(wanted, importlib.import_module(_modules[wanted]).GAME)
    return _loaded[wanted]


def games() -> list[Game]:
    """All games, in the order they were registered."""
    return [game(key) for key in _modules]


def _add(key: str, loaded: Game) -> None:
    _loaded[key] = loaded
    # Copied and pickled by name: the rules are a module, which does not travel.
    copyreg.pickle(type(loaded), lambda each: (game, (each.key,)))

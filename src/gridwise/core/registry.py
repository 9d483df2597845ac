"""Which games there are. A game is one line here; its folder is loaded when first asked for."""

from __future__ import annotations

import copyreg
import importlib
import sys
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


def game(name: str) -> Game:
    """The game with that key, or a part of it that no other game shares (`run`, `number run`).

    Forgiving about case, spaces and underscores.
    """
    key = _key(name)
    if key not in _loaded:
        _add(key, importlib.import_module(_modules[key]).GAME)
    return _loaded[key]


def games() -> list[Game]:
    """All games, in the order they were registered."""
    return [game(key) for key in _modules]


def modules() -> dict[str, str]:
    """The module that has each game as `GAME`, by which another process can register it."""
    return {key: found for key, name in _modules.items() if (found := name or _module_of(key))}


def _module_of(key: str) -> str:
    """The module of a game that was registered itself; empty if it is in none."""
    for name, module in list(sys.modules.items()):
        if getattr(module, "__dict__", {}).get("GAME") is _loaded[key]:
            return name
    return ""


def short_names() -> dict[str, str]:
    """The keys of all games, each with its short name: the last word, if only one game has it."""
    last = {key: key.rpartition("-")[2] for key in _modules}
    return {key: word if _candidates(word) == [key] else key for key, word in last.items()}


def _key(name: str) -> str:
    """The key that a name stands for; raises UnknownGame if there is none, or more than one."""
    wanted = "-".join(name.casefold().replace("_", " ").replace("-", " ").split())
    found = _candidates(wanted)
    if len(found) == 1:
        return found[0]
    if found:
        raise UnknownGame(f"{quoted(name)} could be {' or '.join(found)}.")
    import difflib  # noqa: PLC0415 - only for a slip

    close = difflib.get_close_matches(wanted, _modules, n=1, cutoff=0.4)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise UnknownGame(
        f"There is no game {quoted(name)}.{hint} The games are {', '.join(_modules)}."
    )


def _candidates(wanted: str) -> list[str]:
    """The keys that a name may stand for: a whole word of a key counts more than its beginning."""
    if wanted in _modules:
        return [wanted]
    whole = [key for key in _modules if f"-{wanted}-" in f"-{key}-"]
    return whole or [key for key in _modules if wanted and f"-{wanted}" in f"-{key}"]


def _add(key: str, loaded: Game) -> None:
    _loaded[key] = loaded
    # Copied and pickled by name: the rules are a module, which does not travel.
    copyreg.pickle(type(loaded), lambda each: (game, (each.key,)))

"""Which games there are: the five, and those of other packages.

A game is known by its key and its *source*, the module that has it as `GAME`; it is loaded when
somebody asks for it. Another package's game comes in one of three ways:

- an entry point of the group `gridwise.games` (its name is the key, its value the module);
- `add_module`, given a folder, a file or the name of a module (`gridwise --game-module`);
- the environment variable `GRIDWISE_GAME_MODULES`, in which `add_module` leaves what it was given,
  so that every program started from here has the game too.

A game that cannot be loaded breaks nothing: whoever asks for it is told why.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gridwise.errors import BadRequest, UnknownGame, quoted

if TYPE_CHECKING:  # loading it takes 40 ms, which a list of names need not cost
    from pathlib import Path

    from gridwise.core.game import Game

GROUP = "gridwise.games"
VARIABLE = "GRIDWISE_GAME_MODULES"  # sources, separated like the folders of PATH

_sources: dict[str, str] = {}  # by key; empty for a game that was registered itself
_loaded: dict[str, Game] = {}
_built_in: set[str] = set()
_problems: list[str] = []  # sentences about sources whose games are not in the list
_followers: list[Callable[[Game], object]] = []
_discovering = threading.RLock()
_discovered = False


def register(key: str, game: str | Game) -> None:
    """Add a game, or put it in another's place: the Game itself, or its source."""
    unregister(key)
    _sources[key] = game if isinstance(game, str) else ""
    if not isinstance(game, str):
        _loaded[key] = game
    if _followers:
        with suppress(UnknownGame):  # it is said to whoever asks for this one
            for use in _followers:
                use(_game_of_key(key))


def register_built_in(modules: Mapping[str, str]) -> None:
    """Add the games of this package, the module of each key; no other game may take their keys."""
    _sources.update(modules)
    _built_in.update(modules)


def unregister(key: str) -> None:
    """Take a game out again."""
    _sources.pop(key, None)
    _loaded.pop(key, None)


def add_module(source: str) -> list[Game]:
    """Add the games of a package that is not installed; here and in all programs started from here.

    `source` is a folder (a package, or a project whose `pyproject.toml` has the entry points), a
    Python file, or the name of a module. Raises BadRequest if there is no game in it, or one whose
    key a game of ours has.
    """
    added = []
    for module in _modules_in(source):
        game = _load(module)
        if game.key in _built_in:
            raise BadRequest(
                f"{quoted(source)} calls its game {game.key}, as one of ours. Give it another key."
            )
        register(game.key, game)
        _sources[game.key] = module
        added.append(game)
        known = _from_environment()
        if module not in known:
            os.environ[VARIABLE] = os.pathsep.join([*known, module])
    return added


def game(name: str) -> Game:
    """The game with that key, or a part of it that no other game shares (`run`, `number run`).

    Forgiving about case, spaces and underscores.
    """
    return _game_of_key(_key(name))


def games() -> list[Game]:
    """All games that can be loaded, in the order they were registered."""
    _discover()
    loaded = []
    for key in list(_sources):
        with suppress(UnknownGame):  # it is said to whoever asks for this one
            loaded.append(_game_of_key(key))
    return loaded


def follow(use: Callable[[Game], object]) -> None:
    """Call a function with every game, and later with each that is added."""
    for game in games():
        use(game)
    _followers.append(use)


def sources() -> dict[str, str]:
    """The source of each game, by which another process can have it."""
    _discover()
    modules = {key: source or _module_of(key) for key, source in _sources.items()}
    return {key: source for key, source in modules.items() if source}


def add_missing(others: Mapping[str, str]) -> None:
    """Register what another process has, by its `sources`, and this one has not."""
    _discover()
    for key, source in others.items():
        if key not in _sources:
            register(key, source)


def short_names() -> dict[str, str]:
    """The keys of all games, each with its short name: the last word, if only one game has it."""
    _discover()
    last = {key: key.rpartition("-")[2] for key in _sources}
    return {key: word if _candidates(word) == [key] else key for key, word in last.items()}


def _key(name: str) -> str:
    """The key that a name stands for; raises UnknownGame if there is none, or more than one."""
    wanted = "-".join(name.casefold().replace("_", " ").replace("-", " ").split())
    if wanted in _built_in:
        return wanted
    _discover()
    candidates = _candidates(wanted)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise UnknownGame(f"{quoted(name)} could be {' or '.join(candidates)}.")
    import difflib  # noqa: PLC0415 - only for a slip

    close = difflib.get_close_matches(wanted, _sources, n=1, cutoff=0.4)
    hint = f" Did you mean {close[0]}?" if close else ""
    said = [f"There is no game {quoted(name)}.{hint} The games are {', '.join(_sources)}."]
    raise UnknownGame(" ".join(said + _problems))


def _candidates(wanted: str) -> list[str]:
    """The keys that a name may stand for: a whole word of a key counts more than its beginning."""
    if wanted in _sources:
        return [wanted]
    whole = [key for key in _sources if f"-{wanted}-" in f"-{key}-"]
    return whole or [key for key in _sources if wanted and f"-{wanted}" in f"-{key}"]


def _game_of_key(key: str) -> Game:
    """The game, loaded if need be; raises UnknownGame if that cannot be done."""
    if key not in _loaded:
        try:
            loaded = _load(_sources[key])
        except BadRequest as error:
            raise UnknownGame(f"The game {key} cannot be used. {error}") from None
        if loaded.key != key:
            raise UnknownGame(
                f"The game {key} cannot be used: its module {_sources[key]} has {loaded.key}."
            )
        _loaded[key] = loaded
    return _loaded[key]


def _module_of(key: str) -> str:
    """The module of a game that was registered itself; empty if it is in none."""
    for name, module in list(sys.modules.items()):
        if getattr(module, "__dict__", {}).get("GAME") is _loaded[key]:
            return name
    return ""


# Games of other packages


def _discover() -> None:
    """Look for the games of other packages, once."""
    global _discovered  # noqa: PLW0603 - once for each process
    with _discovering:
        if _discovered:
            return
        _discovered = True
        for key, module in _entry_points():
            if key in _sources:
                _problems.append(f"The module {module} has a game {key} too, which is left out.")
            else:
                register(key, module)
        for source in _from_environment():
            try:
                add_module(source)
            except BadRequest as error:
                _problems.append(f"{VARIABLE}: {error}")


def _entry_points() -> list[tuple[str, str]]:
    """The keys and modules that installed packages have in our group."""
    # `importlib.metadata` takes 70 ms to find that there are none, and this 2 ms.
    if not any(map(_holds_entry_points, sys.path)):
        return []
    from importlib.metadata import entry_points  # noqa: PLC0415

    return [(each.name, each.module) for each in entry_points(group=GROUP)]


def _holds_entry_points(folder: str) -> bool:
    """Whether a package that is installed in a folder has something in our group."""
    try:
        installed = [each.path for each in os.scandir(folder or ".") if "-info" in each.name]
    except OSError:  # a folder that is not there, or an archive
        return False
    for path in installed:
        try:
            with open(f"{path}{os.sep}entry_points.txt", encoding="utf-8") as file:
                if f"[{GROUP}]" in file.read():
                    return True
        except (OSError, UnicodeDecodeError):
            continue
    return False


def _from_environment() -> list[str]:
    return list(filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)))


def _modules_in(source: str) -> list[str]:
    """The modules of a source: full paths of packages and files, or the name of a module."""
    from pathlib import Path  # noqa: PLC0415 - only for games of other packages

    path = Path(source).expanduser()
    if not path.exists():
        if source.replace(".", "").replace("_", "").isalnum() and path.suffix != ".py":
            return [source]
        raise BadRequest(f"There is no folder, file or module {quoted(source)}.")
    path = path.resolve()
    if path.name == "__init__.py":
        path = path.parent
    if path.suffix == ".py" or (path / "__init__.py").exists():
        return [str(path)]
    modules = [
        str(each)
        for name in _project_modules(path)
        for root in (path, path / "src")
        for each in (root.joinpath(*name.split(".")), root / f"{name}.py")
        if each.exists()
    ]
    if not modules:
        raise BadRequest(
            f"{quoted(source)} is no game. A game is a file of Python, a folder with an "
            f"__init__.py, or one whose pyproject.toml has entry points of the group {GROUP}."
        )
    return modules


def _project_modules(folder: Path) -> list[str]:
    """The modules that a project's `pyproject.toml` has in our group."""
    import tomllib  # noqa: PLC0415 - only for this

    try:
        project: Any = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]
        return [str(each).partition(":")[0] for each in project["entry-points"][GROUP].values()]
    except (OSError, KeyError, ValueError, AttributeError, TypeError):
        return []


def _load(source: str) -> Game:
    """The game of a source that names one module; raises BadRequest."""
    from gridwise.core.game import Game  # noqa: PLC0415 - see above

    name = source
    if os.sep in source:
        # States and moves travel between processes by the name of their module, so it is imported
        # by that name; last in the list, so that it hides nothing.
        folder, name = os.path.split(source.removesuffix(".py"))
        if folder not in sys.path:
            sys.path.append(folder)
    try:
        module = importlib.import_module(name)
    except BadRequest as error:
        raise BadRequest(f"{quoted(source)} does not keep the contract. {error}") from None
    except Exception as error:  # another package's code can raise anything
        if name.startswith("gridwise."):
            raise
        raise BadRequest(f"{quoted(source)} cannot be imported: {one_line(error)}.") from None
    file = str(module.__file__).removesuffix(".py").removesuffix(f"{os.sep}__init__")
    if os.sep in source and file != source.removesuffix(".py"):
        raise BadRequest(
            f"{quoted(source)} needs another name: Python has a module {name} already."
        )
    loaded = getattr(module, "GAME", None)
    if not isinstance(loaded, Game):
        raise BadRequest(f"{quoted(source)} is no game: it has no GAME that is a Game.")
    return loaded


def one_line(error: Exception) -> str:
    """An error of another package's code in a line: what, and where."""
    import traceback  # noqa: PLC0415 - only for this

    said = f"{type(error).__name__}: {error}".rstrip(".")
    last = traceback.extract_tb(error.__traceback__)[-1]
    if isinstance(error, SyntaxError) or "importlib" in last.filename:
        return said
    return f"{said} ({last.filename.rpartition(os.sep)[2]}, line {last.lineno})"

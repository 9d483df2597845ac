"""A folder for a new game that passes every check as it stands: `gridwise new-game NAME`.

The game in it is the one in `gridwise.testing.sample_game` under another name, beside a project
file with its entry point, a test and a few lines on what to change next.
"""

from __future__ import annotations

import keyword
import re
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from gridwise.core import registry
from gridwise.errors import BadRequest, quoted

MAX_NAME_LENGTH = 40
SAMPLE = "gridwise.testing.sample_game"
MODULES = ("__init__.py", "rules.py", "text.py", "heuristic.py")

PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "gridwise-sample-game"
version = "0.1.0"
description = "Sample Game, a game for Gridwise."
dependencies = ["gridwise"]

# Once this is installed, every part of Gridwise knows the game.
[project.entry-points."gridwise.games"]
sample-game = "sample_game"

[tool.hatch.build.targets.wheel]
packages = ["sample_game"]

[tool.pytest.ini_options]
pythonpath = ["."]
"""

TEST = '''\
"""Sample Game keeps the contract of Gridwise's games, and its own rules."""

from gridwise import Position
from gridwise.testing import check_game
from sample_game import GAME


def test_it_keeps_the_contract():
    """Rules, compiled rules, text, pictures, records, analysis: on boards of several sizes."""
    check_game(GAME, games=10)


def test_a_cell_next_to_ones_own_is_closed():
    """Player 1 has 1,1, so that 1,2 and 2,1 are closed."""
    position = Position(GAME, "123/451/234", moves=["1,1", "3,3"])
    assert position.legal_moves == ["1,3", "2,2", "2,3", "3,1", "3,2"]
'''

README = """\
# Sample Game

A game for [Gridwise](https://pypi.org/project/gridwise/). Claim cells of a grid of numbers, never
next to a cell of your own. Who has 12 points first wins; who cannot claim loses.

    gridwise --game-module . play sample-game
    python -m gridwise.testing .
    pytest

Once it is installed (`pip install -e .`), every part of Gridwise knows it without `--game-module`.

## What to change next

1. `sample_game/rules.py`: what is legal and who has won. Keep to ints, tuples and loops: the same
   source is compiled. Run `python -m gridwise.testing .` after each change; it names what is wrong.
2. `sample_game/text.py`: how cells are written, and what the game says.
3. `sample_game/__init__.py`: the size, the points to reach.
4. `sample_game/heuristic.py`: what a good move looks like to a beginner; the weaker bots play it.
5. More files, such as `rules.md`, `planes.py` for learning agents and `lesson.toml` for a guided
   first game, are in Gridwise's guide, `docs/adding-a-game.md`.
"""


def write_game(name: str, folder: Path) -> list[Path]:
    """Write a new game into a folder, which must be empty or not there; returns the files.

    Raises BadRequest for a name that cannot be used, and for a folder that cannot.
    """
    key = check_name(name)
    package = key.replace("-", "_")
    written = {f"sample_game/{module}": _module(module) for module in MODULES}
    written |= {
        "pyproject.toml": PROJECT,
        "README.md": README,
        "test_sample_game.py": TEST,
    }
    paths = []
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadRequest(f"{quoted(str(folder))} is there already and is not an empty folder.")
        for file, text in written.items():
            path = folder / file.replace("sample_game", package)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_renamed(text, key), encoding="utf-8")
            paths.append(path)
    except OSError as error:
        raise BadRequest(f"Cannot write {quoted(str(folder))}: {error.strerror}.") from None
    return paths


def next_steps(name: str, folder: Path) -> list[str]:
    """What to type next, for whoever has just written a game."""
    key, shown = _key(name), str(folder)
    where = f'"{shown}"' if " " in shown else shown
    return [
        f"gridwise --game-module {where} play {key}",
        f"python -m gridwise.testing {where}",
    ]


def check_name(name: str) -> str:
    """The key of a game of that name: `star-claim` for `Star Claim`; raises BadRequest."""
    key = _key(name)
    if len(key) > MAX_NAME_LENGTH or not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", key):
        raise BadRequest(
            f"{quoted(name)} cannot be the name of a game. Use words of the letters a to z and "
            f"digits, such as star-claim, and at most {MAX_NAME_LENGTH} characters."
        )
    if key in registry.sources():
        raise BadRequest(f"There is a game {key} already. Choose another name.")
    package = key.replace("-", "_")
    if keyword.iskeyword(package) or package in sys.stdlib_module_names or find_spec(package):
        raise BadRequest(f"Python has a module or word {package} already. Choose another name.")
    return key


def _key(name: str) -> str:
    return "-".join(re.split(r"[\s_-]+", name.strip().casefold()))


def _module(name: str) -> str:
    return files(SAMPLE).joinpath(name).read_text(encoding="utf-8")


def _renamed(text: str, key: str) -> str:
    """The text of a file of the sample game, for another one."""
    title = " ".join(word.capitalize() for word in key.split("-"))
    package = key.replace("-", "_")
    for old, new in (
        (SAMPLE, package),
        ("sample_game", package),
        ("sample-game", key),
        ("Sample Game", title),
    ):
        text = text.replace(old, new)
    return text

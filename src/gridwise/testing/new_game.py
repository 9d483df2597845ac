"""A folder for a new game that passes every check as it stands: `gridwise new-game NAME`.

It is the folder `gridwise.testing.sample_game` under another name: a game, and around it a project
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
AROUND_IT = ("pyproject.toml", "README.md", "test_sample_game.py")


def write_game(name: str, folder: Path) -> list[Path]:
    """Write a new game into a folder, which must be empty or not there; returns the files.

    Raises BadRequest for a name that cannot be used, and for a folder that cannot.
    """
    key = check_name(name)
    package = key.replace("-", "_")
    targets = {file: f"{package}/{file}" for file in MODULES}
    targets |= {file: file.replace("sample_game", package) for file in AROUND_IT}
    paths = []
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadRequest(f"{quoted(str(folder))} is there already and is not an empty folder.")
        for file, target in targets.items():
            path = folder / target
            path.parent.mkdir(parents=True, exist_ok=True)
            text = files(SAMPLE).joinpath(file).read_text(encoding="utf-8")
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
    if key in registry.sources() or key in registry.short_names().values():
        raise BadRequest(f"There is a game {key} already. Choose another name.")
    package = key.replace("-", "_")
    if keyword.iskeyword(package) or package in sys.stdlib_module_names or find_spec(package):
        raise BadRequest(f"Python has a module or word {package} already. Choose another name.")
    return key


def _key(name: str) -> str:
    return "-".join(re.split(r"[\s_-]+", name.strip().casefold()))


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

"""How a game's folder must be: rules that know nothing but the board, and no game named outside."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import gridwise
from gridwise import games

SOURCE = Path(gridwise.__file__).parent


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_rules_import_the_board_and_raise_nothing(game: gridwise.Game) -> None:
    """No clock, no randomness, no text, no exceptions: only legal actions come in."""
    file = SOURCE.parent / game.package.replace(".", "/") / "rules.py"
    words = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if line]
    imported = {each[1] for each in words if each[0] == "from"}
    assert imported <= {"__future__", "typing", "gridwise.core.board"}
    assert not {"import", "raise", "try:"} & {each[0] for each in words}


def test_no_game_is_named_outside_its_folder() -> None:
    """Code asks what a game is like, never which game it is; only the list of games names them."""
    keys = "|".join(re.escape(game.key) for game in games())
    for file in SOURCE.rglob("*.py"):
        inside = file.relative_to(SOURCE).parts
        if inside[0] == "games":
            continue
        text = file.read_text(encoding="utf-8")
        if not re.search(keys, text):  # most of them, and parsing takes a while
            continue
        named = [
            node.lineno
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Compare)
            for part in [node.left, *node.comparators]
            if isinstance(part, ast.Constant)
            and isinstance(part.value, str)
            and re.fullmatch(keys, part.value)
        ]
        assert named == [], f"{file.name}: {named}"

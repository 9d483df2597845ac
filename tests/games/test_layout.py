"""How a game's folder must be: rules that know nothing but the board, and no game named outside."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import gridwise
from gridwise import games

SOURCE = Path(gridwise.__file__).parent
ALLOWED = {"__future__", "typing", "gridwise.core.board"}


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_rules_import_the_board_and_nothing_else(game: gridwise.Game) -> None:
    """No clock, no randomness, no text, no exceptions."""
    file = SOURCE.parent / game.package.replace(".", "/") / "rules.py"
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imported = {
        name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
        )
    }
    assert imported <= ALLOWED
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Raise | ast.Try)]


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

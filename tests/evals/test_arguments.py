"""Task arguments: what is wrong with one is said in one line, before any model is asked."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

GAMES = ["number-run", "number-maze", "grid-runner", "grid-conquest", "number-connect"]


def test_arguments_are_taken_as_people_write_them() -> None:
    """Games by key or short name, several with commas; levels with `bot:` too; numbers as texts."""
    from gridwise.evals.tasks import (  # noqa: PLC0415 - it loads Inspect
        counted,
        named_games,
        named_opponents,
    )

    assert [game.key for game in named_games("all")] == GAMES
    assert [game.key for game in named_games("maze, number-run,maze")] == GAMES[1::-1]
    assert [game.key for game in named_games(["Connect"])] == ["number-connect"]
    assert [*named_opponents("all")] == ["random", "novice", "casual", "strong", "perfect"]
    assert [*named_opponents(["bot:casual", "random"])] == ["casual", "random"]
    assert [*named_opponents("model")] == ["model"]
    assert counted("pairs", "3") == counted("pairs", 3) == 3


WRONG: list[tuple[str, dict[str, Any]]] = [
    ("play", {"game": "chess"}),
    ("play", {"game": ""}),
    ("play", {"opponent": "human"}),
    ("play", {"opponent": "model,casual"}),
    ("play", {"opponent": "model"}),  # without another model
    ("play", {"pairs": 0}),
    ("play", {"pairs": "many"}),
    ("play", {"pairs": 1.5}),
    ("play", {"pairs": True}),
    ("play", {"seed": -1}),
    ("play", {"skin": "furry"}),
    ("play", {"board": "hologram"}),
    ("play", {"retries": -1}),
    ("positions", {"limit": 0}),
    ("positions", {"part": "dev"}),
    ("positions", {"suite": "v9"}),
    ("positions", {"legal_moves": "perhaps"}),
    ("positions", {"skin": "plain+plain"}),
    ("rules", {"game": "number"}),
    ("rules", {"rules": "none"}),
]


def test_a_wrong_argument_is_refused_in_one_line() -> None:
    """Inspect prints this exception as it is, without a traceback."""
    from inspect_ai._util.error import PrerequisiteError  # noqa: PLC0415 - 1 s

    for task, args in WRONG:
        make = getattr(import_module("gridwise.evals.tasks"), task)
        with pytest.raises(PrerequisiteError) as refused:
            make(**args)
        message = str(refused.value.message)
        assert message, (task, args)
        assert "\n" not in message


def test_each_board_is_there_twice_with_sides_swapped() -> None:
    """Two games a board, game and opponent; ids that a retry finds again; nothing of the deal."""
    from gridwise.evals.tasks import play  # noqa: PLC0415 - it loads Inspect

    made = play(game="conquest,run", opponent="casual,strong", pairs=3, seed=9)
    samples = list(made.dataset)
    assert len(samples) == 2 * 2 * 3 * 2
    assert len({sample.id for sample in samples}) == len(samples)
    for sample in samples:
        about = sample.metadata or {}
        assert set(about) == {"game", "opponent", "cluster", "pair", "side"}
        assert about["side"] in (1, 2)
    again = [
        sample.id for sample in play(game="conquest,run", opponent="casual,strong", pairs=3).dataset
    ]
    assert again == [sample.id for sample in samples]

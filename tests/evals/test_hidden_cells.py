"""What is face down is in no log before it is turned up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gridwise import game
from gridwise.core.position import start
from tests.evals.conftest import Evaluate, samples_of

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

BOARD = re.compile(r"(?:[1-5?]{5}/){4}[1-5?]{5}")
SEED = 11


def texts(data: Any) -> Iterator[str]:  # noqa: ANN401 - anything that JSON can hold
    """Every text in a piece of a log."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value)


def boards_on_the_way(sample: EvalSample) -> set[str]:
    """The boards that could be seen in a game, replayed from the true one; the last is left out."""
    from gridwise.evals.tasks import dealt_pair  # noqa: PLC0415 - it loads Inspect

    key, pair = sample.metadata["game"], sample.metadata["pair"]
    true_board = dealt_pair(key, SEED, pair).true_board
    position, seen = start(game(key), true_board), set()
    for move in sample.store["gridwise_trial"]["moves"]:
        seen.add(position.game.board_text(position.board))
        position = position.after(move, true_board)
    if not position.outcome:
        seen.add(position.game.board_text(position.board))
    return seen


def test_a_game_in_progress_shows_no_hidden_cell(evaluate: Evaluate) -> None:
    """Stopped in the middle, a log has only boards that its players had seen."""
    options = {"token_limit": 1000}
    args = {"game": "conquest", "opponent": "casual", "pairs": 1, "seed": SEED}
    log = evaluate("play", "gridwise/casual", options, **args)
    stopped = [sample for sample in samples_of(log) if sample.limit]
    assert stopped
    for sample in stopped:
        seen = boards_on_the_way(sample)
        shown = {
            board for text in texts(sample.model_dump(mode="json")) for board in BOARD.findall(text)
        }
        assert shown
        assert shown <= seen
        assert "?" in sample.store["gridwise_trial"]["board"]


def test_a_game_that_is_over_shows_its_board_at_the_end_only(evaluate: Evaluate) -> None:
    """The last entry of a finished game has the whole board, and no entry before it."""
    args = {"game": "conquest", "opponent": "casual", "pairs": 1, "seed": SEED}
    log = evaluate("play", "gridwise/casual", **args)
    for sample in samples_of(log):
        seen = boards_on_the_way(sample)
        events = [event.model_dump(mode="json") for event in sample.events]
        shown = [[b for text in texts(event) for b in BOARD.findall(text)] for event in events]
        whole = [at for at, boards in enumerate(shown) for b in boards if "?" not in b]
        asked = [at for at, event in enumerate(events) if event["event"] == "model"]
        assert whole
        assert min(whole) > max(asked)
        assert {b for at, boards in enumerate(shown) for b in boards if at <= max(asked)} <= seen

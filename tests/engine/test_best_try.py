"""The best move has one name: hints, reviews, analyses, puzzles and the perfect bot agree."""

from __future__ import annotations

import random
import re

import pytest

from gridwise.cli.main import app
from gridwise.core.position import Position
from gridwise.core.registry import games
from gridwise.engine.bots import bot
from gridwise.engine.budget import TOO_LARGE, SearchStopped
from gridwise.engine.evaluation import evaluate, with_answers
from gridwise.engine.exact import answers
from gridwise.engine.hints import hint
from gridwise.engine.review import Decision, judge, limits_for
from gridwise.play.match import Match
from tests.cli.program import RUN_BOARD
from tests.sizes import sample

KEYS = [game.key for game in games()]


def positions(key: str) -> list[Position]:
    """Positions with a choice of random games, of each kind of result; few where one samples."""
    found = []
    for seed in range(sample(50, long=200)):
        match, rng = Match(key, seed=seed, max_plies=40), random.Random(seed)
        few = 18 if match.game.has_hidden_cells else 99
        while not match.outcome:
            if 1 < len(match.legal_moves) < few:
                found.append(match.position)
            match.move(rng.choice(match.legal_moves))
    return found


@pytest.mark.parametrize("key", KEYS)
def test_all_name_the_same_best_move(key: str) -> None:
    """The review's best move is the hint's, and one that the perfect bot chooses from."""
    not_won = 0
    for position in positions(key):
        judged = judge(Decision(position, position.legal[0]), limits_for(position.game)).evaluation
        if position.game.has_hidden_cells and not judged.exact:
            continue
        assert hint(position).move == judged.best.move
        chosen = bot(position.game, "perfect", 1).choose(position)
        assert chosen in {move.action for move in judged.choices}
        assert judged.best in judged.choices
        not_won += judged.points < 1
    assert not_won > 10


@pytest.mark.parametrize("key", KEYS)
def test_an_analysis_marks_it(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    """In the table that is printed, the move of the hint has a star, and with it only equals."""
    game = next(each for each in games() if each.key == key)
    for position in positions(key)[:: sample(40, long=10)]:
        if position.game.has_hidden_cells and not evaluate(position).exact:
            continue
        board = game.board_text(position.board)
        args = ["analyze", key, "--board", board, "--first", str(position.first)]
        app([*args, "--moves", " ".join(position.moves), "--plain"], standalone_mode=False)
        starred = re.findall(r"^\* (\S+)", capsys.readouterr().out, re.MULTILINE)
        assert hint(position).move in starred[:-1]  # the last is the legend


@pytest.mark.parametrize("key", KEYS)
def test_a_hint_says_no_more_than_was_asked_for(key: str) -> None:
    """First nothing that is the name of a move, then the move, then the reason; nothing twice."""
    for position in positions(key)[::3]:
        found = hint(position)
        where, *others = found.steps
        if found.where:
            assert not set(re.findall(r"[\w,!]+", where.casefold())) & {
                move.casefold() for move in position.legal_moves
            }
        assert all(found.move in step for step in others)
        sentences = re.findall(r"[^.]+\.", found.why)
        assert len(set(sentences)) == len(sentences)
        assert "best try" not in found.why
        assert f"Player {3 - position.turn}" not in found.why


def test_what_takes_too_long_to_count_is_not_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of many moves is explained with the same evaluation: one try is enough for all."""
    position = Match("number-run", RUN_BOARD, moves=("0,1",)).position
    tries = []

    def too_large(*_: object) -> None:
        tries.append(position)
        raise SearchStopped(TOO_LARGE)

    monkeypatch.setattr(answers, "Probe", too_large)
    evaluation = with_answers(position, evaluate(position))
    assert evaluation.value == "loss"
    assert with_answers(position, evaluation) is evaluation
    assert len(tries) == 1

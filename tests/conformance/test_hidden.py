"""Hidden values reach nobody: no object holds them, and nothing changes when they change."""

from __future__ import annotations

import io
import json
import pickle
import random
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from dataclasses import replace
from typing import NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwise import Board, Match, Position, analyze, bot
from gridwise.cli.command_prompt import Left
from gridwise.cli.console import Console
from gridwise.cli.game_dialogue import Dialogue
from gridwise.core.bits import random_bit
from gridwise.core.game import Game
from gridwise.core.outcome import resignation, unfinished
from gridwise.core.registry import games
from gridwise.core.view import describe, draw
from gridwise.engine import hints
from gridwise.engine.bots import HeuristicBot, RandomBot
from gridwise.engine.chance import win_probability
from gridwise.engine.evaluation import Evaluation, Limits, evaluate
from gridwise.engine.hints import hint
from gridwise.engine.puzzles import PuzzleAddress, levels, puzzle_at
from gridwise.engine.review import review, summary
from gridwise.errors import MoveError
from gridwise.lab.grading.grade import grade
from gridwise.lab.paired_games import score_against
from gridwise.play.records import parse_record, record_text
from gridwise.play.session import PlaySession, Seats
from gridwise.show.svg import svg
from gridwise.show.text import coloured
from gridwise.testing import check_hidden
from gridwise.testing.hidden_checks import (
    contents,
    held_by_players,
    leaks,
    reachable,
    with_other_hidden_cells,
)
from gridwise.testing.samples import STANDARD, Size, random_games
from research.puzzles import puzzles_in_a_game
from tests.sizes import sample

SHORT = Limits(nodes=50)
HIDING = [game for game in games() if game.has_hidden_cells]
each_hiding_game = pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)


@pytest.fixture(autouse=True)
def short_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints that are short, by no clock, and worked out anew every time."""
    monkeypatch.setattr(hints, "SAMPLED", SHORT)
    monkeypatch.setattr(hints, "_evaluated", hints._evaluated.__wrapped__)


def test_there_is_something_to_hide_and_to_look_at() -> None:
    """Games that hide, and things that players hold: so the tests below are not empty."""
    assert HIDING
    assert len(held_by_players(Match(HIDING[0], seed=1))) >= 10


def engine_results(match: Match) -> dict[str, object]:
    """What the engine gives people and programs in an unfinished game."""
    position = match.position
    evaluation = evaluate(position, SHORT)
    text = match.game.board_text(match.true_board)  # a request may know more than has been seen
    reviewed = review(match.positions, SHORT)
    return {
        "the hint": hint(position),
        "the review": reviewed,
        "the summary": summary(reviewed),
        "an evaluation": evaluation,
        "the bot's move": bot(match.game, "strong", 1).choose(position),
        "the analysis": analyze(
            match.game.key, text, first=match.first, moves=match.moves, search=False
        ),
    }


@each_hiding_game
def test_nothing_a_player_holds_has_a_hidden_value(game: Game, size: Size) -> None:
    """Positions, views, records, evaluations and what bots are given, at every ply."""
    check_hidden(game, size, games=sample(6, long=25), seed=3)


@each_hiding_game
def test_nothing_the_engine_gives_has_a_hidden_value(game: Game) -> None:
    """Hints, reviews, puzzles and analyses, at every ply, on two deals that look the same."""
    checked = 0
    for match in random_games(game, STANDARD, sample(4, long=8), "engine"):
        hidden = match.position.hidden
        if match.outcome or not hidden:
            continue
        other = with_other_hidden_cells(match, f"other {match.true_board}")
        again = engine_results(other)
        for name, thing in engine_results(match).items():
            assert leaks(game, match.true_board, hidden, thing) == [], name
            assert contents(thing) == contents(again[name]), name
        checked += 1
    assert checked > sample(10, long=20)


def play_in_dialogue(match: Match, seats: Seats) -> None:
    """Play a match at a console, to its end or until somebody leaves."""
    with suppress(Left):
        Dialogue(PlaySession(match, seats, ("one", "two")), Console(simple=True)).play()


def knows_no_more(position: Position, *things: object) -> bool:
    """Whether no board that can be reached from some things knows a cell that is hidden."""
    boards = [each for each in reachable(*things) if isinstance(each, Board)]
    return bool(boards) and not any(position.hidden & ~board.unknown for board in boards)


@each_hiding_game
def test_puzzles_hold_no_hidden_value(game: Game) -> None:
    """The maker of a puzzle knows the whole board; the puzzle does not."""
    puzzles = [
        puzzle_at(PuzzleAddress(game.key, level, n)) for level in levels(game) for n in range(1, 6)
    ]
    assert sum(puzzle.position.hidden > 0 for puzzle in puzzles) >= 5
    for puzzle in puzzles:
        assert knows_no_more(puzzle.position, puzzle)
    match = Match(game, seed=4)
    assert not knows_no_more(match.position, match)  # the arbiter knows, so a board can be found


@each_hiding_game
def test_bots_are_given_nothing_hidden(game: Game) -> None:
    """By none who ask them to choose: the arena, the makers of puzzles and grades, the console."""
    given: list[Position] = []

    def spied(choose: Callable[..., int]) -> Callable[..., int]:
        def spy(self: object, *things: Position) -> int:
            assert knows_no_more(things[0], *things)
            given.append(things[0])
            return choose(self, *things)

        return spy

    with (
        patch.object(RandomBot, "choose", spied(RandomBot.choose)),
        patch.object(HeuristicBot, "choose", spied(HeuristicBot.choose)),
    ):
        asks: list[Callable[[], object]] = [
            lambda: score_against(game, "random", "novice", pairs=2),
            lambda: grade("casual", game, games=2, effort=10),
            lambda: list(puzzles_in_a_game(game, random.Random(1))),
            lambda: play_in_dialogue(
                Match(game, seed=1), (bot(game, "random", 1), bot(game, "strong", 1))
            ),
        ]
        for ask in asks:
            given.clear()
            ask()
            assert len(given) > 5
            assert any(position.hidden for position in given)


@each_hiding_game
def test_a_position_is_blanked_however_it_is_made(game: Game) -> None:
    """By the constructor, a move, a state, a pickle, an agreement or a limit of plies."""
    true = Match(game, seed=5).true_board
    position = Position(game, true)
    moved = position.after(position.legal[3], true)
    made = [
        position,
        moved,
        Position(game, game.board_text(true), moves=moved.history),
        Position.from_state(game, true, moved.state),
        moved.ended(unfinished(1), true),
        moved.ended(resignation(1)),
        pickle.loads(pickle.dumps(moved)),  # noqa: S301 - our own
    ]
    for each in made:
        hidden = each.game.rules.hidden(true, each.state)
        assert hidden
        assert leaks(game, true, hidden, each) == []
        assert true.cells != each.board.cells


# That these tests can fail


class LeakyEvaluation(NamedTuple):
    """An evaluation with the whole board in a place where nobody looks."""

    evaluation: Evaluation
    extra: object


@each_hiding_game
@pytest.mark.parametrize("disguise", ["board", "tuple", "list", "bytes", "text", "closure", "sum"])
def test_a_leak_is_found(game: Game, disguise: str) -> None:
    """A true board hidden in an evaluation is found in every form, two deals tell a sum as well."""
    match = Match(game, seed=6)
    match.move(12)
    other = with_other_hidden_cells(match, 7)

    def leaky(each: Match) -> LeakyEvaluation:
        true = each.true_board
        forms = {
            "board": true,
            "tuple": {"deep": [true.cells]},
            "list": list(true.cells),
            "bytes": bytes(true.cells),
            "text": f"on {game.board_text(true)}",
            "closure": lambda: true,
            "sum": sum(true.cells) * 1000,
        }
        return LeakyEvaluation(evaluate(each.position, SHORT), forms[disguise])

    assert match.true_board != other.true_board
    assert contents(leaky(match)) != contents(leaky(other))
    found = leaks(game, match.true_board, match.position.hidden, leaky(match))
    assert bool(found) == (disguise != "sum")


@each_hiding_game
def test_what_is_not_blanked_is_found(game: Game) -> None:
    """A position that keeps its board fails the check at once, and so does such a record."""
    honest = Match.record
    with (
        patch.object(Board, "without", lambda self, hidden: self),
        pytest.raises(AssertionError, match=r"check_hidden: After .* has hidden values"),
    ):
        check_hidden(game, games=1)
    with (
        patch.object(Match, "record", lambda self: replace(honest(self), board=self.true_board)),
        pytest.raises(AssertionError, match="the record has hidden values"),
    ):
        check_hidden(game, games=1)


# What else people and programs can get hold of


def everything(match: Match) -> list[str]:
    """All that a player, a spectator, a bot or a log can get hold of in an unfinished game."""
    game, view, position = match.game, match.view, match.position
    found = [
        repr(match),
        repr(position),
        repr(pickle.dumps(position)),
        repr(view),
        coloured(draw(view)),
        "\n".join(describe(view)),
        svg(view),
        record_text(match.record()),
        repr(match.record()),
        str(match.legal_moves),
        str(bot(game, "random", 1).choose(position)),
    ]
    for text in ("", "A0", "nonsense", *match.moves):
        try:
            match.read(text)
        except MoveError as error:
            found.append(str(error))
    return found


def two_alike(game: Game, seed: int, plies: int) -> tuple[Match, Match]:
    """An unfinished game after some random moves, and the same one with other hidden cells."""
    rng = random.Random(seed)
    match = Match(game, seed=seed)
    for _ in range(plies):
        if match.outcome is None:
            match.move(random_bit(match.position.legal_mask, rng.random))
    if match.outcome:
        match.undo()
    return match, with_other_hidden_cells(match, f"other {seed}")


@each_hiding_game
@settings(max_examples=sample(40, long=150), deadline=None)
@given(seed=st.integers(0, 10**9), plies=st.integers(0, 12))
def test_nothing_changes_when_hidden_cells_change(game: Game, seed: int, plies: int) -> None:
    """Text, SVG, pickles, records, errors and reprs depend on what has been revealed, no more."""
    match, other = two_alike(game, seed, plies)
    assert everything(match) == everything(other)


@each_hiding_game
@pytest.mark.parametrize("plies", sample((0, 1, 2, 4, 7, 11), long=tuple(range(12))))
def test_analysis_does_not_look(game: Game, plies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be given the whole board, and is the same whatever lies face down."""
    monkeypatch.setattr(win_probability, "SIMULATIONS", sample(500, long=100_000))
    found = [
        json.dumps(
            analyze(
                game.key, game.board_text(match.true_board), first=match.first, moves=match.moves
            )
        )
        for match in two_alike(game, 100 + plies, plies)
    ]
    assert found[0] == found[1]


@each_hiding_game
def test_the_console_shows_nothing_hidden(game: Game) -> None:
    """What the console prints up to a prompt is the same for every filling of hidden cells."""

    def transcript(match: Match) -> str:
        answers = iter(["board", "read", "hint", "nonsense", "help", "quit"])
        out = io.StringIO()
        with (
            redirect_stdout(out),
            suppress(Left),
            patch.object(Console, "ask", lambda self, prompt: print(prompt) or next(answers)),
        ):
            play_in_dialogue(match, (None, None))
        return out.getvalue()

    match, other = two_alike(game, 9, 1)
    assert transcript(match) == transcript(other)
    assert "face down" in transcript(match)


@each_hiding_game
def test_what_was_seen_and_taken_back_is_worth_nothing(game: Game) -> None:
    """After a look at the whole board, or at a claim, undo deals what is face down afresh."""
    match = Match(game, seed=11)
    match.move(random_bit(match.position.legal_mask, random.Random(11).random))
    shown = match.board
    match.resign()
    whole = match.board
    match.undo()
    assert match.board == shown
    assert match.true_board != whole
    match.undo()
    assert match.board.unknown == match.board.full


@each_hiding_game
def test_an_unfinished_record_forgets_what_nobody_has_seen(game: Game) -> None:
    """Numbers that somebody wrote into a record for unseen cells are not kept or played with."""
    match = Match(game, seed=12)
    match.move(0)
    text = record_text(match.record())
    filled = text.replace("?", "5")
    assert parse_record(filled) == parse_record(text)


@each_hiding_game
def test_a_finished_record_shows_the_whole_board(game: Game) -> None:
    """Once the game is over, by its rules or by resignation, the board is shown."""
    match = Match(game, seed=10)
    match.resign(1)
    assert "?" not in game.board_text(match.board)
    assert "?" not in record_text(match.record()).split("\n\n")[0].split("Date")[0]

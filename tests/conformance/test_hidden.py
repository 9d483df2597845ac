"""Hidden values reach nobody: change them, and nothing that anyone can get hold of changes."""

from __future__ import annotations

import io
import json
import pickle
import random
from contextlib import redirect_stdout, suppress
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridwise import Match, analyze, bot
from gridwise.cli.console import Console
from gridwise.cli.dialogue import Dialogue, Left
from gridwise.core.bits import choose
from gridwise.core.game import Game
from gridwise.core.registry import games
from gridwise.engine import hints
from gridwise.engine.hints import hint
from gridwise.engine.worth import Limits, weigh
from gridwise.errors import MoveError
from gridwise.play.records import parse_record, record_of, record_text
from gridwise.show.svg import svg
from gridwise.show.text import coloured, describe, draw

# A hint has a time limit as well; once the search is compiled it is far away.
COMPILED = Limits(nodes=50)
HIDING = [game for game in games() if game.hides]


def test_a_game_that_hides_is_among_them() -> None:
    """There is something to keep secret, so the tests below are not empty."""
    assert HIDING


def everything(match: Match) -> list[str]:
    """All that a player, a spectator, a bot or a log can get hold of in an unfinished game."""
    game, view, position = match.game, match.view, match.position
    found = [
        repr(match),
        repr(position),
        repr(pickle.dumps(tuple(position[1:]))),
        repr(view),
        json.dumps(view.as_dict()),
        coloured(draw(view)),
        "\n".join(describe(view)),
        svg(view),
        record_text(record_of(match)),
        repr(record_of(match)),
        str(match.legal_moves),
        str(bot(game, "random", 1).choose(position)),
    ]
    for text in ("", "A0", "nonsense", *match.moves):
        try:
            match.read(text)
        except MoveError as error:
            found.append(str(error))
    return found


def with_other_hidden_cells(game: Game, match: Match, rng: random.Random) -> Match:
    """The same game on a board that differs wherever nobody has looked."""
    seen = match.board
    other = game.deal_unknown(seen, rng)
    twin = Match(game, other, first=match.first)
    for action in match.actions:
        twin.play(action)
    return twin


def two_alike(game: Game, seed: int, plies: int) -> tuple[Match, Match]:
    """An unfinished game after some random moves, and its twin with other hidden cells."""
    rng = random.Random(seed)
    match = Match(game, seed=seed)
    for _ in range(plies):
        if match.outcome is None:
            match.play(choose(match.position.legal, rng.random))
    if match.outcome:
        match.undo()
    return match, with_other_hidden_cells(game, match, rng)


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9), plies=st.integers(0, 12))
def test_nothing_changes_when_hidden_cells_change(game: Game, seed: int, plies: int) -> None:
    """Text, SVG, JSON, records, errors and reprs depend on what has been revealed, and no more."""
    match, twin = two_alike(game, seed, plies)
    assert everything(match) == everything(twin)


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
@pytest.mark.parametrize("plies", range(12))
def test_analysis_does_not_look(game: Game, plies: int) -> None:
    """It may be given the whole board, and is the same whatever lies face down."""
    found = [
        analyze(game.key, game.board_text(match._board), first=match.first, moves=match.moves)
        for match in two_alike(game, 100 + plies, plies)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
def test_hints_do_not_look(game: Game) -> None:
    """A hint is the same whatever lies under the cells that are face down."""
    rng = random.Random(8)
    match = Match(game, seed=8)
    match.play(choose(match.position.legal, rng.random))
    twin = with_other_hidden_cells(game, match, rng)
    weigh(match.position, COMPILED)
    assert twin._board != match._board
    told = hint(match.position)
    hints._weighed.cache_clear()  # so that it is worked out anew
    assert hint(twin.position) == told


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
def test_the_console_does_not_tell(game: Game) -> None:
    """What the console prints up to a prompt is the same for every filling of hidden cells."""

    def transcript(match: Match) -> str:
        answers = iter(["board", "read", "hint", "nonsense", "help", "quit"])
        out = io.StringIO()
        with (
            redirect_stdout(out),
            suppress(Left),
            patch.object(Console, "ask", lambda self, prompt: print(prompt) or next(answers)),
        ):
            Dialogue(match, (None, None), Console(simple=True)).play()
        return out.getvalue()

    rng = random.Random(9)
    match = Match(game, seed=9)
    match.play(choose(match.position.legal, rng.random))
    twin = with_other_hidden_cells(game, match, rng)
    weigh(match.position, COMPILED)
    assert transcript(match) == transcript(twin)
    assert "face down" in transcript(match)


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
def test_what_was_seen_and_taken_back_is_worth_nothing(game: Game) -> None:
    """After a look at the whole board, or at a claim, undo deals what is face down afresh."""
    match = Match(game, seed=11)
    match.play(choose(match.position.legal, random.Random(11).random))
    shown = match.board
    match.resign()
    whole = match.board
    match.undo()
    assert match.board == shown
    assert match._board != whole
    match.undo()
    assert match.board.unknown == match.board.full


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
def test_an_unfinished_record_forgets_what_nobody_has_seen(game: Game) -> None:
    """Numbers that somebody wrote into a record for unseen cells are not kept or played with."""
    match = Match(game, seed=12)
    match.play(0)
    text = record_text(record_of(match))
    told = text.replace("?", "5")
    assert parse_record(told) == parse_record(text)


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.key)
def test_a_finished_record_shows_the_whole_board(game: Game) -> None:
    """Once the game is over, by its rules or by resignation, the board is told."""
    match = Match(game, seed=10)
    match.resign(1)
    assert "?" not in game.board_text(match.board)
    assert "?" not in record_text(record_of(match)).split("\n\n")[0].split("Date")[0]

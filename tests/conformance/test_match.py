"""What every game must hold: its rules, the arbiter, notation, records and drawings."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from gridwise import Match, bot, read_record, write_record
from gridwise.core.game import Game
from gridwise.core.outcome import resignation, unfinished
from gridwise.core.rng import Stream
from gridwise.core.view import draw, plain
from gridwise.errors import OutOfTurn
from gridwise.show.palette import DARK
from gridwise.show.svg import svg
from gridwise.show.text import coloured
from gridwise.testing import (
    check_analysis,
    check_bad_moves,
    check_compiles,
    check_dialogue,
    check_match,
    check_pages,
    check_records,
    check_rules,
    check_text_round_trips,
    check_views,
)
from gridwise.testing.samples import STANDARD, Size, boards, random_games
from tests.sizes import sample


def test_rules_keep_the_contract(game: Game, size: Size) -> None:
    """Legal moves until it is over, states that are ints, and most random games come to an end."""
    games = sample(80, long=500)
    assert check_rules(game, size, games=games) > games // 2


@pytest.mark.parametrize(
    ("check", "games"),
    [
        (check_compiles, sample(6, long=20)),
        (check_match, sample(10, long=40)),
        (check_text_round_trips, sample(10, long=30)),
        (check_records, sample(3, long=6)),
        (check_views, sample(4, long=10)),
        (check_dialogue, sample(5, long=15)),
    ],
)
def test_a_game_passes_the_checks_on_every_size(
    check: Callable[..., None], games: int, game: Game, size: Size
) -> None:
    """What each of them says is in `gridwise.testing`."""
    check(game, size, games=games)


def test_a_game_passes_the_checks_that_need_one_size(game: Game) -> None:
    """Bad moves are refused, pages and lessons can be used, analysis knows what Match does."""
    check_bad_moves(game, games=6)
    check_analysis(game, games=10)
    check_pages(game)


def test_undo_restores_the_exact_position(game: Game, size: Size) -> None:
    """Taking all moves back passes through the very same positions, and playing on still works."""
    stream = Stream(f"undo {game.key}")
    for board in islice(boards(game, size, stream), sample(8, long=20)):
        match = Match(game, board, max_plies=60)
        positions = [match.position]
        while not match.outcome:
            match.move(stream.draw(match.position.legal_mask))
            positions.append(match.position)
        actions = match.actions
        for expected in reversed(positions):
            assert (match.position, match.view) == (expected, expected.view)
            if match.actions:
                match.undo()
        with pytest.raises(OutOfTurn):
            match.undo()
        for action in actions:
            # Face-down cells have been dealt afresh, so the game may end sooner now.
            if not (game.has_hidden_cells and match.outcome):
                match.move(action)
        assert game.has_hidden_cells or match.actions == actions


@pytest.mark.parametrize("player", [1, 2])
def test_resigning_ends_it_and_can_be_taken_back(game: Game, player: int) -> None:
    """A player who resigns has lost, on either turn; undo gives the game back."""
    match = Match(game, game.example_board, seed=17)
    before = match.position
    match.resign(player)
    outcome = match.outcome
    assert outcome == resignation(player)
    assert outcome.winner == 3 - player
    assert outcome.reason == f"Player {player} resigned"
    assert (match.resigned, match.view.turn) == (player, 0)
    match.undo()
    assert (match.outcome, match.resigned, match.position) == (None, 0, before)


def test_a_move_out_of_turn_is_refused(game: Game) -> None:
    """A move by the player who is not to move changes nothing."""
    match = Match(game, game.example_board, seed=1)
    with pytest.raises(OutOfTurn, match="turn"):
        match.move(match.position.legal[0], player=3 - match.turn)
    assert match.moves == []


def test_records_survive_the_disk(game: Game, tmp_path: Path) -> None:
    """What was written to a file is what is read from it, and nothing else is left behind."""
    *_, match = random_games(game, STANDARD, 1, "disk")
    record = match.record()
    path = tmp_path / "a game.gwr"
    for _ in range(3):
        write_record(record, path)
    assert read_record(path) == record
    assert [entry.name for entry in tmp_path.iterdir()] == ["a game.gwr"]


def test_equal_seeds_give_equal_games(game: Game) -> None:
    """The same seed deals, tosses and plays the same; another seed does not always."""

    def whole_game(seed: int) -> tuple[str, int, list[str]]:
        match = Match(game, seed=seed, max_plies=60)
        seats = [bot(game, "random", f"{seed} {player}") for player in (1, 2)]
        while not match.outcome:
            match.move(seats[match.turn - 1].choose(match.position))
        return game.board_text(match.true_board), match.first, match.moves

    assert [whole_game(seed) for seed in range(20)] == [whole_game(seed) for seed in range(20)]
    assert len({str(whole_game(seed)) for seed in range(20)}) > 5


def test_colour_adds_only_colour(game: Game, size: Size) -> None:
    """The drawing for terminals is the plain one with codes in it; a dark picture has all cells."""
    for match in random_games(game, size, sample(2, long=4), "colour"):
        lines = draw(match.view)
        bare = re.sub(r"\x1b\[[\d;]*m", "", coloured(lines))
        assert [line.rstrip() for line in bare.splitlines()] == plain(lines).splitlines()
        assert svg(match.view, DARK).count("data-cell=") == match.board.size


def test_the_coin_falls_both_ways() -> None:
    """Who begins in Grid Conquest is tossed, about half the time each."""
    firsts = [Match("grid-conquest", seed=seed).first for seed in range(400)]
    assert min(firsts.count(1), firsts.count(2)) > 150


def test_games_that_can_go_on_for_ever_are_stopped() -> None:
    """With a cap a game stops unfinished, with no result and no winner."""
    match = Match("grid-runner", max_plies=200)
    for move in ["down", "up", "up", "down"] * 50:
        assert not match.outcome
        match.move(move)
    assert match.outcome == unfinished(200)

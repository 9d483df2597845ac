"""Random play reaches every ending there is, and every outcome of a challenge."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain

from gridwise import Match, Outcome, Termination
from gridwise.core.bits import random_bit
from gridwise.core.registry import game as game_of


def random_games(key: str, board: str | None, count: int) -> Iterator[Match]:
    """Finished random games."""
    rng = random.Random(f"endings {key} {board}")
    for number in range(count):
        match = Match(key, board, seed=number, max_plies=200)
        while not match.outcome:
            match.move(random_bit(match.position.legal_mask, rng.random))
        yield match


def random_games_on(rows: int, cols: int, count: int) -> Iterator[Match]:
    """Finished random games of Number Run on another size."""
    rng = random.Random(f"endings {rows} {cols}")
    game = game_of("number-run")
    for _ in range(count):
        board = game.board_text(game.deal(rng, rows, cols))
        yield from random_games("number-run", board, 1)


def reasons(key: str, board: str | None, count: int) -> Counter[tuple[int, str]]:
    """How those games ended, by winner and reason."""
    found: Counter[tuple[int, str]] = Counter()
    for match in random_games(key, board, count):
        assert match.outcome
        found[match.outcome.winner, match.outcome.reason] += 1
    return found


def test_number_run_reaches_every_ending() -> None:
    """Both players win both ways, on any board."""
    assert set(reasons("number-run", None, 400)) == {
        (winner, reason)
        for winner in (1, 2)
        for reason in ("reached the opponent's start", "the opponent has no valid moves")
    }


def test_number_run_challenges_go_every_way() -> None:
    """Challenges are won, lost and tied by both players, and change what they should."""
    seen: set[tuple[int, str]] = set()
    game = game_of("number-run")
    # On 5x5 only Player 1 brings the tokens together at first; on 3x4 only Player 2 does.
    for match in chain(random_games("number-run", None, 400), random_games_on(3, 4, 400)):
        board, state = match.board, game.rules.start(match.board, 1)
        for action in match.actions:
            after = game.rules.play(board, state, action)
            if action >= 4:
                plain = game.rules.play(board, state, action - 4)
                mine, yours = plain.your_score, plain.my_score
                mover = state.turn
                if mine > yours:
                    seen.add((mover, "won"))
                    expected = plain._replace(my_cell=board.starts[3 - mover], my_score=0)
                elif mine < yours:
                    seen.add((mover, "lost"))
                    expected = plain._replace(your_cell=board.starts[mover], your_score=0)
                else:
                    seen.add((mover, "tied"))
                    expected = plain
                assert after == expected
            state = after
    assert seen == {(mover, how) for mover in (1, 2) for how in ("won", "lost", "tied")}


def test_number_connect_of_all_ones_fills_the_board() -> None:
    """With ones nobody reaches 15 while both can claim; boards fill up, and players pass."""
    found = reasons("number-connect", "1111/1111/1111/1111", 300)
    assert (3, "all cells claimed, equal totals") in found
    assert {(1, "all cells claimed, higher total"), (2, "all cells claimed, higher total")} <= set(
        found
    )
    passes = sum(
        mover == following
        for match in random_games("number-connect", "1111/1111/1111/1111", 100)
        for mover, following in zip(match.movers, match.movers[1:], strict=False)
    )
    assert passes > 50


def test_number_connect_reaches_fifteen_and_more() -> None:
    """On dealt boards both players hit 15 and both go over."""
    assert {
        (winner, reason)
        for winner in (1, 2)
        for reason in ("reached exactly 15", "the opponent went over 15")
    } <= set(reasons("number-connect", None, 400))


def test_grid_conquest_of_all_ones_fills_the_board() -> None:
    """25 ones are 13 to 12 for the player who goes first, and nobody reaches 15."""
    for match in random_games("grid-conquest", "/".join(["11111"] * 5), 20):
        assert match.outcome
        assert match.outcome == Outcome(
            match.first, Termination.BOARD_FULL, "all cells claimed, higher score"
        )
        assert len(match.moves) == 25


def test_grid_conquest_can_be_drawn() -> None:
    """On an even number of ones the scores are equal, and that is a draw."""
    match = Match("grid-conquest", "11/11", first=2)
    for move in ("A1", "B2", "A2", "B1"):
        match.move(move)
    assert match.outcome == Outcome(3, Termination.BOARD_FULL, "all cells claimed, equal scores")


def test_the_coin_falls_both_ways() -> None:
    """Who begins in Grid Conquest is tossed, about half the time each."""
    firsts = Counter(Match("grid-conquest", seed=seed).first for seed in range(400))
    assert min(firsts.values()) > 150


def test_games_that_can_go_on_for_ever_are_stopped() -> None:
    """With a cap a game stops unfinished, with no result and no winner."""
    found = reasons("grid-runner", None, 60)
    assert (0, "unfinished after 200 plies") in found
    assert any(winner for winner, _ in found)

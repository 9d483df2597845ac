"""Lines of best play, and tries in lost positions, as the second implementation judges them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.engine.budget import Budget, SearchStopped
from gridwise.engine.evaluation import evaluate, with_answers
from gridwise.engine.exact.probe import Probe
from gridwise.engine.lines import (
    CHANCE_PLIES,
    CIRCLE_PLIES,
    all_best_lines,
    best_line,
    line_after,
    line_moves,
    line_positions,
    probe_of,
)
from tests.engine.reasons.general import hardest, keeping_answers
from tests.engine.reasons.told import SAMPLED, Told, Unknown, after, told
from tests.sizes import sample

STANDARD = "31425/25134/42513/14252/53142"
EXACT = [game.key for game in games() if not game.has_hidden_cells]


@pytest.fixture(autouse=True)
def _explained(request: pytest.FixtureRequest) -> None:
    """The sample of a game, made before the first test of it begins."""
    if key := getattr(request.node, "callspec", None) and request.node.callspec.params.get("key"):
        told(key)


def first_told(key: str) -> Iterator[Told]:
    """One of the moves of each position of a game's sample."""
    seen = set()
    for each in told(key):
        if each.position.key not in seen:
            seen.add(each.position.key)
            yield each


@pytest.mark.parametrize("key", EXACT)
def test_a_line_of_best_play(key: str) -> None:
    """The winner hurries, the loser holds out; without a winner nobody gives anything away."""
    judged = 0
    for each in list(first_told(key))[:: sample(2, long=1)]:
        line = best_line(each.position)
        moves = line_moves(each.position, line)
        try:
            worth = [each.worth(game) for game in each.line(moves)]
        except Unknown:
            continue
        winner, plies = worth[0]
        if winner in (1, 2):
            assert worth == [(winner, plies - number) for number in range(plies + 1)]
        else:
            assert {who for who, _ in worth} == {winner}
            assert len(line) == CIRCLE_PLIES or line_positions(each.position, line)[-1].outcome
        judged += 1
    assert judged > 20


@pytest.mark.parametrize("key", EXACT)
def test_all_lines_of_best_play(key: str) -> None:
    """Those that the second implementation finds, and no others, or it is said that it is many."""
    judged = 0
    for each in list(first_told(key))[:: sample(2, long=1)]:
        action = each.position.read(each.move)
        after_it, probe = each.position.play(action), probe_of(each.position)
        assert probe
        try:
            if not each.worth(each.after)[0]:
                continue
            expected = set(each.best_lines(each.move))
        except Unknown:
            continue
        try:
            found = [
                line_moves(each.position, (action, *actions))
                for _, actions in all_best_lines(probe, after_it.state)
            ]
        except SearchStopped:
            assert len(expected) > 100
            continue
        assert sorted(found) == sorted(expected)
        judged += 1
    assert judged > 20


@pytest.mark.parametrize("key", EXACT)
def test_a_probe_knows_what_states_are_worth(key: str) -> None:
    """Every state after every move, asked of one probe, in whatever order."""
    judged = 0
    for each in list(first_told(key))[:: sample(2, long=1)]:
        probe = probe_of(each.position)
        assert probe
        for action, move in reversed(each.position.named_moves.items()):
            state = probe.after(each.position.state, action)
            try:
                winner, plies = each.worth(after(each.before, move))
            except Unknown:
                continue
            found, distance = probe.result(state)
            assert (found % 3, distance) == (winner, plies if winner else distance)
            for player in (1, 2):
                assert probe.wins(state, player) == (winner == player)
                assert probe.points(state, player) == (
                    0.5 if winner == 0 else 1.0 if winner == player else 0.0
                )
            judged += 1
    assert judged > 60


@pytest.mark.parametrize("key", EXACT)
def test_the_best_try_is_the_hardest_to_answer(key: str) -> None:
    """Not lost to the very next answer, then most mistakes possible, then the slowest loss."""
    tries = 0
    for each in first_told(key):
        try:
            if each.winning or len(each.options) == 1:
                continue
            best = hardest(each)
        except Unknown:
            continue
        counted = with_answers(each.position, each.evaluation)
        assert {move.move for move in counted.best_moves} == best
        for move in counted.moves:
            then = after(each.before, move.move)
            assert move.answers
            if then.to_move() == each.other:
                assert move.answers.keeping == keeping_answers(each, then)
                assert move.answers.legal == len(then.legal())
            else:  # the other one has no choice
                assert move.answers.mistakes == 0
        tries += 1
    assert tries > 10


def test_where_answers_are_not_counted() -> None:
    """In a won position nothing is to be tried, and hidden cells cannot be counted."""
    won = Position("number-run", STANDARD)
    hidden = Position("grid-conquest", game_named("grid-conquest").default_board())
    for position in (won, hidden):
        for move in with_answers(position, evaluate(position, SAMPLED)).moves:
            assert move.answers is None


def test_a_line_ends_before_cells_are_turned_up() -> None:
    """Nobody knows what they would be."""
    longest = 0
    for each in list(first_told("grid-conquest"))[:: sample(3, long=1)]:
        line = best_line(each.position)
        shown = each.before.visible()
        assert all(game.visible() == shown for game in each.line(line_moves(each.position, line)))
        assert len(line) <= CHANCE_PLIES
        longest = max(longest, len(line))
        for action in each.position.legal:
            assert bool(line_after(each.position, action)) != bool(each.position.reveals(action))
    assert longest > 1


def test_a_search_that_is_too_large_gives_no_line() -> None:
    """Nothing is said that is not known; what was found within the limit is right."""
    position = Position("number-run", STANDARD)
    with pytest.raises(SearchStopped):
        Probe(position, Budget(10)).result(position.state)
    assert best_line(position, Probe(position, Budget(10))) == ()

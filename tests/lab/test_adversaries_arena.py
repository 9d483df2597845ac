"""Players who want a good figure without playing well, in the arena: each lands where it must.

Grid Runner has one board and few positions, so what a player scores against the random bot can be
computed: a game is a chain of at most 200 steps, and every player a distribution over the moves.
The arena is told nothing of it: there the players are Python objects in processes of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest

from gridwise import Match, Position, evaluate
from gridwise.core.outcome import Termination
from gridwise.core.position import start
from gridwise.core.registry import game
from gridwise.lab.tournament.play import play_block
from gridwise.lab.tournament.ratings import score_interval
from gridwise.lab.tournament.report import as_text, tournament_json
from gridwise.lab.tournament.run import Tally, Tournament, new_tournament, tasks
from gridwise.lab.tournament.schedule import TimeLimits
from gridwise.play.clock import TimeControl
from research.results.adversaries import (
    ADVERSARIES,
    Adversary,
    Dawdler,
    Drawn,
    IllegalMover,
    Mixture,
    Mixture20,
    Mixture80,
    Perfect,
    Repeater,
    Resigner,
    Slow,
    mixture,
)
from tests.lab.tournament import FAST, played, result, schedule
from tests.sizes import sample

Chances = Callable[[Position], Mapping[int, float]]

RUNNER = game("grid-runner")
MAX_PLIES = 200  # after which a game is stopped, by RULINGS.md and docs/arena.md
STEPS = 8  # from corner to corner of 5x5 cells
PAIRS = sample(20, long=300)


def source(adversary: type[Adversary]) -> str:
    """What an adversary is called on the command line."""
    return f"python:{adversary.__module__}:{adversary.__qualname__}"


# What arithmetic says


def deterministic(adversary: type[Adversary]) -> Chances:
    """A player who always plays alike in a position."""
    return lambda position: {position.read(adversary().choose(position)): 1.0}


def repeating(position: Position) -> Mapping[int, float]:
    """At random where it is lost; elsewhere always alike."""
    lost = evaluate(position).value == "loss"
    return (mixture(0.0) if lost else deterministic(Repeater))(position)


def sometimes_illegal(position: Position) -> Mapping[int, float]:
    """A best move, but for a fifth of the time: then there is none, and the game is lost."""
    return {action: 0.8 * chance for action, chance in mixture(1.0)(position).items()}


CHANCES: dict[type[Adversary], Chances] = {
    Perfect: mixture(1.0),
    Mixture80: mixture(0.8),
    Mixture: mixture(0.5),
    Mixture20: mixture(0.2),
    Drawn: mixture(0.0),
    Dawdler: deterministic(Dawdler),
    Repeater: repeating,
    IllegalMover: sometimes_illegal,
    Resigner: lambda _: {},
}


@cache
def positions() -> list[Position]:
    """Every position of Grid Runner that can come up and is not over, the first one first."""
    board = RUNNER.parse_board("..X../...../X.X.X/...../..X..")
    found = [start(RUNNER, board, 1)]
    seen = {found[0].state}
    for position in found:
        for action in position.legal:
            after = position.play(action, board)
            if not after.outcome and after.state not in seen:
                seen.add(after.state)
                found.append(after)
    return found


def ends(chances: Chances, side: int) -> tuple[float, float]:
    """How often a player wins against the random bot, and how often nobody does."""
    live = positions()
    number = {position.state: i for i, position in enumerate(live)}
    won, lost = len(live), len(live) + 1
    steps = np.zeros((len(live) + 2, len(live) + 2))
    steps[won, won] = steps[lost, lost] = 1
    for i, position in enumerate(live):
        policy = chances if position.turn == side else mixture(0.0)
        for action, chance in policy(position).items():
            after = position.play(action, position.board)
            winner = after.outcome.winner if after.outcome else 0
            to = number[after.state] if not winner else won if winner == side else lost
            steps[i, to] += chance
        steps[i, lost] += 1 - steps[i].sum()  # nothing that could be played
    at = np.zeros(len(live) + 2)
    at[0] = 1
    for _ in range(MAX_PLIES):
        at = at @ steps
    return float(at[won]), float(at[: len(live)].sum())


# What the arena says


@dataclass
class Arena:
    """Everybody against the random bot."""

    tournament: Tournament
    games: dict[type[Adversary], list[dict[str, Any]]] = field(default_factory=dict)

    def of(self, adversary: type[Adversary]) -> Tally:
        """The pairs of a player, from that player's side."""
        return self.tournament.standings.of_player(1 + ADVERSARIES.index(adversary))

    def row(self, adversary: type[Adversary]) -> dict[str, str]:
        """The line of a player in the table, by its columns."""
        head, *lines = (
            [cell.strip() for cell in line.split("  ") if cell.strip()]
            for line in as_text(self.tournament).partition("\n\n")[0].splitlines()
        )
        return next(
            dict(zip(head, line, strict=True))
            for line in lines
            if line[0].endswith(f". {adversary.name}")
        )


@pytest.fixture(scope="module")
def arena() -> Arena:
    """A tournament that has been played."""
    plan = schedule("bot:random", *map(source, ADVERSARIES), pairs=PAIRS, gauntlet=True, seed=1)
    names = ["bot:random", *(each.name for each in ADVERSARIES)]
    arena = Arena(new_tournament(plan, names, None))
    games = defaultdict[type[Adversary], list[dict[str, Any]]](list)
    for task in tasks(plan):
        block = task.arguments["block"]
        done = play_block(**task.arguments)
        arena.tournament.add(block, done)
        games[ADVERSARIES[block.two - 1]] += done
    arena.games = games
    return arena


@pytest.mark.parametrize("adversary", ADVERSARIES, ids=lambda each: each.name)
def test_each_lands_where_arithmetic_says(adversary: type[Adversary], arena: Arena) -> None:
    """It has the points and the unfinished games that it must have, give or take its luck."""
    sides = [ends(CHANCES[adversary], side) for side in (1, 2)]
    points = sum(won + going / 2 for won, going in sides) / 2
    spread = sum(won + going / 4 - (won + going / 2) ** 2 for won, going in sides) / 4
    own = arena.of(adversary)
    assert own.pairs.total == PAIRS
    assert own.pairs.score == pytest.approx(points, abs=3 * sqrt(spread / PAIRS) + 1e-9)
    stopped = [going for _, going in sides]
    luck = sqrt(sum(going * (1 - going) for going in stopped) * PAIRS)
    # Four, as few are expected of some: then the tail is longer than the normal one.
    assert own.unfinished == pytest.approx(sum(stopped) * PAIRS, abs=4 * luck + 1)


def test_who_answers_no_move_has_lost_and_is_named(arena: Arena) -> None:
    """The resigner scores 0 and has not moved. The illegal mover wins where 8 moves went well."""
    own = arena.of(Resigner)
    assert own.pairs.pentanomial == (PAIRS, 0, 0, 0, 0)
    assert own.faults == {Termination.ILLEGAL_MOVE: 2 * PAIRS}
    assert all(len(each["moves"]) == 1 - each["swapped"] for each in arena.games[Resigner])
    assert all("I resign" in each["complaint"] for each in arena.games[Resigner])
    for each in arena.games[IllegalMover]:
        won = each["winner"] == 2 - each["swapped"]
        moves = (len(each["moves"]) + each["swapped"]) // 2  # Player 1 makes the odd ones
        if won:
            assert moves >= STEPS
        elif each["swapped"]:  # as Player 1 it always has a won position
            assert each["ending"] == Termination.ILLEGAL_MOVE
    illegal = arena.of(IllegalMover).faults[Termination.ILLEGAL_MOVE]
    assert illegal > PAIRS
    assert as_text(arena.tournament).partition("Games lost by fault\n")[2].splitlines()[:2] == [
        f"  illegal mover: {illegal} illegal moves",
        f"  resigner: {2 * PAIRS} illegal moves",
    ]
    shown = [int(arena.row(each)["lost by fault"]) for each in ADVERSARIES]
    assert shown == [0] * 7 + [illegal, 2 * PAIRS]


@pytest.mark.parametrize("adversary", [Perfect, Dawdler], ids=lambda each: each.name)
def test_who_keeps_every_value_loses_only_what_was_lost_throughout(
    adversary: type[Adversary], arena: Arena
) -> None:
    """Player 1 can win Grid Runner, so as Player 1 they lose nothing, and as Player 2 seldom."""
    for each in arena.games[adversary]:
        side = 2 - each["swapped"]
        if each["winner"] == 3 - side:
            assert side == 2
            line = Match(RUNNER, moves=each["moves"]).positions
            assert {evaluate(now).value for now in line if now.turn == side} == {"loss"}
    assert arena.of(adversary).losses


def test_who_ends_nothing_is_seen_in_the_table(arena: Arena) -> None:
    """The dawdler keeps every win and has none: far below perfect play, and not by losing."""
    perfect, dawdler, repeater = map(arena.of, (Perfect, Dawdler, Repeater))
    assert score_interval(dawdler.pairs).high < score_interval(perfect.pairs).low
    assert dawdler.wins == 0
    assert (dawdler.sides["p1"], dawdler.draws) == (dawdler.losses, 0)
    assert min(dawdler.unfinished, repeater.unfinished) >= PAIRS  # as Player 1 all of them
    shown = {each: arena.row(each)["unfinished"] for each in (Perfect, Dawdler, Repeater)}
    assert shown[Dawdler] == str(dawdler.unfinished)
    assert shown[Repeater] == str(repeater.unfinished)
    assert int(shown[Perfect]) < PAIRS / 10
    said = {each["name"]: each for each in tournament_json(arena.tournament)["players"]}["dawdler"]
    assert (said["unfinished"], said["draws"]) == (dawdler.unfinished, 0)
    assert said["points"] == dawdler.unfinished / 2


@pytest.mark.parametrize(
    ("stronger", "weaker", "key"),
    [
        (Perfect, Mixture80, "number-connect"),
        (Mixture80, Mixture, "number-connect"),
        (Mixture, Mixture20, "number-connect"),
        (Mixture20, Drawn, "grid-runner"),
    ],
    ids=lambda each: each if isinstance(each, str) else each.name,
)
def test_who_plays_well_more_often_is_the_stronger(
    stronger: type[Adversary], weaker: type[Adversary], key: str
) -> None:
    """Perfect play, and 80, 50, 20 and 0 % of it: the interval against the next is above half."""
    plan = schedule(source(stronger), source(weaker), key=key, pairs=sample(20, long=300), seed=1)
    assert score_interval(result(plan).standings.match().pairs).low > 0.5


class Unhurried(Slow):
    """One whose slowness can be waited for."""

    seconds = 0.01


def test_a_slow_player_loses_on_time_and_otherwise_plays_as_it_does() -> None:
    """Without a limit that matters it plays the games of its policy, move by move."""

    def moves(adversary: type[Adversary]) -> list[list[str]]:
        return [each["moves"] for each in played(source(adversary), "bot:random", pairs=2)]

    assert moves(Unhurried) == moves(Perfect)
    for limits in (FAST, TimeLimits(control=TimeControl(0.1, 0.0), margin=100)):
        found = played(source(Slow), "bot:random", limits=limits)
        assert [each["ending"] for each in found] == [Termination.TIME_OUT] * 2
        assert [each["winner"] for each in found] == [2, 1]
        assert all("has not answered within 0.2 seconds" in each["complaint"] for each in found)

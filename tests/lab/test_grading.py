"""Grades tell the truth: about perfect play, about random play, about cheats."""

from __future__ import annotations

import asyncio
import json
import random
import shlex
import sys
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gridwise import Position, compare, exploitability, grade
from gridwise.core.bits import bit_indices, random_bit
from gridwise.core.board import Board
from gridwise.core.contracts import State
from gridwise.core.game import Game
from gridwise.core.registry import game as game_of
from gridwise.engine.bots import SearchBot
from gridwise.engine.ugi.client import UgiPlayer
from gridwise.errors import BadRequest, EngineFailed, GridwiseError, UnknownGame
from gridwise.lab.grading.report import GradeReport
from tests.engine.new_python import run_python
from tests.fake_engine import gone
from tests.lab.agents import (
    FirstLegal,
    WaitingFirstLegal,
    first_legal,
    first_legal_of_all,
    first_legal_of_both,
    first_legal_of_many,
    first_legal_of_two,
)
from tests.sizes import sample

OPEN = ["number-run", "number-maze", "grid-runner", "number-connect"]


@pytest.mark.parametrize("key", OPEN)
def test_perfect_play_loses_nothing(key: str) -> None:
    """Where nothing is hidden, the perfect bot keeps the best result every time, exactly."""
    report = grade("perfect", key, games=sample(12, long=20), seed=2)
    assert report.regret == 0
    assert report.accuracy == 1
    assert report.best_rate == 1
    assert report.optimal == report.decisions > 5
    assert report.exact
    assert report.illegal == report.unjudged == 0
    assert report.score > 0.7


def test_nearly_perfect_play_loses_next_to_nothing_where_there_is_chance() -> None:
    """In Grid Conquest the loss is sampled, with its error; a thinking bot's is within it."""
    thinking = SearchBot("thinking", 2_000, random.Random(1))
    report = grade(thinking, "grid-conquest", games=4, seed=1)
    assert report.regret <= 2 * report.error + 0.005
    assert not report.exact
    assert 0 < report.error < 0.05
    assert report.best_rate is not None
    assert report.best_rate > 0.9
    assert "sampled: 2,000 simulations, standard error" in str(report)


# Random play, by an independent count


def value(game: Game, board: Board, state: State, memory: dict[State, float]) -> float:
    """What a position of a small game is worth to the player to move, by plain search."""
    if state not in memory:
        rules = game.rules
        winner = rules.winner(board, state)
        if winner:
            memory[state] = 0.5 if winner == 3 else float(winner == state.turn)
        else:
            memory[state] = max(
                option(game, board, state, action, memory)
                for action in bit_indices(rules.moves(board, state))
            )
    return memory[state]


def option(
    game: Game, board: Board, state: State, action: int, memory: dict[State, float]
) -> float:
    """What a move is worth to the player who makes it."""
    after = game.rules.play(board, state, action)
    worth = value(game, board, after, memory)
    return worth if after.turn == state.turn else 1 - worth


def expected(game: Game, board: Board, side: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Of a random player on one side against another: points, moves that count, loss, kept."""
    memory: dict[State, float] = {}
    rules = game.rules
    points = counted = lost = kept = Fraction(0)
    ahead = [(rules.start(board, 1), Fraction(1))]
    while ahead:
        state, chance = ahead.pop()
        winner = rules.winner(board, state)
        if winner:
            points += chance * (Fraction(1, 2) if winner == 3 else int(winner == side))
            continue
        actions = bit_indices(rules.moves(board, state))
        share = chance / len(actions)
        worths = [Fraction(option(game, board, state, action, memory)) for action in actions]
        if state.turn == side and min(worths) < max(worths):
            counted += chance
            lost += sum((max(worths) - worth for worth in worths), Fraction(0)) * share
            kept += share * worths.count(max(worths))
        ahead += [(rules.play(board, state, action), share) for action in actions]
    return points, counted, lost, kept


@pytest.mark.parametrize(
    ("key", "board"),
    [
        *sample([], long=[("number-connect", "415/263")]),
        ("number-connect", "41/52/63"),
        ("number-run", "314/251"),
        ("tic-tac-toe", "11/11/11"),
    ],
)
def test_random_play_is_graded_as_it_must_be(key: str, board: str) -> None:
    """Over many games the score, the loss and the rate of best moves are what a count expects."""
    game = game_of(key)
    grid = game.parse_board(board)
    sums = [
        sum(pair) for pair in zip(expected(game, grid, 1), expected(game, grid, 2), strict=True)
    ]
    points, counted, lost, kept = (float(each) / 2 for each in sums)
    games = sample(400, long=3000)
    report = grade("random", game, games=games, seed=4, board=board)
    noise = 4 / sqrt(games)  # four standard errors, and no figure varies by more than 1 a game
    assert report.score == pytest.approx(points, abs=noise)
    assert report.decisions / report.games == pytest.approx(counted, abs=noise * 2)
    assert report.regret == pytest.approx(lost / counted, abs=noise)
    assert report.optimal / report.decisions == pytest.approx(kept / counted, abs=noise)
    assert report.low < points < report.high


# Who can be graded


def test_a_policy_has_one_grade_in_whatever_form_it_is_written(game: Game) -> None:
    """Functions and players, for one game or for many, with `async def` or without: one grade."""
    most = now = 0

    async def waiting(observation: Any) -> int:  # noqa: ANN401 - as an agent is written
        nonlocal most, now
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.001)
        now -= 1
        return first_legal(observation)

    one_by_one: list[Any] = [first_legal, FirstLegal(), first_legal_of_two, waiting]
    one_by_one.append(WaitingFirstLegal())
    together: list[Any] = [first_legal_of_all, first_legal_of_both, first_legal_of_many]
    games, effort = sample((4, 2), long=(8, 50))
    reports = [
        grade(agent, game, games, 2, effort=effort, concurrency=4, batch=agent in together)
        for agent in one_by_one + together
    ]
    for report in reports:
        assert (report.rows, report.score) == (reports[0].rows, reports[0].score)
    assert reports[0].agent == "first_legal"
    assert reports[0].moves > 6
    assert 1 < most <= 4


def test_a_policy_is_shown_what_environments_show() -> None:
    """The observation and the mask are those of the player to move, and nothing is hidden in it."""
    from gridwise.envs.pettingzoo import env  # noqa: PLC0415 - only here

    episode = env("grid-conquest")
    seen: list[Any] = []

    def look(observation: Any) -> int:  # noqa: ANN401 - as an agent is written
        seen.append(observation)
        return first_legal(observation)

    grade(look, "grid-conquest", games=2, seed=1, effort=50)
    for observation in seen:
        assert episode.observation_space("player_1").contains(observation)
    assert not seen[0]["observation"][0].any()


def test_names_of_bots() -> None:
    """A level alone is enough, and `bot:` is allowed."""
    assert grade("bot:novice", "number-maze", games=4) == grade("novice", "number-maze", games=4)
    with pytest.raises(BadRequest, match=r'no bot "expert"\. The levels are random, novice'):
        grade("expert", "number-maze")
    with pytest.raises(BadRequest, match="A player is a bot level, ugi:COMMAND"):
        grade(42, "number-maze")  # type: ignore[arg-type] # that is the point
    with pytest.raises(UnknownGame, match="Did you mean number-maze"):
        grade("novice", "number-mase")


@pytest.mark.parametrize("answers", [None, 0, [], [[0], [0]], [[0], [0, 1]], ["up", "up"]])
def test_a_policy_for_many_that_does_not_answer_for_each_is_told_so(answers: object) -> None:
    """Whatever it gives must be an action for each observation, or nobody knows whose they are."""
    with pytest.raises(BadRequest, match="must answer with as many actions"):
        grade(lambda _seen: answers, "number-run", games=2, batch=True)


def test_what_is_no_player_is_told_so() -> None:
    """A mistake in how a player is given is no illegal move."""
    with pytest.raises(BadRequest, match=r"FirstLegal is a class: give one that is made"):
        grade(FirstLegal, "number-run", games=2)

    with pytest.raises(BadRequest, match="async def"):
        grade(lambda seen: first_legal_of_many(seen), "number-run", games=2)  # noqa: PLW0108


@pytest.mark.parametrize(
    "said",
    [None, 1.0, [0.5, 0.5], {"0,0": "x"}, {"0,0": None}, {0: 10**400}]
    + [{move: 1.0} for move in (None, (0, 1), 1.5, 0.0, b"0,0")],
)
@pytest.mark.parametrize("suite", ["test", None])
def test_chances_that_are_none_are_told_so(said: object, suite: str | None) -> None:
    """Neither a move nor a number that cannot be read is a traceback; what can be read is shown."""
    with pytest.raises(BadRequest, match=r'chance of each move.*like {"\d,\d": 1.0} or {\d+: 1.0}'):
        grade(lambda _: said, "number-connect", games=2, suite=suite, chances=True)


def test_chances_are_read_by_numbers_of_every_kind() -> None:
    """Whole numbers and chances of NumPy do as well as those of Python."""

    def policy(position: Position) -> dict[np.int64, np.float32]:
        return {np.int64(position.legal[0]): np.float32(1)}

    assert grade(policy, "number-connect", games=2, chances=True).illegal == 0


@pytest.mark.parametrize("player", ["casual", "perfect", FirstLegal()])
def test_who_has_no_chances_is_not_asked_for_them(player: Any) -> None:  # noqa: ANN401 - any player
    """A bot that draws, or a player that chooses: `chances` is not left out in silence."""
    with pytest.raises(BadRequest, match=r"With `chances` a player is a function of a Position"):
        grade(player, "number-connect", games=2, chances=True)
    if player != "casual":  # of which it says that nobody knows its chances
        with pytest.raises(BadRequest, match=r"With `chances` a player is a function of a Posi"):
            exploitability(player, "number-connect", "415/263", chances=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"oponent": "random"},
            r'grade has no option "oponent"\. There are .*opponent, .*handicap',
        ),
        ({"boards": [3]}, 'or a Board, not "3"'),
        ({"target": "x"}, "whole number of points"),
        ({"size": "1x1"}, "One cell"),
    ],
)
def test_options_that_make_no_sense_are_told(options: dict[str, Any], message: str) -> None:
    """In a sentence that says what there is; nothing is played."""
    with pytest.raises(GridwiseError, match=message):
        grade("casual", "number-connect", games=2, **options)
    with pytest.raises(GridwiseError, match=message):
        compare("casual", "random", "number-connect", games=2, **options)


def test_whole_numbers_of_numpy_are_a_target() -> None:
    """They are written to JSON as any other."""
    report = grade("casual", "number-connect", games=2, size="2x3", target=np.int64(9))  # type: ignore[arg-type]
    assert json.loads(report.to_json())["boards"]["target"] == 9


def test_the_random_bot_has_chances() -> None:
    """Each move is equally likely: with `chances` or without, its figures are exact."""
    with_chances = grade("random", "number-connect", suite="test", chances=True)
    assert with_chances.to_json() == grade("random", "number-connect", suite="test").to_json()


def test_an_engine_of_another_program_is_graded() -> None:
    """Our own engine, run as a program and spoken to in UGI, loses nothing; then it is gone."""
    command = f"{sys.executable} -m gridwise ugi grid-runner"
    report = grade(f"ugi:{command}", "grid-runner", games=2, seed=3)
    assert report.regret == 0
    assert report.agent == f"ugi:{command}"
    assert report.moves > 4


def test_an_engine_that_fails_says_so() -> None:
    """A program that does not play is no agent with bad grades but an error."""
    with pytest.raises(EngineFailed, match="cannot be started"):
        grade("ugi:/no/such/engine", "number-maze", games=2)


def engine(folder: Path, move: str) -> str:
    """A program that speaks UGI: its moves, as a line of Python, after `played` of both sides."""
    file = folder / "engine.py"
    file.write_text(
        f"import os\nprint(os.getpid(), file=open({str(folder / 'pids')!r}, 'a'))\nplayed = []\n"
        "for line in iter(input, 'quit'):\n"
        "    word = line.split()[0]\n"
        "    if word == 'position':\n"
        "        played = line.partition('moves')[2].split()\n"
        f"    answers = {{'ugi': 'ugiok', 'isready': 'readyok', 'go': 'bestmove ' + {move}}}\n"
        "    if word in answers:\n"
        "        print(answers[word], flush=True)\n"
    )
    return shlex.join([sys.executable, "-I", "-S", str(file)])


def test_games_with_an_engine_that_nobody_can_win_are_unfinished_after_200_plies(
    tmp_path: Path,
) -> None:
    """Whoever is graded, compared or the opponent is an engine that may never end a game."""
    command = engine(tmp_path, "('down', 'up')[(len(played) + 1) // 2 % 2]")
    who, opponent = f"ugi:{command}", UgiPlayer(command, 1)
    cut = "..X../..X../..X.."  # a wall between the players
    options: dict[str, Any] = {"board": cut, "games": 2, "opponent": "random"}
    found = compare(who, "random", "grid-runner", **options)
    against = [
        grade("random", "grid-runner", games=2, board=cut, opponent=each)
        for each in (who, opponent)
    ]
    for report in (found.one, found.two, *against):
        assert (report.unfinished, report.score, report.moves) == (2, 0.5, 200)
    assert against[1].opponent == opponent.name
    assert all(gone(int(pid)) for pid in (tmp_path / "pids").read_text().split())


# Illegal moves


@pytest.mark.parametrize("answer", [-1, 10**9, None, 0.5, "up", np.float32(1)])
def test_illegal_moves_are_counted_and_lose(game: Game, answer: object) -> None:
    """An answer that is no legal action loses the game, and all that the position was worth."""
    report = grade(lambda _: answer, game, games=4, seed=2, effort=sample(2, long=50))
    assert report.illegal == report.moves == report.losses == 4
    assert report.illegal_rate == 1
    assert report.score == 0
    assert report.optimal == 0


def test_illegal_moves_of_another_program_are_counted(tmp_path: Path) -> None:
    """A program that answers with no move of the game has made an illegal move."""
    report = grade(f"ugi:{engine(tmp_path, repr('Z9'))}", "number-connect", games=2)
    assert report.illegal == report.moves == report.losses == 2


def test_some_illegal_moves_are_counted() -> None:
    """The rate is of all moves that were asked for."""
    rng = random.Random(1)
    asked = 0

    def careless(observation: Any) -> int:  # noqa: ANN401 - as an agent is written
        nonlocal asked
        asked += 1
        return -1 if rng.random() < 0.1 else first_legal(observation)

    report = grade(careless, "number-run", games=sample(30, long=60), seed=1)
    assert report.moves == asked
    assert 0.05 < report.illegal_rate < 0.2
    assert report.illegal <= report.losses
    assert f"illegal  {report.illegal} of {asked:,} moves" in str(report)


def test_the_rate_of_illegal_moves_is_that_of_its_interval() -> None:
    """Of one that paces up and down until it errs, legal moves count once a position and game."""
    rng = random.Random(1)

    def pacing(observation: Any) -> int:  # noqa: ANN401 - as an agent is written
        return -1 if rng.random() < 0.02 else first_legal(observation)

    report = grade(pacing, "grid-runner", games=20, seed=1)
    found = report.summary.illegal
    assert found
    assert found.n == sum(bool(row.illegal) or not row.repeated for row in report.rows)
    assert found.low < report.illegal_rate == report.illegal / found.n < found.high
    assert f"illegal  {report.illegal} of {found.n:,} moves ({found.value:.1%}," in str(report)
    assert f"repeated {report.moves - found.n:,} more moves" in str(report)
    assert report.moves > 2 * found.n


def test_an_opponent_that_plays_illegally_loses() -> None:
    """It is the opponent's fault, and does not count against the agent."""
    report = grade("random", "number-run", games=4, opponent=lambda _: None)
    assert (report.score, report.illegal) == (1, 0)


# Numbers


def test_a_forced_move_does_not_count() -> None:
    """Where every move is worth the same, nothing can be lost, however it is played."""
    report = grade("random", "number-connect", games=10, board="5/5", seed=1)
    assert report.moves > 0
    assert report.decisions == 0
    assert report.best_rate is None
    assert report.accuracy is None
    assert "no move mattered" in str(report)


def test_the_same_seed_gives_the_same_report_everywhere() -> None:
    """Equal seeds, equal reports, with another hash seed in another process too."""
    few: list[tuple[str, dict[str, Any]]] = [("grid-conquest", {"games": 4, "effort": 20})]
    many: list[tuple[str, dict[str, Any]]] = [
        ("number-connect", {"games": 10}),
        ("grid-conquest", {"games": 4, "effort": 100}),
    ]
    gradings = sample(few, long=many)
    here = [grade("casual", key, seed=3, **options) for key, options in gradings]
    program = (
        "from gridwise import grade\n"
        f"for key, options in {gradings}:\n"
        "    print(grade('casual', key, seed=3, **options))\n"
    )
    for hash_seed in sample(["1"], long=["1", "2"]):
        there = run_python(program, PYTHONHASHSEED=hash_seed).stdout
        assert there == "".join(f"{report}\n" for report in here)
    key, options = gradings[0]
    other = grade("casual", key, seed=4, **options)
    assert str(other).splitlines()[1:] != str(here[0]).splitlines()[1:]


def test_pairs_are_played_on_one_board_from_both_sides() -> None:
    """The agent sees each board once as Player 1 and once as Player 2."""
    seen: list[tuple[int, Board]] = []

    class Watching:
        name = "watching"

        def choose(self, position: Position) -> int:
            if len(position.history) < 2:
                seen.append((position.turn, position.board))
            return random_bit(position.legal_mask, random.Random(1).random)

    grade(Watching(), "number-run", games=20, seed=1)
    assert [turn for turn, _ in seen] == [1, 2] * 10
    assert [board for _, board in seen[::2]] == [board for _, board in seen[1::2]]
    assert len({board for _, board in seen}) == 10


def test_progress_counts_games() -> None:
    """Whoever wants to know is told after every game."""
    told: list[int] = []
    grade("random", "number-maze", games=6, progress=told.append)
    assert told == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("games", [0, 1, 7, -2])
def test_games_come_in_pairs(games: int) -> None:
    """An odd number of games has no sides to swap."""
    with pytest.raises(BadRequest, match="in pairs"):
        grade("random", "number-maze", games=games)


def test_the_text_tells_it_all() -> None:
    """What is printed has score, interval, decisions, regret, progress and illegal moves."""
    report: GradeReport = grade("novice", "number-maze", games=40, seed=1, opponent="casual")
    lines = str(report).splitlines()
    assert lines[0] == (
        "bot:novice at number-maze: 40 games against bot:casual, each board from both sides, seed 1"
    )
    assert lines[1].startswith(f"  score    {report.score:.1%}, 95 % interval {report.low:.1%} to ")
    assert f"kept in {report.optimal} of {report.decisions} decisions" in lines[2]
    assert f"{report.regret:.4f} points a decision" in lines[3]
    assert f"{report.game_regret:.4f} points thrown away" in lines[4]
    assert lines[5].startswith("  progress ")
    assert report.wins + report.losses + report.draws + report.unfinished == 40
    assert report.score == (report.wins + (report.draws + report.unfinished) / 2) / 40

"""The speed of the rules, the engine and the start, side by side with peers, as ratios.

    python -m bench.engine                everything
    python -m bench.engine census …       only these: start, play, playouts, solving, chance,
                                          reasons, census

Start-up: `gridwise --version`, against importing typer.

Random games: on the interpreted rules and compiled, against OpenSpiel's C++ Connect Four driven
through pyspiel.

Solving: uniform boards in bulk, against easyAI's solver (Negamax with a table, deeper and deeper)
and OpenSpiel's Python minimax (as deep as it looks if not told otherwise), on the same boards and
by our interpreted rules. Ours finds distances too; OpenSpiel's finds values only, and neither can
tell that a game is endless. A peer gets `PATIENCE_SECONDS` a board; where it was given up, its
rate and so the ratio are bounds, marked with >. OpenSpiel's minimax searches a game written in
Python in the way OpenSpiel documents, and nine tenths of its time goes into OpenSpiel's own states;
handed bare Python objects instead, it was 240 to 250 times slower than ours on Number Connect.

Tree search with chance, on Grid Conquest, against OpenSpiel's C++ `MCTSBot` with random rollouts on
Connect Four: a simulation of either is one walk down the tree that ends in a new leaf and is
counted back up.

Reasons: explaining a move, once its position has been evaluated, against evaluating it, in
positions of games between casual bots. The longest explanation is named: 100 ms are allowed, and
500 ms in Grid Conquest. Grid Runner looks its one board up in a table, which takes no time.

Census: boards of Number Maze counted, against solving them one by one with our own batch solver,
which is the fastest other way.

Times of the engine are processor time, so that what else the machine is doing matters less.
"""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import pyspiel

from bench.comparison import Row, best_rates, best_seconds, print_rows
from bench.peers import Clock, OutOfPatienceError, by_easy_ai, by_open_spiel, connect_four
from gridwise import (
    Board,
    Game,
    Match,
    SolvedBoards,
    bot,
    evaluate,
    explain,
    game,
    games,
    solve_boards,
)
from gridwise.core.bits import random_bit
from gridwise.core.contracts import State
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import Position
from gridwise.engine.budget import Budget
from gridwise.engine.chance.race import race_of
from gridwise.engine.chance.win_probability import WinProbabilitySearch
from gridwise.engine.compiled.bitmasks import draw
from gridwise.engine.compiled.kernels import compiled_board, kernel, packed
from gridwise.engine.compiled.specialize import Grid, Ints, moves, play, unpack
from gridwise.engine.evaluation import Limits, prepare
from research.census import census_tasks
from research.census.count import count

ROUNDS = 5
SECONDS = 0.3
STARTS = 7
PLAYOUTS = 2_000  # random games on each of 16 boards
BOARDS = 30
PATIENCE_SECONDS = 2.0  # for a board
PEER_SECONDS = 12.0  # in all; boards that are left after that are left out for both
SOLVED = ("number-connect", "number-maze", "number-run")
SIMULATIONS, PEER_SIMULATIONS = 200_000, 20_000
REASON_GAMES = 12
CENSUS_BOARDS = 100_000  # solved one by one in a round
CENSUS_PARTS = 4  # counted in a round; boards are dealt out to parts in turn, so any will do


def start_rows() -> Iterator[Row]:
    """`gridwise --version` against importing typer."""
    run = partial(subprocess.run, check=True, capture_output=True)
    works = {
        "ours": lambda: run([sys.executable, "-m", "gridwise", "--version"]),
        "peer": lambda: run([sys.executable, "-c", "import typer"]),
    }
    best = best_seconds(works, STARTS)
    what = "start-up, gridwise --version / import typer"
    yield Row(what, best["ours"], best["peer"], "s", at_most=2.5)


# Random games


def random_play(played: Game) -> Callable[[], int]:
    """Random games on the interpreted rules; each call plays one and counts its moves."""
    rng = random.Random(1)
    boards = itertools.cycle([played.deal(rng) for _ in range(64)])
    start, moves, play = played.rules.start, played.rules.moves, played.rules.play
    uniform = rng.random

    def one_game() -> int:
        board = next(boards)
        state = start(board, 1)
        plies = 0
        while plies < MAX_PLIES and (legal := moves(board, state)):
            state = play(board, state, random_bit(legal, uniform))
            plies += 1
        return plies

    return one_game


def play_rows() -> Iterator[Row]:
    """Interpreted random play of every game against the peer; the goal is 1."""
    works = {"peer": connect_four()} | {played.key: random_play(played) for played in games()}
    best = best_rates(works, ROUNDS, SECONDS)
    for played in games():
        what = f"random play, {played.key}, / pyspiel"
        yield Row(what, best[played.key], best["peer"], "moves/s", at_least=0.5)


def random_games(board: Grid, first: Ints, games: int, max_plies: int, rng: Ints) -> int:
    """A kernel that plays random games from a state, and counts their plies."""
    opening = unpack(first, 0)
    total = 0
    for _ in range(games):
        state = opening
        plies = 0
        legal = moves(board, state)
        while legal and plies < max_plies:
            state = play(board, state, draw(legal, rng))
            legal = moves(board, state)
            plies += 1
        total += plies
    return total


def playouts(played: Game) -> Callable[[], int]:
    """Random moves, compiled, on 16 uniform boards."""
    boards = [played.deal(random.Random(seed)) for seed in range(16)]
    starts = [(compiled_board(board), packed(played.rules.start(board, 1))) for board in boards]
    compiled = kernel(played, random_games)

    def play_all(count: int = PLAYOUTS) -> int:
        rng = np.array([1], dtype=np.int64)
        return sum(int(compiled(*each, count, MAX_PLIES, rng)) for each in starts)

    play_all(1)  # compiles
    return play_all


def playout_rows() -> Iterator[Row]:
    """Every game against the peer."""
    works = {"peer": connect_four()} | {played.key: playouts(played) for played in games()}
    best = best_rates(works, ROUNDS, SECONDS)
    for played in games():
        what = f"random games, {played.key}, / pyspiel"
        yield Row(what, best[played.key], best["peer"], "moves/s", at_least=20)


# Solving


def sample(played: Game) -> list[Board]:
    """Uniform boards that are not lost before the first move."""
    rng = random.Random(7)
    boards = [played.deal(rng) for _ in range(2 * BOARDS)]
    return [b for b in boards if played.rules.moves(b, played.rules.start(b, 1))][:BOARDS]


def solved_in_bulk(played: Game, boards: list[Board], *, actions: bool = False) -> SolvedBoards:
    """Boards of the standard size, solved on one thread."""
    cells = np.array([board.cells for board in boards]).reshape(-1, played.rows, played.cols)
    return solve_boards(played, cells, threads=1, actions=actions)


def our_rate(played: Game, boards: list[Board], *, actions: bool = False) -> float:
    """Boards a second on one thread, in bulk, the same boards over and over."""
    many = boards * (1 + 1000 // len(boards))

    def solve_all() -> int:
        solved_in_bulk(played, many, actions=actions)
        return len(many)

    return best_rates({"ours": solve_all}, ROUNDS)["ours"]


class Tried(NamedTuple):
    """How a peer did."""

    boards: int
    given_up: int
    rate: float


Solver = Callable[[Game, Board, State, Clock], int]


def peer_rate(solver: Solver, played: Game, boards: list[Board]) -> Tried:
    """Solve as many boards as there is time for; a winner that is found must be the right one."""
    tried, given_up, began = 0, 0, time.process_time()
    for board, exact in zip(boards, solved_in_bulk(played, boards).value, strict=True):
        if time.process_time() - began > PEER_SECONDS:
            break
        tried += 1
        try:
            value = solver(played, board, played.rules.start(board, 1), Clock(PATIENCE_SECONDS))
        except OutOfPatienceError:
            given_up += 1
        else:
            if value != exact:
                raise SystemExit(f"{played.key} {played.board_text(board)}: {value}, not {exact}")
    return Tried(tried, given_up, tried / (time.process_time() - began))


def solving_rows() -> Iterator[Row]:
    """Three games against two peers, each pair on the same boards."""
    for key in SOLVED:
        # Compiled before the clock runs: processor time counts all threads, the compiler's too, and
        # would be charged to whoever is measured meanwhile.
        for actions in (False, True):
            solved_in_bulk(game(key), [game(key).deal(random.Random(1))], actions=actions)
    peers = [("easyAI", by_easy_ai, 200), ("OpenSpiel", by_open_spiel, 1000)]
    for key in SOLVED:
        played = game(key)
        boards = sample(played)
        for name, solver, wanted in peers:
            peer = peer_rate(solver, played, boards)
            what = f"solving, {key}, / {name} ({peer.boards - peer.given_up} of {peer.boards})"
            ours = our_rate(played, boards[: peer.boards])
            is_bound = peer.given_up > 0
            yield Row(what, ours, peer.rate, "boards/s", at_least=wanted, is_bound=is_bound)
        every = our_rate(played, boards, actions=True)
        what = f"every action, {key}, / the values alone"
        yield Row(what, every, our_rate(played, boards), "boards/s", at_least=0.2)


# Tree search with chance


def peer_simulations() -> int:
    """Simulations of the C++ bot, from the first position of Connect Four."""
    played = pyspiel.load_game("connect_four")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(played, evaluator, 2.0, PEER_SIMULATIONS, 1000, False, 1, False)
    bot.step(played.new_initial_state())
    return PEER_SIMULATIONS


def simulations(position: Position) -> int:
    """Simulations of ours, from one position; working moves out exactly is left out."""
    search = WinProbabilitySearch(position.game, race_of(position), seed=0)
    budget = Budget()
    search.compile_kernel(budget)
    search.sample(SIMULATIONS, budget)
    return SIMULATIONS


def chance_rows() -> Iterator[Row]:
    """The claims of one game, one after the other, against the peer."""
    match = Match(game("grid-conquest"), seed=3, first=1)
    works: dict[str, Callable[[], int]] = {"peer": peer_simulations}
    for number, move in enumerate(("A1", "E5", "C3", "B2"), 1):
        works[f"move {number}"] = partial(simulations, match.position)
        match.move(move)
    works["move 1"]()  # loads the kernel
    best = best_rates(works, ROUNDS)
    peer = best.pop("peer")
    for name, ours in best.items():
        what = f"tree search, grid-conquest, {name}, / OpenSpiel MCTS"
        yield Row(what, ours, peer, "simulations/s", at_least=5)


# Reasons


def reason_rows() -> Iterator[Row]:
    """Every game: all positions of some games are evaluated, and one move of each explained."""
    for played in games():
        allowed, sampled = (0.5, 20_000) if played.has_hidden_cells else (0.1, 5_000_000)
        found = positions(played)
        prepare(found[0])
        explain(found[0], found[0].legal[0])
        evaluating, explaining = [], []
        for position in found:
            began = time.process_time()
            evaluation = evaluate(position, Limits(nodes=sampled))
            evaluated = time.process_time()
            explain(position, position.legal[-1], evaluation)
            evaluating.append(evaluated - began)
            explaining.append(time.process_time() - evaluated)
        worst = max(explaining)
        if worst > allowed:
            raise SystemExit(f"{played.key}: an explanation took {worst:.2f} s.")
        what = f"explanation, {played.key} (at most {1000 * worst:.0f} ms), / evaluation"
        ours, peer = (1000 * sum(each) / len(found) for each in (explaining, evaluating))
        yield Row(what, ours, peer, "ms", at_most=20)


def positions(played: Game) -> list[Position]:
    """All positions of some games between casual bots."""
    found = []
    for seed in range(REASON_GAMES):
        match, casual = Match(played, seed=seed, max_plies=30), bot(played, "casual", seed)
        while not match.outcome:
            found.append(match.position)
            match.move(casual.choose(match.position))
    return found


# The census


def solve_some(rounds: Iterator[int]) -> int:
    """Solve boards one by one; how many."""
    cells = np.random.default_rng(next(rounds)).integers(1, 5, (CENSUS_BOARDS, 4, 4))
    solve_boards("number-maze", cells, threads=1, actions=False)
    return CENSUS_BOARDS


def count_some(rounds: Iterator[int]) -> int:
    """Count some parts of the full census; how many boards are in them."""
    tasks = census_tasks(game("number-maze"), 4, 4)
    chosen = tasks[next(rounds) :: len(tasks) // CENSUS_PARTS]
    return sum(count(**task.arguments)["boards"] for task in chosen)


def census_rows() -> Iterator[Row]:
    """Other boards and other parts each time."""
    count("number-maze", 2, 2)  # compiles
    solve_boards("number-maze", [[[1, 2], [3, 4]]], threads=1, actions=False)
    rounds = itertools.count()
    works = {"ours": partial(count_some, rounds), "peer": partial(solve_some, rounds)}
    best = best_rates(works, 3)
    what = "census, number-maze 4x4, / solving every board"
    yield Row(what, best["ours"], best["peer"], "boards/s", at_least=100)


PARTS = {
    "start": start_rows,
    "play": play_rows,
    "playouts": playout_rows,
    "solving": solving_rows,
    "chance": chance_rows,
    "reasons": reason_rows,
    "census": census_rows,
}

if __name__ == "__main__":
    print_rows(row for part in sys.argv[1:] or PARTS for row in PARTS[part]())

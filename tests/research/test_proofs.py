"""The proofs prove what they say; what can be counted apart from them is counted apart."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from gridwise.core.bits import bit_indices
from gridwise.core.board import DOWN, LEFT, RIGHT, UP
from gridwise.core.registry import game as game_of
from gridwise.games.number_run.rules import CHALLENGE
from research.proofs import PROOFS
from research.proofs import grid_runner as runner
from research.proofs import number_run as run
from research.proofs.claims import ProofFailed
from tests.cli.program import gridwise
from tests.reference import ReferenceGame
from tests.reference.grid_runner import GridRunner
from tests.reference.number_run import NumberRun

STANDARD = "..X../...../X.X.X/...../..X.."
EXAMPLE = "31425/25134/42513/14252/53142"
# On which ply Number Run is won at the soonest.
SOONEST = {
    EXAMPLE: 11,
    "55115/44244/31324/55332/11322": 11,
    "23451/23451/23451/23451/23451": 13,
    "12345/12345/12345/12345/12345": 15,
}


@cache
def lines_of(key: str) -> list[str]:
    """A proof, line by line."""
    return list(PROOFS[key]())


def printed(key: str) -> str:
    """A proof as one text, line ends and all spaces made single."""
    return " ".join(" ".join(lines_of(key)).split())


# The commands


@pytest.mark.parametrize("key", PROOFS)
def test_the_package_has_what_is_proved(key: str) -> None:
    """To the letter; otherwise run `make docs`."""
    assert game_of(key).file("why.txt") == "".join(f"{line}\n" for line in lines_of(key))


@pytest.mark.parametrize("key", PROOFS)
def test_both_commands_print_the_proof(tmp_path: Path, key: str) -> None:
    """The one that checks it, and the one of the installed program, which reads it."""
    checked = gridwise(key, home=tmp_path, module="research.proofs")
    assert (checked.status, checked.err) == (0, "")
    assert checked.out.splitlines() == lines_of(key)
    assert gridwise("rules", key, "--why", home=tmp_path) == checked


def test_the_proof_as_json(tmp_path: Path) -> None:
    """Its lines, in one object, from both."""
    for words, module in (
        (("rules", "runner", "--why", "--json"), "gridwise"),
        (("runner", "--json"), "research.proofs"),
    ):
        found = json.loads(gridwise(*words, home=tmp_path, module=module).out)
        assert found == {"game": "grid-runner", "lines": lines_of("grid-runner")}


@pytest.mark.parametrize("key", PROOFS)
def test_proofs_fit_a_terminal(key: str) -> None:
    """Lines are plain ASCII of at most 78 characters."""
    lines = lines_of(key)
    assert max(map(len, lines)) <= 78
    assert "\n".join(lines).isascii()
    assert all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("words", "module"),
    [
        (("rules", "maze", "--why"), "gridwise"),
        (("maze",), "research.proofs"),
    ],
)
def test_a_game_without_a_proof_says_which_have_one(
    tmp_path: Path, words: tuple[str, ...], module: str
) -> None:
    """Asking for a proof that is not there is wrong usage, answered in one line."""
    ran = gridwise(*words, home=tmp_path, module=module)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "gridwise: Number Maze has no proof. The games that have one: number-run, grid-runner.\n"
    )


# Searches by the second implementation


def soonest_win(game: ReferenceGame, most: int, allowed: Callable[[str], bool]) -> int:
    """The ply Player 1 can force a win on with moves that are allowed; `most` if not sooner."""
    known: dict[tuple[object, ...], bool] = {}

    def wins(game: ReferenceGame, plies: int) -> bool:
        if game.result() or not plies:
            return game.result() == "p1"
        key = (plies, *(repr(value) for value in vars(game).values()))
        if key not in known:
            mine = game.to_move() == 1
            moves = [move for move in game.legal() if not mine or allowed(move)]
            results = (wins(after(game, move), plies - 1) for move in reversed(moves))
            known[key] = any(results) if mine else all(results)
        return known[key]

    return next((plies for plies in range(most) if wins(game, plies)), most)


def after(game: ReferenceGame, *moves: str) -> ReferenceGame:
    """The game as it goes on with those moves."""
    game = game.copy()
    for move in moves:
        game.play(move)
    return game


# Number Run


def test_number_run_counts() -> None:
    """What DESIGN tells comes out: 15 plies, about 1,000 positions, all boards, no challenges."""
    text = printed("number-run")
    assert "On each of the 5^25 boards of 5x5 cells, Player 1 wins on ply 15 at the latest" in text
    assert "904 positions 0 of them in which Player 2 could challenge" in text
    assert "255 ways in which the game can go, all won by Player 1" in text


def test_number_run_walk_is_counted_right() -> None:
    """The second implementation finds the same games against the walk, on boards of all kinds."""
    walk = ["0,1", "0,2", "0,3", "0,4", "1,4", "2,4", "3,4", "4,4"]
    for board in (EXAMPLE, "/".join(["11111"] * 5), "55555/55555/11111/11111/11111"):
        ends: dict[int, int] = {}
        positions = 0
        waiting: list[tuple[int, ReferenceGame]] = [(0, NumberRun(board))]
        while waiting:
            ply, game = waiting.pop()
            positions += 1  # on 5x5 no two of these ways meet in one position
            if game.result():
                assert game.result() == "p1"
                ends[ply] = ends.get(ply, 0) + 1
                continue
            moves = game.legal() if game.to_move() == 2 else [walk[ply // 2]]
            assert not any(move.endswith("!") for move in moves)
            waiting += [(ply + 1, after(game, move)) for move in moves]
        assert positions == 904
        assert ends == {9: 1, 11: 3, 13: 4, 15: 247}


def test_number_run_any_steps_right_and_down_win() -> None:
    """The walk is one of many: whatever mixture of right and down Player 1 takes, it wins."""
    board = run.sealed_board(5, 5)
    rules = game_of("number-run").rules
    level, latest = {run.begin(board)}, 0
    for ply in range(16):
        following = set()
        for state in level:
            legal = rules.moves(board, state)
            if not legal:
                assert rules.winner(board, state) == 1
                latest = ply
                continue
            if state.turn == 1:
                edges = [step for step in (DOWN, RIGHT) if board.steps[state.my_cell][step] >= 0]
                assert all(legal >> step & 1 for step in edges)
                legal = sum(1 << step for step in edges)
            assert not legal & run.CHALLENGES
            following |= {
                run.sealed(rules.play(board, state, action)) for action in bit_indices(legal)
            }
        level = following
    assert (level, latest) == (set(), 15)


def test_number_run_without_challenges_takes_15_plies() -> None:
    """The second implementation cannot win sooner without challenging either, on any board."""
    for board in SOONEST:
        assert soonest_win(NumberRun(board), 16, lambda move: not move.endswith("!")) == 15


@pytest.mark.parametrize(("board", "ply"), SOONEST.items())
def test_number_run_with_challenges_can_be_faster(board: str, ply: int) -> None:
    """The second implementation finds the same fastest wins: ply 11, 13 or 15."""
    assert soonest_win(NumberRun(board), 16, lambda _: True) == ply
    assert run.FASTEST.items() <= SOONEST.items()


def test_number_run_best_line_is_real() -> None:
    """The line that the proof shows can be played, and leaves Player 2 stuck on ply 11."""
    found = re.search(r"\(! is a challenge\): ((?:\d,\d!? )+)", printed("number-run"))
    assert found
    moves = found[1].split()
    assert len(moves) == 11
    game = after(NumberRun(EXAMPLE), *moves)
    assert game.result() == "p1"
    assert game.owner_or_token()[4, 4] == "P2"


@pytest.mark.parametrize(("board", "winner"), run.ODD.items())
def test_number_run_on_odd_sizes_depends_on_the_numbers(board: str, winner: int) -> None:
    """The second implementation agrees who wins the two boards of 3x4."""
    soonest = soonest_win(NumberRun(board), 25, lambda _: True)
    assert (soonest < 25) == (winner == 1)


def test_sealed_numbers_can_be_added_and_nothing_else() -> None:
    """Looking at a sealed number is an error."""
    number = run.Sealed()
    assert number + 3 is number
    assert 3 + number is number
    looks: list[Callable[[], object]] = [
        lambda: number == 3,
        lambda: number != 3,
        lambda: number > 3,
        lambda: number < 3,
        lambda: bool(number),
        lambda: number or 3,
        lambda: number >= 3,  # type: ignore[operator]
        lambda: number & 1,  # type: ignore[operator]
        lambda: int(number),  # type: ignore[call-overload]
        lambda: [1, 2][number],  # type: ignore[call-overload]
    ]
    for look in looks:
        with pytest.raises((ProofFailed, TypeError)):
            look()


def test_a_challenge_on_sealed_numbers_is_not_settled_by_them() -> None:
    """The rules need the scores for a challenge, so there the sealed proof would stop."""
    board = run.sealed_board(5, 5)
    rules = game_of("number-run").rules
    state = run.begin(board)
    for step in (RIGHT, LEFT, RIGHT, LEFT, DOWN, UP):
        state = run.sealed(rules.play(board, state, step))
    challenge = DOWN + CHALLENGE  # from 1,2 to 2,2, next to Player 2 on 3,2
    assert rules.moves(board, state) >> challenge & 1
    with pytest.raises(ProofFailed, match="looked at a number"):
        rules.play(board, state, challenge)
    assert len(set(run.outcomes(board, state, challenge))) == 3


def test_a_wrong_walk_proves_nothing() -> None:
    """A walk that leaves the grid, goes back, or stops short is found out."""
    board = run.sealed_board(5, 5)
    right = run.the_walk(board)
    for wrong in ([DOWN, *right[1:]], [RIGHT, LEFT, *right[2:]], right[:-1]):
        with pytest.raises(ProofFailed):
            run.follow(board, wrong)


def test_the_walk_proves_nothing_on_odd_sizes() -> None:
    """Where the corners differ in colour, Player 2 can meet Player 1, and the proof stops."""
    with pytest.raises(ProofFailed):
        run.follow(run.sealed_board(4, 5), run.the_walk(run.sealed_board(4, 5)))


# Grid Runner

Cells = dict[str, str]
Exceptions = dict[tuple[str, str], str]


def table_from_text(lines: list[str]) -> tuple[Cells, Exceptions]:
    """The printed table as a stranger reads it: cell -> step, and (you, opponent) -> step."""
    top = next(number for number, line in enumerate(lines) if line.split() == list("ABCDE"))
    usual: Cells = {}
    for line in lines[top + 1 : top + 6]:
        row, *steps = line.split()
        usual |= {f"{column}{row}": step for column, step in zip("ABCDE", steps, strict=True)}
    below = next(number for number, line in enumerate(lines) if line.startswith("  except:"))
    exceptions: Exceptions = {}
    for line in lines[below + 1 : lines.index("", below)]:
        here, there, step = line.split()
        exceptions[here, there] = step
    return usual, exceptions


TABLE = table_from_text(lines_of("grid-runner"))


def where(game: ReferenceGame) -> tuple[str, str]:
    """The cells of Player 1 and Player 2, as the table names them."""
    cells = {
        player: f"{'ABCDE'[column]}{row + 1}"
        for (row, column), player in game.owner_or_token().items()
    }
    return cells["P1"], cells["P2"]


def table_move(game: ReferenceGame, table: tuple[Cells, Exceptions]) -> str:
    """What the table says."""
    usual, exceptions = table
    return exceptions.get(where(game), usual[where(game)[0]])


def lengths(game: ReferenceGame, table: tuple[Cells, Exceptions], most: int) -> list[int]:
    """How many plies each game takes by the table; 99 for one that is not won within `most`."""
    if game.result() == "p1":
        return [0]
    if game.result() or not most:
        return [99]
    moves = game.legal() if game.to_move() == 2 else [table_move(game, table)]
    if not set(moves) <= set(game.legal()):
        return [99]
    return [1 + rest for move in moves for rest in lengths(after(game, move), table, most - 1)]


def test_grid_runner_table_beats_every_line_of_play() -> None:
    """The table, read from the printed text, wins all 136 games on ply 15 by other rules too."""
    assert lengths(GridRunner(STANDARD), TABLE, 20) == [15] * 136
    assert "60 positions, 136 ways in which the game can go, all won on ply 15" in printed(
        "grid-runner"
    )


def test_grid_runner_table_is_small() -> None:
    """A person can play by it: a step for each of 19 cells, and five exceptions."""
    usual, exceptions = TABLE
    assert len([step for step in usual.values() if step not in {"X", "goal"}]) == 19
    assert len(exceptions) == 5


def everything(start: ReferenceGame) -> dict[tuple[object, ...], ReferenceGame]:
    """Every position that can come up, by cells and whose turn it is."""
    found: dict[tuple[object, ...], ReferenceGame] = {}
    waiting = [start]
    while waiting:
        game = waiting.pop()
        key = (*where(game), game.to_move())
        if key not in found:
            found[key] = game
            waiting += [after(game, move) for move in game.legal()]
    return found


def solved(found: dict[tuple[object, ...], ReferenceGame]) -> dict[tuple[object, ...], int]:
    """Won positions: plies to Player 1's win, or minus the plies to Player 2's, less one."""
    turns = {
        key: [(*where(to), to.to_move()) for to in (after(game, move) for move in game.legal())]
        for key, game in found.items()
    }
    value = {
        key: 0 if game.result() == "p1" else -1 for key, game in found.items() if game.result()
    }
    for ply in range(1, 60):
        new = {}
        for key, game in found.items():
            if key in value:
                continue
            known = [value[to] for to in turns[key] if to in value]
            if any((each >= 0) == (game.to_move() == 1) for each in known):
                new[key] = ply if game.to_move() == 1 else -1 - ply
            elif len(known) == len(turns[key]):
                new[key] = -1 - ply if game.to_move() == 1 else ply
        value |= new
    return value


def test_grid_runner_counts_and_the_table_everywhere() -> None:
    """359 positions, 9 endless, a win in 15; the table wins soonest wherever a win is left."""
    found = everything(GridRunner(STANDARD))
    value = solved(found)
    assert len(found) == 359
    assert len(found) - len(value) == 9
    assert value["A1", "E5", 1] == 15
    won = {key for key in found if key[2] == 1 and value.get(key, -1) > 0}
    assert len(won) == 140
    for key in won:
        assert max(lengths(found[key], TABLE, 30)) == value[key]
    text = printed("grid-runner")
    assert "359 positions can come up" in text
    assert "9 are endless" in text
    ahead = sum(each >= 0 for each in value.values())
    assert f"{ahead} are won for Player 1, {len(value) - ahead} for Player 2" in text


def test_grid_runner_table_keeps_endless_positions() -> None:
    """In an endless position the table is never beaten."""
    found = everything(GridRunner(STANDARD))
    value = solved(found)
    for key in [key for key in found if key not in value and key[2] == 1]:
        seen, waiting = set(), [found[key]]
        while waiting:
            game = waiting.pop()
            if (*where(game), game.to_move()) in seen:
                continue
            seen.add((*where(game), game.to_move()))
            assert game.result() != "p2"
            moves = game.legal() if game.to_move() != 1 else [table_move(game, TABLE)]
            waiting += [after(game, move) for move in moves]


@pytest.mark.parametrize(
    ("cell", "step"), [("B3", "up"), ("A2", "up"), ("D5", "left"), ("C4", "up"), ("B4", "-")]
)
def test_a_wrong_grid_runner_table_is_found_out(cell: str, step: str) -> None:
    """One wrong step on the walk, and both checks say so."""
    usual, exceptions = TABLE
    wrong = {**usual, cell: step}
    assert max(lengths(GridRunner(STANDARD), (wrong, exceptions), 20)) > 20
    game = game_of("grid-runner")
    board = game.parse_board(STANDARD)
    lines = runner.write_table(board, runner.smallest_table(board, runner.position_values(board)))
    row, column = int(cell[1]), "ABCDE".index(cell[0])
    entries = lines[row].split()
    entries[column + 1] = step
    lines[row] = "  ".join(entries)
    with pytest.raises(ProofFailed):
        runner.follow(board, runner.read_table(board, lines), game.rules.start(board, 1))


def test_without_an_exception_a_won_position_slips() -> None:
    """The exceptions that win are needed: without them the table fails where they apply."""
    usual, exceptions = TABLE
    found = everything(GridRunner(STANDARD))
    for here, there in [("C2", "B3"), ("B3", "C2")]:
        fewer = {key: step for key, step in exceptions.items() if key != (here, there)}
        assert max(lengths(found[here, there, 1], TABLE, 30)) == 13
        assert max(lengths(found[here, there, 1], (usual, fewer), 30)) > 30


def test_grid_runner_table_goes_both_ways() -> None:
    """Reading the written table gives the table."""
    board = game_of("grid-runner").parse_board(STANDARD)
    table = runner.smallest_table(board, runner.position_values(board))
    assert runner.read_table(board, runner.write_table(board, table)) == table

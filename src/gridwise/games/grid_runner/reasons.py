"""Why a move of Grid Runner is good or bad: the race, and who stands in whose way."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from gridwise.core.contracts import About, BestPlay, GameFact, Scope
from gridwise.core.narration import Names
from gridwise.core.view import by_player
from gridwise.games.grid_runner.heuristic import steps_between
from gridwise.games.grid_runner.rules import OBSTACLE, State


class Kind(StrEnum):
    """What there is to say; ways are counted around obstacles, and around a token where named."""

    RACE = "race"  # the steps that the one in front and the other one still need
    STEP_BACK = "step-back"  # the mover needs more steps than before
    IN_THE_WAY = "in-the-way"  # with the mover there, the other one's way gets longer
    BARRED = "barred"  # with the other one there, the mover's way is longer
    OPENS_WAY = "opens-way"  # with the mover gone, it gets shorter
    CUT_OFF = "cut-off"  # a player is in front, and loses all the same
    STUCK = "stuck"  # a player cannot move


ABOUT: dict[str, About] = {
    Kind.RACE: About(Scope.POSITION, helps=True),
    Kind.STEP_BACK: About(Scope.MOVE, helps=False),
    Kind.IN_THE_WAY: About(Scope.POSITION, helps=False),
    Kind.BARRED: About(Scope.POSITION, helps=False),
    Kind.OPENS_WAY: About(Scope.MOVE, helps=True),
    Kind.CUT_OFF: About(Scope.POSITION, helps=False),
    Kind.STUCK: About(Scope.LINE, helps=False),
}


def facts(play: BestPlay) -> list[GameFact]:
    """The race as it stands after the move, and what the move does to it."""
    board, (before, after, *_), mover = play.board, play.states, play.mover
    other = 3 - mover
    mine, theirs = _cell(after, mover), _cell(after, other)
    goal, their_goal = board.starts[other], board.starts[mover]
    if mine == goal:
        return []
    found: list[GameFact] = []
    end = play.states[-1]
    arrives = play.winner and _cell(end, play.winner) == board.starts[3 - play.winner]
    if play.winner and not arrives:
        stuck = (Kind.STUCK, {"player": 3 - play.winner})
        if len(play.actions) == 1:
            return [stuck]
        found.append(stuck)

    def way(cell: int, to: int, blocked: int) -> int:
        if blocked == to:
            return board.size
        cells = list(board.cells)
        cells[blocked] = OBSTACLE
        return steps_between(board.with_cells(cells), cell, to)

    was, now = way(theirs, their_goal, _cell(before, mover)), way(theirs, their_goal, mine)
    numbers = {"player": other, "before": _known(was, board.size), "now": _known(now, board.size)}
    # The corners are in the way of the other one, too, but nobody stays there for long.
    if now != was and their_goal not in (mine, _cell(before, mover)):
        found.append((Kind.IN_THE_WAY if now > was else Kind.OPENS_WAY, numbers))
    had = steps_between(board, _cell(before, mover), goal)
    needs = steps_between(board, mine, goal)
    if needs > had:
        found.append((Kind.STEP_BACK, {"player": mover, "before": had, "now": needs}))
    steps = steps_between(board, theirs, their_goal)
    around = way(mine, goal, theirs)
    if needs < steps and around > needs and theirs != goal:
        numbers = {"player": mover, "before": needs, "now": _known(around, board.size)}
        found.insert(0, (Kind.BARRED, numbers))
    first = mover if needs < steps else other  # the other one is to move
    if max(needs, steps) == board.size:
        return found
    if arrives and play.winner == first:
        ahead, behind = sorted((needs, steps))
        race = {"player": first, "mine": ahead, "theirs": behind, "turn": other}
        found.append((Kind.RACE, race))
    # Whoever is in front gets there first unless the other one stands in the way.
    # Where it stands there already, that has been said.
    elif arrives and not {(Kind.BARRED, mover), (Kind.IN_THE_WAY, other)} & {
        (kind, first) for kind, _ in found
    }:
        found.append((Kind.CUT_OFF, {"player": first}))
    return found


def _known(steps: int, cells: int) -> int:
    """Steps; 0 where there is no way at all."""
    return 0 if steps >= cells else steps


def _cell(state: State, player: int) -> int:
    return by_player(state.turn, state.my_cell, state.your_cell)[player - 1]


def say(kind: str, numbers: dict[str, Any], names: Names) -> str:
    """A fact as a sentence."""
    player, other = names[numbers["player"] - 1], names[2 - numbers["player"]]
    match Kind(kind):
        case Kind.RACE:
            mine, theirs = _steps(numbers["mine"]), numbers["theirs"]
            to_move = f"it is {names[numbers['turn'] - 1].possessive} move"
            return f"{player.does('need')} {mine}, {other.object} {theirs}, and {to_move}."
        case Kind.STEP_BACK:
            before, now = numbers["before"], numbers["now"]
            return f"it is a step away from the goal: {now} to go, {before} before."
        case Kind.IN_THE_WAY | Kind.BARRED:
            blocks = f"{other.does('stand')} in {player.possessive} way"
            if not numbers["now"]:
                return f"{blocks}: there is no way past."
            return f"{blocks}: {_steps(numbers['now'])} to go around it, {_instead(numbers)}."
        case Kind.OPENS_WAY:
            steps = f"{_steps(numbers['now'])} to go, {_instead(numbers)}"
            return f"it lets {player.object} through: {steps}."
        case Kind.CUT_OFF:
            way = f"{other.object} can stand in {player.possessive} way"
            return f"{player.does('are')} ahead in the race, but {way}."
        case Kind.STUCK:
            return f"{player.does_or_may('end', certain=numbers['certain'])} without a move."


def _instead(numbers: dict[str, Any]) -> str:
    before = numbers["before"]
    return f"instead of {before}" if before else "where there was none"


def _steps(count: int) -> str:
    return "1 step" if count == 1 else f"{count} steps"

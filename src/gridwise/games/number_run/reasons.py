"""Why a move of Number Run is good or bad: ways on, dead ends, challenges, who arrives first."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from gridwise.core.bits import bit_indices
from gridwise.core.board import Board, grid_distance
from gridwise.core.contracts import About, BestPlay, GameFact, Scope
from gridwise.core.narration import Names, count_of_moves
from gridwise.core.view import by_player
from gridwise.games.number_run.rules import State
from gridwise.games.number_run.text import cell_name, challenge


class Kind(StrEnum):
    """What there is to say."""

    LOSES_CHALLENGE = "loses-challenge"  # the move is one: mine against yours
    WINS_CHALLENGE = "wins-challenge"
    NO_WAY_ON = "no-way-on"  # the mover has been in every cell around it
    ONE_WAY_ON = "one-way-on"  # only one of them is still open to the mover
    SHUT_IN = "shut-in"  # a player who was sent home ends there without a move
    INTO_DEAD_END = "into-dead-end"  # and from there none is
    BLOCKED = "blocked"  # a player ends without a move: the other one is in the only way on
    DEAD_END = "dead-end"  # a player ends without a move after so many more of the player's moves
    CHALLENGED = "challenged"  # a player wins a challenge with the next move
    CHALLENGED_LATER = "challenged-later"  # or with one after it
    ARRIVES = "arrives"  # a player is in the other's corner after so many more; the other is not


ABOUT: dict[str, About] = {
    Kind.LOSES_CHALLENGE: About(Scope.MOVE, helps=False),
    Kind.WINS_CHALLENGE: About(Scope.MOVE, helps=True),
    Kind.NO_WAY_ON: About(Scope.POSITION, helps=False),
    Kind.ONE_WAY_ON: About(Scope.POSITION, helps=False),
    Kind.SHUT_IN: About(Scope.LINE, helps=False),
    Kind.INTO_DEAD_END: About(Scope.POSITION, helps=False),
    Kind.BLOCKED: About(Scope.LINE, helps=False),
    Kind.DEAD_END: About(Scope.LINE, helps=False),
    Kind.CHALLENGED: About(Scope.POSITION, helps=True),
    Kind.CHALLENGED_LATER: About(Scope.LINE, helps=True),
    Kind.ARRIVES: About(Scope.LINE, helps=True),
}


def facts(play: BestPlay) -> list[GameFact]:
    """The challenge that the move is, the way on, and how best play ends."""
    found = _of_the_move(play)
    into = any(kind == Kind.INTO_DEAD_END for kind, _ in found)
    return found + [fact for fact in _of_the_end(play) if not (into and fact[0] == Kind.DEAD_END)]


def _of_the_move(play: BestPlay) -> list[GameFact]:
    board, (before, after, *_), mover = play.board, play.states, play.mover
    found: list[GameFact] = []
    points = challenge(board, before, play.actions[0])
    if points and points.won is not None:
        kind = Kind.WINS_CHALLENGE if points.won else Kind.LOSES_CHALLENGE
        found.append((kind, {"player": mover, "mine": points.mine, "yours": points.yours}))
    cell = _cell(after, mover)
    if cell == board.starts[3 - mover]:
        return found
    ways = _ways_on(board, after, mover)
    numbers: dict[str, Any] = {"player": mover, "cell": cell_name(board, cell)}
    if not ways:
        found.append((Kind.NO_WAY_ON, numbers))
    elif len(ways) == 1 and ways[0] != board.starts[3 - mover]:
        visited = by_player(after.turn, after.my_visited, after.your_visited)[mover - 1]
        ends = not board.neighbours4[ways[0]] & ~(visited | 1 << ways[0])
        kind = Kind.INTO_DEAD_END if ends else Kind.ONE_WAY_ON
        found.append((kind, {**numbers, "way": cell_name(board, ways[0])}))
    return found


def _of_the_end(play: BestPlay) -> list[GameFact]:
    if not play.winner:
        return []
    board, end, winner, loser = play.board, play.states[-1], play.winner, 3 - play.winner
    found: list[GameFact] = []
    if number := _won_challenge(play):
        points = challenge(board, play.states[number], play.actions[number])
        assert points
        against = {"mine": points.mine, "yours": points.yours}
        kind = Kind.CHALLENGED if number == 1 else Kind.CHALLENGED_LATER
        found.append((kind, {"player": winner, **against}))
    if _cell(end, winner) == board.starts[loser]:
        steps = grid_distance(board.cols, _cell(play.states[1], loser), board.starts[winner])
        moves = play.plies_of(winner)
        first = steps > moves - (winner != play.mover)  # whoever is to move next is ahead of it
        race = {"player": winner, "moves": moves, "steps": steps, "first": first}
        return [*found, (Kind.ARRIVES, race)]
    cell, moves = _cell(end, loser), play.plies_of(loser)
    stays = loser == play.mover and cell == _cell(play.states[1], loser)
    if stays and not moves and not _ways_on(board, play.states[1], loser):
        return found  # it has been said
    kind = Kind.SHUT_IN if cell == board.starts[loser] else Kind.DEAD_END
    if _ways_on(board, end, loser):
        kind = Kind.BLOCKED
    numbers = {"player": loser, "cell": cell_name(board, cell), "moves": moves}
    return [*found, (kind, numbers)]


def _won_challenge(play: BestPlay) -> int:
    """At which of the moves after the first the winner first wins a challenge; 0 if never."""
    for number, action in enumerate(play.actions[1:], 1):
        state = play.states[number]
        points = challenge(play.board, state, action)
        if points and points.won and state.turn == play.winner:
            return number
    return 0


def _ways_on(board: Board, state: State, player: int) -> tuple[int, ...]:
    """The cells next to a player that this player has not visited."""
    visited = by_player(state.turn, state.my_visited, state.your_visited)[player - 1]
    return bit_indices(board.neighbours4[_cell(state, player)] & ~visited)


def _cell(state: State, player: int) -> int:
    return by_player(state.turn, state.my_cell, state.your_cell)[player - 1]


def say(kind: str, numbers: dict[str, Any], names: Names) -> str:
    """A fact as a sentence."""
    player, other = names[numbers["player"] - 1], names[2 - numbers["player"]]
    match Kind(kind):
        case Kind.LOSES_CHALLENGE:
            points = f"{numbers['mine']} against {numbers['yours']}"
            return f"the challenge is lost, {points}: it sends {player.object} home with 0."
        case Kind.WINS_CHALLENGE:
            points = f"{numbers['mine']} against {numbers['yours']}"
            return f"the challenge is won, {points}: it sends {other.object} home with 0."
        case Kind.NO_WAY_ON:
            return f"from {numbers['cell']} there is no way on."
        case Kind.ONE_WAY_ON:
            return f"from {numbers['cell']} the only way on is {numbers['way']}."
        case Kind.INTO_DEAD_END:
            way = f"{numbers['way']} is the only way on, and there it ends"
            return f"{numbers['cell']} leads into a dead end: {way}."
        case Kind.SHUT_IN:
            shut = player.inside.does_or_may("are", certain=numbers["certain"])
            return f"sent home, {shut} shut in: every way is used up."
        case Kind.DEAD_END:
            ends = player.does_or_may("end", certain=numbers["certain"])
            return f"{ends} in a dead end at {_where(numbers)}."
        case Kind.BLOCKED:
            stands = f"{other.object} {other.verb('stand')} in the only way on"
            ends = player.does_or_may("end", certain=numbers["certain"])
            return f"{ends} without a move at {_where(numbers)}: {stands}."
        case Kind.CHALLENGED:
            points = f"{numbers['mine']} against {numbers['yours']}"
            return f"{player.subject} can challenge at once and win, {points}."
        case Kind.CHALLENGED_LATER:
            points = f"{numbers['mine']} against {numbers['yours']}"
            return f"{player.subject} {_can(numbers)} win a challenge later, {points}."
        case Kind.ARRIVES:
            if not numbers["moves"]:
                return f"{player.subject} {player.verb('are')} in {other.possessive} corner."
            when = f"{other.possessive} corner in {count_of_moves(numbers['moves'])}"
            first = f"{player.subject} {_can(numbers)} be in {when}"
            if not numbers["first"]:  # the other one is nearer, and does not get there
                return f"{first}."
            least = f"{other.object} {other.verb('need')} at least {numbers['steps']}"
            if numbers["steps"] > numbers["moves"]:
                return f"{first}; {least}."
            return f"{first}; {least}, and it is {player.possessive} move."


def _can(numbers: dict[str, Any]) -> str:
    return "can" if numbers["certain"] else "may"


def _where(numbers: dict[str, Any]) -> str:
    moves = numbers["moves"]
    return f"{numbers['cell']}" + (f" after {moves} more move{'s' * (moves > 1)}" if moves else "")

"""Who wins from the start, between casual bots and with perfect play, as `balance.toml` has it.

Boards are dealt as for people who sit down to play. The same seed gives the same figures on every
machine.
"""

from __future__ import annotations

from collections import Counter
from contextlib import closing

from gridwise import Game, Position, bot, evaluate
from gridwise.core.board import Board
from gridwise.core.outcome import MAX_PLIES
from gridwise.core.position import start
from gridwise.play.setup import Setup
from gridwise.show.progress import Progress

GAMES_A_BOARD = 10  # between casual bots

Wins = Counter[int]


def measure(
    game: Game, deal: str, boards: int, seed: int, *, handicap: bool
) -> tuple[Wins, Wins | None]:
    """Wins of Player 1, of Player 2 and of nobody: of casual bots, and with perfect play.

    Where cells are face down, of whoever begins; perfect play is not known there.
    """
    casual: Wins = Counter()
    perfect: Wins | None = None if game.has_hidden_cells else Counter()
    with closing(Progress(f"Playing {game.title}", boards, "boards")) as progress:
        for number in range(boards):
            setup = Setup(game=game.key, deal=deal, handicap=handicap, seed=seed, round=number + 2)
            match = setup.new_match()
            opening = start(game, match.true_board, 1)
            for each in range(GAMES_A_BOARD):
                casual[_winner(opening, match.true_board, f"{seed} balance {number} {each}")] += 1
            if perfect is not None:
                perfect[_perfect_winner(opening)] += 1
            progress(number + 1)
    return casual, perfect


def _winner(opening: Position, board: Board, seed: str) -> int:
    """Who wins between two casual bots; 0 and 3 are nobody."""
    position = opening
    bots = [bot(opening.game, "casual", f"{seed} {player}") for player in (1, 2)]
    while not position.outcome and len(position.history) < MAX_PLIES:
        position = position.play(bots[position.turn - 1].choose(position), board)
    return position.outcome.winner if position.outcome else 0


def _perfect_winner(opening: Position) -> int:
    """Who wins when both play perfectly; 0 and 3 are nobody."""
    if opening.outcome:
        return opening.outcome.winner
    value = evaluate(opening).value
    return {"win": 1, "loss": 2}.get(str(value), 0)


def line(what: str, wins: Wins) -> str:
    """The shares of both, and the number that they are from."""
    total = wins.total()
    one, two = (round(100 * wins[player] / total) for player in (1, 2))
    return f"{what} = [{one}, {two}]  # {wins[1]} : {wins[2]} of {total:,}"

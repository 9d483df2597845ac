"""Many games between two players, in pairs: each board is played twice, with sides swapped.

Games are played ply by ply, all of them together, so that a policy can be asked about many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice, pairwise
from statistics import fmean
from typing import TypeAlias

from gridwise.core.board import Board
from gridwise.core.game import Game
from gridwise.core.outcome import Outcome
from gridwise.core.position import Position
from gridwise.core.rng import SecretStream, Stream, derive_seed
from gridwise.lab.statistics import Estimate, interval, pair_means
from gridwise.lab.store import ResultStore
from gridwise.play.boards import BoardSource, DealtGame, board_source, play_on
from gridwise.players.batch_player import NO_ACTION, BatchPlayer, PositionGames, batch_player

Contestants: TypeAlias = tuple[BatchPlayer, BatchPlayer]


@dataclass
class PairedGame:
    """One game. Number 0 and 1 have the same board, and so have 2 and 3, and so on."""

    number: int
    true_board: Board
    positions: list[Position]  # from the first to the last
    actions: list[int] = field(default_factory=list)  # an illegal one among them, if it ended so

    @property
    def side(self) -> int:
        """Which player the first of the two contestants is."""
        return 1 + self.number % 2

    @property
    def pair(self) -> str:
        """The number of its pair, as a name."""
        return str(self.number // 2)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on."""
        return self.positions[-1].outcome

    @property
    def points(self) -> float:
        """The first contestant's: 1 for a win, 0 for a loss, otherwise a half."""
        winner = self.outcome.winner if self.outcome else 0
        return {self.side: 1.0, 3 - self.side: 0.0}.get(winner, 0.5)

    @property
    def choices(self) -> Iterator[tuple[Position, int]]:
        """Each position the first contestant was asked about; the action, NO_ACTION if illegal."""
        for position, after in pairwise(self.positions):
            if position.turn == self.side:
                legal = len(after.history) > len(position.history)
                yield position, after.history[-1] if legal else NO_ACTION

    def move(self, action: int) -> None:
        """Play an action; an illegal one loses."""
        self.actions.append(action)
        self.positions.append(play_on(self.positions[-1], action, self.true_board))


def paired_deals(boards: BoardSource, seed: int | str) -> Iterator[DealtGame]:
    """Deals from the stream of a seed, each given twice. Player 1 begins all games.

    Where cells are face down each deal has a stream of its own, so that no player can compute the
    next board from those before it.
    """
    stream = Stream(seed)
    for number in count():
        if boards.game.has_hidden_cells and number:
            stream = SecretStream(derive_seed(seed, f"pair {number}"))
        dealt = boards.deal_playable(stream, first=1)
        yield dealt
        yield dealt


def play_paired_games(
    boards: BoardSource,
    contestants: Contestants,
    games: int,
    seed: int | str,
    *,
    first: int = 0,
    store: ResultStore | None = None,
) -> Iterator[PairedGame]:
    """Play a number of games, as many at once as a contestant likes to be asked about.

    `first` is the number of the first of them, an even one: the games before it are left out.
    With a `store` every move is kept as it is made, and nobody is asked for one again.
    """
    deals = islice(paired_deals(boards, seed), first, None)
    at_once = max(contestant.at_once for contestant in contestants)
    for begin in range(first, first + games, at_once):
        numbers = range(begin, min(begin + at_once, first + games))
        dealt = zip(numbers, deals, strict=False)
        group = {n: PairedGame(n, deal.true_board, [deal.position]) for n, deal in dealt}
        for number, played in group.items():
            for which, contestant in enumerate(contestants, 1):
                contestant.begin(number, f"{seed} {number} {which}")
            for action in store.get(_key(number), []) if store else []:
                position = played.positions[-1]
                contestants[position.turn != played.side].catch_up(number, position)
                played.move(action)
        _play_out(group, contestants, store)
        yield from group.values()


def _key(number: int) -> str:
    """The key of a game in a store."""
    return f"game-{number}"


def _play_out(
    group: dict[int, PairedGame], contestants: Contestants, store: ResultStore | None
) -> None:
    """Play a group of games to the end, ply by ply."""
    while positions := {n: game.positions[-1] for n, game in group.items() if not game.outcome}:
        asked = {n: position.turn != group[n].side for n, position in positions.items()}
        for which, contestant in enumerate(contestants):
            numbers = [number for number in positions if asked[number] == which]
            if numbers:
                for number, action in contestant.answers(PositionGames(positions), numbers):
                    group[number].move(action)
                    if store:
                        store.put(_key(number), group[number].actions)


def score_against(
    game: Game,
    player: str,
    opponent: str,
    pairs: int,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Estimate:
    """The share of points that one player takes from another over a number of pairs.

    On even terms: a game that Player 1 wins whatever happens is played with its handicap.
    `progress` is called with the number of pairs that are done.
    """
    contestants = batch_player(player, game), batch_player(opponent, game)
    points = []
    boards = board_source(game, handicap=bool(game.handicap))
    for played in play_paired_games(boards, contestants, 2 * pairs, seed):
        points.append(played.points)
        if progress and not len(points) % 2:
            progress(len(points) // 2)
    return Estimate(fmean(points), *interval(pair_means(points)), pairs)

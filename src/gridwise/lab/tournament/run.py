"""Running a tournament: tasks out, results in, standings and records from them.

Pairs are added in the order of the schedule, whoever played them first. So the figures depend on
the games alone, and a test that stops early stops at the same pair, wherever and however often the
work was interrupted. Results are kept in a folder as they come (`lab.store`), and a record of each
game is written beside them, from the results: records that a kill has cut short are written again.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from gridwise.core.board import Board
from gridwise.core.outcome import DRAW, RESULT_MARKS, Termination
from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.lab.run import Executor, Task, run_tasks
from gridwise.lab.statistics import Estimate
from gridwise.lab.store import Store
from gridwise.lab.tournament.play import Contestant, play_block
from gridwise.lab.tournament.ratings import (
    NO_PAIRS,
    Pairs,
    elo,
    likelihood_of_superiority,
    normalised_elo,
    ratings,
    score_interval,
)
from gridwise.lab.tournament.schedule import Block, PlayedGame, Schedule
from gridwise.lab.tournament.sprt import SHARED_PAIRS, Sprt, Verdict
from gridwise.play.records import Record, record_text

GameJson: TypeAlias = Mapping[str, Any]  # a game as `play_block` reports it
PairJson: TypeAlias = tuple[GameJson, GameJson]
Line: TypeAlias = tuple[tuple[str, ...], ...]  # the board and the moves of both games

FAULTS = (Termination.CRASH, Termination.TIME_OUT, Termination.ILLEGAL_MOVE)
SIDES = ("unfinished", "p1", "p2", "draw")  # by the winner
RECORDS = "games"  # the folder of the records
SPRT_EVERY = 10  # pairs between two looks at the ratio; a look takes as long as half a pair

Watch = Callable[["Tournament"], None]


# Standings


def points(game: GameJson) -> float:
    """What the first of the two players took: 1, a half or 0."""
    side = 1 + game["swapped"]
    winner = game["winner"]
    return 0.5 if winner in (0, DRAW) else float(winner == side)


@dataclass
class Tally:
    """The pairs of one pairing, at one game or at several."""

    one: int  # the players by number
    two: int
    game: str  # empty for several
    pairs: Pairs = NO_PAIRS
    sides: Counter[str] = field(default_factory=Counter)  # games by winner, as in `SIDES`
    endings: Counter[str] = field(default_factory=Counter)  # games by Termination
    faults: Counter[tuple[int, str]] = field(default_factory=Counter)  # by player and Termination
    wins: int = 0  # games that the first player won
    losses: int = 0
    plies: int = 0
    line: Line | None = None  # of the first pair
    varied: bool = False  # whether another pair was played differently

    def add(self, pair: PairJson) -> None:
        """Count a pair."""
        self._note_line(tuple((game["board"], *game["moves"]) for game in pair))
        taken = [points(game) for game in pair]
        self.pairs += Pairs.of([(taken[0], taken[1])])
        self.wins += taken.count(1.0)
        self.losses += taken.count(0.0)
        for game in pair:
            self.sides[SIDES[game["winner"]]] += 1
            self.endings[game["ending"]] += 1
            self.plies += len(game["moves"])
            if game["ending"] in FAULTS:
                ours = points(game) == 0.0
                self.faults[self.one if ours else self.two, game["ending"]] += 1

    def _note_line(self, line: Line | None) -> None:
        self.varied = self.varied or (self.line is not None and self.line != line)
        self.line = self.line or line

    def merge(self, other: Tally) -> None:
        """Count what another tally of the same pairing has counted."""
        self._note_line(other.line)
        self.varied = self.varied or other.varied
        self.pairs += other.pairs
        for mine, its in (
            (self.sides, other.sides),
            (self.endings, other.endings),
            (self.faults, other.faults),
        ):
            mine.update(its)  # type: ignore[arg-type] # both of the same kind
        self.wins += other.wins
        self.losses += other.losses
        self.plies += other.plies

    @property
    def games(self) -> int:
        """How many games were played."""
        return 2 * self.pairs.total

    @property
    def repeated(self) -> bool:
        """Whether all pairs are one and the same: more of them say no more than one."""
        return self.pairs.total > 1 and not self.varied

    @property
    def informative(self) -> bool:
        """Whether the pairs say anything about who is stronger."""
        return not (self.pairs.all_split or self.repeated)

    @property
    def draws(self) -> int:
        """Games that nobody won, unfinished ones included."""
        return self.games - self.wins - self.losses

    @property
    def draw_ratio(self) -> float:
        """The share of games that nobody won."""
        return self.draws / self.games if self.games else 0.0

    @property
    def same_side(self) -> str:
        """The side that won every game, `p1` or `p2`; empty if there is none."""
        won = [side for side in ("p1", "p2") if self.games and self.sides[side] == self.games]
        return won[0] if won else ""

    @property
    def score(self) -> Estimate:
        """The first player's share of points."""
        return score_interval(self.pairs)

    @property
    def elo(self) -> Estimate:
        """The Elo difference."""
        return elo(self.pairs)

    @property
    def nelo(self) -> Estimate:
        """The normalised Elo difference."""
        return normalised_elo(self.pairs)

    @property
    def los(self) -> float:
        """The likelihood that the first player is the stronger one."""
        return likelihood_of_superiority(self.pairs)

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The tally for other programs."""
        return {
            "one": names[self.one],
            "two": names[self.two],
            "game": self.game or None,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "draw_ratio": self.draw_ratio,
            "pairs": list(self.pairs.pentanomial),
            "shared": {"drawn": self.pairs.dd, "won_and_lost": self.pairs.wl},
            "score": self.score.to_json(),
            "elo": self.elo.to_json(),
            "nelo": self.nelo.to_json(),
            "los": self.los,
            "informative": self.informative,
            "sides": {side: self.sides[side] for side in SIDES},
            "endings": dict(sorted(self.endings.items())),
            "plies": self.plies / self.games if self.games else None,
        }


class Standings:
    """All tallies of a tournament; `names` are what the players are called."""

    def __init__(self, names: Sequence[str], games: Iterable[str]) -> None:
        self.names = list(names)
        self.games = list(games)
        self.tallies: dict[tuple[int, int, str], Tally] = {}

    def add(self, one: int, two: int, game: str, pair: PairJson) -> None:
        """Count a pair."""
        key = (one, two, game)
        if key not in self.tallies:
            self.tallies[key] = Tally(one, two, game)
        self.tallies[key].add(pair)

    @property
    def pairs(self) -> int:
        """How many pairs were counted."""
        return sum(each.pairs.total for each in self.tallies.values())

    def matches(self) -> Iterator[Tally]:
        """One tally a pairing, over all games."""
        merged: dict[tuple[int, int], Tally] = {}
        for (one, two, game), tally in sorted(self.tallies.items()):
            name = game if len(self.games) == 1 else ""
            merged.setdefault((one, two), Tally(one, two, name)).merge(tally)
        yield from merged.values()

    def match(self) -> Tally:
        """The match between the first two players."""
        return next((t for t in self.matches() if (t.one, t.two) == (0, 1)), Tally(0, 1, ""))

    def of_player(self, player: int) -> Tally:
        """All pairs of a player, from that player's side."""
        own = Tally(player, -1, "")
        for tally in self.tallies.values():
            if player in (tally.one, tally.two):
                first = player == tally.one
                own.pairs += tally.pairs if first else tally.pairs.swapped
                own.wins += tally.wins if first else tally.losses
                own.losses += tally.losses if first else tally.wins
                own.faults.update(
                    {key: count for key, count in tally.faults.items() if key[0] == player}
                )
        return own


# The tournament


@dataclass
class Tournament:
    """A tournament as far as it has been played."""

    schedule: Schedule
    standings: Standings
    sprt: Sprt | None = None
    verdict: Verdict | None = None  # of the test; None without one
    llr: float = 0.0
    llr_history: list[tuple[int, float]] = field(default_factory=list)  # by the number of pairs
    _rated: tuple[int, Sequence[Estimate] | None] = (-1, None)  # after so many pairs

    @property
    def total(self) -> int:
        """How many pairs are played unless a test ends it earlier."""
        return self.schedule.pairs * len(self.schedule.pairings) * len(self.schedule.games)

    @property
    def decided(self) -> bool:
        """Whether the test has come to an end."""
        return self.verdict not in (None, Verdict.CONTINUE)

    @property
    def ratings(self) -> Sequence[Estimate] | None:
        """The ratings of a pool of three or more; None for two, or without evalica."""
        pairs, names = self.standings.pairs, self.standings.names
        if len(names) > 2 and self._rated[0] != pairs:
            found: Sequence[Estimate] | None = None
            with suppress(BadRequest):
                matches = {(each.one, each.two): each.pairs for each in self.standings.matches()}
                found = ratings(len(names), matches, self.schedule.seed)
            self._rated = (pairs, found)
        return self._rated[1]

    def add(self, block: Block, pairs: Sequence[PairJson]) -> None:
        """Count the pairs of a block, up to the one where the test ends."""
        for pair in pairs:
            self.standings.add(block.one, block.two, block.game, pair)
            if self.sprt and self.standings.pairs % SPRT_EVERY == 0:
                self._look(self.sprt)
                if self.decided:
                    return
        if self.sprt and self.standings.pairs == self.total:
            self._look(self.sprt)

    def _look(self, test: Sprt) -> None:
        match = self.standings.match()
        pairs = match.pairs
        self.llr, self.verdict = test.llr(pairs), test.verdict(pairs)
        if match.repeated:  # one pair, counted again and again, is no evidence
            enough = pairs.total >= SHARED_PAIRS
            self.verdict = Verdict.NO_INFORMATION if enough else Verdict.CONTINUE
        self.llr_history.append((pairs.total, self.llr))


def new_tournament(schedule: Schedule, names: Sequence[str], sprt: Sprt | None) -> Tournament:
    """A tournament in which nothing has been played."""
    if sprt and len(schedule.players) != 2:
        raise BadRequest(f"An SPRT is between two players, not {len(schedule.players)}.")
    games = [each.game.key for each in schedule.games]
    verdict = Verdict.CONTINUE if sprt else None
    return Tournament(schedule, Standings(names, games), sprt, verdict)


def check_players(schedule: Schedule) -> None:
    """Raise a GridwiseError for a player that cannot play: each is started once and ended."""
    for played in schedule.games:
        for name in dict.fromkeys(schedule.players):
            with closing(Contestant(played.game, name)) as player:
                player.new_game("")


def tasks(schedule: Schedule) -> dict[str, tuple[Block, Task]]:
    """The blocks of a schedule, in order, and the task of each, by key."""
    templates = {each.game.key: each.template for each in schedule.games}
    return {
        block.key: (
            block,
            Task(
                block.key,
                play_block,
                {
                    "game": block.game,
                    "template": templates[block.game],
                    "players": [schedule.players[block.one], schedule.players[block.two]],
                    "numbers": [block.one, block.two],
                    "pairs": [block.begin, block.end],
                    "seed": schedule.seed,
                    "limits": schedule.limits,
                    "adjudicate": schedule.adjudicate,
                },
            ),
        )
        for block in schedule.blocks()
    }


def run(tournament: Tournament, executor: Executor, results: Store, watch: Watch) -> Tournament:
    """Play what is not there yet; `watch` is called whenever there are new figures."""
    planned = tasks(tournament.schedule)
    order = iter([block for block, _ in planned.values()])
    waiting: dict[str, list[PairJson]] = {}
    upcoming: Block | None = next(order)
    games = {each.game.key: each for each in tournament.schedule.games}
    work = (task for _, task in planned.values())
    with closing(run_tasks(work, executor, results)) as coming:
        for task, result in coming:
            block, _ = planned[task.key]
            if results.folder:
                _write_records(results.folder, tournament, block, games[block.game], result)
            waiting[block.key] = list(zip(result[::2], result[1::2], strict=True))
            while upcoming and upcoming.key in waiting:
                tournament.add(upcoming, waiting.pop(upcoming.key))
                if tournament.decided:
                    return tournament
                upcoming = next(order, None)
            watch(tournament)
    return tournament


def _write_records(
    folder: Path,
    tournament: Tournament,
    block: Block,
    played: PlayedGame,
    result: Sequence[Mapping[str, Any]],
) -> None:
    """A record of each game, such as `games/number-run/17-0-1-a.gwr`: pair, players, a or b."""
    place = folder / RECORDS / block.game
    begin = f"{place}{os.sep}"
    try:
        place.mkdir(parents=True, exist_ok=True)
        for game in result:
            record = _record(tournament, block, played, game)
            name = f"{game['pair']}-{block.one}-{block.two}-{'ab'[game['swapped']]}.gwr"
            content = record_text(record).encode("utf-8", errors="replace")
            # Not synced: it can be made again from the result, which is.
            with open(begin + name, "wb") as file:
                file.write(content)
    except OSError as error:
        why = error.strerror or error
        raise GridwiseError(f"Cannot write to {quoted(str(place), 200)}: {why}.") from None


def _record(
    tournament: Tournament, block: Block, played: PlayedGame, game: Mapping[str, Any]
) -> Record:
    names = tournament.schedule.players
    players = names[block.one], names[block.two]
    return Record(
        game=played.game,
        board=_board(played, game["board"]),
        first=game["first"],
        moves=tuple(game["moves"]),
        result=RESULT_MARKS[game["winner"]],
        ending=Termination(game["ending"]),
        termination=game["reason"],
        players=players[::-1] if game["swapped"] else players,
        date=game["date"],
        tags={"Complaint": game["complaint"]} if game["complaint"] else {},
    )


@lru_cache(maxsize=2)  # both games of a pair have the same
def _board(played: PlayedGame, text: str) -> Board:
    template = played.template
    cells = map(played.game.glyphs.index, text.replace("/", ""))
    return Board(template.rows, template.cols, tuple(cells), template.target, template.handicap)

"""Running a tournament: tasks out, results in, standings and records from them.

Pairs are added in the order of the schedule, whoever played them first. So the figures depend on
the games alone, and a test that stops early stops at the same pair, wherever and however often the
work was interrupted. Results are kept in a folder as they come (`lab.store`), and a record of each
game is written beside them, from the results: records that a kill has cut short are written again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from gridwise.core.outcome import DRAW, RESULT_MARKS, Termination
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.extras import missing
from gridwise.lab.run import Executor, Task, run_tasks
from gridwise.lab.statistics import Estimate
from gridwise.lab.store import ResultStore
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
from gridwise.lab.tournament.schedule import Block, Schedule
from gridwise.lab.tournament.sprt import SHARED_PAIRS, Sprt, SprtVerdict
from gridwise.play.records import Record, record_text

GameJson: TypeAlias = Mapping[str, Any]  # a game as `play_block` reports it
PairJson: TypeAlias = tuple[GameJson, GameJson]

FAULTS = (Termination.CRASH, Termination.TIME_OUT, Termination.ILLEGAL_MOVE)
SIDES = ("unfinished", "p1", "p2", "draw")  # by the winner
RECORDS = "games"  # the folder of the records
SPRT_EVERY = 10  # pairs between two looks at the ratio; a look takes as long as half a pair

Watch = Callable[["Tournament"], None]


# Standings


class GameResult(NamedTuple):
    """How a game ended, from one player's side."""

    side: int
    winner: int
    ending: str  # a Termination

    @property
    def points(self) -> float:
        """What the player took: 1, a half or 0."""
        return 0.5 if self.winner in (0, DRAW) else float(self.winner == self.side)


@dataclass
class Tally:
    """The pairs of one pairing, at one game or at several.

    Where nobody draws what to play, the pairs on one board are copies, and only the first of them
    is evidence. If some differ, all count: a pair that comes again says how likely it is.
    """

    one: int  # the players by number
    two: int
    game: str  # empty for several
    pairs: Pairs = NO_PAIRS  # those that count
    results: Counter[GameResult] = field(default_factory=Counter)  # of all games
    plies: int = 0
    copies: Pairs = NO_PAIRS  # of pairs that count
    lines: dict[str, int] = field(default_factory=dict)  # the first pair on each board, hashed
    varied: bool = False  # whether another pair on the same board was played differently

    def add(self, pair: PairJson) -> bool:
        """Count a pair; whether it was no copy."""
        results = [GameResult(1 + g["swapped"], g["winner"], g["ending"]) for g in pair]
        self.results.update(results)
        self.plies += sum(len(game["moves"]) for game in pair)
        found = Pairs.of([(results[0].points, results[1].points)])
        board = pair[0]["board"]
        line = hash((*results, *(tuple(game["moves"]) for game in pair)))
        if not self.varied and self.lines.get(board) == line:
            self.copies += found
            return False
        if self.lines.setdefault(board, line) != line:
            self.varied = True
            self.pairs, self.copies = self.pairs + self.copies, NO_PAIRS
        self.pairs += found
        return True

    def merge(self, other: Tally) -> None:
        """Count what another tally of the same pairing has counted."""
        self.pairs += other.pairs
        self.copies += other.copies
        self.results.update(other.results)
        self.plies += other.plies

    @property
    def swapped(self) -> Tally:
        """The same from the other player's side."""
        results = Counter(
            {result._replace(side=3 - result.side): n for result, n in self.results.items()}
        )
        pairs, copies = self.pairs.swapped, self.copies.swapped
        return replace(
            self, one=self.two, two=self.one, pairs=pairs, results=results, copies=copies
        )

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.results.total()

    @property
    def played(self) -> int:
        """How many pairs were played, copies among them."""
        return self.pairs.total + self.copies.total

    @property
    def informative(self) -> bool:
        """Whether the pairs say anything about who is stronger; one and its copies do not."""
        return not self.pairs.all_split and (self.pairs.total > 1 or not self.copies.total)

    @property
    def wins(self) -> int:
        """Games that the first player won."""
        return sum(n for result, n in self.results.items() if result.points == 1)

    @property
    def losses(self) -> int:
        """Games that the first player lost."""
        return sum(n for result, n in self.results.items() if result.points == 0)

    @property
    def draws(self) -> int:
        """Games that were drawn by the rules."""
        return self.sides["draw"]

    @property
    def unfinished(self) -> int:
        """Games that were stopped: half a point for both, and no draw by the rules."""
        return self.sides["unfinished"]

    @property
    def draw_ratio(self) -> float:
        """The share of games that were drawn."""
        return self.draws / self.games if self.games else 0.0

    @property
    def sides(self) -> dict[str, int]:
        """How many games each side won, by the names in `SIDES`."""
        counts = dict.fromkeys(SIDES, 0)
        for result, n in self.results.items():
            counts[SIDES[result.winner]] += n
        return counts

    @property
    def same_side(self) -> str:
        """The side that won every game, `p1` or `p2`; empty if there is none."""
        won = {result.winner for result in self.results}
        return SIDES[won.pop()] if won in ({1}, {2}) else ""

    @property
    def faults(self) -> Counter[str]:
        """Games that the first player lost by a fault, by Termination."""
        counts = Counter[str]()
        for result, n in self.results.items():
            if result.ending in FAULTS and not result.points:
                counts[result.ending] += n
        return counts

    def to_json(self, names: Sequence[str]) -> dict[str, Any]:
        """The tally for other programs."""
        endings = Counter[str]()
        for result, n in self.results.items():
            endings[result.ending] += n
        return {
            "one": names[self.one],
            "two": names[self.two],
            "game": self.game or None,
            "games": self.games,
            "wins": self.wins,
            "losses": self.losses,
            "draws": self.draws,
            "unfinished": self.unfinished,
            "draw_ratio": self.draw_ratio,
            "pairs": list(self.pairs.pentanomial),
            "copies": self.copies.total,
            "shared": {"drawn": self.pairs.dd, "won_and_lost": self.pairs.wl},
            "score": score_interval(self.pairs).to_json(),
            "elo": elo(self.pairs).to_json(),
            "nelo": normalised_elo(self.pairs).to_json(),
            "los": likelihood_of_superiority(self.pairs),
            "informative": self.informative,
            "sides": self.sides,
            "endings": dict(sorted(endings.items())),
            "plies": self.plies / self.games if self.games else None,
        }


class Standings:
    """All tallies of a tournament; `names` are what the players are called."""

    def __init__(self, names: Sequence[str], games: Iterable[str]) -> None:
        self.names = list(names)
        self.games = list(games)
        self.tallies: dict[tuple[int, int, str], Tally] = {}

    def add(self, one: int, two: int, game: str, pair: PairJson) -> bool:
        """Count a pair; whether it was no copy."""
        return self.tallies.setdefault((one, two, game), Tally(one, two, game)).add(pair)

    @property
    def pairs(self) -> int:
        """How many pairs were played."""
        return sum(each.played for each in self.tallies.values())

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
                own.merge(tally if player == tally.one else tally.swapped)
        return own


# The tournament


@dataclass
class Tournament:
    """A tournament as far as it has been played."""

    schedule: Schedule
    standings: Standings
    sprt: Sprt | None = None
    verdict: SprtVerdict | None = None  # of the test; None without one
    alike: int = 0  # the last pair that was no copy, and how many copies came after it
    llr: float = 0.0
    llr_history: list[tuple[int, float]] = field(default_factory=list)  # by the number of pairs

    @property
    def total(self) -> int:
        """How many pairs are played unless a test ends it earlier."""
        return self.schedule.pairs * len(self.schedule.pairings) * len(self.schedule.games)

    @property
    def decided(self) -> bool:
        """Whether the test has come to an end."""
        return self.verdict not in (None, SprtVerdict.CONTINUE)

    @cached_property
    def ratings(self) -> Sequence[Estimate] | None:
        """The ratings of a pool of three or more, once it is played; None without evalica."""
        names, matches = self.standings.names, self.standings.matches()
        if len(names) < 3 or missing("lab", "evalica"):
            return None
        pairs = {(match.one, match.two): match.pairs for match in matches}
        return ratings(len(names), pairs)

    def add(self, block: Block, games: Sequence[GameJson]) -> None:
        """Count the games of a block, up to the pair where the test ends."""
        for pair in zip(games[::2], games[1::2], strict=True):
            new = self.standings.add(block.one, block.two, block.game, pair)
            self.alike = 1 if new else self.alike + 1
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
        if match.copies.total and pairs.total < SPRT_EVERY:  # too few boards to decide anything
            self.verdict = SprtVerdict.CONTINUE
        if self.alike >= SHARED_PAIRS and not self.decided:
            self.verdict = SprtVerdict.NO_INFORMATION
        self.llr_history.append((match.played, self.llr))


def new_tournament(schedule: Schedule, names: Sequence[str], sprt: Sprt | None) -> Tournament:
    """A tournament in which nothing has been played."""
    if sprt and len(schedule.players) != 2:
        raise BadRequest(f"An SPRT is between two players, not {len(schedule.players)}.")
    games = [boards.game.key for boards in schedule.games]
    verdict = SprtVerdict.CONTINUE if sprt else None
    return Tournament(schedule, Standings(names, games), sprt, verdict)


def check_players(schedule: Schedule) -> None:
    """Raise a GridwiseError for a player that cannot play: each is started once and ended."""
    for boards in schedule.games:
        for name in dict.fromkeys(schedule.players):
            with closing(Contestant(boards.game, name)) as player:
                player.new_game("")


def tasks(schedule: Schedule) -> list[Task]:
    """The blocks of a schedule, in order, as tasks."""
    sources = {boards.game.key: boards for boards in schedule.games}
    return [
        Task(
            block.key,
            play_block,
            {
                "block": block,
                "boards": sources[block.game],
                "players": [schedule.players[block.one], schedule.players[block.two]],
                "seed": schedule.seed,
                "limits": schedule.limits,
                "adjudicate": schedule.adjudicate,
            },
        )
        for block in schedule.blocks()
    ]


def run(
    tournament: Tournament, executor: Executor, results: ResultStore, watch: Watch
) -> Tournament:
    """Play what is not there yet; `watch` is called whenever there are new figures."""
    planned = tasks(tournament.schedule)
    order = iter(planned)
    upcoming: Task | None = next(order)
    waiting: dict[str, Sequence[GameJson]] = {}
    with closing(run_tasks(planned, executor, results)) as coming:
        for task, games in coming:
            if results.folder:
                _write_records(results.folder, task, games)
            waiting[task.key] = games
            while upcoming and upcoming.key in waiting:
                tournament.add(upcoming.arguments["block"], waiting.pop(upcoming.key))
                if tournament.decided:
                    return tournament
                upcoming = next(order, None)
            watch(tournament)
    return tournament


def _write_records(folder: Path, task: Task, games: Sequence[GameJson]) -> None:
    """A record of each game, such as `games/number-run/17-0-1-a.gwr`: pair, players, a or b."""
    block, boards, players = (task.arguments[name] for name in ("block", "boards", "players"))
    game = game_named(block.game)
    place = folder / RECORDS / game.key
    try:
        place.mkdir(parents=True, exist_ok=True)
        for played in games:
            cells = map(game.glyphs.index, played["board"].replace("/", ""))
            record = Record(
                game=game,
                board=boards.board.with_cells(cells),
                first=played["first"],
                moves=tuple(played["moves"]),
                result=RESULT_MARKS[played["winner"]],
                ending=Termination(played["ending"]),
                termination=played["reason"],
                players=tuple(players[::-1] if played["swapped"] else players),
                date=played["date"],
                tags={"Complaint": played["complaint"]} if played["complaint"] else {},
            )
            name = f"{played['pair']}-{block.one}-{block.two}-{'ab'[played['swapped']]}.gwr"
            # Not synced: it can be made again from the result, which is.
            (place / name).write_bytes(record_text(record).encode("utf-8", errors="replace"))
    except OSError as error:
        why = error.strerror or error
        raise GridwiseError(f"Cannot write to {quoted(str(place), 200)}: {why}.") from None

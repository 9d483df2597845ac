"""Running a tournament: tasks out, results in, records and standings from them.

Results are kept in a folder as they come (`executors.ResultFolder`), so that a run which is killed
goes on where it stopped. A record of each game is written beside them, from the results: records
that a kill has cut short are written again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from gridwise.arena.executors import Executor, ResultFolder, run_tasks
from gridwise.arena.tournament.contestants import contestant
from gridwise.arena.tournament.elo import Bounded
from gridwise.arena.tournament.ratings import ratings
from gridwise.arena.tournament.schedule import Block, PlayedGame, Schedule
from gridwise.arena.tournament.sprt import SHARED_PAIRS, Sprt, Verdict
from gridwise.arena.tournament.standings import PairJson, Standings
from gridwise.core.board import Board
from gridwise.core.outcome import RESULT_MARKS, Termination
from gridwise.engine.ugi import reaper
from gridwise.errors import BadRequest, GridwiseError, quoted
from gridwise.play.records import Record, record_text

RECORDS = "games"  # the folder of the records
SPRT_EVERY = 10  # pairs between two looks at the ratio; a look takes as long as half a pair

Watch = Callable[["Tournament"], None]


@dataclass
class Tournament:
    """A tournament as far as it has been played."""

    schedule: Schedule
    standings: Standings
    sprt: Sprt | None = None
    verdict: Verdict | None = None  # of the test; None without one
    llr: float = 0.0
    course: list[tuple[int, float]] | None = None  # the LLR by the number of pairs
    _rated: tuple[int, Sequence[Bounded] | None] = (-1, None)  # after so many pairs

    @property
    def total(self) -> int:
        """How many pairs are played unless a test ends it earlier."""
        return self.schedule.pairs * len(self.schedule.pairings) * len(self.schedule.games)

    @property
    def decided(self) -> bool:
        """Whether the test has come to an end."""
        return self.verdict not in (None, Verdict.CONTINUE)

    @property
    def ratings(self) -> Sequence[Bounded] | None:
        """The ratings of a pool of three or more; None for two, or without evalica."""
        pairs, names = self.standings.pairs, self.standings.names
        if len(names) > 2 and self._rated[0] != pairs:
            found: Sequence[Bounded] | None = None
            with suppress(BadRequest):
                found = ratings(len(names), list(self.standings.matches()), self.schedule.seed)
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
        if self.course is not None:
            self.course.append((pairs.total, self.llr))


def new_tournament(schedule: Schedule, names: Sequence[str], sprt: Sprt | None) -> Tournament:
    """A tournament in which nothing has been played."""
    if sprt and len(schedule.players) != 2:
        raise BadRequest(f"An SPRT is between two players, not {len(schedule.players)}.")
    games = [each.game.key for each in schedule.games]
    verdict = Verdict.CONTINUE if sprt else None
    return Tournament(schedule, Standings(names, games), sprt, verdict, 0.0, [] if sprt else None)


def check_players(schedule: Schedule) -> None:
    """Raise a GridwiseError for a player that cannot play: each is started once and ended."""
    reaper.start()
    for played in schedule.games:
        for name in dict.fromkeys(schedule.players):
            with closing(contestant(played.game, name)) as player:
                player.new_game("")


def run(
    tournament: Tournament, executor: Executor, results: ResultFolder, watch: Watch
) -> Tournament:
    """Play what is not there yet; `watch` is called whenever there are new figures."""
    tasks = {task.key: (block, task) for block, task in tournament.schedule.tasks()}
    order = iter([block for block, _ in tasks.values()])
    waiting: dict[str, list[PairJson]] = {}
    upcoming: Block | None = next(order)
    games = {each.game.key: each for each in tournament.schedule.games}
    with closing(_results(tasks, executor, results)) as coming:
        for block, result in coming:
            pairs = list(zip(result[::2], result[1::2], strict=True))
            if results.folder:
                _write_records(results.folder, tournament, block, games[block.game], result)
            waiting[block.key] = pairs
            while upcoming and upcoming.key in waiting:
                tournament.add(upcoming, waiting.pop(upcoming.key))
                if tournament.decided:
                    return tournament
                upcoming = next(order, None)
            watch(tournament)
    return tournament


def _results(
    tasks: Mapping[str, Any], executor: Executor, results: ResultFolder
) -> Generator[tuple[Block, Any], None, None]:
    done = run_tasks((task for _, task in tasks.values()), executor, results)
    try:
        for task, result in done:
            yield tasks[task.key][0], result
    finally:
        done.close()  # type: ignore[attr-defined] # it is a generator


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


def tournament_json(tournament: Tournament) -> dict[str, Any]:
    """Everything for other programs. Between two players the match stands at the top as well."""
    standings, names = tournament.standings, tournament.standings.names
    matches = list(standings.matches())
    rated = tournament.ratings
    players = []
    for number, name in enumerate(names):
        own = standings.of_player(number)
        players.append(
            {
                "name": name,
                "player": tournament.schedule.players[number],
                "games": own.games,
                "wins": own.wins,
                "losses": own.losses,
                "draws": own.draws,
                "points": own.wins + own.draws / 2,
                "rating": rated[number]._asdict() if rated else None,
                "faults": {ending: count for (_, ending), count in sorted(own.faults.items())},
            }
        )
    found: dict[str, Any] = {
        "seed": tournament.schedule.seed,
        "players": players,
        "games": standings.games,
        "matches": [each.to_json(names) for each in matches],
        "by_game": [each.to_json(names) for _, each in sorted(standings.tallies.items())],
    }
    if len(names) == 2 and matches:
        match = found["matches"][0]
        kept = ("pairs", "score", "elo", "nelo", "los", "draw_ratio", "informative")
        found |= {key: match[key] for key in kept}
    if tournament.sprt:
        test = tournament.sprt.to_json(standings.match().pairs)
        test["verdict"] = str(tournament.verdict)
        found["sprt"] = {**test, "pairs": standings.pairs}
        found |= {key: test[key] for key in ("llr", "bounds", "verdict")}
    return found

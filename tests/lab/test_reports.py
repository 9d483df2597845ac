"""Reports for papers: rows, splits, files, comparisons, identical games, suites."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import gridwise
from gridwise import Position, bot, compare, grade
from gridwise.core.game import Game
from gridwise.errors import BadRequest, GridwiseError
from gridwise.lab.grading.judge import HARDEST, PHASES
from gridwise.lab.grading.report import difference
from gridwise.lab.suites import suite
from tests.lab.agents import WaitingFirstLegal, first_legal
from tests.lab.test_grading import expected
from tests.sizes import sample

OPEN = ["number-run", "number-maze", "grid-runner", "number-connect"]


class Steady:
    """Always the same move in the same position: the last one there is."""

    name = "steady"

    def choose(self, position: Position) -> int:
        """The last legal action, as they are shown."""
        return position.legal[-1]


# Rows


@pytest.mark.parametrize("key", OPEN)
def test_each_row_can_be_checked_by_anybody(key: str) -> None:
    """Position, choice, values and regret of a row agree with a search from scratch."""
    report = grade("novice", key, games=10, seed=3)
    assert len(report.rows) == report.moves
    for row in random.Random(1).sample(report.rows, 15):
        position = Position(key, row.board, first=row.first, moves=row.moves)
        found = gridwise.evaluate(position)
        assert position.turn == row.side
        assert dict(row.values) == {each.move: each.points for each in found.moves}
        assert set(row.best) == {each.move for each in found.optimal}
        chosen = dict(row.values)[row.chosen]
        assert row.regret == found.points - chosen == row.value - row.chosen_value
        assert row.optimal == (row.decision and row.chosen in row.best)
        assert row.decision == (len(set(dict(row.values).values())) > 1)
        assert (row.difficulty > 0) == row.decision


def _few(game: Game) -> int:
    return 2 if game.has_hidden_cells else 12  # chances take long


def test_figures_come_from_the_rows_and_splits_add_up(game: Game) -> None:
    """Regret, best moves and the parts of a split are what a reader of the rows counts."""
    report = grade("novice", game, games=_few(game), seed=2, effort=20)
    decisions = [row for row in report.rows if row.decision and not row.repeated]
    assert report.decisions == len(decisions)
    assert report.optimal == sum(row.optimal for row in decisions)
    assert report.regret == pytest.approx(sum(row.regret for row in decisions) / len(decisions))
    assert report.summary.best
    assert report.summary.best.value == report.best_rate
    assert report.summary.best.low < report.optimal / report.decisions < report.summary.best.high
    assert {row.cluster for row in report.rows} == set(report.clusters)

    assert sum(part.moves for part in report.splits["side"].values()) == report.moves
    assert sum(part.moves for part in report.splits["phase"].values()) == report.moves
    harder = report.splits["difficulty"].values()
    assert sum(part.decisions for part in harder) == report.decisions
    assert set(report.splits["phase"]) <= set(PHASES)
    assert set(report.splits["difficulty"]) <= {str(k) for k in range(1, HARDEST + 1)}
    scores = [part.score for part in report.splits["side"].values()]
    assert all(scores)
    assert sum(each.value for each in scores if each) / 2 == pytest.approx(report.score)
    for name, part in report.splits["phase"].items():
        rows = [row for row in decisions if row.phase == name]
        if rows:
            assert part.regret
            assert part.regret.value == pytest.approx(sum(row.regret for row in rows) / len(rows))


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_rows_are_read_back_from_a_file(tmp_path: Path, suffix: str) -> None:
    """JSON Lines and Parquet have the same rows."""
    report = grade("casual", "number-maze", games=6, seed=1)
    file = tmp_path / f"rows{suffix}"
    report.write_rows(file)
    if suffix == ".jsonl":
        read = [json.loads(line) for line in file.read_text().splitlines()]
    else:
        import pyarrow.parquet as pq  # noqa: PLC0415 - 0.2 s

        read = pq.read_table(file).to_pylist()
    assert read == [row.as_dict() for row in report.rows]
    assert {"board", "moves", "chosen", "values", "regret", "phase", "difficulty"} <= set(read[0])


def test_hidden_cells_are_in_no_row() -> None:
    """A row of Grid Conquest has what could be seen when the move was made."""
    report = grade("novice", "grid-conquest", games=2, seed=1, effort=20)
    for row in report.rows:
        position = Position("grid-conquest", row.board, first=row.first, moves=row.moves)
        assert row.board.count("?") == position.hidden.bit_count()
        assert position.legal_moves == [move for move, _ in row.values]


def test_json_has_every_figure_and_the_versions() -> None:
    """What a paper quotes is in one object."""
    report = grade("casual", "number-maze", games=6, seed=1)
    data = json.loads(report.to_json())
    assert data["score"] == report.score
    assert data["intervals"]["regret"]["value"] == report.regret
    assert data["versions"]["gridwise"]
    assert data["splits"]["side"]["1"]["best"]["low"] >= 0
    assert report.table().startswith(str(report))


def test_a_plot_is_drawn(tmp_path: Path) -> None:
    """With a file it is written there; a kind of file that cannot be is refused."""
    report = grade("casual", "number-maze", games=6, seed=1)
    report.plot(tmp_path / "plot.svg")
    assert "<svg" in (tmp_path / "plot.svg").read_text()
    other = grade("casual", "number-connect", games=2, size="3x3", target=20)
    other.plot(tmp_path / "plot.svg")
    title = "bot:casual at number-connect (3x3, target 20), 2 games"
    assert title in (tmp_path / "plot.svg").read_text()
    with pytest.raises(BadRequest, match="plot"):
        report.plot(tmp_path / "plot.nonsense")
    report.plot(tmp_path / "plot")
    assert (tmp_path / "plot").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(GridwiseError, match="Cannot write"):
        report.plot(tmp_path)
    assert {each.name for each in tmp_path.iterdir()} == {"plot.svg", "plot"}


def test_the_table_fits_a_terminal() -> None:
    """Eighty columns, whatever the figures are."""
    rng = random.Random(1)

    def careless(seen: Any) -> int:  # noqa: ANN401 - as an agent is written
        return -1 if rng.random() < 0.1 else first_legal(seen)

    some = suite("number-connect").part("test")[: sample(200, long=1000)]
    for report in (
        grade(careless, "number-run", games=20, seed=1),
        grade("perfect", "number-connect", suite=some),
    ):
        table = report.table().removeprefix(str(report)).splitlines()
        assert max(map(len, table)) < 80
        assert ("illegal" in "".join(table)) == (report.illegal > 0)
        assert sum(line.startswith("difficulty") for line in table) >= 4


# Coverage, from the games to the report


def test_intervals_of_whole_gradings_hold_the_truth() -> None:
    """Random play on small boards, graded again and again: a count by hand says what is true.

    Of 100 intervals 88 must hold it. Where each does 95 times in 100, one of the three figures
    fails in less than one test of 100; where each does 80 times in 100, one passes in 40.
    """
    game, board = gridwise.game("number-connect"), "415/263"
    grid = game.parse_board(board)
    sides = zip(expected(game, grid, 1), expected(game, grid, 2), strict=True)
    points, counted, lost, kept = (float(sum(pair)) / 2 for pair in sides)
    held = dict.fromkeys(("score", "regret", "best"), 0)
    runs, enough = sample((100, 88), long=(400, 367))
    for seed in range(runs):
        summary = grade("random", game, games=20, seed=seed, board=board).summary
        for name, truth in (
            ("score", points),
            ("regret", lost / counted),
            ("best", kept / counted),
        ):
            found = getattr(summary, name)
            held[name] += found.low <= truth <= found.high
    assert all(count >= enough for count in held.values()), held


# Identical games


def test_identical_games_are_counted_once() -> None:
    """Two players who draw nothing, on one board: one game, however often it is played."""
    many = grade(Steady(), "grid-runner", games=20, opponent=Steady())
    assert (many.games, many.distinct, many.counted) == (20, 1, 2)
    few = grade(Steady(), "grid-runner", games=2, opponent=Steady())
    assert (many.score, many.low, many.high, many.regret) == (
        few.score,
        few.low,
        few.high,
        few.regret,
    )
    assert many.summary == few.summary
    assert many.splits == few.splits
    assert many.rows == few.rows
    assert "2 counted: identical ones are counted once" in str(many)


def test_identical_games_on_dealt_boards_are_counted_once() -> None:
    """On a board that is dealt again, players who draw nothing play the same pair of games."""
    many = grade(Steady(), "number-maze", games=400, size="1x3", opponent=Steady())
    once = {row.board: row.cluster for row in reversed(many.rows)}
    assert many.counted == 2 * len(many.clusters)
    assert many.wins + many.losses + many.unfinished == 400
    assert many.counted < 60  # a 4 or a 3 is a dead end, so fewer than 3 * 4 * 4 boards
    assert {row.cluster for row in many.rows} == set(once.values())
    boards = [row.board for row in many.rows if row.ply == 0]
    assert len(boards) == len(set(boards))


def test_games_that_differ_are_all_counted() -> None:
    """Where somebody draws, a game that comes again is evidence again."""
    dealt = grade(Steady(), "number-maze", games=20, opponent=Steady())
    assert dealt.counted == 20
    drawn = grade("random", "number-connect", games=60, board="415/263", opponent="random")
    assert drawn.counted == 60
    assert drawn.distinct < 60


def test_identical_games_are_compared_with_others() -> None:
    """A player whose games are counted once has boards in common with one whose are not."""
    found = compare(
        Steady(), "casual", "number-maze", games=200, size="2x2", opponent=Steady(), seed=1
    )
    assert found.one.counted < found.two.counted == 200
    both = set(found.one.clusters) & set(found.two.clusters)
    assert 1 < len(both) == len(found.one.clusters)
    score = found.differences["score"]
    assert score.value == found.one.score - found.two.score
    assert score.low < score.value < score.high


# Comparing


def test_two_players_are_compared_on_the_same_boards() -> None:
    """The differences are those of the two reports, and a clear one is clear."""
    found = compare("perfect", "random", "number-connect", games=40, seed=1)
    assert found.one.points != found.two.points
    assert [row.board for row in found.one.rows[:1]] == [row.board for row in found.two.rows[:1]]
    for name in ("score", "regret", "best"):
        one, two = getattr(found.one.summary, name), getattr(found.two.summary, name)
        assert found.differences[name].value == pytest.approx(one.value - two.value)
    assert found.differences["score"].low > 0
    assert found.differences["regret"].high < 0
    assert json.loads(found.to_json())["differences"]["best"]["low"] > 0


def test_a_player_is_no_better_than_itself() -> None:
    """The difference is 0, and its interval is around it and narrow."""
    report = grade("casual", "number-maze", games=40, seed=1)
    found = difference(report, report).differences["score"]
    assert found.value == 0
    assert found.low <= 0 <= found.high
    assert found.high - found.low < (report.high - report.low) / 2


# Suites


@pytest.mark.parametrize("key", OPEN)
def test_perfect_play_answers_a_suite_without_a_mistake(key: str) -> None:
    """Whatever is in the suite, the perfect bot keeps the result."""
    some = suite(key).part("test")[:60]
    report = grade("perfect", key, suite=some)
    assert (report.regret, report.best_rate, report.illegal) == (0, 1, 0)
    assert report.moves == report.decisions == 60
    assert report.suite == "v1 test"
    assert report.score == pytest.approx(sum(row.evaluation.points for row in some) / 60)


@pytest.mark.parametrize("key", [*OPEN, "grid-conquest"])
def test_a_suite_tells_levels_apart(key: str) -> None:
    """Random play loses what the values say it must; a better bot loses less."""
    some = suite(key).part("train")[: sample(120, long=300)]
    report = grade("random", key, suite=some, seed=1)
    lost = [max(row.values.values()) - sum(row.values.values()) / len(row.values) for row in some]
    assert report.regret == pytest.approx(sum(lost) / len(lost), abs=4 * 0.5 / sqrt(len(some)))
    assert grade("strong", key, suite=some).regret < report.regret
    assert report.exact


def test_a_whole_part_is_named_and_others_are_refused() -> None:
    """A suite is a part, train or test, of the same game."""
    report = grade(bot("number-maze", "casual", 1), "number-maze", suite="test")
    assert (report.agent, report.moves) == ("bot:casual", 1000)
    with pytest.raises(BadRequest, match="train and test"):
        grade("casual", "number-maze", suite="exam")
    with pytest.raises(BadRequest, match="Number Run"):
        grade("casual", "number-maze", suite=suite("number-run"))


def test_illegal_answers_to_a_suite_lose_what_the_position_was_worth() -> None:
    """They are counted apart, and nothing else is asked of the player."""
    some = suite("number-connect").part("test")[:20]
    report = grade(lambda _seen: -1, "number-connect", suite=some)
    assert report.illegal == 20
    assert report.regret == pytest.approx(sum(row.evaluation.points for row in some) / 20)


def test_positions_of_one_game_are_one_cluster() -> None:
    """Where boards are hidden, a row that another begins with is of the same game."""
    for key in ("grid-conquest", "number-run"):
        rows = suite(key).part("test")
        clusters = rows.clusters()
        assert set(clusters) == {row.id for row in rows}
        assert len(set(clusters.values())) > 400


# Asked concurrently


@pytest.mark.parametrize(
    "error", [SystemExit, KeyboardInterrupt, asyncio.CancelledError, ValueError]
)
def test_whatever_an_async_player_raises_comes_out(error: type[BaseException]) -> None:
    """Nothing hangs, not even if it is what would end an event loop."""

    async def raising(_seen: object) -> int:
        raise error

    with pytest.raises(error):
        grade(raising, "number-maze", games=4)


def test_an_async_player_works_where_a_loop_is_running() -> None:
    """As in a notebook."""

    async def notebook() -> int:
        waiting: Any = WaitingFirstLegal()
        return grade(waiting, "number-maze", games=4).moves

    assert asyncio.run(notebook()) > 0


@pytest.mark.parametrize(
    ("missing", "extra"),
    [("pandas", "pandas"), ("pyarrow", "gridwise.data"), ("matplotlib", "gridwise.plot")],
)
def test_what_an_extra_brings_is_named_where_it_is_missing(
    missing: str, extra: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One sentence says what to install."""
    monkeypatch.setitem(sys.modules, missing, None)
    rows = suite("number-maze")[:2]
    ask = {
        "pandas": rows.to_pandas,
        "pyarrow": lambda: rows.write(tmp_path / "rows.parquet"),
        "matplotlib": grade("casual", "number-maze", suite=rows).plot,
    }
    with pytest.raises(BadRequest, match=f"pip install '?{extra}"):
        ask[missing]()

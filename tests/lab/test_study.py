"""What a study says, against facts about the games and a second implementation of the rules."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from gridwise.core.registry import game as game_named
from gridwise.errors import BadBoard, BadRequest, GridwiseError
from gridwise.lab.report.document import as_html, as_markdown
from gridwise.lab.run import Executor
from gridwise.lab.statistics import Estimate
from gridwise.lab.store import ResultStore
from gridwise.lab.study.blocks import (
    Plan,
    all_tasks,
    board_tasks,
    levels_of,
    position_block,
    solve_block,
)
from gridwise.lab.study.even_variants import candidates, find_even, write_even
from gridwise.lab.study.report import draw_all, glance, percent, report, write_report
from gridwise.lab.study.totals import Figures, figures_of, perfect_play, run_study
from gridwise.lab.study.variant import Variant, changed, with_board
from tests.reference import REFERENCE, ReferenceGame
from tests.sizes import sample

SMALL = Plan(boards=300, pairs=60, games=20, levels=("random", "perfect"), seed=3)
QUICK = replace(SMALL, levels=("random",))  # the perfect bot takes seconds to compile
MEMORY: dict[str, Any] = {"run": "test"}


def standard(key: str, changes: str = "") -> Variant:
    """A variant of a game."""
    variant = Variant.standard(game_named(key))
    return changed(variant, changes) if changes else variant


def studied(variant: Variant, plan: Plan = SMALL) -> Figures:
    """The figures of a variant."""
    return run_study([variant], plan, Executor(), ResultStore(None, MEMORY))[0]


def holds(estimate: Estimate, truth: float) -> bool:
    """Whether an interval holds a value, with as much room again: one in 10,000 does not."""
    margin = (estimate.high - estimate.low) / 2
    return estimate.low - margin <= truth <= estimate.high + margin


ReadRows = Callable[[Path], list[dict[str, Any]]]


@pytest.fixture
def rows_of() -> ReadRows:
    """The rows that were written into a folder, where Parquet can be read."""
    parquet = pytest.importorskip("pyarrow.parquet")
    return lambda folder: parquet.read_table(folder / "rows.parquet").to_pylist()


# Facts about the games


@pytest.mark.long("compiling a study of one more game takes 3 s; bulk solving is tested for all")
def test_grid_runner_is_one_board() -> None:
    """Player 1 wins it in 15 plies, which is known and not estimated."""
    found = studied(standard("grid-runner"), QUICK)
    assert found.perfect
    assert (found.perfect.boards, found.perfect.plies["p1"]) == (1, {15: 1})
    assert found.perfect.shares["p1"] == Estimate(1.0, 1.0, 1.0, 1)


def test_a_quarter_of_number_maze_is_over_at_once() -> None:
    """A board whose first cell is a 4 has no first move; the rest is what the census counts."""
    variant, plan = standard("number-maze"), replace(QUICK, boards=4000)
    solved = {task.key: result for task, result in Executor().run(board_tasks(variant, plan))}
    perfect, _ = perfect_play(variant, plan, solved)
    assert perfect
    assert holds(perfect.at_once, 0.25)
    counted = {"p1": 1_951_036_017, "p2": 1_991_804_826, "endless": 352_126_453}
    for name, boards in counted.items():
        assert holds(perfect.shares[name], boards / 4**16)
    assert sum(share.value for share in perfect.shares.values()) == pytest.approx(1)


def test_a_head_start_of_seven_makes_number_run_even() -> None:
    """As games/number_run/handicap.py has it: 151 of 300 boards, with 6 points 193, with 8 110."""
    for points, share in ((6, 193 / 300), (7, 151 / 300), (8, 110 / 300)):
        variant = standard("number-run", f"handicap={points}")
        boards = sample(300, long=1500)
        rate = solve_block(variant, 1, 0, boards)["winners"].count("1") / boards
        # Both are samples: their difference has the errors of both. Three of them are less than the
        # 0.13 that a point makes; in 3 of 1,000 tests the difference is larger by chance.
        assert abs(rate - share) < 3 * (share * (1 - share) * (1 / 300 + 1 / boards)) ** 0.5


# Against the second implementation


def reference_value(state: ReferenceGame) -> int:
    """1 if Player 1 wins with perfect play, 2, or 3 for a draw, by trying everything."""
    if state.result() is not None:
        return {"p1": 1, "p2": 2, "draw": 3}[state.result() or ""]
    mover = state.to_move()
    assert mover
    values = set()
    for move in state.legal():
        after = state.copy()
        after.play(move)
        values.add(reference_value(after))
        if mover in values:
            return mover
    return 3 if 3 in values else 3 - mover


def test_boards_are_worth_what_the_rules_say(tmp_path: Path, rows_of: ReadRows) -> None:
    """Every board of the rows, solved again by trying all games; numbers are within their range."""
    variant = standard("number-connect", "size=2x3,target=9,values=2-6")
    boards = sample(50, long=120)
    plan = replace(SMALL, boards=boards, pairs=boards // 2)
    results = ResultStore(None, MEMORY)
    figures = run_study([variant], plan, Executor(), results)
    write_report(tmp_path, figures, plan, "gridwise study …", results)
    rows = rows_of(tmp_path)
    solved = [row for row in rows if row["solved"]]
    assert len(solved) == boards
    names = {1: "p1", 2: "p2", 3: "draw"}
    for row in solved:
        assert set(row["board"]) <= set("23456/")
        state = REFERENCE["number-connect"](row["board"], target=9)
        assert names[reference_value(state)] == row["result"]
    perfect = figures[0].perfect
    assert perfect
    for name, share in perfect.shares.items():
        assert share.value * boards == pytest.approx(sum(row["result"] == name for row in solved))
    # Perfect bots get what the board is worth, on the boards that were played.
    games = [row for row in rows if not row["solved"] and row["p1"] == row["p2"] == "perfect"]
    assert len(games) == plan.pairs
    for row in games:
        state = REFERENCE["number-connect"](row["board"], target=9)
        assert names[reference_value(state)] == row["result"]


def test_a_move_matters_where_the_rules_say() -> None:
    """Before the first ply of a tiny game, counted by trying everything."""
    variant = standard("number-connect", "size=2x2,target=7,values=1-4")
    found = position_block(variant, 5, 0, 200, "random")
    from gridwise.lab.study.batch_games import playable_boards  # noqa: PLC0415 - numba

    cells = playable_boards(variant, 200, "5 study positions 0").tolist()
    matters = 0
    for row in cells:
        state = REFERENCE["number-connect"]("{}{}/{}{}".format(*row), target=7)
        values = set()
        for move in state.legal():
            after = state.copy()
            after.play(move)
            values.add(reference_value(after))
        matters += len(values) > 1
    assert found["plies"]["1"] == [200, matters]
    assert 0 < matters < 200


# Variants


@pytest.mark.parametrize(
    ("key", "changes", "name"),
    [
        ("number-connect", "target=13", "target 13"),
        ("connect", " size = 5x5 , target = 20 ", "5x5, target 20"),
        ("number-maze", "values=1-3", "values 1-3"),
        ("number-run", "handicap=7,size=4x4", "4x4, handicap 7"),
        ("grid-runner", "obstacles=1", "1 obstacle"),
        ("grid-runner", "handicap=1", "handicap 1"),
        ("number-connect", "target=15", "standard"),
    ],
)
def test_a_variant_says_what_is_different(key: str, changes: str, name: str) -> None:
    """The changes as people write them, and a name that says the same."""
    variant = standard(key, changes)
    assert variant.name == name
    assert pickle.loads(pickle.dumps(variant)) == variant  # noqa: S301 - our own


@pytest.mark.parametrize(
    ("key", "changes"),
    [
        ("number-connect", ""),
        ("number-connect", "target"),
        ("number-connect", "colour=red"),
        ("number-connect", "target=0"),
        ("number-connect", "target=-1"),
        ("number-connect", "target=x"),
        ("number-connect", "target=99999999999"),
        ("number-connect", "size=0x4"),
        ("number-connect", "size=9x9"),
        ("number-connect", "values=0-9"),
        ("number-connect", "values=5-2"),
        ("number-connect", "values=5"),
        ("number-connect", "handicap=1"),
        ("number-connect", "obstacles=2"),
        ("number-maze", "target=10"),
        ("grid-runner", "values=1-1"),
        ("grid-runner", "obstacles=24"),
        ("grid-runner", "handicap=2"),
        ("number-run", "handicap=1000"),
    ],
)
def test_what_cannot_be_played_is_one_line(key: str, changes: str) -> None:
    """Anything else is refused, with what would be accepted."""
    with pytest.raises(GridwiseError) as refused:
        changed(Variant.standard(game_named(key)), changes)
    assert "\n" not in str(refused.value)


def test_obstacles_are_never_on_a_start_and_as_many_as_asked() -> None:
    """Four on each board, at random, and the boards differ."""
    variant = standard("grid-runner", "obstacles=4")
    open_cell, obstacle = sorted(set(game_named("grid-runner").parse_board("..X/...").cells))
    boards = variant.deal(50, "1").tolist()
    for row in boards:
        assert row.count(obstacle) == 4
        assert row[0] == row[-1] == open_cell
    assert len(set(map(tuple, boards))) > 40


def test_one_board_can_be_studied() -> None:
    """The worked example's board is won by somebody, without an interval."""
    variant = with_board(standard("number-connect"), "4152/6371/2845/9162")
    found = studied(variant, QUICK)
    assert found.perfect
    assert found.perfect.boards == 1
    assert {share.value for share in found.perfect.shares.values()} == {0.0, 1.0}
    for text in ("41/6", "4152/6371/2845/916?"):
        with pytest.raises(BadBoard):
            with_board(standard("number-connect"), text)


def test_a_variant_with_one_number_is_one_board() -> None:
    """Nothing is left to chance if every cell has the same number."""
    variant = standard("number-connect", "values=1-1")
    assert not variant.is_dealt
    assert set(variant.deal(3, "1").ravel().tolist()) == {1}


def test_variants_are_compared_on_the_same_boards() -> None:
    """Another target, the same numbers; another seed, others."""
    one, two = standard("number-connect"), standard("number-connect", "target=13")
    assert (one.deal(20, "7") == two.deal(20, "7")).all()
    assert (one.deal(20, "7") != one.deal(20, "8")).any()


def test_dealt_numbers_are_uniform() -> None:
    """Each of nine numbers in a ninth of 160,000 cells; a deviation of five errors is no luck."""
    cells = standard("number-connect").deal(10_000, "1")
    error = (1 / 9 * 8 / 9 / cells.size) ** 0.5
    for number in range(1, 10):
        assert abs((cells == number).mean() - 1 / 9) < 5 * error


# Looking for an even game


@pytest.mark.long("compiling casual games of one more game takes 3 s; the order is tested below")
def test_the_search_finds_the_head_start_that_evens_number_run() -> None:
    """Seven points, as its handicap has it."""
    plan = Plan(boards=1000, pairs=100, seed=2)
    found = find_even(standard("number-run"), plan, Executor(), ResultStore(None, MEMORY))
    assert found[0].variant.name == "handicap 7"
    assert "standard" in {each.variant.name for each in found}


def test_a_search_keeps_boards_and_games_as_rows(tmp_path: Path, rows_of: ReadRows) -> None:
    """The shares of the table can be counted again from them; the nearest to even comes first."""
    variant, plan = standard("number-connect", "size=2x2,target=9"), Plan(boards=200, pairs=100)
    results = ResultStore(None, MEMORY)
    found = find_even(variant, plan, Executor(), results)
    write_even(tmp_path, variant, found, plan, "gridwise study …", results)
    rows = rows_of(tmp_path)
    points = {"p1": 1.0, "p2": 0.0}
    for each in found:
        own = [row for row in rows if row["variant"] == each.variant.name]
        for solved, share in ((True, each.perfect), (False, each.casual)):
            assert share
            taken = [points.get(row["result"], 0.5) for row in own if row["solved"] == solved]
            assert len(taken) == share.n
            assert fmean(taken) == pytest.approx(share.value)
    apart = [abs(each.perfect.value - 0.5) for each in found if each.perfect]
    assert apart == sorted(apart)


def test_candidates_change_one_number_at_a_time() -> None:
    """Targets for a game of points, head starts where there are any, sizes for a fixed board."""
    names = {each.name for each in candidates(standard("grid-conquest"))}
    assert {"standard", "target 14", "values 2-4"} <= names
    assert not any("handicap" in name for name in names)
    names = {each.name for each in candidates(standard("grid-runner"))}
    assert {"standard", "handicap 1", "4x5"} <= names


# Levels and pages


def test_the_length_of_games_between_bots_is_told() -> None:
    """Four cells of 1 are all claimed, so every game takes four plies."""
    found = studied(standard("number-connect", "size=2x2,values=1-1"), QUICK)
    assert found.to_json()["mean_plies"] == {"random": 4.0}
    assert ["mean length, random against random (plies)", "4.00"] in glance([found]).rows


def test_the_perfect_bot_is_slow_where_cells_are_face_down() -> None:
    """It plays there only if it is asked for; an unknown level is refused."""
    assert "perfect" not in levels_of(standard("grid-conquest"), "")
    assert "perfect" in levels_of(standard("number-maze"), "")
    assert levels_of(standard("grid-conquest"), "perfect, random") == ("random", "perfect")
    with pytest.raises(BadRequest, match="There is no bot"):
        levels_of(standard("number-maze"), "clever")


def test_skill_and_sides_are_two_views_of_the_same_games() -> None:
    """What a level scores is the mean of its shares from both sides."""
    found = studied(standard("number-connect"))
    skill = found.skill["perfect", "random"]
    as_first = found.share_as_player_1("perfect", "random")
    as_second = found.share_as_player_1("random", "perfect")
    assert as_first
    assert as_second
    assert skill.value == pytest.approx((as_first.value + 1 - as_second.value) / 2)
    assert skill.value > 0.6


def test_grid_conquest_is_studied_by_games() -> None:
    """Nothing is solved there, and the page says why."""
    variant = standard("grid-conquest")
    plan = replace(SMALL, levels=("random", "strong"), pairs=sample(60, long=300))
    found = studied(variant, plan)
    assert found.perfect is None
    assert holds(found.first_mover["strong"], 0.68)
    assert "face down" in as_markdown(list(report([found], plan, "gridwise study …")))


def test_the_page_is_complete_in_one_file() -> None:
    """HTML with every picture inside, and nothing fetched from elsewhere."""
    variants = [standard("number-connect"), standard("number-connect", "target=13")]
    figures = run_study(variants, QUICK, Executor(), ResultStore(None, MEMORY))
    pictures = draw_all(figures)
    parts = list(report(figures, QUICK, "gridwise study number-connect --compare target=13"))
    page = as_html(parts, pictures)
    assert page.count("<img") == page.count("data:image/svg+xml;base64,") == len(pictures)
    assert "http" not in page.split("</style>")[1].replace("data:", "")
    text = as_markdown(parts)
    assert all(f"({name})" in text for name in pictures)
    assert "target 13" in glance(figures).text()
    assert draw_all(figures) == pictures  # the same bytes each time


def test_results_in_any_order_make_the_same_figures() -> None:
    """Workers finish as they like."""
    variant = standard("number-connect", "size=2x2,target=9")
    plan = replace(QUICK, boards=10_000, pairs=2)
    tasks = all_tasks(variant, plan)
    found = {task.key: result for task, result in Executor().run(reversed(tasks))}
    assert figures_of(variant, plan, found).to_json() == studied(variant, plan).to_json()
    assert len(tasks) == len({task.key for task in tasks})


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(0.5, 0.4, 0.6), "50.0% (40.0% to 60.0%)"),
        (Estimate(0.97134, 0.97114, 0.97154), "97.13% (97.11% to 97.15%)"),
        (Estimate(1.0, 1.0, 1.0), "100%"),
        (None, "-"),
    ],
)
def test_a_share_has_as_many_digits_as_it_is_sure_of(estimate: Estimate | None, text: str) -> None:
    """One more than the first digit of its error."""
    assert percent(estimate) == text

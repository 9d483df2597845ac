"""The new-game screen: from what is chosen to a game that can begin, or to a word on why not."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from gridwise.arena.setup import MatchSetup, set_up
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.errors import BadBoard, BadRequest, GridwiseError
from gridwise.play.match import HUMAN
from gridwise.play.series import Series
from gridwise.tui.app import GridwiseApp
from gridwise.tui.new_game_form import (
    MODEL,
    OTHER,
    ROWS,
    TYPED,
    choices,
    make_setup,
    preview,
    remembered,
    shown_rows,
)
from gridwise.tui.widgets.chooser import Chooser

from .pilots import (
    PATIENCE,
    SOME_SIZES,
    Size,
    drive,
    nobody_thinks,
    text_of,
    until,
    until_screen,
    until_text,
)

OWN = "11111/22222/33333/44444/55555"


def values_for(key: str, **chosen: str) -> dict[str, str]:
    """The form as it is at first, with some rows changed."""
    first = {row: offered[0].value for row, offered in choices(game_named(key)).items()}
    return {**first, **dict.fromkeys(TYPED, ""), **chosen}


# The form


def test_the_choices_make_the_setup_that_the_command_line_would() -> None:
    """Every row ends up in its place."""
    values = values_for(
        "number-connect",
        opponent="bot:strong",
        side="2",
        deal="uniform",
        size="5x5",
        target="21",
        best_of="3",
        seed="7",
    )
    setup = make_setup(game_named("number-connect"), values, watch=False)
    assert setup == MatchSetup(
        game="number-connect",
        p1="bot:strong",
        p2=HUMAN,
        deal="uniform",
        size="5x5",
        target=21,
        seed=7,
        series=Series(3),
    )


def test_two_people_need_no_side() -> None:
    """They sit where they like; to whoever plays a bot next, that was side 1."""
    game = game_named("number-run")
    values = values_for("number-run", opponent=HUMAN, side="2")
    assert "side" not in shown_rows(game, values, watch=False)
    setup = make_setup(game, values, watch=False)
    assert (setup.p1, setup.p2) == (HUMAN, HUMAN)
    assert remembered(values, setup)["last_side"] == "1"


def test_a_game_to_watch_is_no_series() -> None:
    """Whatever was chosen when somebody played: the row is not there."""
    game, values = game_named("number-run"), values_for("number-run", best_of="3")
    assert make_setup(game, values, watch=False).series == Series(3)
    assert make_setup(game, values, watch=True).series == Series(1)


def test_a_program_is_started_by_its_command() -> None:
    """It is asked for only where it is wanted."""
    game = game_named("number-run")
    assert "program" not in shown_rows(game, values_for("number-run"), watch=False)
    values = values_for("number-run", opponent=OTHER, program=" ./engine --fast ")
    assert "program" in shown_rows(game, values, watch=False)
    assert make_setup(game, values, watch=False).p2 == "ugi:./engine --fast"


def test_a_language_model_is_named() -> None:
    """Its name is asked for only where it is wanted, also to watch it against a bot."""
    game = game_named("number-run")
    assert "model" not in shown_rows(game, values_for("number-run"), watch=False)
    values = values_for("number-run", opponent=MODEL, model=" llama3:8b ")
    assert "model" in shown_rows(game, values, watch=False)
    assert make_setup(game, values, watch=False).p2 == "model:llama3:8b"
    values = values_for("number-run", p1=MODEL, p2="bot:novice", model="gpt-5")
    assert "model" in shown_rows(game, values, watch=True)
    assert make_setup(game, values, watch=True).p1 == "model:gpt-5"


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_only_rows_that_the_game_has(game: object) -> None:
    """Points to reach, a handicap: where there is none, nobody is asked."""
    key = game.key  # type: ignore[attr-defined]
    shown = shown_rows(game_named(key), values_for(key), watch=False)
    assert ("target" in shown) == bool(game_named(key).target)
    assert ("handicap" in shown) == bool(game_named(key).handicap)
    assert shown == [row for row in ROWS if row in shown]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_whatever_is_offered_can_be_played(game: object) -> None:
    """No row has a value that leads to an error, but for those that are typed."""
    key = game.key  # type: ignore[attr-defined]
    for row, offered in choices(game_named(key)).items():
        for choice in offered:
            if choice.value in {OTHER, MODEL}:
                continue
            setup = make_setup(game_named(key), values_for(key, **{row: choice.value}), watch=False)
            if row in shown_rows(game_named(key), values_for(key), watch=False):
                assert preview(game_named(key), setup).cells


def test_taking_turns_gives_the_side_one_did_not_have() -> None:
    """Whatever it was last time."""
    game = game_named("number-run")
    values = values_for("number-run", side="swap")
    seen = []
    for _ in range(3):
        setup = make_setup(game, values, watch=False)
        seen.append(setup.p1 == HUMAN)
        values = {**values, **remembered(values, setup)}
    assert seen == [False, True, False]


def test_a_seed_and_a_board_of_ones_own_are_not_remembered() -> None:
    """Otherwise every game from then on would be on the same board."""
    game = game_named("number-run")
    values = values_for("number-run", deal=OTHER, board=OWN, seed="5", opponent="bot:novice")
    kept = remembered(values, make_setup(game, values, watch=False))
    assert kept["opponent"] == "bot:novice"
    assert not {"seed", "board", "deal"} & set(kept)


@pytest.mark.parametrize(
    ("chosen", "error"),
    [
        ({"seed": "abc"}, BadRequest),
        ({"size": OTHER, "other_size": "9"}, BadRequest),
        ({"size": OTHER, "other_size": "9x9"}, BadBoard),
        ({"deal": OTHER, "board": ""}, BadRequest),
        ({"deal": OTHER, "board": "12/3"}, BadBoard),
        ({"deal": OTHER, "board": "xyz"}, BadBoard),
        ({"opponent": OTHER, "program": " "}, BadRequest),
        ({"opponent": MODEL, "model": " "}, BadRequest),
        ({"target": OTHER, "other_target": "many"}, BadRequest),
        ({"target": OTHER, "other_target": "5000"}, BadBoard),
    ],
)
def test_what_cannot_be_used_is_an_error_with_a_line(
    chosen: dict[str, str], error: type[GridwiseError]
) -> None:
    """One that can be shown as it is."""
    game = game_named("number-connect")
    with pytest.raises(error):
        preview(game, make_setup(game, values_for("number-connect", **chosen), watch=False))


# The screen


async def open_form(pilot: Pilot[int], key: str) -> None:
    """The new-game screen of the game with that key on the home screen."""
    await pilot.press(key)
    await until_screen(pilot, "NewGameScreen")


async def focus_row(app: GridwiseApp, pilot: Pilot[int], row: str) -> None:
    """Go up to a row with the arrow key, as a person does."""
    for _ in range(20):
        if app.focused is app.screen.query_one(f"#{row}"):
            return
        await pilot.press("up")
    raise AssertionError(f"The arrow does not lead to {row}")


@pytest.mark.parametrize("size", SOME_SIZES, ids=str)
def test_a_game_is_set_up_with_the_keyboard_alone(size: Size) -> None:
    """Another opponent, the other side, best of three."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_form(pilot, "2")
        await focus_row(app, pilot, "best_of")
        await pilot.press("right")
        await focus_row(app, pilot, "side")
        await pilot.press("right")
        await focus_row(app, pilot, "opponent")
        await pilot.press("left")
        await pilot.press("enter")
        await until_screen(pilot, "GameScreen")
        session = app.screen.session  # type: ignore[attr-defined]
        assert session.players == ("bot:novice", HUMAN)
        assert session.tags["BestOf"] == "3"
        await pilot.resize_terminal(80, 24)
        await until_text(pilot, "Best of 3")

    drive(scenario, size)


@pytest.mark.parametrize("size", SOME_SIZES, ids=str)
def test_a_game_is_set_up_with_the_mouse_alone(size: Size) -> None:
    """A click beside the value goes on to the next, one on the left arrow back."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.click("#card-number-maze")
        await until_screen(pilot, "NewGameScreen")
        await pilot.click("#opponent", offset=(18, 0))
        assert app.screen.query_one("#opponent", Chooser).value == "bot:strong"
        await pilot.click("#opponent", offset=(14, 0))
        await pilot.click("#opponent", offset=(14, 0))
        assert app.screen.query_one("#opponent", Chooser).value == "bot:novice"
        await pilot.click("#play")
        await until_screen(pilot, "GameScreen")
        assert app.screen.session.players == (HUMAN, "bot:novice")  # type: ignore[attr-defined]

    drive(scenario, size)


def test_the_last_choices_are_there_again(home: Path) -> None:
    """For each game its own; they outlive the program."""

    async def choose(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_form(pilot, "1")
        await focus_row(app, pilot, "opponent")
        await pilot.press("right", "enter")
        await until_screen(pilot, "GameScreen")

    async def look(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.press("1")
        await until_screen(pilot, "NewGameScreen")
        assert app.screen.query_one("#opponent", Chooser).value == "bot:strong"
        await pilot.press("escape")
        await until_screen(pilot, "HomeScreen")
        await open_form(pilot, "2")
        assert app.screen.query_one("#opponent", Chooser).value == "bot:casual"

    drive(choose)
    assert json.loads((home / "settings.json").read_text())["choices"]["number-run"]
    drive(look)


@pytest.mark.parametrize("size", SOME_SIZES, ids=str)
def test_a_board_of_ones_own_is_checked_while_it_is_typed(size: Size) -> None:
    """What is wrong is said in place; Enter does not play until it is right."""

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_form(pilot, "1")
        await focus_row(app, pilot, "deal")
        await pilot.press("left")  # before the first value comes the last one
        await pilot.press("down")
        assert isinstance(app.focused, Input)
        await pilot.press(*"119")
        await until_text(pilot, "Row 1 of the board")
        await pilot.press("enter")
        await pilot.pause()
        assert type(app.screen).__name__ == "NewGameScreen"
        app.focused.value = OWN
        await pilot.pause()
        assert "Row 1 of the board" not in text_of(app)
        await pilot.press("enter")
        await until_screen(pilot, "GameScreen")
        match = app.screen.session.match  # type: ignore[attr-defined]
        assert match.game.board_text(match.board) == OWN

    drive(scenario, size)


def test_a_game_leads_home_afterwards() -> None:
    """Two bots, who play the game that had the focus; a new game from a game, not to the old one.

    The old one is kept.
    """

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await pilot.press("right", "w")
        await until_screen(pilot, "NewGameScreen")
        assert "Watch Number Maze" in text_of(app)
        await pilot.press("enter")
        await until_screen(pilot, "WatchScreen")
        await pilot.press("escape")
        await until_screen(pilot, "HomeScreen")
        await open_form(pilot, "3")
        await pilot.press("enter")
        await until_screen(pilot, "GameScreen")
        await pilot.press("n")
        await until_screen(pilot, "NewGameScreen")
        await pilot.press("enter")
        await until_screen(pilot, "GameScreen")
        await pilot.press("escape")
        await until_screen(pilot, "HomeScreen")

    drive(scenario)


def test_a_deal_that_nobody_waits_for_opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Escape while the board is dealt: the game does not come up later."""
    dealt, asked = threading.Event(), threading.Event()

    def slowly(setup: MatchSetup) -> object:
        asked.set()
        assert dealt.wait(PATIENCE)
        return set_up(setup)

    monkeypatch.setattr("gridwise.tui.screens.new_game.set_up", slowly)

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_form(pilot, "1")
        await pilot.press("enter")
        await until(pilot, asked.is_set)
        await until_text(pilot, "Dealing")
        await pilot.press("escape")
        await until_screen(pilot, "HomeScreen")
        dealt.set()
        await until(pilot, nobody_thinks)
        assert type(app.screen).__name__ == "HomeScreen"

    drive(scenario)


def test_choices_of_a_damaged_file_do_no_harm(home: Path) -> None:
    """Whatever stands there, the screen opens with something that can be played."""
    home.mkdir()
    saved = {"choices": {"number-run": {"opponent": 5, "side": "left", "deal": "cursed"}}}
    (home / "settings.json").write_text(json.dumps(saved))

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await open_form(pilot, "1")
        await pilot.press("enter")
        await until_screen(pilot, "GameScreen")

    drive(scenario)

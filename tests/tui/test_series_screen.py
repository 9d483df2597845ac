"""Best of three in the app: sides swap, the score is kept, and a series can be continued."""

from __future__ import annotations

from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Button
from textual.widgets._footer import FooterKey

from gridwise.play.library import Library
from gridwise.play.match import HUMAN
from gridwise.play.series import BOTH_SIDES, Series
from gridwise.play.session import PlaySession
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens.play import PlayScreen, restarted

from .pilots import drive, in_app, press_until, until, until_screen, until_text
from .players import resign


def session_of(app: App[int]) -> PlaySession:
    """The game on the screen."""
    assert isinstance(app.screen, PlayScreen)
    return app.screen.session


def stands(app: App[int]) -> tuple[str, str]:
    """Which game it is, and the score."""
    tags = session_of(app).tags
    return tags["Round"], tags["Score"]


def called(app: App[int]) -> str:
    """What the last line calls the key for the next game, which is what the button says."""
    buttons = [str(each.label) for each in app.screen.query(Button)]
    keys = [each.description for each in app.screen.query(FooterKey) if each.key == "p"]
    assert any(keys[0] in label for label in buttons)
    return keys[0]


async def next_game(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Play the next one, by key."""
    before = app.screen
    await pilot.press("p")
    await until(pilot, lambda: isinstance(app.screen, PlayScreen) and app.screen is not before)
    await pilot.pause()


@in_app((200, 60))
async def test_two_lost_games_lose_the_series(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Player 1 in the first game, Player 2 in the second, and then a new series."""
    setup = Setup(game="grid-runner", p2="bot:casual", series=Series(3))
    app.play(setup)
    await until_screen(pilot, "PlayScreen")
    await until_text(pilot, "Best of 3")
    await resign(pilot)
    await until_text(pilot, "the casual bot leads 1")
    assert called(app) == "Game 2", "as its button says"
    await next_game(app, pilot)
    assert session_of(app).players == ("bot:casual", HUMAN)
    assert stands(app) == ("2", "1-0")
    await until_text(pilot, "sides swap, you are Red now")
    await until(pilot, lambda: session_of(app).asked)
    await resign(pilot)
    await until_text(pilot, "Casual bot wins the match 2 : 0")
    assert called(app) == "Play again"
    await next_game(app, pilot)
    assert stands(app) == ("1", "0-0")


@in_app((40, 20))
async def test_the_score_is_told_in_a_small_window(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """At 40 by 20, once a game is over."""
    setup = Setup(game="grid-runner", p2="bot:casual", series=Series(3, 2, (2, 0)))
    app.play(setup)
    await until_screen(pilot, "PlayScreen")
    await resign(pilot)
    await until_text(pilot, "it is 1 : 1")


def test_a_series_goes_on_after_a_kill() -> None:
    """The second game of three lies in a file; it is continued, and the third follows."""
    setup = Setup(game="grid-runner", p2="bot:casual", series=Series(3, 2, (0, 2)))
    session = set_up(setup)
    session.match.move("right")
    Library().new(session.record())

    async def scenario(app: GridwiseApp, pilot: Pilot[int]) -> None:
        await until_text(pilot, "Continue")
        await press_until(pilot, "PlayScreen", "c")
        await until(pilot, lambda: session_of(app).asked)
        assert session_of(app).tags["Round"] == "2"
        session_of(app).match.resign(2)
        await next_game(app, pilot)
        assert stands(app) == ("3", "1-1")

    drive(scenario)


def test_starting_again_counts_for_nobody() -> None:
    """Neither on the same side nor on the other one; whoever led still leads."""
    setup = Setup(game="grid-runner", p2="bot:casual", series=Series(3, 2, (2, 0)))
    session = set_up(setup)
    assert restarted(session).tags == session.tags
    swapped = restarted(session, swapped=True)
    assert swapped.players == ("bot:casual", HUMAN)
    assert swapped.tags == {"BestOf": "3", "Round": "2", "Score": "0-1"}
    assert restarted(set_up(Setup(game="grid-runner"))).tags == {}


@in_app((100, 30))
async def test_both_sides_in_the_app(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """The same board again, and what it says at the end."""
    setup = Setup(game="number-run", p2="bot:casual", series=Series(BOTH_SIDES))
    app.play(setup)
    await until_screen(pilot, "PlayScreen")
    await until_text(pilot, "Blue can always win with perfect play")
    board = session_of(app).match.true_board
    await resign(pilot)
    await next_game(app, pilot)
    assert session_of(app).match.true_board == board
    await until_text(pilot, "you are Red now and begin second")
    await until(pilot, lambda: session_of(app).asked)
    await resign(pilot)
    await until_text(pilot, "Casual bot wins the match 2 : 0")

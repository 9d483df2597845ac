"""Review: the app says what `gridwise review` says, shows it, and lets people try and play on."""

from __future__ import annotations

import re
import threading
from itertools import product
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Button, Input, OptionList, Static

from gridwise import Match, games
from gridwise.engine.evaluation import Limits, evaluate, with_answers
from gridwise.engine.explain import explain
from gridwise.engine.review import (
    Decision,
    Judgement,
    judge,
    limits_for,
    what_if_limits,
)
from gridwise.errors import EngineFailed
from gridwise.play.look_back import BEST, BEST_LINE, HERE, NO_LINE, UNSEEN, Exploration
from gridwise.play.records import Record, write_record
from gridwise.play.session import player_names
from gridwise.play.values import cell_values, legend, short_worth
from gridwise.players.new_match import play_on
from gridwise.tui.app import GridwiseApp
from gridwise.tui.screens import review as review_screen
from gridwise.tui.screens.play import PlayScreen
from gridwise.tui.screens.review import ReviewScreen, list_lines
from gridwise.tui.widgets.board_drawing import SHAPES
from gridwise.tui.widgets.win_graph import WinGraph, draw_graph
from tests.cli.program import CONQUEST_BOARD, RUN_BOARD, gridwise
from tests.sizes import sample
from tests.tui.pilots import (
    SIZES,
    SOME_SIZES,
    in_app,
    press_until,
    text_of,
    until,
    until_screen,
    until_text,
)
from tests.tui.players import click_cell, press_towards

# With 2,2 Player 1 wins in three moves; 0,2 loses (tests/cli/test_engine_commands.py).
MOVES = ("0,1", "3,4", "1,1", "3,3", "1,2", "2,3", "0,2", "2,2")
BLUNDER = 6
PLAYERS = ("human", "bot:casual")


def blundered(*, resigned: int = 0, finished: bool = False) -> Record:
    """A game of Number Run with one blunder."""
    match = Match("number-run", RUN_BOARD, moves=MOVES)
    while finished and not match.outcome:
        match.move(evaluate(match).best.action)
    if resigned:
        match.resign(resigned)
    return match.record(PLAYERS)


def conquest(*, finished: bool = True) -> Record:
    """The walkthrough of Grid Conquest, or its first two moves."""
    match = Match(
        "grid-conquest",
        CONQUEST_BOARD,
        first=1,
        seed=1,
        moves=("C3", "D4", "D3", "A1", "B2", "B4", "C5")[: 7 if finished else 2],
    )
    return match.record(PLAYERS)


async def opened(app: GridwiseApp, pilot: Pilot[int], record: Record) -> ReviewScreen:
    """The review of a game, once it is ready."""
    app.open("review", record)
    await until_screen(pilot, "ReviewScreen")
    screen = app.screen
    assert isinstance(screen, ReviewScreen)
    await until(pilot, lambda: screen.review, "the review is ready")
    await pilot.pause()
    return screen


def said(screen: ReviewScreen) -> str:
    """The words on where one is."""
    return str(screen.query_one("#said", Static).content)


def squeezed(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


async def click_button(pilot: Pilot[int], screen: ReviewScreen, label: str) -> None:
    """Click a button by what it says."""
    button = next(each for each in screen.query(Button) if str(each.label) == label)
    # For a moment after a click Textual takes no second one.
    await until(pilot, lambda: not button.has_class("-active"), f"{label} is up again")
    assert await pilot.click(button)
    await pilot.pause()


@in_app((80, 24))
async def test_the_next_key_counts_from_where_the_list_was_led(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """However soon it comes: Home belongs to the list, and the arrow to the screen."""
    app.open("review", blundered())
    await until_screen(pilot, "ReviewScreen")
    screen = app.screen
    assert isinstance(screen, ReviewScreen)
    screen.moves.action_first()
    screen.action_step(1)
    assert screen.explored.at == 1


# The same words


@pytest.mark.parametrize("record", [blundered(), blundered(resigned=1), conquest()])
@in_app((200, 60))
async def test_the_words_are_those_of_the_command_line(
    app: GridwiseApp, pilot: Pilot[int], record: Record, tmp_path: Path
) -> None:
    """The table, the comments on mistakes and the summary: move by move.

    But that nameless players are Blue and Red in the app.
    """
    file = tmp_path / "game.gwr"
    write_record(record, file)
    printed = gridwise("review", file, home=tmp_path).out
    table = re.findall(r"^ *(\d*) Player (\d)  (\S+) +(.*)$", printed, re.MULTILINE)
    printed = printed.replace("Player 1", "Blue").replace("Player 2", "Red")
    after_graph = printed.rpartition("+--")[2].partition("\n")[2]
    summary = squeezed(after_graph.partition("How it could have gone on:")[0])
    screen = await opened(app, pilot, record)
    assert squeezed(said(screen)).endswith(summary)
    moves = screen.moves
    lines = [str(moves.get_option_at_index(at).prompt) for at in range(moves.option_count)]
    shown = [squeezed(line.replace("★ ", "").replace("▸", "")) for line in lines[: len(table)]]
    assert shown == [
        squeezed(f"{number} {SHAPES[int(player)]} {move} {rest}")
        for number, player, move, rest in table
    ]
    for at in range(len(record.moves)):
        screen._go_to(at)
        comment = re.search(rf"^Move {at + 1}, [^:]*: (.*)$", printed, re.MULTILINE)
        if comment:
            assert comment[1] in said(screen)


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
@in_app()
async def test_the_best_move_is_marked_on_the_board(
    app: GridwiseApp, pilot: Pilot[int], game: object
) -> None:
    """In every position of a game, the cell of the best move of its evaluation."""
    match = Match(game, seed=3)  # type: ignore[arg-type] # a Game
    for _ in range(sample(4, long=6)):
        if not match.outcome:
            match.move(match.position.legal[0])
    record = match.record(PLAYERS)
    screen = await opened(app, pilot, record)
    await pilot.press("home")
    for at, position in enumerate(record.positions()):
        assert screen.explored.at == at
        if at < len(record.moves):
            judged = judge(Decision(position, None), limits_for(position.game))
            best = judged.evaluation.best
            marked = [cell for cell, mark in screen.board.marks.items() if BEST in mark]
            assert marked == [position.target(best.action)]
            played = position.target(position.read(record.moves[at]))
            assert played in screen.board.marks
        await pilot.press("right")


# Looking around


@in_app(*SOME_SIZES)
async def test_a_game_is_stepped_through_by_keys_alone(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Arrows, Home and End, and the next mistake; the board, graph and list go along."""
    screen = await opened(app, pilot, blundered())
    positions = list(blundered().positions())
    at = len(MOVES)
    steps = {"left": -1, "right": 1, "up": -1, "down": 1, "comma": -1, "full_stop": 1}
    keys = ["left", "left", "right", "home", "n", "right", "up", "up", "down", "comma", "end"]
    for key in keys:
        await pilot.press(key)
        at = {"home": 0, "end": len(MOVES), "n": BLUNDER}.get(key, at + steps.get(key, 0))
        assert screen.explored.at == at
        assert screen.board.view == positions[at].view
        assert screen.moves.highlighted == at
        assert screen.query_one(WinGraph).at == at
    await pilot.press("n")
    shown = squeezed(text_of(app))
    assert "2,2 wins in 3 moves" in shown
    assert "▲ 4" in shown
    assert "▸ 4 ● 0,2??" in shown  # the pointer, where there are no colours
    assert shown.count("▸ 4") == 1
    await press_until(pilot, "HomeScreen", "escape")


@in_app(*SOME_SIZES)
async def test_a_game_is_looked_at_with_the_mouse_alone(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """The graph, the list and the buttons are clicked; so is a cell, to try a move."""
    screen = await opened(app, pilot, blundered())
    graph = screen.query_one(WinGraph)
    for at in (0, 3, BLUNDER):
        assert await pilot.click(graph, offset=(graph.column(at), 1))
        await pilot.pause()
        assert screen.explored.at == at
    assert await pilot.click(OptionList, offset=(5, 1))
    await pilot.pause()
    assert screen.explored.at == screen.moves.scroll_offset.y + 1
    for label, at in {"◂◂": 0, "▸": 1, "◂": 0, "▸▸": len(MOVES), "?▸": BLUNDER}.items():
        await click_button(pilot, screen, label)
        assert screen.explored.at == at
    target = screen.explored.position.target(screen.explored.position.read("1,3"))
    await click_cell(pilot, screen, target)
    await until(pilot, lambda: isinstance(app.screen, ReviewScreen) is False, "it is asked")
    await pilot.click(app.screen.query(Button).last())
    await until(pilot, lambda: screen.explored.tried, "it is tried")
    assert screen.explored.tried_moves == ["1,3"]
    await click_button(pilot, screen, "◂")
    assert screen.explored.tried == []
    await click_button(pilot, screen, "Back")
    await click_button(pilot, screen, "Back")
    await until_screen(pilot, "HomeScreen")


@in_app()
async def test_a_review_keeps_its_place(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """Held down, an arrow goes on move by move, and never back to where it has been.

    In the middle of a review, at every size, the same move is shown.
    """
    screen = await opened(app, pilot, blundered())
    for _ in range(3):
        await pilot.press("home")
        for _ in range(5):
            screen.action_step(1)  # no time in between for the list to tell of it
        for _ in range(5):
            await pilot.pause()
        assert screen.explored.at == screen.moves.highlighted == 5
    await pilot.press("n")
    for size in [*SIZES, (60, 15), (80, 24)]:
        await pilot.resize_terminal(*size)
        assert screen.explored.at == BLUNDER
        assert "?" in text_of(app)


@in_app()
async def test_it_is_told_how_far_the_review_is(
    app: GridwiseApp, pilot: Pilot[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the game can be stepped through, and left at once."""
    go_on = threading.Event()

    def slow(decision: Decision, limits: Limits) -> Judgement:
        assert go_on.wait(30)
        return judge(decision, limits)

    monkeypatch.setattr(review_screen, "judge", slow)
    app.open("review", blundered())
    await until_screen(pilot, "ReviewScreen")
    await until(pilot, lambda: "Reviewing the moves: 0 of 8" in text_of(app), "progress")
    await pilot.press("home")
    assert isinstance(app.screen, ReviewScreen)
    assert app.screen.explored.at == 0
    await press_until(pilot, "HomeScreen", "escape")
    go_on.set()


@in_app()
async def test_an_engine_that_fails_ends_nothing(
    app: GridwiseApp, pilot: Pilot[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen says so; the game can still be stepped through."""

    def fail(where: object, limits: Limits) -> Judgement:
        raise EngineFailed("The engine is gone.")

    monkeypatch.setattr(review_screen, "judge", fail)
    monkeypatch.setattr(review_screen, "evaluate", fail)
    app.open("review", blundered())
    await until_screen(pilot, "ReviewScreen")
    await until(pilot, lambda: "The engine is gone." in text_of(app), "it is told")
    await pilot.press("home", "m")
    await until(pilot, lambda: "The engine is gone." in text_of(app), "it is told again")


# Values on the board


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
@in_app((80, 24), (100, 30))
async def test_one_key_shows_what_each_move_is_worth_on_its_cell(
    app: GridwiseApp, pilot: Pilot[int], game: object
) -> None:
    """In every position of a game, also in one that is only tried; the same key hides it again."""
    played = next(each for each in games() if each is game)
    board = played.example_deal or played.example_board
    match = Match(played, board, first=1, seed=1, moves=played.example_moves.split()[:3])
    screen = await opened(app, pilot, match.record(PLAYERS))
    await pilot.press("home")
    assert screen.board.values == {}
    await pilot.press("v")
    review = screen.review
    assert review
    for at in range(len(match.moves)):
        screen._go_to(at)
        found = review.moves[at].evaluation
        assert screen.board.values == cell_values(match.positions[at], found)
        assert legend(screen.board.values) in said(screen)
        drawn = squeezed(text_of(app))
        assert short_worth(found.best)[0] in drawn or "▄" in drawn
    screen._go_to(len(match.moves))
    position = screen.explored.playable
    if not position.outcome:
        await until(pilot, lambda: screen.board.values, "the last position has values, too")
        assert set(screen.board.values) == {position.target(each) for each in position.legal}
    await pilot.press("v")
    assert screen.board.values == {}


@in_app()
async def test_a_tried_position_has_values_too(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """They come as soon as they are known, and stay on for the next game that is looked at."""
    screen = await opened(app, pilot, blundered())
    await pilot.press("n", "v")
    best = [each for each in screen.board.values.values() if each.best]
    assert [(each.name, each.text) for each in best] == [("2,2", "W3")]
    screen.explored.try_move(screen.explored.playable.read("2,2"))
    screen._show()
    assert screen.board.values == {}
    screen._work_out()
    await until(pilot, lambda: screen.board.values, "it is evaluated")
    app.pop_screen()
    again = await opened(app, pilot, blundered())
    await pilot.press("home")
    assert again.board.values


# Lines


@in_app(*SOME_SIZES)
async def test_the_best_line_is_stepped_through_on_the_board(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """From before the blunder it wins in three moves of Player 1, as the review says."""
    screen = await opened(app, pilot, blundered())
    explored = screen.explored
    await pilot.press("n", "f")
    await until(pilot, lambda: explored.line, "the line lies ahead")
    await pilot.pause()
    assert len(explored.line) == 5
    assert explored.line[-1].outcome is not None
    assert explored.line[-1].outcome.winner == 1
    assert f"{BEST_LINE}: {HERE} 2,2" in said(screen)
    seen = []
    for _ in explored.line:
        await pilot.press("right")
        seen.append(screen.board.view)
    assert seen == [each.view for each in explored.line]
    assert explored.line[-1].result_line(screen._names) in said(screen)
    await pilot.press("left", "left", "escape")
    assert (explored.line, explored.at) == ([], BLUNDER)


@in_app()
async def test_a_mistake_is_refuted_on_the_board(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """After 0,2 Player 2 wins: the line goes on from the move that was made."""
    screen = await opened(app, pilot, blundered())
    explored = screen.explored
    await pilot.press("n", "x")
    await until(pilot, lambda: explored.line, "the line lies ahead")
    assert explored.at == BLUNDER + 1
    assert explored.line[0].history[:-1] == explored.positions[BLUNDER + 1].history
    assert explored.line[-1].outcome is not None
    assert explored.line[-1].outcome.winner == 2
    assert "After 0,2: " in said(screen)


@in_app()
async def test_a_line_shows_no_hidden_cell(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """It ends before a move that would turn one up; where there is none to show, that is said."""
    screen = await opened(app, pilot, conquest())
    for at in range(screen.explored.last):
        screen._go_to(at)
        hidden = screen.explored.playable.hidden
        screen._note = ""
        screen.action_follow()
        await until(pilot, lambda: screen.explored.line or screen._note, "it is looked for")
        assert all(each.hidden == hidden for each in screen.explored.line if not each.outcome)
        assert screen.explored.line or NO_LINE in said(screen)


# Trying moves, and playing on


@in_app(*SOME_SIZES)
async def test_a_move_is_tried_by_keys_and_gone_into(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """What it is worth is said, deeper and deeper; then it goes back to the game."""
    screen = await opened(app, pilot, blundered())
    explored = screen.explored
    await pilot.press("n", "m")
    position = explored.position
    await press_towards(pilot, screen.board, position.target(position.read("2,2")))
    await pilot.press("enter")
    await until(pilot, lambda: "AskScreen" in str(type(app.screen)), "the question")
    await pilot.press("2")
    await until(pilot, lambda: explored.tried, "the move is tried")
    assert explored.tried_moves == ["2,2"]
    first = explored.position
    await until(pilot, lambda: first in explored.evaluations, "it is evaluated")
    await pilot.pause()
    # From 2,2 on Player 1 wins in 5 plies, this one included: Player 2 loses in 2 moves.
    assert "2,2: It wins in 3 moves." in said(screen)
    assert "Casual bot loses in 2 moves." in said(screen)
    worth = evaluate(first, what_if_limits(first.game))
    assert explored.evaluations[first] == with_answers(first, worth)
    await pilot.press("enter")
    await until(
        pilot, lambda: len(explored.tried) == 2 or app.screen is not screen, "one move deeper"
    )
    if app.screen is not screen:
        await pilot.press("2")
        await until(pilot, lambda: len(explored.tried) == 2, "one move deeper")
    await pilot.press("z")
    assert explored.position == first
    await pilot.press("escape")
    assert (explored.tried, explored.at) == ([], BLUNDER)
    assert screen.board.view == position.view


@in_app()
async def test_a_game_is_played_on_from_where_one_is(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """From before the blunder, on the other side, against the bot of one's choice: a new game."""

    async def played_on(app: GridwiseApp, pilot: Pilot[int], *, by_mouse: bool) -> None:
        screen = await opened(app, pilot, blundered())
        await pilot.press("n")
        if by_mouse:
            await click_button(pilot, screen, "Play on")
            for number in (1, 2):
                await until_screen(pilot, "AskScreen")
                await pilot.click(list(app.screen.query(Button))[number])
                await pilot.pause()
        else:
            await press_until(pilot, "PlayScreen", "p", "2", "3")
        game = app.screen
        assert isinstance(game, PlayScreen)
        session = game.session
        assert session.players == ("bot:casual", "human")
        assert session.match.moves[:BLUNDER] == list(MOVES[:BLUNDER])
        await until(pilot, lambda: session.asked or session.match.outcome, "the bot has moved")
        assert len(session.match.moves) > BLUNDER
        await until(pilot, lambda: session.path and session.path.is_file(), "it is kept")
        app.go_home()
        await until_screen(pilot, "HomeScreen")

    await played_on(app, pilot, by_mouse=False)
    assert len(list(app.library.games())) == 1
    await played_on(app, pilot, by_mouse=True)
    assert len(list(app.library.games())) == 2


def test_cells_that_nobody_had_seen_are_dealt_afresh_when_playing_on() -> None:
    """The record of a finished game has the whole board; the new game must not."""
    explored = Exploration(conquest())
    explored.go_to(2)
    here = explored.position
    assert here.hidden
    boards = set()
    for _ in range(20):
        match = play_on(explored.playable, 1, "bot:novice").match
        assert match.position == here
        boards.add(match.true_board.cells)
    assert len(boards) > 1


@in_app()
async def test_hidden_cells_stay_hidden_in_an_unfinished_game(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """A move that would turn up cells that nobody has seen is not tried; the screen says why."""
    record = conquest(finished=False)
    screen = await opened(app, pilot, record)
    view = screen.board.view
    assert view
    hidden = [cell for cell, shown in enumerate(view.cells) if shown.hidden]
    assert hidden
    await click_cell(pilot, screen, hidden[0])
    await until(pilot, lambda: UNSEEN[:30] in said(screen), "it is refused")
    assert screen.explored.tried == []
    await pilot.press("escape", "home")
    start = screen.board.view
    assert start
    assert all(shown.hidden for shown in start.cells)
    assert all(shown.value == 0 for shown in start.cells)


@in_app()
async def test_a_move_is_tried_from_where_an_unfinished_game_stands(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """Nothing is given away before one tries; then what the move is worth is said."""
    screen = await opened(app, pilot, blundered())
    position = screen.explored.position
    assert BEST not in screen.board.marks.values()
    await pilot.press("m")
    await until(pilot, lambda: BEST in screen.board.marks.values(), "it is evaluated")
    found = screen.explored.evaluations[position]
    assert found == evaluate(position, what_if_limits(position.game))
    action = next(each for each in position.legal if position.question(each) is None)
    await press_towards(pilot, screen.board, position.target(action))
    await pilot.press("enter")
    await until(pilot, lambda: screen.explored.tried, "the move is tried")
    why, names = explain(position, action, found), player_names(PLAYERS, 1)
    tried = screen.explored.position
    await until(pilot, lambda: tried in screen.explored.reasons, "it is judged")
    await pilot.pause()
    assert f"{why.move}: {why.text(names)}" in said(screen)


@in_app()
async def test_a_finished_game_is_judged_by_what_could_be_seen(
    app: GridwiseApp, pilot: Pilot[int]
) -> None:
    """A move tried in Grid Conquest turns up what was there; the engine knows only what is seen."""
    record = conquest()
    screen = await opened(app, pilot, record)
    await pilot.press("home")
    await click_cell(pilot, screen, 0)
    tried = screen.explored.position
    await until(pilot, lambda: tried in screen.explored.evaluations, "it is evaluated")
    assert tried.moves == ["A1"]
    assert tried.hidden
    assert re.search(r"Casual bot has a \d+ % chance to win\.", said(screen))


@in_app()
async def test_giving_up_a_won_game_is_the_mistake(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """It is the last of the mistakes, its best move is marked, and from there one can play on."""
    match = Match("number-run", RUN_BOARD, moves=MOVES[:BLUNDER])
    match.resign(1)
    screen = await opened(app, pilot, match.record(PLAYERS))
    assert "You resigned in a won position: 2,2 wins in 3 moves." in said(screen)
    position = match.positions[-2].after(MOVES[BLUNDER - 1])
    assert screen.board.marks == {position.target(position.read("2,2")): BEST}
    await pilot.press("home", "n")
    assert screen.explored.at == BLUNDER
    await press_until(pilot, "AskScreen", "p")


@in_app()
async def test_a_game_without_moves_can_be_opened(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """There is nothing to say about it yet."""
    screen = await opened(app, pilot, Match("number-run", RUN_BOARD).record(PLAYERS))
    assert "No move was made yet." in said(screen)
    await pilot.press("left", "right", "home", "end", "n", "z")
    assert screen.explored.at == 0


# The graph


def test_the_graph_needs_no_colour() -> None:
    """Who was winning is where the line runs; mistakes and the current move have their signs."""
    curve, marks = (1.0, 1.0, 0.0, 0.5), {1: "??", 2: "?!"}
    lines = [
        "".join(span.text for span in line)
        for line in draw_graph(curve, marks, (1, 1, 2), 2, 40, 5)
    ]
    assert [line[:6].strip("│ ") for line in lines[:3]] == ["Blue", "even", "Red"]
    assert lines[0][6:].startswith("━" * 12 + "┓")
    assert lines[2][18:].startswith("◆━━━━━┛")
    assert lines[1].rstrip("┈").endswith("┏")
    assert lines[3].split() == ["??", "?!"]
    assert lines[4].split() == ["▲", "2"]


def test_the_graph_fits_and_every_point_can_be_clicked() -> None:
    """No line is longer than its room; where there is room, a click finds the point."""
    for count, width in product((1, 2, 9, 200), (20, 40, 130)):
        curve = tuple(number % 3 / 2 for number in range(count))
        for at in {0, count // 2, count - 1}:
            lines = draw_graph(curve, {at: "??"}, range(1, count), at, width, 7)
            assert {sum(len(span.text) for span in line) for line in lines} == {width}
            assert len(lines) == 7
            assert "▲" in "".join(span.text for span in lines[-1])


@pytest.mark.parametrize(
    ("key", "board", "word"),
    [
        ("number-run", "31425/25134/42513/14252/53142", "down"),
        ("number-maze", "1324/2132/4213/3421", "down"),
        ("grid-runner", None, "a2"),
        ("grid-conquest", "53152/24251/43453/51523/12214", "a1"),
        ("number-connect", "4152/6371/2845/9162", "01"),
    ],
)
@in_app()
async def test_a_move_that_is_typed_is_tried(
    app: GridwiseApp, pilot: Pilot[int], key: str, board: str | None, word: str
) -> None:
    """In lower case, from the list of moves; a letter of it is no key, and nothing is played on."""
    match = Match(key, board, first=1)
    match.move(match.legal_moves[0])
    app.open("review", match.record())
    await until_screen(pilot, "ReviewScreen")
    screen = app.screen
    assert isinstance(screen, ReviewScreen)
    await pilot.press("home", *word)
    assert screen.query_one("#move", Input).value == word
    await pilot.press("enter")
    wanted = match.position_after(0).read(word)
    await until(pilot, lambda: screen.shown.history == (wanted,), "it is tried")
    assert app.screen is screen
    await pilot.press("9", "9", "9", "enter")
    await until_text(pilot, '"999"')
    assert screen.query_one("#move", Input).value == ""
    await pilot.press("escape", "escape")
    assert app.screen is screen
    assert not screen.explored.tried


@in_app(*SIZES)
async def test_no_line_of_the_list_is_cut_off(app: GridwiseApp, pilot: Pilot[int]) -> None:
    """The better move and the result stand in full, in another line where there is no room."""
    moves = ["0,0", "0,3", "0,1", "1,3", "1,0", "0,2", "1,1", "1,2"]
    match = Match("number-connect", "4152/6371/2845/9162", moves=moves)
    screen = await opened(app, pilot, match.record(PLAYERS))
    whole = list_lines(screen.explored, screen.review, screen._names, 0)
    assert any("★" in line.plain for line in whole)
    for width, height in (app.size, (100, 24), app.size):
        await pilot.resize_terminal(width, height)
        await until(pilot, lambda: screen._width_listed == screen._list_width, "it is broken anew")
        room = screen.moves.scrollable_content_region.width
        shown = [str(each.prompt) for each in screen.moves.options]
        assert [squeezed(line.lstrip("▸ ")) for line in shown] == [
            squeezed(line.plain) for line in whole
        ]
        assert max(len(part) for line in shown for part in line.split("\n")) <= room
    await pilot.press("home")
    await pilot.pause()
    assert "★ 2,2" in text_of(app)

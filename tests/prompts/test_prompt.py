"""A prompt says everything that a player may know, from the player's own side, and nothing else."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from bot_endpoint.prompt_reader import read_prompt, read_question
from hypothesis import given, settings
from hypothesis import strategies as st
from tic_tac_toe import GAME as TIC_TAC_TOE

from gridwise import Position
from gridwise.core.registry import games, register, unregister
from gridwise.core.rng import Stream
from gridwise.errors import BadRequest, GridwiseError
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import Prompt, position_text, prompt, rules_text
from gridwise.prompts.skins import every_skin
from tests.prompts.samples import EXAMPLES, FORMS, example, position_after, positions
from tests.sizes import sample

each_game = pytest.mark.parametrize("key", EXAMPLES)
each_form = pytest.mark.parametrize("form", FORMS)


# What it says


def test_either_player_is_asked_from_their_own_side() -> None:
    """In the text's Number Run, P2 has 2 points at (3,4) and may go to 2,4 or 3,3; P1 has 6."""
    asked = prompt(example("number-run"), legal_moves="shown").user.splitlines()
    assert "You are Player 2. Your opponent is Player 1." in asked
    for line in (
        "Your token: 3,4 (number 2)",
        "Your start: 4,4",
        "Your goal: 0,0",
        "Visited by you: 3,4; 4,4",
        "Your score: 2",
        "Your opponent's token: 1,1 (number 5)",
        "Visited by your opponent: 0,0; 0,1; 1,1",
        "Your opponent's score: 6",
        "Legal moves: 2,4; 3,3",
    ):
        assert line in asked
    first = prompt(Position("number-run", EXAMPLES["number-run"][0])).user.splitlines()
    assert "You are Player 1. Your opponent is Player 2." in first
    assert "Your goal: 4,4" in first


@each_game
def test_the_moves_of_both_players_are_listed_in_order(key: str) -> None:
    """Each with who made it; without history there are none."""
    position, moves = example(key), EXAMPLES[key][1]
    lines = prompt(position).user.splitlines()
    at = lines.index("Moves so far:")
    expected = [f"{n}. Player {1 + (n - 1) % 2}: {move}" for n, move in enumerate(moves, 1)]
    assert lines[at + 1 : at + 1 + len(moves)] == expected
    hidden = prompt(position, Conditions(history="hidden")).user
    assert "Moves so far" not in hidden
    assert not re.search(r"^\d+\. ", hidden, re.MULTILINE)


def test_a_pass_is_said() -> None:
    """In Number Connect a player with nothing to claim is skipped, and the list says so."""
    # P1 takes the corner's two neighbours, so P2 in the corner is shut in.
    position = Position("number-connect", "1111/1111/1111/1111", moves=["0,1", "0,0", "1,1", "1,0"])
    position = position.after("2,1").after("2,0").after("3,1").after("3,0")
    assert position.turn == 1
    following = position.after("0,2")
    assert following.turn == 1  # P2 could only pass
    asked = prompt(following)
    assert "(Player 2 could not move and passed.)" in asked.user
    assert read_prompt(asked) == following


@each_game
def test_legal_moves_are_shown_only_if_the_condition_says_so(key: str) -> None:
    """Hidden, they are nowhere in the prompt."""
    assert "Legal moves: " in prompt(example(key), legal_moves="shown").user
    assert "Legal moves" not in str(prompt(example(key), legal_moves="hidden"))


@each_game
def test_rules_are_full_or_short_and_always_end_with_how_to_answer(key: str) -> None:
    """Neither has what is for people: tips, pictures, talk of a terminal or of an agreement."""
    full, short = (
        prompt(example(key), Conditions(rules=each)).system for each in ("full", "short")
    )
    assert len(short) < len(full)
    for text in (full, short):
        assert "\nMOVE: your move\n" in text
        for word in ("{", "}", "Tips", "In short", "gridwise", "Type ", "picture", "Ctrl", " bot "):
            assert word not in text, word
        assert not re.search("agree|analysis|other way round|program|hint|undo|help|colour", text)
        assert "column" in text  # how cells are named


@each_game
def test_every_number_can_be_read_under_whatever_is_on_it(key: str) -> None:
    """Also under a token and in a claimed cell; what is face down has one mark."""
    position = example(key)
    board = json.loads("\n".join(_board_lines(prompt(position, Conditions(board="json")).user)))[
        "rows"
    ]
    drawn = [
        [cell.split()[0] for cell in line.strip("| ").split("|")[1:]]
        for line in prompt(position).user.splitlines()
        if line.startswith("|")
    ][1:]
    for cell, value in enumerate(position.board.cells):
        row, col = divmod(cell, position.board.cols)
        shown = board[row][col]
        assert shown["cell"] == position.cell_name(cell)
        if key == "grid-runner":
            assert drawn[row][col] == ".#"[value - 1]
            assert shown.get("obstacle", False) == (value == 2)
        else:
            assert drawn[row][col] == (str(value) if value else "?")
            assert shown.get("number", 0) == value
            assert shown.get("face down", False) == (value == 0)


def _board_lines(text: str) -> list[str]:
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("Board: "))
    return lines[at + 1 : lines.index("", at)]


@each_game
def test_no_symbol_has_two_meanings(key: str) -> None:
    """In a drawn board no mark is also the name of a cell, of a row or column, or a number."""
    position = example(key)
    for skin in every_skin(position.game):
        lines = prompt(position, Conditions(skin=skin.name)).user.splitlines()
        drawn = [line.strip("| ").split("|") for line in lines if line.startswith("|")]
        marks = {mark for row in drawn[1:] for cell in row[1:] for mark in cell.split()[1:]}
        legend = {line.split(":")[0].strip() for line in lines if line.startswith("  ")}
        assert marks <= legend
        names = {skin.cell_name(position.board, cell) for cell in range(position.board.size)}
        labels = {*(label.strip() for label in drawn[0]), *(row[0].strip() for row in drawn)}
        others = {each.casefold() for each in names | labels}
        assert not {each.casefold() for each in marks} & others
        assert not any(mark.isalnum() for mark in marks)


def test_a_position_that_nobody_played_says_so() -> None:
    """One made from a state of the rules has no moves to list, and cannot be read back."""
    played = example("number-maze")
    made = Position.from_state(played.game, played.board, played.state)
    asked = prompt(made)
    assert "Moves so far: not known" in asked.user
    with pytest.raises(BadRequest, match="does not show the moves"):
        read_prompt(asked)


def test_the_documentation_shows_a_real_prompt() -> None:
    """What docs/models.md prints is what `prompt` gives."""
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    shown = page.split("…\n", 1)[1].split("```", 1)[0].rstrip()
    position = Position("number-maze", "1324/2132/4213/3421", moves=["right", "left"])
    assert str(prompt(position, rules="short")).endswith(shown)


def test_a_handicap_and_another_target_are_said() -> None:
    """With the position, and where the rules would say otherwise."""
    game = example("number-run").game
    board = game.parse_board("31425/25134/42513/14252/53142", handicap=7)
    asked = prompt(Position(game, board))
    assert "(Player 2 began on 3,3, with the score 7.)" in asked.user
    assert "different in this game: Player 2 began on 3,3, with the score 7." in asked.system
    assert "different" not in prompt(example("number-run")).system
    game = example("number-connect").game
    other = prompt(Position(game, game.parse_board("4152/6371/2845/9162", target=21)))
    assert "Points to reach: 21" in other.user
    assert "15" not in other.system
    assert "exactly 21" in other.system


def test_a_game_that_is_over_asks_for_nothing() -> None:
    """It can be described, but nobody is to move."""
    ended = Position("number-maze", "1324/2132/4213/3421", moves=["right", "left", "down", "up"])
    assert ended.outcome
    with pytest.raises(BadRequest, match="game is over"):
        prompt(ended)
    assert "The game is over. Player 2 has won." in position_text(ended, player=2)
    assert "You are Player 2." in position_text(ended, player=2)


def test_single_conditions_can_be_given_by_their_names() -> None:
    """They come before those of the conditions that were given as a whole."""
    position = example("number-maze")
    conditions = Conditions(board="json", skin="theme")
    assert prompt(position, conditions) == prompt(position, board="json", skin="theme")
    assert prompt(position, conditions, board="grid", skin="plain") == prompt(position)
    with pytest.raises(BadRequest, match="The conditions are"):
        prompt(position, colour="red")


def test_a_game_from_outside_has_prompts_too() -> None:
    """Tic-tac-toe has no words of its own: the plain skin does without."""
    register(TIC_TAC_TOE.key, TIC_TAC_TOE)
    try:
        position = Position(TIC_TAC_TOE, "111/111/111", moves=["2,2", "1,1"])
        asked = prompt(position)
        assert "Three in a row." in asked.system
        assert "says something else than these rules, it counts" in asked.system
        assert read_prompt(asked) == position
        with pytest.raises(BadRequest, match="has no skin"):
            prompt(position, Conditions(skin="mirrored"))
    finally:
        unregister(TIC_TAC_TOE.key)


def test_the_rules_page_of_a_game_from_outside_is_read_without_what_is_for_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its sections on how to play are the rules, "In short" the short ones; tips are left out."""
    page = "# A game\n{board}\n## In short\nThree {in} a row.\n## Your turn\nMark.\n## Tips\nWin.\n"
    (tmp_path / "marks").mkdir()
    (tmp_path / "marks" / "rules.md").write_text(page)
    monkeypatch.syspath_prepend(tmp_path)
    position = Position(replace(TIC_TAC_TOE, key="marks", package="marks"), "111/111/111")
    full, short = (rules_text(position, Conditions(rules=each)) for each in ("full", "short"))
    assert full.startswith("Your turn\nMark.\n\nWhere the position")
    assert short.startswith(f"{TIC_TAC_TOE.text.SUMMARY}\n\nThree {{in}} a row.\n\nEach")
    assert not re.search("A game|Tips|Win", full + short)


# Reading it back


@settings(max_examples=sample(60, long=150), deadline=None)
@given(positions(), st.data())
def test_a_prompt_can_be_read_back(position: Position, data: st.DataObject) -> None:
    """So it says everything: in every game, form, skin and size, for either side."""
    skin = data.draw(st.sampled_from(every_skin(position.game)))
    conditions = Conditions(
        board=data.draw(st.sampled_from(FORMS)),
        rules=data.draw(st.sampled_from(["full", "short"])),
        legal_moves=data.draw(st.sampled_from(["shown", "hidden"])),
        skin=skin.name,
    )
    asked = prompt(position, conditions)
    for text in (asked, str(asked), f"{asked.user}\n\n{asked.user}"):
        read = read_question(text)
        assert read.position == position
        assert read.skin == skin


@each_game
@each_form
def test_all_skins_of_the_examples_can_be_read_back(key: str, form: str) -> None:
    """All of them, so that none depends on being drawn."""
    position = example(key)
    for skin in every_skin(position.game):
        asked = prompt(position, Conditions(board=form, skin=skin.name))
        assert read_prompt(asked) == position


def test_the_last_position_of_a_conversation_counts() -> None:
    """A bot that is shown several turns answers the last one."""
    before, after = example("number-maze"), example("number-run")
    assert read_prompt(f"{prompt(before)}\n\nMOVE: up\n\n{prompt(after)}") == after


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello",
        "Game: Chess\nBoard: 8 x 8",
        "Game: Number Run",
        prompt(example("number-run"), Conditions(history="hidden")).user,
        prompt(example("number-run")).user.replace("| 3 ^P1 ~P1 |", "| x |"),
        prompt(example("number-run")).user.replace("5 x 5", "99 x 99"),
        prompt(example("number-run")).user.replace("5 x 5", "5 x 4"),
        prompt(example("number-run")).user.replace("3. Player 1: 1,1", "3. Player 1: 4,0"),
        prompt(example("number-run")).user.replace("3. Player 1: 1,1", "3. Anna: 1,1"),
        prompt(example("number-run")).user.replace("First to move: Player 1", ""),
        prompt(example("number-run"), Conditions(board="json")).user.replace("]}", ""),
        prompt(example("number-run"), Conditions(board="sentences")).user.replace("3.", "8."),
    ],
)
def test_what_is_no_prompt_of_ours_is_refused(text: str) -> None:
    """With one line, and never with a position that was made up."""
    with pytest.raises(GridwiseError) as refused:
        read_prompt(text)
    assert "\n" not in str(refused.value)


@cache
def conquest_prompt() -> str:
    """A prompt to damage."""
    return prompt(example("grid-conquest")).user


@settings(max_examples=sample(100, long=200), deadline=None)
@given(st.integers(0, 3_000), st.integers(0, 40), st.text(max_size=20))
def test_a_damaged_prompt_is_refused_or_read_but_never_a_crash(at: int, cut: int, put: str) -> None:
    """Text comes from elsewhere: whatever is done to it, only our own errors are raised."""
    text = conquest_prompt()
    with suppress(GridwiseError):
        read_prompt(text[:at] + put + text[at + cut :])


# Hidden cells


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 12), st.integers(1, 2), st.data())
def test_no_prompt_depends_on_what_nobody_has_seen(
    seed: int, plies: int, first: int, data: st.DataObject
) -> None:
    """Two deals that agree on what has been turned up have the same prompts, in all skins."""
    for game in games():
        if not game.has_hidden_cells:
            continue
        board = game.deal(Stream(seed))
        position = position_after(game, board, first, plies, seed)
        unseen = game.deal_unknown(position.board, Stream(f"others {seed}"))
        other = position_after(game, unseen, first, plies, seed)
        if other.history != position.history:
            continue  # the last move, which was not made, ends one of the games
        skin = data.draw(st.sampled_from(every_skin(game)))
        for form in FORMS:
            conditions = Conditions(board=form, skin=skin.name)
            asked = prompt(position, conditions)
            assert asked == prompt(other, conditions)
            assert isinstance(asked, Prompt)

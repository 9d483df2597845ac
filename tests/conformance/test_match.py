"""What every game must hold through the arbiter, its notation, its records and its drawings."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from gridwise import Match, analyze, bot, read_record, write_record
from gridwise.core.bits import choose, members
from gridwise.core.game import Game
from gridwise.errors import IllegalMove, MoveError, OutOfTurn
from gridwise.play.records import parse_record, record_of, record_text, resume
from gridwise.show.svg import DARK, svg
from gridwise.show.text import coloured, describe, draw, plain
from tests.conformance.conftest import boards

CAP = 60


def played(game: Game, size: tuple[int, int], count: int, what: str) -> Iterator[Match]:
    """Random games through Match, handed out after every ply."""
    rng = random.Random(f"{what} {game.key} {size}")
    for number, board in enumerate(islice(boards(game, size, rng), count)):
        match = Match(game, board, seed=number, cap=CAP)
        yield match
        while not match.outcome:
            match.play(choose(match.position.legal, rng.random))
            yield match


def test_match_and_bare_rules_agree(game: Game, size: tuple[int, int]) -> None:
    """The same actions give the same states, turns, legal moves and results either way."""
    rules = game.rules
    for match in played(game, size, 40, "bare"):
        board = match._board
        state = rules.start(board, match.first)
        for action in match.actions:
            assert rules.moves(board, state) >> action & 1
            state = rules.play(board, state, action)
        assert match.state == state
        winner = rules.winner(board, state)
        if match.outcome:
            assert match.outcome.winner == winner
            assert match.turn == 0
            assert match.legal_moves == []
        else:
            assert match.turn == state.turn
            assert winner == 0
            assert match.position.legal == rules.moves(board, state)


def test_every_printed_move_is_read_back(game: Game, size: tuple[int, int]) -> None:
    """Each legal move, in every form a person may type it, means the same action."""
    for match in played(game, size, 20, "read"):
        if match.outcome:
            continue
        board, state = match.board, match.state
        for action in members(match.position.legal):
            name = game.words.action_name(board, state, action)
            for form in (name, name.upper(), f"  {name} ", f"({name})", name.replace(",", ", ")):
                assert match.read(form) == action


def test_every_printed_cell_is_read_back(game: Game, size: tuple[int, int]) -> None:
    """Each cell, as printed in any game's way, is the same cell when typed."""
    board = next(boards(game, size, random.Random(3)))
    for cell in range(board.size):
        name = game.words.NOTATION.cell_name(board, cell)
        for form in (name, f"({name})", f"[{name}]", name.lower(), f" {name} "):
            assert game.words.NOTATION.parse_cell(board, form) == cell


def test_boards_are_read_back(game: Game, size: tuple[int, int]) -> None:
    """A board written as text and read again is the same board."""
    for board in islice(boards(game, size, random.Random(4)), 30):
        assert game.parse_board(game.board_text(board)) == board


def test_illegal_actions_change_nothing_and_say_what_is_possible(game: Game) -> None:
    """Every action that is not legal is refused, with a reason and the moves there are."""
    for match in played(game, (0, 0), 6, "illegal"):
        if match.outcome:
            with pytest.raises(OutOfTurn):
                match.play(0)
            continue
        before = (match.state, match.version, match.moves)
        legal = match.position.legal
        for action in range(game.actions(match.board)):
            if legal >> action & 1:
                continue
            with pytest.raises(IllegalMove, match="Possible: "):
                match.play(action)
            assert game.words.why_not(match.board, match.state, action).endswith(".")
        for text in (
            "",
            "nonsense",
            "99,99",
            "Z9",
            "\N{SNOWMAN}",
            "-1,0",
            "0",
            "up up",
            "1" * 5000,
        ):
            with pytest.raises(MoveError, match="Possible: "):
                match.move(text)
        assert (match.state, match.version, match.moves) == before


def test_undo_restores_the_exact_state(game: Game, size: tuple[int, int]) -> None:
    """Taking all moves back passes through the very same states, and playing on still works."""
    for number, board in enumerate(islice(boards(game, size, random.Random(5)), 20)):
        rng = random.Random(number)
        match = Match(game, board, cap=CAP)
        states, views = [match.state], [match.view]
        while not match.outcome:
            match.play(choose(match.position.legal, rng.random))
            states.append(match.state)
            views.append(match.view)
        actions = match.actions
        while match.moves:
            assert (match.state, match.view) == (states.pop(), views.pop())
            match.undo()
        assert match.state == states.pop()
        with pytest.raises(OutOfTurn):
            match.undo()
        for action in actions:
            # Face-down cells have been dealt afresh, so the game may end sooner now.
            if not (game.hides and match.outcome):
                match.play(action)
        assert game.hides or match.actions == actions


def test_resigning_ends_it_and_can_be_taken_back(game: Game) -> None:
    """Whoever resigns has lost, whoever's turn it is; undo gives the game back."""
    match = Match(game, seed=17)
    if match.outcome:
        match = Match(game, game.example_board, seed=17)
    state = match.state
    match.resign(2)
    assert match.outcome
    assert (match.outcome.winner, match.outcome.mark) == (1, "1-0")
    assert match.outcome.reason == "Player 2 resigned"
    assert match.resigned == 2
    assert match.view.turn == 0
    match.undo()
    assert match.outcome is None
    assert match.resigned == 0
    assert match.state == state


def test_a_stale_or_foreign_move_is_refused(game: Game) -> None:
    """A move made on an old version, or by the player who is not to move, changes nothing."""
    match = Match(game, game.example_board, seed=1)
    action = members(match.position.legal)[0]
    with pytest.raises(OutOfTurn, match="moved on"):
        match.play(action, version=match.version + 1)
    with pytest.raises(OutOfTurn, match="turn"):
        match.play(action, player=3 - match.turn)
    assert match.moves == []


def test_records_are_read_back(game: Game, size: tuple[int, int]) -> None:
    """Writing and reading a record is the identity, and a resumed game is where it was."""
    for match in played(game, size, 6, "record"):
        players = ('Jo "the wall" \\ O\'Neil', "bot:random")
        record = record_of(match, players, "2026.11.15")
        text = record_text(record)
        again = parse_record(text)
        assert again == record
        assert record_text(again) == text
        if not match.outcome:
            resumed = resume(again, seed=1)
            assert resumed.state == match.state
            assert resumed.view == match.view
            assert resumed.legal_moves == match.legal_moves


def test_records_survive_the_disk(game: Game, tmp_path: Path) -> None:
    """What was written to a file is what is read from it, and nothing else is left behind."""
    *_, match = played(game, (0, 0), 1, "disk")
    record = record_of(match)
    path = tmp_path / "a game.gwr"
    for _ in range(3):
        write_record(record, path)
    assert read_record(path) == record
    assert [entry.name for entry in tmp_path.iterdir()] == ["a game.gwr"]


def test_equal_seeds_give_equal_games(game: Game) -> None:
    """The same seed deals, tosses and plays the same; another seed does not always."""

    def whole_game(seed: int) -> tuple[str, int, list[str]]:
        match = Match(game, seed=seed, cap=CAP)
        seats = [bot(game, "random", f"{seed} {player}") for player in (1, 2)]
        while not match.outcome:
            match.play(seats[match.turn - 1].choose(match.position))
        return game.board_text(match._board), match.first, match.moves

    assert [whole_game(seed) for seed in range(20)] == [whole_game(seed) for seed in range(20)]
    assert len({str(whole_game(seed)) for seed in range(20)}) > 5


def test_views_show_every_legal_move_once(game: Game, size: tuple[int, int]) -> None:
    """The actions behind the cells are the legal ones, each behind one cell, as text too."""
    for match in played(game, size, 10, "view"):
        view = match.view
        behind = [action for cell in view.cells for action in cell.actions]
        legal = () if match.outcome else members(match.position.legal)
        assert sorted(behind) == list(legal)
        moves = [move for cell in view.cells for move in cell.moves]
        assert sorted(moves) == sorted(match.legal_moves)
        assert [cell.name for cell in view.cells] == [
            game.words.NOTATION.cell_name(match.board, cell) for cell in range(match.board.size)
        ]
        assert json.loads(json.dumps(view.as_dict()))["game"] == game.key


def test_drawings_hold_together(game: Game, size: tuple[int, int]) -> None:
    """Text fits its frame, colour adds only colour, sentences name every cell, SVG is XML."""
    for match in played(game, size, 4, "draw"):
        view = match.view
        lines = draw(view)
        frame = {len(line) for line in plain(lines).splitlines() if line.endswith(("|", "+", "]"))}
        assert len(frame) == 1
        bare = coloured(lines)
        for code in {part.split("m")[0] for part in bare.split("\x1b[")[1:]}:
            bare = bare.replace(f"\x1b[{code}m", "")
        assert [line.rstrip() for line in bare.splitlines()] == plain(lines).splitlines()
        spoken = " ".join(describe(view))
        assert all(f"{cell.name} is " in spoken for cell in view.cells)
        for picture in (svg(view), svg(view, DARK)):
            tree = ET.fromstring(picture)  # noqa: S314 - our own
            named = tree.findall(".//{http://www.w3.org/2000/svg}g[@data-cell]")
            assert [group.get("data-cell") for group in named] == [cell.name for cell in view.cells]


def test_the_dialogue_can_be_told(game: Game, size: tuple[int, int]) -> None:
    """Words has lines for every position and every ending, each a single line of text."""
    for match in played(game, size, 15, "told"):
        words, board, state = game.words, match.board, match.state
        lines = [words.caption(state)]
        if match.outcome and match.outcome.winner:
            lines += words.ending(board, state)
            assert words.reason(board, state)
        elif not match.outcome:
            lines += [*words.turn_lines(board, state), words.prompt(board, state)]
            for action in members(match.position.legal):
                question = words.question(board, state, action)
                if question:
                    assert action in question.answers.values()
                    assert question.undecided in question.answers.values()
                    lines += [*question.lead, question.prompt]
        assert all("\n" not in line for line in lines)


def test_analysis_describes_what_match_knows(game: Game) -> None:
    """The answer without search tells the same position as the arbiter."""
    for match in played(game, (0, 0), 10, "analyze"):
        if match.outcome and not match.outcome.winner:
            continue
        board = game.board_text(match.board)
        found = analyze(game.key, board, first=match.first, moves=match.moves, search=False)
        assert found["to_move"] == (match.turn or None)
        assert found["legal"] == match.legal_moves
        assert found["result"] == (match.outcome.result if match.outcome else None)
        assert found["board"] == board
        scores = match.view.scores
        assert found["scores"] == (None if scores is None else list(scores))

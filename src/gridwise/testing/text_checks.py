"""What must be true of every game's text: notation both ways, dialogue, pictures, pages."""

from __future__ import annotations

import textwrap
import xml.etree.ElementTree as ET
from itertools import islice

from gridwise.core.bits import bit_indices
from gridwise.core.game import Game
from gridwise.core.narration import NEUTRAL, YOU, PlayerName
from gridwise.core.outcome import Termination
from gridwise.core.position import Position, replay
from gridwise.core.rng import Stream
from gridwise.core.view import describe, draw, plain
from gridwise.errors import IllegalMove, MoveError, OutOfTurn
from gridwise.play.match import Match
from gridwise.show.svg import svg
from gridwise.show.text import rules_brief, rules_page
from gridwise.testing.samples import STANDARD, Size, boards, check, expect, random_games, subject

BOT = PlayerName("Casual bot", "the casual bot")

LONGEST_BRIEF = 12  # lines of 80 characters

# What people type when they mean nothing, or a cell that is not there.
NONSENSE = ("", "nonsense", "99,99", "Z9", "\N{SNOWMAN}", "-1,0", "0", "up up", "1" * 5000)


@check
def check_text_round_trips(
    game: Game, size: Size = STANDARD, *, games: int = 20, seed: int = 1
) -> None:
    """Boards, cells and moves are read back as what was written, in every form people type."""
    notation = game.text.NOTATION
    for board in islice(boards(game, size, Stream(seed)), games):
        subject.look(game, board)
        text = game.board_text(board)
        expect(game.parse_board(text) == board, f"The board {text} is read back as another one.")
    names = [notation.cell_name(board, cell) for cell in range(board.size)]
    expect(notation.cell_names(board) == names, "cell_names and cell_name differ.")
    for cell, name in enumerate(names):
        for form in (name, f"({name})", f"[{name}]", name.lower(), f" {name} "):
            read = notation.parse_cell(board, form)
            expect(read == cell, f"Cell {cell} is written {name}, but {form!r} is cell {read}.")
    for match in random_games(game, size, games, seed):
        position = match.position
        moves = [position.name(action) for action in position.legal]
        expect(position.legal_moves == moves, "action_names and action_name differ.")
        for action, name in zip(position.legal, moves, strict=True):
            for form in (name, name.upper(), f"  {name} ", f"({name})", name.replace(",", ", ")):
                read = position.read(form)
                expect(read == action, f"Action {action} is {name}, but {form!r} is {read}.")


@check
def check_bad_moves(game: Game, size: Size = STANDARD, *, games: int = 6, seed: int = 1) -> None:
    """Whatever is not a legal move is refused, says what is possible, and changes nothing."""
    for match in random_games(game, size, games, seed):
        before = match.position
        for number in range(-1, game.actions(match.board) + 1):
            if not before.is_legal(number):
                _check_refused(match, number)
        for text in NONSENSE:
            _check_refused(match, text)
        expect(match.position == before, "A move that was refused has changed the game.")


def _check_refused(match: Match, move: str | int) -> None:
    wanted: type[MoveError] = MoveError if isinstance(move, str) else IllegalMove
    if match.outcome:
        wanted = OutOfTurn
    try:
        match.move(move)
    except MoveError as error:
        right, kind = isinstance(error, wanted), type(error).__name__
        expect(right, f"{move!r} must be refused with {wanted.__name__}, not {kind}.")
        names = all(name in str(error) for name in match.legal_moves)
        expect(names, f"The answer to {move!r} must name the moves that are possible: {error}")
    else:
        raise AssertionError(f"{move!r} is not a legal move, and was played.")


@check
def check_dialogue(game: Game, size: Size = STANDARD, *, games: int = 15, seed: int = 1) -> None:
    """There are lines for every position, every move and every ending."""
    for match in random_games(game, size, games, seed):
        position, outcome = match.position, match.outcome
        lines = [match.view.caption]
        if outcome and outcome.termination is not Termination.MAX_PLIES:
            lines += [*position.ending_lines, outcome.reason]
            expect(position.ending_lines, "ending() must have a line that says how it ended.")
            expect(outcome.reason, "ending() must have a reason.")
            known = isinstance(outcome.termination, Termination)
            expect(known, "The termination of ending() must be a member of Termination.")
        elif not outcome:
            lines += [*position.turn_lines, position.move_prompt, *_move_lines(position)]
        if len(match.positions) > 1:
            before = match.positions[-2]
            lines += before.move_lines(position)
            lines += [_told(position.last_line(names)) for names in (NEUTRAL, (YOU, BOT))]
        for player in (1, 2):
            objective = position.objective(player)
            lines.append(objective.text)
            in_grid = -1 <= objective.goal < position.board.size
            expect(in_grid, f"The goal of Player {player} is not a cell: {objective.goal}.")
        expect(all("\n" not in line for line in lines), "Each line must be a single line.")


def _told(line: str) -> str:
    expect(line and not line.endswith("."), f"log_line has no full stop, unlike {line!r}.")
    return line


def _move_lines(position: Position) -> list[str]:
    """The questions of the legal moves, and the reasons against the others."""
    text, board, lines = position.game.text, position.board, []
    for action in range(position.game.actions(board)):
        if not position.is_legal(action):
            why = text.why_not(board, position.state, action)
            expect(why.endswith("."), f"why_not must give a sentence, not {why!r}.")
            lines.append(why)
        elif question := position.question(action):
            answers = question.answers.values()
            expect(action in answers, f"No answer to the question of {action} makes it {action}.")
            for name in ("undecided", "default"):
                expect(getattr(question, name) in answers, f"`{name}` must be one of the answers.")
            legal = all(position.is_legal(answer) for answer in answers)
            expect(legal, "Every answer to a question must make a legal action.")
            named = len(question.labels) == len(question.answers)
            expect(named, "`labels` must have one for each answer.")
            lines += [*question.lead, question.prompt, *question.labels]
    return lines


@check
def check_views(game: Game, size: Size = STANDARD, *, games: int = 10, seed: int = 1) -> None:
    """A View has each legal move behind one cell; text, speech and SVG show every cell."""
    for match in random_games(game, size, games, seed):
        view, position = match.view, match.position
        actions = sorted(action for cell in view.cells for action in cell.actions)
        moves = [move for cell in view.cells for move in cell.moves]
        once = tuple(actions) == bit_indices(position.legal_mask)
        expect(once, "target() must put every legal action behind exactly one cell.")
        expect(sorted(moves) == sorted(position.legal_moves), "Two moves have the same name.")
        names = [position.cell_name(cell) for cell in range(position.board.size)]
        expect([cell.name for cell in view.cells] == names, "cell_views must give every cell.")
        rows = [line for line in plain(draw(view)).splitlines() if line.endswith(("|", "+", "]"))]
        alike = len({len(row) for row in rows}) == 1
        expect(alike, "A cell's text is wider than DRAWING.width: the lines of the grid differ.")
        spoken = " ".join(describe(view))
        expect(all(f"{name} is " in spoken for name in names), "A cell is missing when spoken.")
        tree = ET.fromstring(svg(view))  # noqa: S314 - our own
        groups = tree.findall(".//{http://www.w3.org/2000/svg}g[@data-cell]")
        expect([each.get("data-cell") for each in groups] == names, "The SVG misses a cell.")


@check
def check_pages(game: Game) -> None:
    """The summary, the rules page, the example, the heuristic and the lesson can be used."""
    for name in ("SUMMARY", "HELP"):
        expect(getattr(game.text, name), f"{name} is empty.")
    page = rules_page(game)
    expect(page.startswith("# "), "The rules page must start with a heading.")
    expect("{board}" not in page, "The rules page has a {board} that is not replaced.")
    brief = [part for line in rules_brief(game) for part in textwrap.wrap(line, 80)]
    short = len(brief) <= LONGEST_BRIEF and not any(part.startswith("#") for part in brief)
    expect(short, "The first section of the rules page must give the rules in a few lines.")
    board = game.parse_board(game.example_deal or game.example_board)
    list(replay(game, board, 1, game.example_moves.split()))
    position = Match(game, game.example_board, seed=1).position
    for action in position.legal:
        score = position.heuristic_score(action)
        expect(isinstance(score, int | float), f"heuristic.score gives {score!r}, not a number.")
    headings = [line[3:] for line in game.rules_text().splitlines() if line.startswith("## ")]
    for each in game.examples:
        expect(each.under in headings, f'The rules page has no section "{each.under}".')
        expect(each.caption, f"The example after {each.moves} needs a caption.")
        list(replay(game, each.board or game.example_board, 1, each.moves.split()))
    check_lesson(game)


@check
def check_lesson(game: Game) -> None:
    """The guided first game, if there is one: legal to the end, and won by the learner."""
    lesson = game.lesson
    if lesson is None:
        return
    match = Match(game, lesson.board, first=1)
    for step in lesson.steps:
        expect(match.turn == 1, f"Before {step.move} it must be the turn of Player 1.")
        cell = match.position.cell_name(match.position.target(match.read(step.move)))
        named = step.move in step.say or cell in step.say
        expect(named, f"The step before {step.move} must name the move or its cell.")
        expect(step.otherwise and step.because, f"The step {step.move} leaves something unsaid.")
        names = match.position.game.text.NOTATION.cell_names(match.position.board)
        expect(set(step.look.split()) <= set(names), f"There are no such cells: {step.look}.")
        if step.trap:
            expect(all(step.trap), f"The trap before {step.move} leaves something unsaid.")
            position = match.position
            for move in step.trap.moves.split():
                position = position.after(move, game.parse_board(lesson.board))
        for move in (step.move, *step.then.split()):
            match.move(move)
    outcome = match.outcome
    expect(outcome and outcome.winner == 1, "The learner, Player 1, must win the lesson.")
    expect(lesson.opening and lesson.end, "The lesson needs an opening and an end.")

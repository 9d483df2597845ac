"""What the tools answer: data for the client's program, and the same in words for the model.

Both are made from Positions, which cannot hold a cell that nobody has seen.
"""

from __future__ import annotations

import base64
from itertools import pairwise
from typing import Any

from mcp_types import CallToolResult, ContentBlock, ImageContent, TextContent
from pydantic import BaseModel, Field

from gridwise import prompts
from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.engine.evaluation import Evaluation
from gridwise.engine.review import Resignation, Review, in_words, rows, summary, why_text
from gridwise.errors import GridwiseError
from gridwise.mcp.games_store import CLIENT, ClientGame
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.skins import skin_named
from gridwise.show.pictures import picture


class Problem(BaseModel):
    """Why something was not done."""

    kind: str = Field(description="illegal-move, unreadable-move, stale-version, …")
    message: str


class GameAnswer(BaseModel):
    """Where a game stands."""

    id: str = Field(description="What every call names the game by.")
    game: str
    you: int = Field(description="The player you move for, 1 or 2; 0 if you move for both.")
    opponent: str = Field(description="bot:LEVEL, or empty if you move for both players.")
    lesson: bool
    version: int = Field(description="How many moves have been played.")
    to_move: int | None = Field(description="1 or 2; null when the game is over.")
    your_turn: bool
    result: str | None = Field(
        description="p1, p2 or draw; null while it goes on or if unfinished."
    )
    reason: str | None = Field(description="How it ended; null while it goes on.")
    scores: list[int] | None = Field(description="Points of Player 1 and Player 2.")
    moves: list[str]
    board: str = Field(description="Rows from the top, joined by /; ? is a cell nobody has seen.")


class PlayAnswer(GameAnswer):
    """What became of a move."""

    played: bool = Field(description="Whether your move was made.")
    move: str | None = Field(description="Your move as the game writes it.")
    bot_moves: list[str] = Field(description="What the bot answered.")
    problem: Problem | None
    legal_moves: list[str] = Field(description="What you can play now.")


class LegalMovesAnswer(BaseModel):
    """What can be played."""

    id: str
    version: int
    to_move: int | None
    legal_moves: list[str]


class LineAnswer(BaseModel):
    """Where a line of moves leads that was tried and not played."""

    id: str
    version: int
    tried: list[str] = Field(description="The moves that could be tried, as the game writes them.")
    problem: Problem | None = Field(description="Why the line stops before its end; null if not.")
    to_move: int | None
    result: str | None
    reason: str | None
    scores: list[int] | None
    legal_moves: list[str] = Field(description="What the player to move could play there.")


class GameInfo(BaseModel):
    """One of the games."""

    game: str
    title: str
    summary: str
    size: str
    target: int | None = Field(description="Points to reach, where the game has them.")
    handicap: bool = Field(description="Whether new_game(handicap=true) evens it out.")
    hidden_cells: bool


class GoingOn(BaseModel):
    """A game that was started and is not over."""

    id: str
    game: str
    players: list[str]
    moves: int


class GamesAnswer(BaseModel):
    """What can be played, and what is being played."""

    games: list[GameInfo]
    levels: dict[str, str] = Field(description="The bots, from the weakest to the strongest.")
    going_on: list[GoingOn] = Field(description="The newest games that are not over.")


class RulesAnswer(BaseModel):
    """The rules of a game."""

    game: str
    title: str
    rules: str = Field(description="Markdown.")


class ReviewedMove(BaseModel):
    """A move, compared with the best one."""

    number: int = Field(description="From 1; 0 for a resignation.")
    player: int
    move: str
    grade: str = Field(description="forced, best, good, slip, mistake, blunder or unknown.")
    worth: str
    better: str | None
    why: str = Field(description="Why it was good or bad, as the solver has proved.")


class MoveWorth(BaseModel):
    """What a move that can be played now is worth to the player to move."""

    move: str
    worth: str


class ReviewAnswer(BaseModel):
    """A game, move by move."""

    id: str
    version: int
    moves: list[ReviewedMove]
    accuracy: list[float | None] = Field(description="Of Player 1 and Player 2, from 0 to 1.")
    summary: list[str]
    now: list[MoveWorth] = Field(description="In a lesson that goes on: the moves, best first.")


def result(answer: BaseModel, text: str, *more: ContentBlock) -> CallToolResult:
    """An answer as data and as text."""
    content: list[ContentBlock] = [TextContent(type="text", text=text), *more]
    return CallToolResult(content=content, structured_content=answer.model_dump(mode="json"))


def refusal(error: GridwiseError) -> CallToolResult:
    """The answer to a call that asks for something that there is not, or cannot be done."""
    return CallToolResult(
        content=[TextContent(type="text", text=str(error))],
        structured_content={"problem": problem_of(error).model_dump(mode="json")},
        is_error=True,
    )


def problem_of(error: GridwiseError) -> Problem:
    """An error as data."""
    return Problem(kind=error.kind, message=str(error))


def game_answer(game: ClientGame) -> GameAnswer:
    """Where a game stands."""
    position, record = game.position, game.record
    others = [player for player in record.players if player != CLIENT]
    return GameAnswer(
        id=game.id,
        game=record.game.key,
        you=game.you,
        opponent=" and ".join(others),
        lesson=game.lesson,
        version=len(position.history),
        your_turn=bool(position.turn) and record.players[position.turn - 1] == CLIENT,
        moves=position.moves,
        board=record.game.board_text(position.board),
        **ending_fields(position),
    )


def ending_fields(position: Position) -> dict[str, Any]:
    """Who is to move, or how it ended."""
    outcome = position.outcome
    return {
        "to_move": position.turn or None,
        "result": (outcome.result or None) if outcome else None,
        "reason": outcome.reason if outcome else None,
        "scores": list(position.scores) if position.scores else None,
    }


def game_text(game: ClientGame) -> str:
    """A game in words: who plays, the board, what was played, whose turn it is."""
    record = game.record
    if game.you:
        who = f"Player {3 - game.you} is {record.players[2 - game.you]}."
    elif game.is_ours:
        who = "You move for both players."
    else:
        who = f"Player 1 is {record.players[0]}, Player 2 is {record.players[1]}."
    lesson = " It is a lesson." if game.lesson else ""
    return f"Game {game.id}. {who}{lesson}\n{position_text(game.position, game.you, moves=True)}"


def position_text(position: Position, player: int = 0, *, moves: bool = False) -> str:
    """A position in words, from the side of a player or of the one to move."""
    conditions = Conditions(history="shown" if moves else "hidden")
    turn = position.result_line() or f"Player {position.turn} is to move."
    return f"{prompts.position_text(position, conditions, player or None)}\n{turn}"


def passes_text(positions: list[Position]) -> str:
    """Who had nothing to play between these positions, and was passed over."""
    passed = [3 - one.turn for one, two in pairwise(positions) if one.turn == two.turn]
    return " ".join(f"Player {player} could not move and passed." for player in passed)


def review_answer(game: ClientGame, review: Review, now: list[MoveWorth]) -> ReviewAnswer:
    """A review as data."""
    moves = [
        ReviewedMove(
            number=0 if isinstance(decision, Resignation) else number,
            player=row.player,
            move="resigns" if isinstance(decision, Resignation) else decision.chosen.move,
            grade=decision.grade,
            worth=row.worth,
            better=row.better or None,
            why="" if isinstance(decision, Resignation) else why_text(decision),
        )
        for number, (row, decision) in enumerate(
            zip(rows(review), review.decisions, strict=True), 1
        )
    ]
    return ReviewAnswer(
        id=game.id,
        version=len(game.position.history),
        moves=moves,
        accuracy=[review.accuracy(1), review.accuracy(2)],
        summary=summary(review),
        now=now,
    )


def review_text(answer: ReviewAnswer) -> str:
    """A review in words."""
    lines = [
        f"{move.number or ''} Player {move.player}: {move.move}, {move.grade}, {move.worth}."
        + (f" Better: {move.better}." if move.better else "")
        + (f" {move.why}" if move.why else "")
        for move in answer.moves
    ]
    now = [f"{move.move}: {move.worth}" for move in answer.now]
    return "\n".join([*lines, *answer.summary, *(["The moves now:", *now] if now else [])]).strip()


def worth_of_moves(evaluation: Evaluation) -> list[MoveWorth]:
    """What each move is worth, the best first."""
    ordered = sorted(evaluation.moves, key=lambda move: move.rank, reverse=True)
    return [MoveWorth(move=move.move, worth=in_words(move)) for move in ordered]


def game_info(game: Game) -> GameInfo:
    """What a list says about a game."""
    return GameInfo(
        game=game.key,
        title=game.title,
        summary=game.text.SUMMARY,
        size=f"{game.rows}x{game.cols}",
        target=game.target or None,
        handicap=game.handicap is not None,
        hidden_cells=game.has_hidden_cells,
    )


def rules_text(game: Game) -> str:
    """The rules, with a board, and how moves are written."""
    position = Position(game, game.parse_board(game.example_board))
    rules, writing = prompts.rules_text(position), skin_named(game).answer(position.board)
    example = position_text(position)
    return f"# {game.title}\n\n{rules}\n\n{writing}\n\nA game may begin like this:\n\n{example}\n"


def png(position: Position) -> ImageContent:
    """The board as a picture."""
    data = base64.b64encode(picture(".png", [position.view])).decode("ascii")
    return ImageContent(type="image", data=data, mime_type="image/png")

"""What a client can call: nine tools, each naming its game by its id.

A move that cannot be made is a normal answer, with the reason and what is possible; a call that
makes no sense (no such game, no such level) is an error with one clear line. No tool shows what the
engine thinks of a game that goes on, unless it was started as a lesson. A bot answers within the
call; if a server was stopped before its bot had answered, the next call lets it.
"""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Any

from anyio.to_thread import run_sync as in_thread  # for what waits for the disk
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.core.rng import derive_seed
from gridwise.engine.bots import ABOUT, LEVELS, bot
from gridwise.engine.evaluation import evaluate
from gridwise.engine.review import decisions, judge, limits_for, review_of, what_if_limits
from gridwise.engine_pool import EnginePool
from gridwise.errors import BadRequest, GridwiseError, MoveError, quoted
from gridwise.mcp import answers
from gridwise.mcp.answers import Problem
from gridwise.mcp.games_store import BOT_SEED, CLIENT, LESSON, ClientGame, GamesStore
from gridwise.play.match import HUMAN
from gridwise.play.records import Record
from gridwise.play.setup import Setup
from gridwise.players.new_match import set_up

MAX_LINE_MOVES = 200  # moves to try at once
MAX_GOING_ON = 20  # games that go on
HIDDEN_CELLS = "hidden-cells"  # why a line stops where nobody knows what comes
NO_BOT = "none"  # the level of nobody: clients move for both players

# What the tools take, with its description for clients
GameId = Annotated[str, Field(description="The game's id, from new_game or list_games.")]
GameKey = Annotated[str, Field(description="The game, such as number-maze, or maze for short.")]
Level = Annotated[
    str, Field(description=f"The bot: {', '.join(LEVELS)}; or none: play both sides.")
]
Side = Annotated[int, Field(description="The player you are, 1 or 2.")]
Size = Annotated[str, Field(description="Another size of the board, such as 5x4.")]
Target = Annotated[int | None, Field(description="Another number of points to reach.")]
Handicap = Annotated[bool, Field(description="Even out a game that favours Player 1.")]
Deal = Annotated[str, Field(description="How boards are dealt: even (the default), fair, uniform.")]
Seed = Annotated[int | None, Field(description="The same seed deals the same board.")]
BoardText = Annotated[str | None, Field(description="A board: its rows from the top, joined by /.")]
First = Annotated[int | None, Field(description="Who begins, where a coin would be tossed.")]
Lesson = Annotated[bool, Field(description="Whether review may be called while the game goes on.")]
Picture = Annotated[bool, Field(description="Whether to send a picture of the board as well.")]
Move = Annotated[str, Field(description="The move as the game writes it, such as 0,1 or right.")]
Moves = Annotated[list[str], Field(description="Moves of both players in turn, from here on.")]
Version = Annotated[
    int | None,
    Field(description="The version you have seen: if others have moved since, nothing is played."),
]


# Run in the engine's processes


def dealt(setup: Setup) -> Record:
    """A new game, before its first move."""
    return set_up(setup).match.record()


def bot_action(position: Position, level: str, seed: str | None) -> int:
    """A bot's move."""
    return bot(position.game, level, seed).choose(position)


class GameTools:
    """The tools, on the games of one library."""

    def __init__(self, store: GamesStore, engine: EnginePool) -> None:
        self._store = store
        self._engine = engine

    async def list_games(self) -> Annotated[CallToolResult, answers.GamesAnswer]:
        """List the games that can be played, the bots, and the games that are going on."""
        going_on = await in_thread(self._going_on)
        answer = answers.GamesAnswer(
            games=[answers.game_info(game) for game in games()], levels=ABOUT, going_on=going_on
        )
        lines = [f"{game.game}: {game.title}. {game.summary}" for game in answer.games]
        bots = [f"{level}: {about}" for level, about in ABOUT.items()]
        going = [
            f"{game.id}: {game.game}, {' against '.join(game.players)}, {game.moves} moves"
            for game in answer.going_on
        ]
        text = ["Games:", *lines, "Bots:", *bots, "Going on:", *(going or ["none"])]
        return answers.result(answer, "\n".join(text))

    async def rules(self, game: GameKey) -> Annotated[CallToolResult, answers.RulesAnswer]:
        """Read the rules of a game, with a board to begin on and how moves are written."""
        asked = game_named(game)
        page = answers.rules_text(asked)
        answer = answers.RulesAnswer(game=asked.key, title=asked.title, rules=page)
        return answers.result(answer, page)

    async def new_game(
        self,
        game: GameKey,
        side: Side = 1,
        level: Level = "casual",
        size: Size = "",
        target: Target = None,
        handicap: Handicap = False,
        deal: Deal = "",
        seed: Seed = None,
        board: BoardText = None,
        first: First = None,
        lesson: Lesson = False,
    ) -> Annotated[CallToolResult, answers.GameAnswer]:
        """Start a game against a bot, or for both sides; the answer has its id.

        If the bot begins, its first move has been made. In a lesson the engine may be asked with
        `review` at any time; in other games only when they are over.
        """
        if side not in (1, 2):
            raise BadRequest(f"You can be Player 1 or Player 2, not {side}.")
        if board is not None and size:
            raise BadRequest("A board has a size already; leave out size.")
        if board is not None and game_named(game).has_hidden_cells:
            raise BadRequest(
                "A board cannot be given where cells are face down: you would know them. They are "
                "dealt when they are turned up."
            )
        players = players_of(side, level)
        one, two = (HUMAN if player == CLIENT else player for player in players)
        setup = Setup(
            game=game, p1=one, p2=two, board=board, deal=deal.casefold().strip(), size=size,
            target=target, handicap=handicap, seed=seed, first=first,
        )  # fmt: skip
        record = await self._engine.run(dealt, setup)
        tags = {LESSON: "yes"} if lesson else {}
        if seed is not None:
            tags[BOT_SEED] = derive_seed(seed, "mcp bot")
        stored = await in_thread(self._store.create, record, players, tags)
        async with self._store.locked(stored.id):
            stored, _, trouble = await self._bot_moves(stored)
        answer = answers.game_answer(stored)
        return answers.result(answer, _joined(trouble, answers.game_text(stored)))

    async def look(
        self, game_id: GameId, picture: Picture = True
    ) -> Annotated[CallToolResult, answers.GameAnswer]:
        """Look at a game: the players, the moves so far, the board, as text and as a picture."""
        game, trouble = await self._current(game_id)
        answer = answers.game_answer(game)
        drawn = [await in_thread(answers.png, game.position)] if picture else []
        return answers.result(answer, _joined(trouble, answers.game_text(game)), *drawn)

    async def legal_moves(
        self, game_id: GameId
    ) -> Annotated[CallToolResult, answers.LegalMovesAnswer]:
        """List the moves that can be played now."""
        game, trouble = await self._current(game_id)
        position = game.position
        answer = answers.LegalMovesAnswer(
            id=game.id,
            version=len(position.history),
            to_move=position.turn or None,
            legal_moves=position.legal_moves,
        )
        moves = " ".join(answer.legal_moves) or position.result_line()
        return answers.result(answer, _joined(trouble, moves))

    async def play(
        self, game_id: GameId, move: Move, version: Version = None
    ) -> Annotated[CallToolResult, answers.PlayAnswer]:
        """Play a move; a bot answers at once. A move that is not legal changes nothing."""
        async with self._store.locked(game_id) as key:
            game = await in_thread(self._store.load, key)
            _check_ours(game)
            before = len(game.position.history)
            game, bot_moves, trouble = await self._bot_moves(game)
            name, problem = None, _stale(game, version)
            if trouble and not problem:
                problem = Problem(kind="engine-failed", message=trouble)
            if not problem:
                try:
                    match = game.match()
                    match.move(move)
                except MoveError as error:
                    problem = answers.problem_of(error)
                else:
                    name = match.moves[-1]
                    game = await in_thread(self._store.store, game.after(match))
                    game, answer_moves, trouble = await self._bot_moves(game)
                    bot_moves += answer_moves
        position = game.position
        answer = answers.PlayAnswer(
            **answers.game_answer(game).model_dump(),
            played=name is not None,
            move=name,
            bot_moves=bot_moves,
            problem=problem,
            legal_moves=position.legal_moves if not game.bot_level else [],
        )
        said = [
            f"Not played. {problem.message}" if problem else f"You played {name}.",
            f"The bot played {', '.join(bot_moves)}." if bot_moves else "",
            answers.passes_text(game.positions[before:]),
            trouble if not problem else "",
            answers.position_text(position, game.you),
        ]
        return answers.result(answer, _joined(*said))

    async def try_line(
        self, game_id: GameId, moves: Moves
    ) -> Annotated[CallToolResult, answers.LineAnswer]:
        """Try moves of both players in turn, and see where they lead. Nothing is played.

        A line stops at a move that is not legal, and where it would turn up a face-down cell.
        """
        if len(moves) > MAX_LINE_MOVES:
            raise BadRequest(f"At most {MAX_LINE_MOVES} moves can be tried at once.")
        game, trouble = await self._current(game_id)
        position, problem = _tried(game.position, moves)
        played = len(game.position.history)
        answer = answers.LineAnswer(
            id=game.id,
            version=played,
            tried=position.moves[played:],
            problem=problem,
            legal_moves=position.legal_moves,
            **answers.ending_fields(position),
        )
        tried = ", ".join(answer.tried) or "no move"
        said = [
            f"After {tried} (tried, not played):",
            answers.position_text(position, game.you),
            f"The line stops here. {problem.message}" if problem else "",
        ]
        return answers.result(answer, _joined(trouble, *said))

    async def resign(self, game_id: GameId) -> Annotated[CallToolResult, answers.GameAnswer]:
        """Give the game up. Then it can be reviewed."""
        async with self._store.locked(game_id) as key:
            game = await in_thread(self._store.load, key)
            _check_ours(game)
            match = game.match()
            match.resign(game.you)
            game = await in_thread(self._store.store, game.after(match))
        answer = answers.game_answer(game)
        return answers.result(answer, answers.game_text(game))

    async def review(
        self, game_id: GameId, context: Context[Any, Any]
    ) -> Annotated[CallToolResult, answers.ReviewAnswer]:
        """Review a game that is over, or a lesson at any time: every move against the best one."""
        game = await in_thread(self._store.load, game_id)
        going_on = not game.position.outcome
        if going_on and not game.lesson:
            raise BadRequest(
                f"The game {game.id} goes on. It can be reviewed when it is over. A game that was "
                "started with lesson=true can be reviewed at any time."
            )
        asked = decisions(game.positions)
        judged, limits = [], limits_for(game.record.game)
        for number, decision in enumerate(asked, 1):
            judged.append(await self._engine.run(judge, decision, limits))
            await context.report_progress(number, len(asked))
        now = []
        if going_on:
            limits = what_if_limits(game.record.game)
            evaluation = await self._engine.run(evaluate, game.position, limits)
            now = answers.worth_of_moves(evaluation)
        review = review_of(game.positions, judged)
        answer = answers.review_answer(game, review, now)
        return answers.result(answer, answers.review_text(answer))

    # How it is done

    def _going_on(self) -> list[answers.GoingOn]:
        return [
            answers.GoingOn(
                id=kept.id, game=kept.game, players=list(kept.players), moves=kept.moves
            )
            for kept in islice(self._store.unfinished(), MAX_GOING_ON)
        ]

    async def _current(self, game_id: str) -> tuple[ClientGame, str]:
        """A game, after its bot has moved if it was to; and why it has not."""
        game = await in_thread(self._store.load, game_id)
        if not game.bot_level:
            return game, ""
        async with self._store.locked(game_id) as key:
            game = await in_thread(self._store.load, key)
            game, _, trouble = await self._bot_moves(game)
        return game, trouble

    async def _bot_moves(self, game: ClientGame) -> tuple[ClientGame, list[str], str]:
        """The game after the bot's moves, on disk; the moves, and why the bot did not move.

        What a client has played is on disk by now: a bot that fails does not undo it.
        """
        played: list[str] = []
        while level := game.bot_level:
            try:
                action = await self._engine.run(bot_action, game.position, level, game.bot_seed)
                match = game.match()
                match.move(action)
                game = await in_thread(self._store.store, game.after(match))
            except GridwiseError as error:
                return game, played, f"The bot has not moved yet. {error} Call look to ask again."
            played.append(match.moves[-1])
        return game, played, ""


def players_of(side: int, level: str) -> tuple[str, str]:
    """Who plays, as records have it. Only bots: a client must not start other programs."""
    name = level.strip().casefold().removeprefix("bot:")
    if name == NO_BOT:
        return CLIENT, CLIENT
    if name not in LEVELS:
        known = ", ".join([*LEVELS, NO_BOT])
        raise BadRequest(f"There is no bot {quoted(level)}. The levels are {known}.")
    return (CLIENT, f"bot:{name}") if side == 1 else (f"bot:{name}", CLIENT)


def _check_ours(game: ClientGame) -> None:
    if not game.is_ours:
        one, two = (quoted(player) for player in game.record.players)
        raise BadRequest(
            f"The game {game.id} is between {one} and {two}. You can look at it, but not play."
        )


def _stale(game: ClientGame, version: int | None) -> Problem | None:
    """Why a move for another version of the game is not played."""
    now = len(game.position.history)
    if version is None or version == now:
        return None
    message = f"The game is at version {now}, not {version}: look at it again."
    return Problem(kind="stale-version", message=message)


def _tried(position: Position, moves: list[str]) -> tuple[Position, Problem | None]:
    """Where moves lead, and why it is not all of them."""
    for move in moves:
        try:
            action = position.read(move)
        except MoveError as error:
            return position, answers.problem_of(error)
        if position.reveals(action):
            name = position.name(action)
            message = f"{name} would turn up face-down cells, and nobody knows what they hold."
            return position, Problem(kind=HIDDEN_CELLS, message=message)
        position = position.play(action)
    return position, None


def _joined(*parts: str) -> str:
    return "\n".join(part for part in parts if part)

"""The games in TextArena: one adapter for all of them. Importing registers the ids.

    import textarena as ta
    import gridwise.evals.textarena
    env = ta.make("Gridwise-NumberRun-v0")

Every id has TextArena's three versions: `Gridwise-NumberRun-v0` with its default wrappers, `-train`
with the prompt, the messages and the last board, `-raw` without wrappers. TextArena counts players
from 0, the games from 1: player id 0 is Player 1.

What a player reads is made by `gridwise.prompts`, from the player's own side: the rules once, the
board at every turn, the legal moves only when it is the player's turn. An action is read like a
reply in an evaluation (its last `MOVE: …` line), or without such a line by its move in `[…]`, as
TextArena's own games do. Those take the first bracket that looks like a move, and a model that
thinks aloud means the last: so neither is taken if they differ. The last bracket must be a move, and
no other may be a different one. The prompt says so. A move that is not legal is TextArena's invalid
move: `error_allowance` of them in a row are forgiven, the next loses. What a player writes is shown
to that player alone; the opponent reads what was played. A game that can go on for ever is a draw,
for TextArena, after 200 plies.

`reset(seed=7)` deals the board of `gridwise.Match(key, seed=7)`, and leaves Python's own random
numbers alone. A copy of an environment deals the cells afresh that nobody has seen.

| option | values |
|---|---|
| `board`, `size` | always this board, or boards of this size |
| `error_allowance` | how many invalid moves in a row are forgiven, 1 by default |
| `legal_moves`, `history`, `board_form`, `rules`, `skin` | as the conditions of an evaluation, but by default `legal_moves` is shown, and `history` hidden: the moves of both players are in TextArena's messages |
"""  # noqa: E501 - a table has long rows

from __future__ import annotations

import re
from typing import Any

from gridwise.extras import require

require("evals", "textarena")

import textarena as ta
from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
from textarena.envs.registration import ENV_REGISTRY, register_with_versions

from gridwise.core.game import Game
from gridwise.core.position import Position
from gridwise.core.registry import follow
from gridwise.core.registry import game as game_named
from gridwise.core.rng import SecretStream, Stream
from gridwise.errors import BadRequest
from gridwise.play.boards import Size, board_source, play_on
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import legal_line, position_text, system_text
from gridwise.prompts.reply import Failure, Reply, read_reply, said
from gridwise.prompts.skins import skin_named

PLAYERS = {0: "Player 1", 1: "Player 2"}

_BRACKETS = re.compile(r"\[([^\[\]]{1,80})\]")
_MANY = 100  # more different texts in brackets than anybody means; a megabyte has 300,000
_BRACKETED = (
    "Instead of that line you can write your move in square brackets: [your move]. Put only this "
    "one move in square brackets: if there are two different ones, none is played."
)


class TextArenaEnv(ta.Env):
    """One game after another between two players who write their moves."""

    def __init__(
        self,
        game: Game | str,
        *,
        board: str | None = None,
        size: Size = None,
        error_allowance: int = 1,
        board_form: str = "grid",
        **conditions: object,
    ) -> None:
        super().__init__()
        self.game = game_named(game) if isinstance(game, str) else game
        self.conditions = Conditions.read(
            **{"legal_moves": "shown", "history": "hidden", "board": board_form, **conditions}
        )
        if not isinstance(error_allowance, int) or error_allowance < 0:
            raise BadRequest("error_allowance is a whole number from 0 on.")
        self._boards = board_source(self.game, board=board, size=size)
        self._error_allowance = error_allowance
        self._skin = skin_named(self.game, self.conditions.skin)
        self._stream: Stream = SecretStream()

    # What TextArena asks for

    def reset(self, num_players: int = 2, seed: int | None = None) -> None:
        """Deal a game. Without a seed the deals go on where the last one stopped."""
        # TextArena would seed the random numbers of the whole program: it is given no seed.
        self.state = GridwiseState(num_players, error_allowance=self._error_allowance)
        if seed is not None:
            self._stream = Stream(seed)
        self._true_board, self.position = self._boards.deal_playable(self._stream)
        self.state.reset(
            game_state={},
            player_prompt_function=self._prompt,
            role_mapping=dict(PLAYERS),
            secret_roles=dict(PLAYERS),  # what its report at the end calls them
        )
        self.state.current_player_id = self.position.turn - 1
        self._show()

    def step(self, action: str) -> tuple[bool, ta.Info]:
        """Play what a player has written, or count it as an invalid move."""
        if self.state.done:
            return True, {}
        text, player = str(action), self.state.current_player_id
        kind = ta.ObservationType
        self.state.add_observation(text, kind.PLAYER_ACTION, from_id=player, to_id=player)
        before, reply = self.position, self._read(text)
        if reply.action is None:
            shown = self.conditions.legal_moves == "shown"
            possible = f" {legal_line(before, self._skin)}." if shown else ""
            self.state.set_invalid_move(reason=f"{reply.reason}{possible}".strip())
        else:
            self.position = play_on(before, reply.action, self._true_board)
            self.state.add_observation(self._played(before, reply), kind.GAME_ACTION_DESCRIPTION)
            outcome = self.position.outcome
            if outcome and outcome.winner in (1, 2):
                self.state.set_winner(outcome.winner - 1, self.position.result_line())
            elif outcome:
                self.state.set_draw(self.position.result_line())
        self._show()
        done, info = self.state.step(rotate_player=self.position.turn != before.turn)
        return bool(done), dict(info)

    def get_board_str(self) -> str:
        """The board for TextArena's renderer."""
        return str(self.position)

    # What players read

    def _prompt(self, player_id: int, game_state: dict[str, Any]) -> str:  # noqa: ARG002 - TextArena's
        rules = system_text(self.position, self.conditions)
        you, other = (self._skin.words.players[each] for each in (player_id, 1 - player_id))
        return f"{rules}\n{_BRACKETED}\nYou are {you}. Your opponent is {other}."

    def _show(self) -> None:
        """Show both players the board, each from their own side, and the mover the legal moves."""
        position, conditions = self.position, self.conditions
        for player in (1, 2):
            lines = [position_text(position, conditions, player)]
            if player == position.turn and conditions.legal_moves == "shown":
                lines.append(legal_line(position, self._skin))
            board = ta.ObservationType.GAME_BOARD
            self.state.add_observation("\n".join(lines), board, to_id=player - 1)
        self.state.game_state = {
            "board": self.game.board_text(position.board),
            "moves": position.moves,
            "scores": position.scores,
        }

    def _played(self, before: Position, reply: Reply) -> str:
        """What was played, in the words of the skin."""
        players = self._skin.words.players
        said = f"{players[before.turn - 1]} played {reply.move}."
        if self.position.turn == before.turn:
            said += f" {players[2 - before.turn]} could not move and passed."
        return said

    # What players do

    def _read(self, text: str) -> Reply:
        """The move in what a player has written."""
        position, conditions = self.position, self.conditions
        # TextArena's wrapper puts brackets around a text that has none: they do not matter here.
        reply = read_reply(text, position, conditions)
        if reply.failure is not Failure.NO_MOVE:
            return reply
        written = _BRACKETS.findall(said(text))
        if not written:
            reason = "There is neither a line MOVE: with a move nor a move in square brackets."
            return reply._replace(reason=reason)
        last = read_reply(f"MOVE: {written[-1]}", position, conditions)
        different = dict.fromkeys(written)
        every = [read_reply(f"MOVE: {each}", position, conditions) for each in [*different][:_MANY]]
        moves = {each.move for each in every if each.failure is not Failure.UNREADABLE}
        if last.action is None or (moves <= {last.move} and len(different) <= _MANY):
            return last
        reason = "Your moves in square brackets differ: only one may be in brackets."
        return Reply(None, last.move, Failure.UNREADABLE, reason)

    # Copies, as searches make them: they must not know what nobody has seen.

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_true_board"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        if "position" in kept:
            self._true_board = self.game.deal_unknown(self.position.board, SecretStream())


class GridwiseState(ta.TwoPlayerState):
    """TextArena's state for two players, which names them as the games do."""

    def set_invalid_move(self, reason: str) -> None:
        """Ask again, or end the game, as TextArena does."""
        if self.error_count >= self.error_allowance:
            super().set_invalid_move(reason)
            return
        self.error_count += 1
        self.made_invalid_move = True
        self.add_observation(
            f"That was not played. {reason} Try again.",
            ta.ObservationType.GAME_ADMIN,
            to_id=self.current_player_id,
        )


def id_of(game: Game) -> str:
    """A game's id in TextArena."""
    return f"Gridwise-{''.join(word.capitalize() for word in game.key.split('-'))}-v0"


def register(game: Game) -> None:
    """Register a game with TextArena, unless it is."""
    wrappers = {"default": DEFAULT_WRAPPERS, "-train": BOARDGAME_WRAPPERS}
    if id_of(game) not in ENV_REGISTRY:
        register_with_versions(id_of(game), TextArenaEnv, wrappers, game=game.key)


follow(register)

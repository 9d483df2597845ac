"""One move of a model, with as many tries as its conditions allow. No input or output happens here.

    turn = Turn(position, conditions)
    while turn.reply is None:
        text, stop = ask_somehow(turn.messages)
        turn.add_reply(text, stop)

A Turn is asking until `reply` is there. After a bad reply `messages` has grown by that reply and by
what was wrong with it, and the model is asked again; after the last try the bad reply is the final
one. Whoever asks a model (the player `model:NAME`, Inspect tasks, TextArena) does it with a Turn,
so retries mean the same everywhere.
"""

from __future__ import annotations

from gridwise.core.position import Position
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import MOVE, legal_line, prompt
from gridwise.prompts.reply import Failure, Reply, read_reply
from gridwise.prompts.skins import skin_named

# A reply of a megabyte that is wrong is not sent back whole: its end is where the move was to be.
MAX_ECHO_LENGTH = 20_000


class Turn:
    """A model that is asked for one move."""

    def __init__(self, position: Position, conditions: Conditions | None = None) -> None:
        self.position = position
        self.conditions = conditions or Conditions()
        self.messages = prompt(position, self.conditions).messages
        self.failures: list[Failure] = []  # what went wrong, in order
        self.reply: Reply | None = None  # the final one

    def add_reply(self, text: str, stop: str = "stop") -> Reply | None:
        """Take a reply; the final one is returned, None means: ask again."""
        if self.reply is not None:
            raise RuntimeError("This turn has its final reply.")
        read = read_reply(text, self.position, self.conditions, stop=stop)
        if read.failure is not None:
            self.failures.append(read.failure)
        if read.failure is None or len(self.failures) > self.conditions.retries:
            self.reply = read
            return read
        # Some providers refuse a message without text, and a cut off one may be very long.
        said = text[-MAX_ECHO_LENGTH:].strip() or "(no text)"
        self.messages.append({"role": "assistant", "content": said})
        self.messages.append({"role": "user", "content": self._ask_again(read)})
        return None

    def _ask_again(self, read: Reply) -> str:
        lines = [read.reason, "Your move has not been played. The position is the same."]
        if self.conditions.legal_moves == "shown":
            lines.append(
                legal_line(self.position, skin_named(self.position.game, self.conditions.skin))
            )
        lines.append(f"Try again. End your reply with one line: {MOVE} and your move.")
        return "\n".join(lines)

"""One move of a model, with as many tries as its conditions allow. No input or output happens here.

    turn = Turn(position, conditions)
    while turn.reply is None:
        text, stop = ask_somehow(turn.messages)
        turn.add_reply(text, stop)

A Turn is asking until `reply` is there. After a bad reply `messages` has grown by that reply and by
what was wrong with it, and the model is asked again; after the last try the bad reply is the final
one. Whoever asks a model (the player `model:NAME`, Inspect tasks, TextArena) does it with a Turn,
so retries mean the same everywhere. What else a model can be asked is a Conversation too.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from gridwise.core.position import Position
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import MOVE, legal_line, prompt
from gridwise.prompts.reply import Failure, Reply, read_reply
from gridwise.prompts.skins import skin_named

# A reply of a megabyte that is wrong is not sent back whole: its end is where the move was to be.
MAX_ECHO_LENGTH = 20_000


class ReadReply(Protocol):
    """What a reply comes to, as far as a conversation must know."""

    @property
    def failure(self) -> Failure | None:
        """What is wrong with it, if anything."""


R = TypeVar("R", bound=ReadReply)


class Conversation(Generic[R]):
    """A model that is asked something, and told what was wrong as long as it may try again."""

    def __init__(self, messages: list[dict[str, str]], retries: int) -> None:
        self.messages = messages
        self.retries = retries
        self.failures: list[Failure] = []  # what went wrong, in order
        self.reply: R | None = None  # the final one

    def add_reply(self, text: str, stop: str = "stop") -> R | None:
        """Take a reply; the final one is returned, None means: ask again."""
        if self.reply is not None:
            raise RuntimeError("This turn has its final reply.")
        read = self.read(text, stop)
        if read.failure is not None:
            self.failures.append(read.failure)
        if read.failure is None or len(self.failures) > self.retries:
            self.reply = read
            return read
        # Some providers refuse a message without text, and a cut off one may be very long.
        said = text[-MAX_ECHO_LENGTH:].strip() or "(no text)"
        self.messages.append({"role": "assistant", "content": said})
        self.messages.append({"role": "user", "content": self.ask_again(read)})
        return None

    def read(self, text: str, stop: str) -> R:
        """What a reply comes to."""
        raise NotImplementedError

    def ask_again(self, read: R) -> str:
        """What is said after a reply that was none."""
        raise NotImplementedError


class Turn(Conversation[Reply]):
    """A model that is asked for one move."""

    def __init__(self, position: Position, conditions: Conditions | None = None) -> None:
        self.position = position
        self.conditions = conditions or Conditions()
        super().__init__(prompt(position, self.conditions).messages, self.conditions.retries)

    def read(self, text: str, stop: str) -> Reply:
        """The move in a reply, or what is wrong with it."""
        return read_reply(text, self.position, self.conditions, stop=stop)

    def ask_again(self, read: Reply) -> str:
        """What was wrong, and the legal moves if they are shown."""
        lines = [read.reason, "Your move has not been played. The position is the same."]
        if self.conditions.legal_moves == "shown":
            lines.append(
                legal_line(self.position, skin_named(self.position.game, self.conditions.skin))
            )
        lines.append(f"Try again. End your reply with one line: {MOVE} and your move.")
        return "\n".join(lines)

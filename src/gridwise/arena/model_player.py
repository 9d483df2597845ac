"""ModelPlayer: a language model as a player, named `model:NAME`.

It is asked with the prompts of `gridwise.prompts`, through any OpenAI-compatible endpoint, and may
try again as often as its conditions say. An answer that stays none is an IllegalAnswer, as from any
other program; a provider that fails is a ProviderFailed, and never a lost game.
"""

from __future__ import annotations

from gridwise.arena.chat_endpoint import ChatEndpoint
from gridwise.core.position import Position
from gridwise.errors import BadRequest, IllegalAnswer, quoted
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.turn import Turn

MAX_NAME = 200


class ModelPlayer:
    """A player that asks the model of a name. It may be asked about several games at once."""

    def __init__(
        self,
        model: str,
        conditions: Conditions | None = None,
        endpoint: ChatEndpoint | None = None,
    ) -> None:
        model = model.strip()
        if not model or not model.isprintable() or len(model) > MAX_NAME:
            raise BadRequest("model: needs the name of a model, like model:gpt-5.")
        self.name = f"model:{model}"
        self._model = model
        self._conditions = conditions or Conditions()
        self._endpoint = endpoint or ChatEndpoint()

    def start(self) -> None:
        """Nothing has to be run: the model runs elsewhere."""

    def choose(self, position: Position) -> int:
        """The move that the model answers with, if it is legal."""
        turn = Turn(position, self._conditions)
        while turn.reply is None:
            turn.hear(*self._endpoint.ask(self._model, turn.messages))
        if turn.reply.action is not None:
            return turn.reply.action
        tries, wrong = len(turn.failures), turn.failures[-1]
        after = "" if tries == 1 else f" after {tries} tries"
        raise IllegalAnswer(
            f"The model {quoted(self._model)} gave no legal move{after} ({wrong}): "
            f"{turn.reply.reason}"
        )

    def close(self) -> None:
        """Give up on every question that is waiting."""
        self._endpoint.close()

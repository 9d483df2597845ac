"""The adversaries as models for Inspect: `adversary/dawdler` and others. Importing registers them.

Each answers in words, through the same pipe as any model. `adversary/oracle` uses retries to ask
which moves are legal: its first answer never is one, its second is perfect. `adversary/quitter`
plays perfectly, and where it has lost it talks until a limit ends the sample.
"""

from __future__ import annotations

from inspect_ai.model import ModelAPI, modelapi

from gridwise import evaluate
from gridwise.core.position import Position
from gridwise.evals.bot_model import BotModel
from gridwise.evals.faulty_replies import FAULTY_REPLIES
from gridwise.prompts.prompt_text import MOVE
from gridwise.prompts.skins import Skin
from research.results.adversaries import ADVERSARIES, NO_MOVE, Perfect

BY_NAME = {each.name.replace(" ", "-"): each for each in ADVERSARIES}
ORACLE, QUITTER = "oracle", "quitter"
ENDLESS_TALK = "and then " * 5_000


class AdversaryModel(BotModel):
    """An adversary behind Inspect's interface for models."""

    names = (*BY_NAME, ORACLE, QUITTER)
    _last, _tries = "", 0  # what was asked, and how often: one sample at a time

    def answer(self, position: Position, skin: Skin, seed: str) -> tuple[str, str]:
        """What is said to a position, and why it ends there; `seed` says of which sample."""
        self._tries = self._tries + 1 if self._last == seed else 0
        self._last = seed
        if self.model_name == ORACLE and not self._tries:
            return FAULTY_REPLIES["illegal"](position, skin)
        if self.model_name == QUITTER and evaluate(position).value == "loss":
            return ENDLESS_TALK, "stop"
        player = BY_NAME.get(self.model_name, Perfect)(seed=f"{seed} {self._tries}")
        move = player.choose(position)
        if move != NO_MOVE:
            move = skin.move_text(position, position.read(move))
        return f"{MOVE} {move}\n", "stop"


@modelapi(name="adversary")
def adversary_model() -> type[ModelAPI]:
    """The adversaries, as Inspect finds them."""
    return AdversaryModel

"""The bots as models for Inspect, without a network: `--model gridwise/perfect`.

    inspect eval gridwise/play --model gridwise/casual -T game=number-run

They answer in words, through the same pipe as any model, and take the position from the sample:
what has been seen of it, in the skin in which the prompt shows it. `-M seed=1` gives other moves.
`gridwise/illegal`, `/garbage`, `/unreadable`, `/truncate` and `/refuse` answer badly in one way
each (`faulty_replies.py`), to see what becomes of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    StopReason,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo
from inspect_ai.util import store

from gridwise.core.position import Position
from gridwise.core.rng import derive_seed
from gridwise.engine.bots import LEVELS, bot
from gridwise.errors import BadRequest, quoted
from gridwise.evals.asking import think
from gridwise.evals.faulty_replies import FAULTY_REPLIES
from gridwise.evals.rules_questions import right_answer, sample_question
from gridwise.evals.tasks import clear_errors
from gridwise.evals.trial import QUESTION_KEY, SAMPLE_KEY, SKIN_KEY, STORE_KEY, Trial
from gridwise.prompts.prompt_text import MOVE
from gridwise.prompts.skins import Skin, skin_named

# How providers say why a reply ended, in Inspect's words.
STOPS: dict[str, StopReason] = {
    "stop": "stop",
    "length": "max_tokens",
    "content_filter": "content_filter",
}


class BotModel(ModelAPI):
    """A bot, or a fault, behind Inspect's interface for models."""

    names: Sequence[str] = (*LEVELS, *FAULTY_REPLIES)

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - as Inspect declares it
        seed: int | str = 0,
        **_model_args: Any,  # noqa: ANN401 - whatever Inspect hands over
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        with clear_errors():
            if model_name not in self.names:
                known = ", ".join(f"gridwise/{name}" for name in self.names)
                raise BadRequest(f"There is no model {quoted(model_name)}. There are {known}.")
        self._seed = seed

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - Inspect's name
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """The bot's reply."""
        del tools, tool_choice, config
        messages = [{"role": each.role, "content": each.text} for each in input]
        text, stop = await self._reply()
        output = ModelOutput.from_content(self.model_name, text, stop)
        words = sum(len(each["content"].split()) for each in messages)
        answered = len(text.split())
        output.usage = ModelUsage(
            input_tokens=words, output_tokens=answered, total_tokens=words + answered
        )
        return output

    async def _reply(self) -> tuple[str, StopReason]:
        sample = store()
        if question := sample.get(QUESTION_KEY):
            asked = sample_question(question)
            if self.model_name not in FAULTY_REPLIES:
                return right_answer(asked), "stop"
            position, skin = asked.position, asked.skin
        elif trial := sample.get(STORE_KEY):
            position = Trial.from_dict(trial).position
            skin = skin_named(position.game, sample.get(SKIN_KEY))
        else:
            raise BadRequest(f"gridwise/{self.model_name} answers the tasks of gridwise only.")
        # Which sample this is for: on a board that is always the same, games shall still differ.
        # What is shown does not matter: under all conditions a bot plays the same.
        seed = f"{self._seed} {sample.get(SAMPLE_KEY, '')} {len(position.history)}"
        text, stop = await think(self.answer, position, skin, seed)
        return text, STOPS[stop]

    def answer(self, position: Position, skin: Skin, seed: str) -> tuple[str, str]:
        """What is said to a position, and why it ends there."""
        if faulty := FAULTY_REPLIES.get(self.model_name):
            return faulty(position, skin)
        return reply_of_bot(position, skin, self.model_name, seed), "stop"


def reply_of_bot(position: Position, skin: Skin, level: str, seed: str) -> str:
    """What a bot would play, as a model would say it."""
    action = bot(position.game, level, derive_seed(seed, "speaker")).choose(position)
    move = skin.move_text(position, action)
    return f"This is what bot:{level} would play.\n{MOVE} {move}\n"


@modelapi(name="gridwise")
def bot_model() -> type[ModelAPI]:
    """The bots, as Inspect finds them."""
    return BotModel

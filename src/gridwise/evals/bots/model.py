"""The bots as models for Inspect, without a network: `--model gridwise/perfect`.

    inspect eval gridwise/play --model gridwise/casual -T game=number-run

They read the prompt and answer in words, through the same pipe as any model. `-M seed=1` gives
other moves. `gridwise/illegal`, `/garbage`, `/unreadable`, `/truncate` and `/refuse` answer badly
in one way each (`faults.py`), to see what becomes of it.
"""

from __future__ import annotations

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

from gridwise.engine.bots import LEVELS
from gridwise.errors import BadRequest, quoted
from gridwise.evals.background import think
from gridwise.evals.bots.faults import FAULTY_REPLIES
from gridwise.evals.bots.speaker import spoken_answer
from gridwise.evals.tasks.arguments import clear_errors
from gridwise.evals.trial import SAMPLE_KEY

# How providers say why a reply ended, in Inspect's words.
STOPS: dict[str, StopReason] = {
    "stop": "stop",
    "length": "max_tokens",
    "content_filter": "content_filter",
}


class BotModel(ModelAPI):
    """A bot, or a fault, behind Inspect's interface for models."""

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
            if model_name not in LEVELS and model_name not in FAULTY_REPLIES:
                known = ", ".join(f"gridwise/{name}" for name in (*LEVELS, *FAULTY_REPLIES))
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
        text, stop = await self._reply(messages)
        output = ModelOutput.from_content(self.model_name, text, stop)
        words = sum(len(each["content"].split()) for each in messages)
        answered = len(text.split())
        output.usage = ModelUsage(
            input_tokens=words, output_tokens=answered, total_tokens=words + answered
        )
        return output

    async def _reply(self, messages: list[dict[str, str]]) -> tuple[str, StopReason]:
        if self.model_name in FAULTY_REPLIES:
            text, stop = await think(FAULTY_REPLIES[self.model_name], messages)
            return text, STOPS[stop]
        # Which sample this is for: on a board that is always the same, games shall still differ.
        seed = f"{self._seed} {store().get(SAMPLE_KEY, '')}"
        return await think(spoken_answer, messages, self.model_name, seed), "stop"


@modelapi(name="gridwise")
def bot_model() -> type[ModelAPI]:
    """The bots, as Inspect finds them."""
    return BotModel

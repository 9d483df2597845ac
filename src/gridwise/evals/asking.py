"""Asking a model for one move: the sans-IO Turn of `gridwise.prompts`, driven by Inspect's model.

What a provider does wrong is raised, and Inspect makes it an error of the sample: it is never a
move, and never a lost game.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

import anyio.to_thread
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Model,
    ModelName,
    ModelOutput,
    get_model,
)

from gridwise.core.position import Position
from gridwise.errors import ProviderFailed
from gridwise.evals.trial import TurnRecord
from gridwise.players.batch_player import NO_ACTION
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.turn import Conversation, R, Turn

# Inspect's names for why a model stopped, as `prompts.reply` knows them.
STOPS = {"max_tokens": "length", "model_length": "length"}
MESSAGES = {
    "system": ChatMessageSystem,
    "user": ChatMessageUser,
    "assistant": ChatMessageAssistant,
}

CHARACTERS_A_TOKEN = 4
P = ParamSpec("P")
T = TypeVar("T")

_thinking = threading.Lock()


class TurnResult(NamedTuple):
    """What came of asking a model for a move."""

    action: int  # NO_ACTION if there was none after all retries
    record: TurnRecord
    messages: list[ChatMessage]
    output: ModelOutput


def evaluated_model(role: str | None = None) -> Model:
    """The model that is evaluated, or the one in a role, which must have been given.

    Inspect's mock counts tokens with a tokenizer that is downloaded when it is first needed. A mock
    has no tokens to speak of, and no network is needed here: its characters are counted.
    """
    model = get_model(role=role, required=role is not None)
    if ModelName(model).api == "mockllm":
        model.api.count_text_tokens = _estimated_tokens  # type: ignore[method-assign]
    return model


async def _estimated_tokens(text: str) -> int:
    return max(1, len(text) // CHARACTERS_A_TOKEN)


def chat_messages(messages: list[dict[str, str]]) -> list[ChatMessage]:
    """Messages as Inspect has them."""
    return [MESSAGES[each["role"]](content=each["content"]) for each in messages]


def stop_reason(output: ModelOutput) -> str:
    """Why the model stopped; raises ProviderFailed if there is no answer to speak of."""
    if not output.choices or (output.error and output.stop_reason != "content_filter"):
        raise ProviderFailed(output.error or "The provider answered with nothing.")
    content = output.message.content
    if not isinstance(content, str) and any(getattr(part, "refusal", None) for part in content):
        return "refusal"  # OpenAI's own field for it; why the model stopped is "stop" then
    return STOPS.get(output.stop_reason, str(output.stop_reason))


async def final_reply(model: Model, asked: Conversation[R]) -> tuple[R, ModelOutput]:
    """Ask until there is a reply that can be read, or the retries are used up."""
    while True:
        output = await model.generate(chat_messages(asked.messages))
        reply = asked.add_reply(output.completion, stop_reason(output))
        if reply is not None:
            return reply, output


async def ask(model: Model, position: Position, conditions: Conditions) -> TurnResult:
    """Ask for a move."""
    turn = Turn(position, conditions)
    reply, output = await final_reply(model, turn)
    record = TurnRecord(
        ply=len(position.history),
        move="" if reply.action is None else position.name(reply.action),
        failure="" if reply.failure is None else str(reply.failure),
        failures=tuple(str(each) for each in turn.failures),
    )
    action = NO_ACTION if reply.action is None else reply.action
    return TurnResult(action, record, chat_messages(turn.messages), output)


async def think(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a function returns, computed in a thread: bots and judges think off the event loop.

    A model's answers are waited for by the hundred; a search that held the loop for a third of a
    second would hold up all of them. One thread at a time, because the work is computing, and
    because the same order of calls in one game gives the same moves however many games go on.
    """

    def alone() -> T:
        with _thinking:
            return work(*args, **kwargs)

    # Whoever stops a run does not wait for those in the queue.
    return await anyio.to_thread.run_sync(alone, abandon_on_cancel=True)

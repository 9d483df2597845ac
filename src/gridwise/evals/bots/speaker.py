"""A bot that speaks: it reads a prompt as a model does and answers in words, with a MOVE line.

It knows nothing but the text it is given, so whatever it can play, the prompt has said. Questions
about the rules (`gridwise/rules`) are answered too, always rightly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gridwise.core.rng import derive_seed
from gridwise.engine.bots import bot
from gridwise.evals.questions import read_rules_question, right_answer
from gridwise.prompts.labels import MOVE
from gridwise.prompts.read_prompt import read_question


def spoken_answer(messages: Sequence[Mapping[str, str]], level: str, seed: int | str = 0) -> str:
    """A reply to a conversation; raises BadRequest for one that asks for no move of ours.

    The same conversation and seed get the same reply, whatever was asked before.
    """
    asked = "\n".join(each["content"] for each in messages if each["role"] == "user")
    question = read_rules_question(asked)
    if question:
        return right_answer(question)
    position, clothes = read_question(asked)
    player = bot(position.game, level, derive_seed(f"{seed} {asked}", "speaker"))
    move = clothes.move_text(position, player.choose(position))
    return f"This is what bot:{level} would play.\n{MOVE} {move}\n"

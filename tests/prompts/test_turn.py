"""A turn asks until there is a legal move, as often as allowed, and tells what was wrong."""

from __future__ import annotations

import pytest

from gridwise.prompts.conditions import Conditions
from gridwise.prompts.prompt_text import prompt
from gridwise.prompts.reply import Failure
from gridwise.prompts.turn import MAX_ECHO_LENGTH, Turn
from tests.prompts.samples import example


def test_a_good_reply_ends_it_at_once() -> None:
    """Two messages go out, the prompt's; nothing has failed."""
    position = example("number-run")
    turn = Turn(position)
    assert turn.messages == prompt(position).messages
    reply = turn.add_reply("MOVE: 2,4")
    assert reply is not None
    assert reply is turn.reply
    assert (reply.action, turn.failures) == (position.read("2,4"), [])


def test_after_a_bad_reply_the_model_is_told_why_and_asked_again() -> None:
    """The conversation grows by the reply and by the reason; a later good one counts."""
    turn = Turn(example("number-run"), Conditions(legal_moves="shown"))
    assert turn.add_reply("Let me see.\nMOVE: 4,4") is None
    assert [each["role"] for each in turn.messages] == ["system", "user", "assistant", "user"]
    assert turn.messages[2]["content"] == "Let me see.\nMOVE: 4,4"
    assert "4,4 has already been visited by you." in turn.messages[3]["content"]
    assert "Legal moves: 2,4; 3,3" in turn.messages[3]["content"]
    assert turn.add_reply("MOVE: 3,3!") is None  # nobody is next to 3,3
    reply = turn.add_reply("MOVE: 3,3")
    assert reply is not None
    assert reply.failure is None
    assert turn.failures == [Failure.ILLEGAL, Failure.ILLEGAL]


def test_hidden_legal_moves_stay_hidden_in_the_answer() -> None:
    """The reason is told, what would have been possible is not."""
    turn = Turn(example("grid-conquest"), Conditions(legal_moves="hidden"))
    turn.add_reply("MOVE: C3")
    turn.add_reply("MOVE: Z9")
    said = "\n".join(each["content"] for each in turn.messages)
    assert "C3 has already been claimed by your opponent." in said
    assert "Legal moves" not in said
    assert "Possible" not in said


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_there_are_as_many_tries_as_the_condition_says(retries: int) -> None:
    """The last bad reply is the final one; then nothing more is heard."""
    turn = Turn(example("number-maze"), Conditions(retries=retries))
    for _ in range(retries):
        assert turn.add_reply("no idea") is None
    reply = turn.add_reply("no idea")
    assert reply is not None
    assert reply.failure == Failure.NO_MOVE
    assert turn.failures == [Failure.NO_MOVE] * (retries + 1)
    with pytest.raises(RuntimeError):
        turn.add_reply("MOVE: up")


def test_a_reply_of_a_megabyte_is_not_sent_back_whole() -> None:
    """Its end is enough; and one without text is not sent as nothing, which some would refuse."""
    turn = Turn(example("number-maze"))
    turn.add_reply("x" * 1_000_000 + " MOVE: nowhere")
    turn.add_reply("")
    echoes = [each["content"] for each in turn.messages if each["role"] == "assistant"]
    assert len(echoes[0]) == MAX_ECHO_LENGTH
    assert echoes[0].endswith("x MOVE: nowhere")
    assert echoes[1].strip()


def test_reasons_speak_the_words_of_the_skin() -> None:
    """A model that plays Frog Pond never hears of a token or a grid."""
    turn = Turn(example("number-maze"), Conditions(skin="theme"))
    turn.add_reply("MOVE: seaward")
    turn.add_reply("MOVE: up")
    said = turn.messages[3]["content"] + turn.messages[5]["content"]
    assert "would leave the pond" in said
    for word in ("token", "grid", "board", "up,"):
        assert word not in said

"""A reply's move is in its last MOVE line: read forgivingly, never guessed, never replaced."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gridwise import Position, games
from gridwise.prompts.conditions import Conditions
from gridwise.prompts.reply import Failure, read_reply
from gridwise.prompts.skins import every_skin, skin_named
from tests.prompts.samples import example, positions
from tests.sizes import sample

RUN = example("number-run")  # P2 may go to 2,4 or 3,3
MAZE = Position("number-maze", "1324/2132/4213/3421")  # P1 may go down or right
REPLIES = tomllib.loads((Path(__file__).parent / "replies.toml").read_text(encoding="utf-8"))
DRESSES = (
    *(
        "{}",
        "**{}**",
        "`{}`",
        '"{}"',
        " {} ",
        "({})",
        "{}.",
        "\n{}",
        "= {}",
        "| {} |",
        "{}</answer>",
    ),
    *("\\boxed{{{}}}", "$\\boxed{{\\text{{{}}}}}$", "{}<|im_end|>", "go to {}", "<b>{}</b>"),
)
PAIRS = ("{} or {}", "{}, {}", "{} {}", "{}; {}", "{} ({})", "{}, not {}", "{}. Then {}", "{} | {}")
PROMPT_LIKE = "Game: Number Run\nLegal moves: 0,1\nMOVE: your move\n"


@pytest.mark.parametrize("number", range(len(REPLIES["replies"])))
def test_a_reply_means_what_a_person_would_say(number: int) -> None:
    """The table `replies.toml`, judged by hand: each text is one move or has one fault."""
    group = REPLIES["replies"][number]
    game, board, moves = REPLIES["positions"][group["position"]]
    position, skin = Position(game, board, moves=moves.split()), group.get("skin", "plain")
    wrong = {}
    for text, meaning, *stop in group["texts"]:
        read = read_reply(text, position, Conditions(skin=skin), stop=stop[0] if stop else "stop")
        understood = read.move if read.failure is None else read.failure
        if understood != meaning:
            wrong[text] = f"{understood}, but it means {meaning}"
    assert not wrong


def test_the_table_of_replies_is_large_and_whole() -> None:
    """Over 200 replies to all five games, in several skins, and every failure a text can have."""
    groups = REPLIES["replies"]
    texts = [(each["position"], each.get("skin"), *row) for each in groups for row in each["texts"]]
    assert len({tuple(row) for row in texts}) == len(texts) > 200
    used = {REPLIES["positions"][group["position"]][0] for group in groups}
    assert used == {game.key for game in games()}
    assert len({group.get("skin") for group in groups}) > 4
    assert {*Failure} - {row[3] for row in texts} == {Failure.FAILED}


@pytest.mark.parametrize(
    "text",
    [
        "MOVE: 2,4",
        "move: 2,4",
        "Move:2,4",
        "MOVE : (2, 4)",
        "I thought about 3,3.\n\nMOVE: 2,4\n",
        "**MOVE: 2,4**",
        "**MOVE:** 2,4",
        "**MOVE**: 2,4",
        "`MOVE: 2,4`",
        "`MOVE:` `2,4`",
        "- MOVE: 2,4",
        "> MOVE: 2,4.",
        "### MOVE: 2,4",
        'MOVE: "2,4"',
        "MOVE: “2,4”",
        "MOVE: <2,4>",
        "MOVE: [2,4]",
        "```\nMOVE: 2,4\n```",
        '{"thought": "hm", "MOVE": "2,4"}',
        "\uff2d\uff2f\uff36\uff25\uff1a\uff12\uff0c\uff14",  # full-width letters and digits
        "MOVE: ٢,٤",
        "MOVE: ٢،٤",
        "MOVE: २,४",
        "MOVE: 2、4",
        "MOVE: 3,3\nNo, wait.\nMOVE: 2,4",
        "MOVE: 9,9\nMOVE: banana\nMOVE: 2,4",
        f"{PROMPT_LIKE}MOVE: 2,4",
        "MOVE: 2,4\r\n\r\n",
        "MOVE: 2,4\n\nThis takes me towards the goal.",
        "MOVE: 24",
        "MOVE: \n24",
        "MOVE: up",  # read as in play: a direction will do
    ],
)
def test_the_move_is_found_in_whatever_it_is_wrapped(text: str) -> None:
    """Case, Markdown, quotation marks, brackets, code fences, digits of other languages."""
    reply = read_reply(text, RUN)
    assert (reply.action, reply.move, reply.failure) == (RUN.read("2,4"), "2,4", None)


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("", Failure.NO_MOVE),
        ("2,4", Failure.NO_MOVE),
        ("I play 2,4.", Failure.NO_MOVE),
        ("My move is 2,4", Failure.NO_MOVE),
        ("REMOVE: 2,4", Failure.NO_MOVE),
        ("MOVE 2,4", Failure.NO_MOVE),
        ("MOVE:", Failure.NO_MOVE),
        ("MOVE: \n243", Failure.UNREADABLE),
        ("MOVE: 3,3 would be bad, so MOVE: 2,4", Failure.UNREADABLE),
        ("MOVE: **", Failure.NO_MOVE),
        ("I'm sorry, I can't help with that.", Failure.NO_MOVE),
        ("MOVE: banana", Failure.UNREADABLE),
        ("MOVE: your move", Failure.UNREADABLE),
        ("MOVE: 2,4 or 3,3", Failure.UNREADABLE),
        ("MOVE: 2,4; 3,3", Failure.UNREADABLE),
        ("MOVE: 243", Failure.UNREADABLE),
        ("MOVE: 9,9", Failure.UNREADABLE),
        ("MOVE: 2,4\nMOVE: none of these", Failure.UNREADABLE),
        ("MOVE: 2,4" + " " * 300 + "not really", Failure.UNREADABLE),
        ("MOVE: 2,4" + "!" * 100, Failure.UNREADABLE),
        ("MOVE: 4,4", Failure.ILLEGAL),
        ("MOVE: 2,4!", Failure.ILLEGAL),
        ("MOVE: 0,0", Failure.ILLEGAL),
        ("MOVE: right", Failure.ILLEGAL),
        ("MOVE: 2,4\nMOVE: 4,4", Failure.ILLEGAL),
    ],
)
def test_what_is_no_legal_move_is_called_by_its_name(text: str, failure: Failure) -> None:
    """Nothing else in the reply is taken for a move, not even where only one would be possible."""
    reply = read_reply(text, RUN)
    assert (reply.action, reply.failure) == (None, failure)
    assert reply.reason
    assert "\n" not in reply.reason


@pytest.mark.parametrize(
    ("skin", "written", "reason"),
    [
        ("plain", "9,9", 'The board has no cell "9,9": the first is 0,0, the last is 4,4.'),
        ("theme", "Z9", 'The quarter has no house "Z9": the first is A1, the last is E5.'),
        ("theme+turned", "f1 haggle", 'The quarter has no house "f1 haggle": the first is A1,'),
    ],
)
def test_a_cell_that_is_not_there_is_no_move_and_the_reason_says_which_are(
    skin: str, written: str, reason: str
) -> None:
    """In the words and coordinates of the skin."""
    reply = read_reply(f"MOVE: {written}", RUN, Conditions(skin=skin))
    assert reply.failure is Failure.UNREADABLE
    assert reply.reason.startswith(reason)


@pytest.mark.parametrize("stop", ["length", "max_tokens", "model_length"])
def test_a_reply_that_was_cut_off_is_truncated_and_not_illegal(stop: str) -> None:
    """Whatever it had said so far: what it would have said last, nobody knows."""
    cut = ("", "Let me", "MOVE:", "MOVE: 2,4 is bad. So", "MOVE: 4,4", "MOVE: 2,4\nOn second")
    for text in (*cut, "MOVE: 2,4"):  # the last might have gone on, as `2,4!`
        assert read_reply(text, RUN, stop=stop).failure == Failure.TRUNCATED
    complete = read_reply("Good.\nMOVE: 2,4\n", RUN, stop=stop)
    assert complete.action == RUN.read("2,4")


@pytest.mark.parametrize("stop", ["content_filter", "refusal"])
def test_a_safeguard_that_stops_a_reply_is_a_refusal(stop: str) -> None:
    """Also if there was text already."""
    for text in ("", "MOVE: 2,4"):
        assert read_reply(text, RUN, stop=stop).failure == Failure.REFUSED


def test_the_names_of_failures_stay_put() -> None:
    """Logs and reports count by them."""
    names = ["no-move", "unreadable", "illegal", "truncated", "refused", "failed"]
    assert [str(each) for each in Failure] == names


@settings(max_examples=sample(150, long=300), deadline=None)
@given(
    st.text(max_size=200)
    | st.text(alphabet="MOVEmove:\uff1a*`\"' \n0123456789,!()[]{}udlr؛،", max_size=80)
)
def test_no_text_is_a_crash_or_a_guess(text: str) -> None:
    """A reply has a legal action or a failure, never both, never neither."""
    for stop in ("stop", "length", "content_filter", "tool_calls"):
        reply = read_reply(text, RUN, stop=stop)
        assert (reply.action is None) == (reply.failure is not None)
        if reply.action is not None:
            assert RUN.is_legal(reply.action)
            assert ":" in unicodedata.normalize("NFKC", text)
        assert "\n" not in reply.reason


@settings(max_examples=sample(80, long=150), deadline=None)
@given(positions(), st.data())
def test_every_legal_move_is_read_back_however_it_is_dressed(
    position: Position, data: st.DataObject
) -> None:
    """In every skin, after any talk, the last move wins over all that came before."""
    skin = data.draw(st.sampled_from(every_skin(position.game)))
    action = data.draw(st.sampled_from(position.legal))
    move = skin.move_text(position, action)
    dress = data.draw(st.sampled_from(DRESSES))
    spelt = data.draw(st.sampled_from([move, move.upper(), move.lower()]))
    talk = data.draw(st.text(max_size=100))
    other = skin.move_text(position, data.draw(st.sampled_from(position.legal)))
    text = f"MOVE: {other}\n{talk}\nMOVE: {dress.format(spelt)}"
    reply = read_reply(text, position, Conditions(skin=skin.name))
    assert (reply.action, reply.move, reply.failure) == (action, move, None)


@settings(max_examples=sample(80, long=300), deadline=None)
@given(positions(), st.data())
def test_of_two_moves_none_is_taken(position: Position, data: st.DataObject) -> None:
    """In every skin: a line with two different moves is no move, however they stand together."""
    skin = data.draw(st.sampled_from(every_skin(position.game)))
    moves = list(skin.legal_moves(position).values())
    assume(len(moves) > 1)
    one, other = data.draw(st.permutations(moves))[:2]
    both = data.draw(st.sampled_from(PAIRS)).format(one, other)
    reply = read_reply(f"MOVE: {both}", position, Conditions(skin=skin.name))
    assert reply.failure is Failure.UNREADABLE, reply


@settings(max_examples=sample(80, long=300), deadline=None)
@given(positions(), st.data())
def test_a_step_and_its_cell_are_read_together(position: Position, data: st.DataObject) -> None:
    """`right (to 1,2)`, `1,1 -> 1,2`: in every skin, if they agree, and else not."""
    skin = data.draw(st.sampled_from(every_skin(position.game)))
    tokens = [cell.token for cell in position.bare_cells]
    assume(position.turn in tokens)
    here = skin.cell_name(position.board, tokens.index(position.turn))
    action = data.draw(st.sampled_from(position.legal))
    move, to = skin.move_text(position, action), position.target(action)
    cell = skin.cell_name(position.board, to)
    for text in (f"{move} (to {cell})", f"{move} (from {here} to {cell})", f"{here} -> {move}"):
        assert read_reply(f"MOVE: {text}", position, Conditions(skin=skin.name)).move == move
    elsewhere = data.draw(st.integers(0, position.board.size - 1))
    assume(elsewhere not in {to, tokens.index(position.turn)})
    text = f"MOVE: {move} (to {skin.cell_name(position.board, elsewhere)})"
    failure = read_reply(text, position, Conditions(skin=skin.name)).failure
    assert failure is Failure.UNREADABLE


@pytest.mark.parametrize(
    "text",
    [
        "MOVE: " * 170_000,
        "MOVE: " + "9" * 1_000_000,
        "MOVE" + " " * 1_000_000 + ":",
        "*" * 1_000_000 + "MOVE: right",
        "\n" * 1_000_000 + "MOVE: right",
        "MOVE: right\n" * 80_000,
        "ﷺ" * 300_000 + "\nMOVE: right",
        "MOVE: right" + "`" * 50,
        *(
            unit * (1_000_000 // len(unit))
            for unit in (
                ". ",
                ". MOVE:",
                "<think>",
                "<b ",
                "\\boxed{",
                '"move": 1,',
                "so the answer ",
                "- MOVE: 1\n",
                '"a": "\\',
                "'a': [",
                "\\boxed{1}.\n",
            )
        ),
    ],
    ids=range(19),
)
def test_a_megabyte_is_read_in_no_time(text: str) -> None:
    """It grows with the length and not faster: twice as much would otherwise take for ever."""
    reply = read_reply(text, MAZE)
    assert (reply.action == MAZE.read("right")) == text.rstrip("`\n").endswith("right")
    assert len(reply.move) < 100
    assert len(reply.reason) < 500


def test_a_skin_is_read_in_its_own_words_only() -> None:
    """On a mirrored board the plain word for a direction is no move."""
    skin = skin_named("number-maze", "theme+mirrored")
    conditions = Conditions(skin=skin.name)
    # P1's frog sits in the displayed top right corner: it can go left ("woodward") and down.
    assert set(skin.legal_moves(MAZE).values()) == {"seaward", "woodward"}
    assert read_reply("MOVE: Woodward", MAZE, conditions).action == MAZE.read("right")
    assert read_reply("MOVE: w", MAZE, conditions).action == MAZE.read("right")
    assert read_reply("MOVE: right", MAZE, conditions).failure == Failure.UNREADABLE
    assert read_reply("MOVE: townward", MAZE, conditions).failure == Failure.ILLEGAL

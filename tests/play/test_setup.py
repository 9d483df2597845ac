"""A new game as data: its deal, the fields of a form, and what the filled-in form asks for."""

from __future__ import annotations

import pytest

from gridwise.core.game import Game
from gridwise.core.narration import COLOURS
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.core.rng import random_stream
from gridwise.errors import BadBoard, BadRequest, GridwiseError
from gridwise.play.match import HUMAN, Match
from gridwise.play.series import BOTH_SIDES, Series
from gridwise.play.setup import (
    MODEL,
    OTHER,
    Setup,
    deals,
    remembered,
    setup_fields,
    setup_from,
    shown_fields,
)

OWN = "11111/22222/33333/44444/55555"


@pytest.mark.parametrize("key", ["number-run", "grid-conquest"])
def test_one_seed_is_one_deal_and_one_toss(key: str) -> None:
    """The first round of a seed is the board of `Match(seed=…)`; later rounds are others."""
    setup = Setup(game=key, seed=7, deal="uniform")
    match, plain = setup.new_match(), Match(key, seed=7)
    assert (match.true_board, match.first) == (plain.true_board, plain.first)
    again = setup.next_round(match.game, (HUMAN, "bot:casual"))
    assert (again.p1, again.p2) == ("bot:casual", HUMAN)
    assert again.new_match().true_board != match.true_board


def test_programs_get_what_the_rules_describe() -> None:
    """People get a board that is fun; a kind that was asked for is dealt to everybody."""
    assert Setup(game="number-maze").kind == "even"
    assert Setup(game="number-maze", p1="bot:casual", p2=" Human ").kind == "even"
    assert Setup(game="number-maze", p1="casual", p2="ugi:x").kind == "uniform"
    assert Setup(game="number-maze", deal="fair", p1="casual", p2="casual").kind == "fair"


def test_a_board_has_a_size_already() -> None:
    """Both at once is a mistake."""
    with pytest.raises(BadRequest, match="not both"):
        Setup(game="number-run", board=OWN, size="5x5").new_board(random_stream(1))


def test_nothing_is_called_even_that_the_solver_knows_is_not() -> None:
    """Only boards of Number Maze are: of those of Number Connect Player 1 wins nine in ten."""
    labels = {game.key: {each.value: each.label for each in deals(game)} for game in games()}
    assert [key for key, label in labels.items() if label.get("even") == "Even"] == ["number-maze"]
    assert labels["number-connect"]["even"] == "Balanced"
    assert labels["number-run"]["even"] == "Standard"


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (Setup(game="number-run"), "Player 1 can always win with perfect play. Between casual"),
        (Setup(game="number-run", board=OWN), "Player 1 can always win with perfect play."),
        (Setup(game="number-run", handicap=True), "Player 2 starts at 3,3 with 7 points: about"),
        (Setup(game="grid-runner"), "Player 1 can always win with perfect play."),
        (Setup(game="grid-runner", handicap=True), "The board is a row shorter: neither side can"),
        (Setup(game="number-maze"), "With perfect play Player 1 wins 41 % of the boards, Player"),
        (Setup(game="number-maze", deal="uniform"), "With perfect play it is about even."),
        (
            Setup(game="number-connect"),
            "With perfect play Player 1 wins 92 % of the boards, Player 2 8 %.",
        ),
        (Setup(game="grid-conquest"), "Whoever begins wins 67 % between equally good players. A c"),
    ],
)
def test_a_setup_says_who_is_better_off(setup: Setup, says: str) -> None:
    """As the facts are known: proofs, solved boards, games between bots."""
    assert setup.outlook().startswith(says)


def test_the_words_are_colours_where_people_see_them() -> None:
    """In a dialogue it is Player 2, on a screen Red."""
    assert Setup(game="number-run", handicap=True).outlook(COLOURS) == (
        "Red starts at 3,3 with 7 points: about even."
    )
    board = game_named("number-run").parse_board(OWN, handicap=20)  # of a record
    assert Setup(game="number-run").outlook(COLOURS, board) == "Red starts at 3,3 with 20 points."


@pytest.mark.parametrize(
    "setup", [Setup(game="number-run", size="6x7"), Setup(game="number-connect", target=20)]
)
def test_what_nobody_has_found_out_is_not_said(setup: Setup) -> None:
    """Sizes and targets that nobody has looked at."""
    assert setup.outlook() == ""


def test_people_against_bots_get_the_even_start() -> None:
    """Two people, and whoever watches, the one of the rules; all are one key from the other."""
    game = game_named("number-run")
    assert setup_from(game, values_for("number-run"), watch=False).handicap
    assert not setup_from(game, values_for("number-run", start="standard"), watch=False).handicap
    two = values_for("number-run", opponent=HUMAN)
    assert not setup_from(game, two, watch=False).handicap
    assert setup_from(game, two | {"people_start": "even"}, watch=False).handicap
    assert not setup_from(game, values_for("number-run"), watch=True).handicap


@pytest.mark.parametrize("chosen", [{"size": "6x6"}, {"deal": OTHER, "board": OWN}])
def test_another_board_has_the_standard_start(chosen: dict[str, str]) -> None:
    """What the handicap does there is not known, and a typed board is played as it is."""
    game, values = game_named("number-run"), values_for("number-run", **chosen)
    assert "start" not in shown_fields(game, values, watch=False)
    assert not setup_from(game, values, watch=False).handicap


def test_the_same_board_is_not_offered_twice_where_it_is_face_down() -> None:
    """Whoever had seen the cells in the first game would know them in the second."""
    offered = [
        game.key
        for game in games()
        if str(BOTH_SIDES) in [each.value for each in setup_fields(game)["best_of"].choices]
    ]
    assert offered == [game.key for game in games() if not game.has_hidden_cells]
    with pytest.raises(BadRequest, match="knows what is face down"):
        Setup(game="grid-conquest", series=Series(BOTH_SIDES)).new_match()


@pytest.mark.parametrize(
    ("setup", "side", "terms"),
    [
        (Setup(game="number-run"), 1, None),
        (Setup(game="number-run"), 2, "harder side"),
        (Setup(game="number-run", handicap=True), 1, "even start"),
        (Setup(game="number-run", handicap=True), 0, None),
        (Setup(game="number-run", handicap=True, seed=7), 1, None),
        (Setup(game="number-run", handicap=True, board=OWN), 1, None),
        (Setup(game="number-run", handicap=True, size="6x6"), 1, None),
        (Setup(game="number-run", series=Series(BOTH_SIDES)), 1, "both sides"),
        (Setup(game="number-run", series=Series(BOTH_SIDES), size="7x9"), 1, None),
        (Setup(game="number-connect", series=Series(BOTH_SIDES), target=1), 1, None),
        (Setup(game="grid-runner"), 1, None),
        (Setup(game="grid-runner", handicap=True), 2, "even start"),
        (Setup(game="number-maze"), 1, "even board"),
        (Setup(game="number-maze", deal="uniform"), 2, None),
        (Setup(game="number-maze", size="1x2"), 2, None),
        (Setup(game="number-connect"), 1, "even board"),
        (Setup(game="number-connect", size="3x4"), 1, None),
        (Setup(game="number-connect", target=4), 1, None),
        (Setup(game="number-connect", deal="uniform"), 1, None),
        (Setup(game="number-connect", deal="uniform"), 2, "harder side"),
        (Setup(game="grid-conquest"), 1, "coin toss"),
        (Setup(game="grid-conquest", target=1), 1, None),
        (Setup(game="grid-conquest", size="1x1"), 1, None),
        (Setup(game="grid-conquest", first=1), 1, None),
        (Setup(game="grid-conquest", first=2), 1, "harder side"),
    ],
)
def test_what_makes_a_game_one_on_even_terms(setup: Setup, side: int, terms: str | None) -> None:
    """An even board or start, chance, or the side with which perfect play loses.

    Where nobody knows who is better off, nothing: whoever begins to 1 point wins.
    """
    match = setup.new_match()
    assert setup.terms(match.board, match.first, side) == terms


# The form


def values_for(key: str, **chosen: str) -> dict[str, str]:
    """The form as it is at first, with some rows changed."""
    fields = setup_fields(game_named(key)).items()
    first = {name: field.choices[0].value if field.choices else "" for name, field in fields}
    return {**first, **chosen}


def test_the_choices_make_the_setup_that_the_command_line_would() -> None:
    """Every row ends up in its place."""
    values = values_for(
        "number-connect",
        opponent="bot:strong",
        side="2",
        deal="uniform",
        size="5x5",
        target="21",
        best_of="3",
        seed="7",
    )
    setup = setup_from(game_named("number-connect"), values, watch=False)
    assert setup == Setup(
        game="number-connect",
        p1="bot:strong",
        p2=HUMAN,
        deal="uniform",
        size="5x5",
        target=21,
        seed=7,
        series=Series(3),
    )


def test_two_people_need_no_side() -> None:
    """They sit where they like; to whoever plays a bot next, that was side 1."""
    game = game_named("number-run")
    values = values_for("number-run", opponent=HUMAN, side="2")
    assert "side" not in shown_fields(game, values, watch=False)
    setup = setup_from(game, values, watch=False)
    assert (setup.p1, setup.p2) == (HUMAN, HUMAN)
    assert remembered(values, setup)["last_side"] == "1"


def test_two_people_may_have_names() -> None:
    """They are asked for only where two people play; without one it is a person."""
    game = game_named("number-run")
    typed = {"name1": "  Ann ", "name2": ""}
    values = values_for("number-run", opponent=HUMAN, **typed)
    shown = shown_fields(game, values, watch=False)
    assert shown[shown.index("opponent") + 1 :][:2] == ["name1", "name2"]
    setup = setup_from(game, values, watch=False)
    assert (setup.p1, setup.p2) == ("human:Ann", HUMAN)
    assert setup.kind == "even"
    assert remembered(values, setup)["last_side"] == "1"
    against_bot = values_for("number-run", **typed)
    assert not {"name1", "name2"} & {*shown_fields(game, against_bot, watch=False)}
    assert setup_from(game, against_bot, watch=False).p1 == HUMAN


def test_a_game_to_watch_is_no_series() -> None:
    """Whatever was chosen when somebody played: the row is not there."""
    game, values = game_named("number-run"), values_for("number-run", best_of="3")
    assert setup_from(game, values, watch=False).series == Series(3)
    assert setup_from(game, values, watch=True).series == Series(1)


@pytest.mark.parametrize(
    ("choice", "row", "typed", "player"),
    [
        (OTHER, "program", " ./engine --fast ", "ugi:./engine --fast"),
        (MODEL, "model", " llama3:8b ", "model:llama3:8b"),
    ],
)
def test_a_program_or_a_model_is_named(choice: str, row: str, typed: str, player: str) -> None:
    """It is asked for only where it is wanted, also to watch it against a bot."""
    game = game_named("number-run")
    assert row not in shown_fields(game, values_for("number-run"), watch=False)
    values = values_for("number-run", opponent=choice, p1=choice, p2="bot:novice", **{row: typed})
    for watch in (False, True):
        assert row in shown_fields(game, values, watch=watch)
    assert setup_from(game, values, watch=False).p2 == player
    assert setup_from(game, values, watch=True).p1 == player


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_only_rows_that_the_game_has(game: Game) -> None:
    """Points to reach, an even start: where there is none, nobody is asked."""
    shown = shown_fields(game, values_for(game.key), watch=False)
    assert ("target" in shown) == bool(game.target)
    assert ("start" in shown) == bool(game.handicap)
    assert shown == [row for row in setup_fields(game) if row in shown]


@pytest.mark.parametrize("game", games(), ids=lambda game: game.key)
def test_whatever_is_offered_can_be_played(game: Game) -> None:
    """No row has a value that leads to an error, but for those that are typed."""
    for row, field in setup_fields(game).items():
        for choice in field.choices:
            if choice.value in {OTHER, MODEL}:
                continue
            setup = setup_from(game, values_for(game.key, **{row: choice.value}), watch=False)
            if row in shown_fields(game, values_for(game.key), watch=False):
                assert setup.preview().cells


def test_taking_turns_gives_the_side_one_did_not_have() -> None:
    """Whatever it was last time."""
    game = game_named("number-run")
    values = values_for("number-run", side="swap")
    seen = []
    for _ in range(3):
        setup = setup_from(game, values, watch=False)
        seen.append(setup.p1 == HUMAN)
        values = {**values, **remembered(values, setup)}
    assert seen == [False, True, False]


def test_a_seed_and_a_board_of_ones_own_are_not_remembered() -> None:
    """Otherwise every game from then on would be on the same board."""
    game = game_named("number-run")
    values = values_for("number-run", deal=OTHER, board=OWN, seed="5", opponent="bot:novice")
    kept = remembered(values, setup_from(game, values, watch=False))
    assert kept["opponent"] == "bot:novice"
    assert not {"seed", "board", "deal"} & set(kept)


@pytest.mark.parametrize(
    ("chosen", "error"),
    [
        ({"seed": "abc"}, BadRequest),
        ({"size": OTHER, "other_size": "9"}, BadRequest),
        ({"size": OTHER, "other_size": "9x9"}, BadBoard),
        ({"deal": OTHER, "board": ""}, BadRequest),
        ({"deal": OTHER, "board": "12/3"}, BadBoard),
        ({"deal": OTHER, "board": "xyz"}, BadBoard),
        ({"opponent": OTHER, "program": " "}, BadRequest),
        ({"opponent": MODEL, "model": " "}, BadRequest),
        ({"target": OTHER, "other_target": "many"}, BadRequest),
        ({"target": OTHER, "other_target": "5000"}, BadBoard),
    ],
)
def test_what_cannot_be_used_is_an_error_with_a_line(
    chosen: dict[str, str], error: type[GridwiseError]
) -> None:
    """One that can be shown as it is."""
    game = game_named("number-connect")
    with pytest.raises(error):
        setup_from(game, values_for("number-connect", **chosen), watch=False).preview()

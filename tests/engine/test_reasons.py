"""Why a move is good or bad: every sentence is true, each kind occurs, and they read well.

What a sentence says is read from its words and judged with the second implementation of the rules,
on thousands of moves of games on boards of many sizes (`tests/engine/reasons`).
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest

from gridwise.core.contracts import About, Scope
from gridwise.core.narration import NEUTRAL, YOU, PlayerName
from gridwise.core.position import Position, start
from gridwise.core.registry import game as game_named
from gridwise.core.registry import games
from gridwise.core.rng import Stream
from gridwise.engine.bots import bot
from gridwise.engine.evaluation import evaluate
from gridwise.engine.explain import Explanation, Reason, explain, luck, speaks_for
from tests.engine.reasons import (
    general,
    grid_conquest,
    grid_runner,
    number_connect,
    number_maze,
    number_run,
)
from tests.engine.reasons.claims import Claims
from tests.engine.reasons.told import ENOUGH, SAMPLED, Told, Unknown, said, told
from tests.sizes import sample

KEYS = [game.key for game in games()]
OF_THE_GAME: dict[str, Claims] = {
    "number-run": number_run.CLAIMS,
    "number-maze": number_maze.CLAIMS,
    "grid-runner": grid_runner.CLAIMS,
    "grid-conquest": grid_conquest.CLAIMS,
    "number-connect": number_connect.CLAIMS,
}

# What cannot be said: of hidden cells nothing is certain, and where nobody can force a win is only
# found where a game can go on for ever, or be drawn.
EXACT = frozenset(Reason) - {Reason.CHANCE, Reason.LUCK}
UNDECIDED = frozenset({Reason.HOLDS, Reason.MISSED_HOLD, Reason.LETS_GO, Reason.TRAP})


def kinds_of(key: str) -> list[str]:
    """The kinds that occur in a game; luck is of a move that was made, and told elsewhere."""
    game = next(game for game in games() if game.key == key)
    own = list(game.reasons.Kind)  # type: ignore[union-attr]
    if game.has_hidden_cells:
        return [*own, Reason.CHANCE, Reason.ONLY_MOVE]
    undecided = frozenset() if key != "number-run" else UNDECIDED
    return [*own, *(kind for kind in Reason if kind in EXACT - undecided)]


@pytest.fixture(autouse=True)
def _explained(request: pytest.FixtureRequest) -> None:
    """The sample of a game, made before the first test of it begins."""
    if key := getattr(request.node, "callspec", None) and request.node.callspec.params.get("key"):
        said(key)


@pytest.mark.parametrize(("key", "kind"), [(key, kind) for key in KEYS for kind in kinds_of(key)])
def test_what_is_said_is_true(key: str, kind: str) -> None:
    """Every sentence of every kind, as the judge sees it, of all moves that it can judge."""
    claims = general.CLAIMS if isinstance(kind, Reason) else OF_THE_GAME[key]
    judged = 0
    for each in said(key).get(str(kind), []):
        try:
            claims.check(each.sentence, each.about())
        except Unknown:
            continue
        except Exception as error:
            told = each.told.position
            raise AssertionError(
                f"{each.sentence} | {each.told.explanation} | {told.game.board_text(told.board)} "
                f"{told.board.target} {told.moves} {each.told.move} {error}"
            ) from error
        judged += 1
    assert judged


def kinds_about(scope: Scope) -> list[tuple[str, str]]:
    """The kinds of all games that are true of that."""
    return [
        (game.key, str(kind))
        for game in games()
        if game.reasons
        for kind, about in game.reasons.ABOUT.items()
        if about.scope is scope
    ]


@pytest.mark.parametrize(("key", "kind"), kinds_about(Scope.LINE))
def test_what_is_certain_at_the_end_is_so_in_every_line(key: str, kind: str) -> None:
    """Every line of best play is listed with the second implementation of the rules.

    What is told flatly holds in all of them; what may happen, in some and not in others.
    """
    judged = Counter[bool]()
    for each in said(key)[kind][: sample(400, long=10**6)]:
        told = each.about()
        try:
            OF_THE_GAME[key].check_every_line(each.sentence, told)
        except Unknown:
            continue
        except AssertionError as error:
            where = told.position
            raise AssertionError(
                f"{each.sentence} | {told.explanation} | {where.game.board_text(where.board)} "
                f"{where.board.target} {where.moves} {told.move}"
            ) from error
        judged[each.fact.is_certain] += 1
    assert judged[True]
    assert judged[False] or kind == "stuck"  # of which there are few


@pytest.mark.parametrize("key", KEYS)
def test_what_is_told_fits_what_the_move_is_worth(key: str) -> None:
    """For a move that is good or wins what speaks for it, for others what speaks against it.

    Where another move was better, what that one would have done for the mover.
    """
    judged = Counter[bool]()
    for each in told(key):
        position = each.position
        if position.game.has_hidden_cells:
            chosen, best = each.evaluation.move_value(position.read(each.move)), each.evaluation
            is_good = chosen.points > 0.999 or (chosen.points == best.points and best.points > 0)
            is_good = is_good and (len(best.moves) > 1 or best.points >= 0.5)
            is_bad = chosen.points < best.points - WORTH_A_WORD or best.points == 0
        else:
            try:
                is_good = each.move in (each.winning or each.holding)
            except Unknown:
                continue
            is_bad = not is_good
        for fact in each.explanation.facts:
            if fact.is_general or not (side := speaks_for(position.game, fact)):
                continue
            if "after" in fact.numbers:
                assert side == each.mover
                assert not is_good
                assert fact.numbers["after"] != each.move
            elif is_good or is_bad:
                assert side == (each.mover if is_good else each.other), str(each.explanation)
            judged[is_good] += 1
    assert min(judged[True], judged[False]) > 10


@pytest.mark.parametrize("key", KEYS)
def test_a_line_is_best_play_and_ends_as_it_should(key: str) -> None:
    """Legal, first the move or what was better, then no move that gives anything away."""
    judged = 0
    for each in (each for kind in said(key).values() for each in kind if each.fact.line):
        told, line = each.told, each.fact.line
        better = {fact.numbers.get("best") for fact in told.explanation.facts}
        assert line[0] in {told.move, *better}
        if told.position.game.has_hidden_cells:
            assert_all_seen(told, line)
            judged += 1
            continue
        reached = told.line(line)[1:]
        try:
            worth = [told.worth(game) for game in reached]
        except Unknown:
            continue
        winner, plies = worth[0]
        if reached[-1].result() in ("p1", "p2"):
            assert worth == [(winner, plies - number) for number in range(plies + 1)]
        else:  # drawn, or nobody can force a win and it would go on for ever
            assert {who for who, _ in worth} <= {0}
        judged += 1
    assert judged > 30


def assert_all_seen(told: Told, line: tuple[str, ...]) -> None:
    """No move of the line turns up a cell: nobody knows what would be in it."""
    shown = told.before.visible()
    assert all(game.visible() == shown for game in told.line(line))


@pytest.mark.parametrize("key", KEYS)
def test_facts_are_data(key: str) -> None:
    """They survive JSON, and with them the sentences, which make up the text."""
    for each in told(key)[:: sample(7, long=1)]:
        data = each.explanation.data()
        assert json.loads(json.dumps(data)) == data
        assert data["move"] == each.move
        assert data["text"] == str(each.explanation) == " ".join(f["text"] for f in data["facts"])
        assert [tuple(fact["line"]) for fact in data["facts"]] == [
            fact.line for fact in each.explanation.facts
        ]


IS_YOU = {"needs": "need", "is": "are", "gets": "get", "takes": "take", "stands": "stand"}
IS_YOU |= {"may": "may", "has": "have", "ends": "end", "lands": "land", "wins": "win"}
BOT = PlayerName("Ada", "Ada")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("person", [1, 2])
def test_sentences_read_well_for_you_and_for_a_name(key: str, person: int) -> None:
    """Your sentences are those about a player, with every verb and pronoun in its other form."""
    names = (YOU, BOT) if person == 1 else (BOT, YOU)
    for kind in said(key).values():
        for each in kind[:: sample(5, long=1)]:
            number = [str(fact.kind) for fact in each.told.explanation.facts].index(
                str(each.fact.kind)
            )
            spoken = each.told.explanation.sentences(names)[number]
            assert spoken == in_other_words(each.sentence, person), each.sentence


def in_other_words(sentence: str, person: int) -> str:
    """A sentence about Player 1 and Player 2 as it is said to one of them."""
    said_of = rf"Player {person}('s)?(?: (\w+))?"

    def you(match: re.Match[str]) -> str:
        then = f" {IS_YOU.get(match[2], match[2])}" if match[2] else ""
        return ("your" if match[1] else "you") + then

    spoken = re.sub(said_of, you, sentence).replace(f"Player {3 - person}", BOT.subject)
    return spoken[:1].upper() + spoken[1:]


@pytest.mark.parametrize("key", KEYS)
def test_a_sentence_is_a_sentence(key: str) -> None:
    """It begins with a capital, a digit or a cell and ends with a full stop; one is not many."""
    for kind in said(key).values():
        for each in kind:
            assert re.match(r"[A-Z0-9]", each.sentence)
            assert re.fullmatch(r"[^ ]( ?[^ ])*\.", each.sentence)
            assert not re.search(r"\b1 (moves|steps|claims|cells)\b", each.sentence), each.sentence
            assert not re.search(r"\b([02-9]|\d\d) (move|step|claim|cell)\b", each.sentence)
            assert not re.search(r"\ba (8|11|18)\b|\ban [^81]", each.sentence), each.sentence


def test_a_kind_of_a_game_is_no_general_one() -> None:
    """Or it would be told in the general one's words."""
    for game in games():
        assert not {*game.reasons.Kind} & {*Reason}  # type: ignore[union-attr]


def test_cells_that_are_face_down_change_nothing() -> None:
    """Whatever is in them, the explanation is the same."""
    game = game_named("grid-conquest")
    compared = 0
    for seed in range(sample(6, long=60)):
        board, rng = game.deal(Stream(seed)), random.Random(seed)
        position = start(game, board, 1)
        while not position.outcome:
            other = game.deal_unknown(position.board, Stream(seed + 1000))
            same = Position(game, other, first=1, moves=position.moves)
            for action in rng.sample(position.legal, min(3, len(position.legal))):
                told_twice = [
                    explain(each, action, evaluate(each, SAMPLED)) for each in (position, same)
                ]
                assert told_twice[0] == told_twice[1]
                compared += 1
            position = position.play(rng.choice(position.legal), board)
    assert compared > 100


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (0.4, 0.75, "Good luck: what turned up took Player 1's chances from 40 % to 75 %."),
        (0.75, 0.2, "Bad luck: what turned up took Player 1's chances from 75 % to 20 %."),
        (0.5, 0.45, ""),
        (0.996, 0.004, "Bad luck: what turned up took Player 1's chances from 99 % to 1 %."),
    ],
)
def test_luck_is_told_where_it_made_a_difference(before: float, after: float, text: str) -> None:
    """Chances before and after what a move turned up; nothing that is not certain is called so."""
    fact = luck(before, after)
    told = Explanation("grid-conquest", 1, "A1", (fact,) if fact else ())
    assert str(told) == text


def test_what_may_happen_is_not_told_as_certain() -> None:
    """Player 2 is stuck on 3,4 in one line, and after left, which loses as fast, on 4,3."""
    position = Position("number-maze", "1113/2332/1244/3431")
    assert str(explain(position, "right")) == (
        "Every move wins, this one in 2 moves. Player 2 may get stuck on 3,4 in 1 move: "
        "the 4 there leads off the board every way."
    )


def test_the_better_move_s_reason_says_whose_it_is() -> None:
    """It would read as the other player's end if it did not."""
    found = [each for each in said("number-maze")["lands"] if "after" in each.fact.numbers]
    assert found
    for each in found:
        best = each.fact.numbers["after"]
        assert each.sentence.startswith(f"After {best}, Player {each.told.mover} ")
        assert each.fact.line[0] == best
        index = each.told.explanation.sentences().index(each.sentence)
        assert best in each.told.explanation.sentences()[index - 1]


# How many games of each, on standard boards, between bots that err like people
GAMES = {"number-maze": 60, "number-run": 30, "grid-runner": 30, "number-connect": 40}
WORTH_A_WORD = 0.1  # of the chances, where they are not certain
NO_REASONS = {"unseen", "gambles"}  # that a cell is face down


def reasons_in(told: Explanation) -> int:
    """How many facts say more than the verdict: what can be seen on the board, or a threat."""
    own = [fact for fact in told.facts if not fact.is_general and fact.kind not in NO_REASONS]
    return len(own) + sum(fact.kind == Reason.THREAT for fact in told.facts)


@pytest.mark.parametrize("key", KEYS)
def test_nine_of_ten_mistakes_and_lost_moves_have_a_reason(key: str) -> None:
    """More than that they are worse, or lose; counted in games of novice and casual bots."""
    game = game_named(key)
    mistakes, lost = Counter[bool](), Counter[bool]()
    for seed in range(sample(GAMES.get(key, 6), long=100)):
        board = game.deal(Stream(seed))
        position = start(game, board, 1)
        player = bot(game, ("novice", "casual")[seed % 2], seed)
        while not position.outcome and len(position.history) < 30:
            evaluation = evaluate(position, SAMPLED if game.has_hidden_cells else ENOUGH)
            action = player.choose(position)
            lost_by = evaluation.points - evaluation.move_value(action).points
            if lost_by > (WORTH_A_WORD if game.has_hidden_cells else 0):
                mistakes[reasons_in(explain(position, action, evaluation)) > 0] += 1
            elif evaluation.value == "loss" and len(evaluation.moves) > 1:
                lost[reasons_in(explain(position, action, evaluation)) > 0] += 1
            position = position.play(action, board)
    assert mistakes.total() >= 5
    assert mistakes[True] >= 0.9 * mistakes.total(), mistakes
    if not game.has_hidden_cells:
        assert lost.total() >= 10
        assert lost[True] >= 0.9 * lost.total(), lost


def test_sums_are_not_looked_for_for_ever() -> None:
    """Twos never make the 51 that Player 1 needs, but it takes too long to be sure of that."""
    moves = [cell for col in range(7) for cell in (f"0,{col}", f"6,{col}")]
    game = game_named("number-connect")
    board = game.parse_board("/".join(["2" * 7] * 6 + ["9" * 7]), target=65)
    position = Position(game, board, moves=moves)
    kinds = [fact.kind for fact in explain(position, "1,0").facts]
    assert kinds == [Reason.ALL_LOSE, "leaves"]


def test_a_large_chance_is_not_called_certain() -> None:
    """Four cells are turned up, and one of them has a 2 or more in 99.84 of 100 games."""
    numbers = {"player": 2, "cells": 4, "number": 2, "chance": 1 - 0.2**4, "wins": True}
    reasons = game_named("grid-conquest").reasons
    assert reasons
    assert reasons.say("turns-up", numbers, NEUTRAL) == (
        "it turns up 4 cells for Player 2: a 99 % chance of a 2 or more, which is enough."
    )


def test_the_end_of_a_line_that_nobody_knows_is_never_certain() -> None:
    """A game of one's own may tell of one where cells are face down, too, or nobody wins."""
    conquest = game_named("grid-conquest")
    line = SimpleNamespace(
        ABOUT={"ends": About(Scope.LINE, helps=None)},
        facts=lambda play: [("ends", {"player": play.mover})],
        say=lambda *_: "it ends.",
    )
    game = replace(conquest, reasons=line)
    told = explain(start(game, game.deal(Stream("a"))), "A1")
    assert [fact.is_certain for fact in told.facts if not fact.is_general] == [False]

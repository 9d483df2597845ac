"""Why a move is good or bad: a few short facts that a search has proved.

    print(explain(position, "1,4"))
    explain(position, "1,4").facts[0].line      # the moves that prove it

A Fact is data: its kind, its numbers, and the line of moves that shows it, from the position on.
The general kinds are those of Reason, the others are those of the game's own `reasons.py`, which
sees the geometry of the board. Sentences are made of them at the very end, for whoever reads them,
so that hints, reviews, puzzles and pages say the same.

What comes of a move at the end of best play is `certain` where it does in every line of best play.
Where it does in some, or there are too many to look at, it is told as something that may happen.

Of a move that is good only what speaks for it is told, of a mistake or a move that loses what
speaks against it. Where nothing does, it is told what the better move would have done.

What nobody has seen is not looked at: an explanation can be shown while the game goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from gridwise.core.contracts import BestPlay, GameFact, Scope
from gridwise.core.game import Game
from gridwise.core.narration import NEUTRAL, Names, PlayerName, capitalized, percent
from gridwise.core.outcome import DRAW
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.engine.budget import SearchStopped
from gridwise.engine.evaluation import (
    IN_SIGHT,
    Evaluation,
    HasPosition,
    Limits,
    MoveValue,
    evaluate,
    with_answers,
)
from gridwise.engine.hints import answers_to_find, difference_in_moves, plies_as_moves
from gridwise.engine.lines import (
    all_best_lines,
    line_after,
    line_moves,
    line_positions,
    probe_of,
)

if TYPE_CHECKING:
    from gridwise.engine.exact.probe import Probe

LIMITS = Limits(nodes=5_000_000, seconds=2.0)
SAMPLED = Limits(nodes=20_000, seconds=2.0)
MAX_GAME_FACTS = 2  # of the game itself, in an explanation
SLIGHT = 0.03  # differences of winning chances that are not worth a word
SWING = 0.1  # from here on what was turned up is called luck


class Reason(StrEnum):
    """The general kinds of facts, from the side of the player who makes the move."""

    ONLY_MOVE = "only-move"  # there was no other
    WINS_AT_ONCE = "wins-at-once"
    ONLY_GOOD = "only-good"  # the only one of `moves` that wins, or keeps what there is
    WINS = "wins"  # by force, in `plies`
    HOLDS = "holds"  # nobody can force a win after it, or it draws
    MISSED_WIN = "missed-win"  # `best` wins in `plies`; `winning` moves do
    MISSED_HOLD = "missed-hold"  # `best` would have kept the other from winning
    LETS_GO = "lets-go"  # a win is gone, and nobody can force one now
    ALLOWS_WIN = "allows-win"  # the other wins in `plies` with `answer`
    THREAT = "threat"  # the other wins at once with `answer`, and `best` stops that
    SLOWER = "slower"  # it wins, but `best` does so `plies` sooner
    SOONER = "sooner"  # all is lost, but `best` holds out `plies` longer
    ALL_LOSE = "all-lose"  # every one of the `moves` loses, this one in `plies`
    BEST_TRY = "best-try"  # all is lost, but only `keeping` of the `answers` answers win
    TRAP = "trap"  # only `keeping` of the `answers` answers do not lose
    CHANCE = "chance"  # it wins with `win`, `best` with `best_win`
    LUCK = "luck"  # what was turned up took the chances from `before` to `after`


class Fact(NamedTuple):
    """Something that is true of a move."""

    kind: str  # a Reason, or one of the kinds of the game
    numbers: dict[str, Any]
    line: tuple[str, ...] = ()  # moves from the position on that prove it

    @property
    def is_general(self) -> bool:
        """Whether it is a Reason, which any game can have."""
        return self.kind in _GENERAL

    @property
    def is_verdict(self) -> bool:
        """Whether it says no more than what the move is worth."""
        return self.kind in _VERDICTS

    @property
    def is_certain(self) -> bool:
        """Whether it is true however best play goes on."""
        return bool(self.numbers.get("certain", True))


_GENERAL = frozenset(Reason)
_VERDICTS = {
    Reason.WINS,
    Reason.HOLDS,
    Reason.MISSED_WIN,
    Reason.MISSED_HOLD,
    Reason.LETS_GO,
    Reason.ALLOWS_WIN,
    Reason.CHANCE,
    Reason.SLOWER,
    Reason.SOONER,
    Reason.ALL_LOSE,
}


class Explanation(NamedTuple):
    """The facts about a move, the most important first; `str` of it is the sentences."""

    game: str
    mover: int
    move: str
    facts: tuple[Fact, ...] = ()

    def sentences(self, names: Names = NEUTRAL) -> list[str]:
        """Each fact in words; `names` are those of Player 1 and Player 2."""
        return [capitalized(_words(self, fact, names)) for fact in self.facts]

    def text(self, names: Names = NEUTRAL) -> str:
        """All that there is to say, as running text."""
        return " ".join(self.sentences(names))

    def __str__(self) -> str:
        return self.text()

    def of_the_game(self, names: Names = NEUTRAL) -> str:
        """What can be seen on the board, in a sentence to be read alone; empty if there is nothing.

        The game may have ended otherwise: what comes of best play alone is told as that.
        """
        fact = next((fact for fact in self.facts if not fact.is_general), None)
        if fact is None:
            return ""
        game = game_named(self.game)
        if _scope(game, fact) is not Scope.LINE or len(fact.line) == 1:
            return capitalized(say(game, fact, names))
        one, two = names
        return f"With best play {say(game, fact, (one.inside, two.inside))}"

    def lines(self) -> dict[str, tuple[str, ...]]:
        """The lines that prove it, each with what it is: `better`, `after 1,4`."""
        lines = [fact.line for fact in self.facts if len(fact.line) > 1]
        better = next((line for line in lines if line[0] != self.move), ())
        after = next((line[1:] for line in lines if line[0] == self.move), ())
        found = {"better": better, f"after {self.move}": after}
        return {what: line for what, line in found.items() if line}

    def data(self) -> dict[str, Any]:
        """It as JSON."""
        facts = [
            {"kind": str(fact.kind), "numbers": fact.numbers, "line": list(fact.line), "text": text}
            for fact, text in zip(self.facts, self.sentences(), strict=True)
        ]
        return {"move": self.move, "facts": facts, "text": str(self)}


def explain(
    position: Position | HasPosition,
    move: str | int,
    evaluation: Evaluation | None = None,
) -> Explanation:
    """Why a legal move is good or bad; raises MoveError for one that is not legal.

    `evaluation` is that of the position, where it is known.
    """
    position = position if isinstance(position, Position) else position.position
    action = position.read(move)
    if evaluation is None:
        evaluation = evaluate(position, SAMPLED if position.game.has_hidden_cells else LIMITS)
    chosen = evaluation.move_value(action)
    if not evaluation.is_known:
        return Explanation(position.game.key, position.turn, chosen.move)
    evaluation = with_answers(position, evaluation)
    chosen = evaluation.move_value(action)
    told = _Explained(position, evaluation, chosen)
    facts = told.of_chance() if chosen.win is not None else told.of_result()
    own = told.of_the_game()
    if not any(fact.kind == Reason.THREAT for fact in facts) and not told.are_reasons(own):
        facts[1:1] = told.of_the_better_move()
    facts += own
    return Explanation(position.game.key, position.turn, chosen.move, tuple(facts))


class _Explained:
    """A move that is being explained."""

    def __init__(self, position: Position, evaluation: Evaluation, chosen: MoveValue) -> None:
        self.position, self.evaluation, self.chosen = position, evaluation, chosen
        self._probe = probe_of(position)
        self.actions = line_after(position, chosen.action, self._probe)
        self.line = line_moves(position, self.actions)

    def better_line(self, move: MoveValue) -> tuple[str, ...]:
        """What would have been played."""
        return line_moves(self.position, self.better_actions(move))

    def better_actions(self, move: MoveValue) -> tuple[int, ...]:
        """The same as actions."""
        return line_after(self.position, move.action, self._probe)

    # What any game has: the result, and how soon

    def of_result(self) -> list[Fact]:
        """What the move does to the result."""
        moves, chosen = self.evaluation.moves, self.chosen
        if len(moves) == 1:
            return [Fact(Reason.ONLY_MOVE, {}, self.line)]
        if chosen.points < self.evaluation.points:
            return self._of_a_mistake()
        if chosen.value == "win":
            return self._of_a_win()
        if chosen.value == "loss":
            return self._of_a_loss()
        optimal = self.evaluation.optimal
        kind = Reason.ONLY_GOOD if len(optimal) == 1 else Reason.HOLDS
        numbers = {"value": chosen.value, "moves": len(moves), "good": len(optimal)}
        return [Fact(kind, numbers, self.line), *self._best_try()]

    def _of_a_win(self) -> list[Fact]:
        moves, chosen, best = self.evaluation.moves, self.chosen, self.evaluation.best
        if chosen.distance == 1:
            return [Fact(Reason.WINS_AT_ONCE, {}, self.line)]
        if slower := (chosen.distance or 0) - (best.distance or 0):
            numbers = self._plies(best) | {"best": best.move, "more": slower}
            return [Fact(Reason.SLOWER, numbers, self.better_line(best))]
        good = len(self.evaluation.optimal)
        numbers = self._plies(chosen) | {"value": "win", "moves": len(moves), "good": good}
        return [Fact(Reason.ONLY_GOOD if good == 1 else Reason.WINS, numbers, self.line)]

    def _of_a_loss(self) -> list[Fact]:
        moves, chosen = self.evaluation.moves, self.chosen
        longest = max(moves, key=lambda move: move.distance or 0)
        is_longest = chosen.distance == longest.distance
        if is_longest or chosen.rank == self.evaluation.best.rank:
            all_alike = all(move.distance == longest.distance for move in moves)
            numbers = {"moves": len(moves), "all_alike": all_alike, "longest": is_longest}
            lost = Fact(Reason.ALL_LOSE, self._plies(chosen) | numbers, self.line)
            return [lost, *self._best_try()]
        threat = self._threat(longest)
        return [threat, self._sooner(longest)] if threat else [self._sooner(longest)]

    def _sooner(self, longest: MoveValue) -> Fact:
        more = (longest.distance or 0) - (self.chosen.distance or 0)
        numbers = self._plies(longest) | {"best": longest.move, "more": more}
        return Fact(Reason.SOONER, numbers, self.better_line(longest))

    def _of_a_mistake(self) -> list[Fact]:
        chosen, best = self.chosen, self.evaluation.best
        good = self.evaluation.optimal
        numbers = self._plies(best) | {"best": best.move, "good": len(good), "value": best.value}
        kind = Reason.MISSED_WIN if best.value == "win" else Reason.MISSED_HOLD
        missed = Fact(kind, numbers, self.better_line(best))
        if chosen.value != "loss":
            return [missed, Fact(Reason.LETS_GO, {"value": chosen.value}, self.line)]
        if chosen.distance == 1:  # it ends the game
            return [missed]
        if best.value != "win" and (threat := self._threat(best)):
            return [threat]
        return [missed, self._answer(Reason.ALLOWS_WIN)]

    def _threat(self, better: MoveValue) -> Fact | None:
        """The answer that wins at once, if there is one and `better` leaves none."""
        fact = self._answer(Reason.THREAT)
        if self.chosen.distance != IN_SIGHT or not fact.numbers["answer"]:
            return None
        stopping = [
            move
            for move in self.evaluation.moves
            if move.value != "loss" or (move.distance or 0) > IN_SIGHT
        ]
        if not stopping:
            return None
        return fact._replace(numbers=fact.numbers | {"best": better.move, "stops": len(stopping)})

    def _answer(self, kind: Reason) -> Fact:
        plies, answer = (self.chosen.distance or 1) - 1, ""
        # Who is passed over does not answer: then the mover goes on.
        if len(self.line) > 1 and self.position.play(self.chosen.action).turn != self.position.turn:
            answer = self.line[1]
        numbers = {"plies": plies, "passes": self.chosen.passes, "answer": answer}
        return Fact(kind, numbers, self.line)

    def _best_try(self) -> list[Fact]:
        answers = self.chosen.answers
        if not answers or answers.keeping >= answers.legal:
            return []
        if self.chosen.rank != self.evaluation.best.rank:
            return []
        numbers = {"keeping": answers.keeping, "answers": answers.legal}
        kind = Reason.BEST_TRY if self.chosen.value == "loss" else Reason.TRAP
        return [Fact(kind, numbers, self.line)]

    def _plies(self, move: MoveValue) -> dict[str, Any]:
        return {"plies": move.distance or 0, "passes": move.passes}

    # Where cells are face down

    def of_chance(self) -> list[Fact]:
        """What the move does to the chances."""
        chosen, best = self.chosen, self.evaluation.best
        if len(self.evaluation.moves) == 1:
            return [Fact(Reason.ONLY_MOVE, {})]
        numbers = {"win": chosen.points, "best": best.move, "best_win": best.points}
        numbers["error"] = max(chosen.error or 0.0, best.error or 0.0)
        numbers["is_best"] = self._is_best_chance()
        # Of chances that are not certain each may be its own.
        same = len({move.points for move in self.evaluation.moves}) == 1
        numbers["all_alike"] = same and best.points in (0, 1)
        return [Fact(Reason.CHANCE, numbers, self.line)]

    def _is_best_chance(self) -> bool:
        """Whether no move is known to win more often, by more than is worth a word."""
        chosen, best = self.chosen, self.evaluation.best
        lost = best.points - chosen.points - 2 * (chosen.error or 0.0)
        return chosen.rank == best.rank or lost < SLIGHT

    # What the game's own geometry shows

    def of_the_game(self) -> list[Fact]:
        """The game's own facts about the move that fit what it is worth."""
        position, is_good = self.position, self._is_good()
        side = position.turn if is_good else 3 - position.turn
        line = line_positions(position, self.actions)
        facts = [
            fact
            for fact in _facts(line, self.chosen.action)
            if speaks_for(position.game, fact) in (0, side)
            # What the move does is no reason where every other one is as bad.
            and (is_good or self._is_worse() or _scope(position.game, fact) is not Scope.MOVE)
        ]
        return _most_telling(line, facts, self._probe)

    def of_the_better_move(self) -> list[Fact]:
        """What the best move would have done for the mover, where the one that was made is worse.

        Not what it would have done at once: that is a reason only for who makes it.
        """
        best, position = self.evaluation.best, self.position
        if not self._is_worse() or best.value == "loss":
            return []
        line = line_positions(position, self.better_actions(best))
        facts = [
            fact._replace(numbers=fact.numbers | {"after": best.move})
            for fact in _facts(line, best.action)
            if speaks_for(position.game, fact) == position.turn
            and _scope(position.game, fact) is not Scope.MOVE
        ]
        return _most_telling(line, facts, self._probe)[:1]

    def are_reasons(self, facts: list[Fact]) -> bool:
        """Whether any of the game's own facts takes a side."""
        return any(speaks_for(self.position.game, fact) for fact in facts)

    def _is_good(self) -> bool:
        """Whether what is told is what speaks for it: it gives nothing away, and does not lose."""
        chosen, moves = self.chosen, self.evaluation.moves
        if chosen.win is None:
            return chosen.points >= self.evaluation.points and chosen.value != "loss"
        if len(moves) == 1:
            return chosen.points >= 0.5
        return self._is_best_chance() and self.evaluation.points > 0

    def _is_worse(self) -> bool:
        """Whether there was a better move: one that wins or holds more, or holds out longer."""
        chosen, moves = self.chosen, self.evaluation.moves
        if chosen.win is not None:
            return not self._is_best_chance()
        if chosen.value != "loss" or self.evaluation.value != "loss":
            return chosen.points < self.evaluation.points
        longest = max(move.distance or 0 for move in moves)
        return chosen.distance != longest and chosen.rank != self.evaluation.best.rank


def reason_on_the_board(line: Sequence[Position], action: int, *, good: bool) -> Fact | None:
    """The most telling of a game's own facts that speak for a move, or against it.

    `line` is the position before it, and best play from there; nothing but that position where
    nobody knows what the move turns up.
    """
    before, mover = line[0], line[0].turn
    side = mover if good else 3 - mover
    facts = [fact for fact in _facts(line, action) if speaks_for(before.game, fact) in (0, side)]
    return next(iter(_most_telling(line, facts, None)), None)


def speaks_for(game: Game, fact: Fact) -> int:
    """The player for whom one of a game's own facts is good; 0 for neither."""
    assert game.reasons
    helps, player = game.reasons.ABOUT[fact.kind].helps, int(fact.numbers["player"])
    return 0 if helps is None else player if helps else 3 - player


def _scope(game: Game, fact: Fact) -> Scope:
    assert game.reasons
    return game.reasons.ABOUT[fact.kind].scope


def _facts(line: Sequence[Position], action: int) -> list[Fact]:
    """What the game's own geometry shows of a move, as in `reason_on_the_board`."""
    before, reasons = line[0], line[0].game.reasons
    if reasons is None:
        return []
    states = tuple(position.state for position in (before, *(line[1:] or line)))
    actions = line[-1].history[len(before.history) :]
    found = reasons.facts(BestPlay(before.board, states, actions or (action,), _winner(line)))
    texts = line_moves(before, actions)
    return [Fact(kind, numbers, texts) for kind, numbers in found]


def _winner(line: Sequence[Position]) -> int:
    """Who wins at the end of a line; chance proves nothing."""
    outcome = None if line[0].game.has_hidden_cells else line[-1].outcome
    return outcome.winner if outcome and outcome.winner != DRAW else 0


def _most_telling(line: Sequence[Position], facts: list[Fact], probe: Probe | None) -> list[Fact]:
    """So many as are told, what is certain first."""
    game = line[0].game
    of_line = [fact for fact in facts if _scope(game, fact) is Scope.LINE]
    common = _in_every_line(line, of_line, probe)
    facts = [
        fact._replace(numbers=fact.numbers | {"certain": fact in common})
        if fact in of_line
        else fact
        for fact in facts
    ]
    return sorted(facts, key=lambda fact: not fact.is_certain)[:MAX_GAME_FACTS]


def _in_every_line(line: Sequence[Position], facts: list[Fact], probe: Probe | None) -> list[Fact]:
    """Those of the facts that are true of every line of best play after the same first move.

    None if there are too many lines to know, or nobody wins at their end.
    """
    if not facts or len(line) == 2:
        return facts
    winner, plies = _winner(line), len(line) - 2
    if not winner:  # there is chance, or nobody can force the end
        return []
    before, after, *_ = line
    reasons, probe = before.game.reasons, probe or probe_of(before)
    if probe is None or reasons is None:
        return []
    for number, position in enumerate(line[1:]):  # it is best play, so this needs no search
        probe.learn(position.state, winner, plies - number)
    action, common = after.history[-1], facts
    with suppress(SearchStopped):
        for states, actions in all_best_lines(probe, after.state):
            play = BestPlay(before.board, (before.state, *states), (action, *actions), winner)
            found = reasons.facts(play)
            common = [fact for fact in common if _as_found(fact) in found]
            if not common:
                break
        return common
    return []


def _as_found(fact: Fact) -> GameFact:
    """A fact as the game gave it."""
    return fact.kind, {name: value for name, value in fact.numbers.items() if name != "after"}


def luck(before: float, after: float) -> Fact | None:
    """What a move turned up, if it made a difference: by the mover's chances before and after."""
    if abs(after - before) < SWING:
        return None
    return Fact(Reason.LUCK, {"before": before, "after": after})


# Words


def say(game: Game, fact: Fact, names: Names) -> str:
    """One of a game's own facts as a sentence, without its capital."""
    if game.reasons is None:
        return ""
    if after := fact.numbers.get("after"):
        one, two = names
        return (
            f"after {after}, {game.reasons.say(fact.kind, fact.numbers, (one.inside, two.inside))}"
        )
    return game.reasons.say(fact.kind, fact.numbers, names)


def _words(told: Explanation, fact: Fact, names: Names) -> str:
    if not fact.is_general:
        return say(game_named(told.game), fact, names)
    moves = plies_as_moves(fact.numbers.get("plies") or 1, passes=fact.numbers.get("passes", False))
    sides = names[told.mover - 1], names[2 - told.mover]
    return _general(told.move, Reason(fact.kind), fact.numbers, moves, *sides)


def _general(
    move: str,
    reason: Reason,
    numbers: dict[str, Any],
    moves: str,
    mover: PlayerName,
    other: PlayerName,
) -> str:
    """A general fact as a sentence; `moves` are its plies as people count."""
    best, value = numbers.get("best", ""), numbers.get("value")
    more, passes = numbers.get("more", 0), numbers.get("passes", False)
    only = "only " if numbers.get("good") == 1 else ""
    holds = "holds the draw" if value == "draw" else f"keeps {other.object} from winning"
    match reason:
        case Reason.ONLY_MOVE:
            return "It is the only move."
        case Reason.WINS_AT_ONCE:
            return "It wins at once."
        case Reason.ONLY_GOOD:
            return f"Only {move} wins, in {moves}." if value == "win" else f"Only {move} {holds}."
        case Reason.WINS:
            every = (
                "Every move wins, this one" if numbers["good"] == numbers["moves"] else "It wins"
            )
            return f"{every} in {moves}."
        case Reason.HOLDS:
            return f"It {holds}."
        case Reason.MISSED_WIN:
            if numbers["plies"] == 1:
                return f"{only}{best} wins at once."
            return f"{only}{best} wins{',' * bool(only)} in {moves}."
        case Reason.MISSED_HOLD:
            return f"{only}{best} {holds}."
        case Reason.LETS_GO if value == "draw":
            return f"{move} only draws."
        case Reason.LETS_GO:
            return f"{move} lets the win go: neither side can force one now."
        case Reason.ALLOWS_WIN:
            answer = numbers["answer"]
            if numbers["plies"] == 1 and answer:
                return f"{move} lets {other.object} win at once with {answer}."
            start = f", beginning with {answer}" if answer else ""
            return f"{move} lets {other.object} win in {moves}{start}."
        case Reason.THREAT:
            stops = f"{'only ' if numbers['stops'] == 1 else ''}{best} stops that"
            return f"{other.subject} can win at once with {numbers['answer']}; {stops}."
        case Reason.SLOWER:
            return f"It wins, but {best} wins {difference_in_moves(more, 'sooner', passes=passes)}."
        case Reason.SOONER:
            longer = difference_in_moves(more, "longer", passes=passes)
            return f"The game is lost, but {best} holds out {longer}."
        case Reason.ALL_LOSE:
            if numbers["plies"] == 1 and numbers["all_alike"]:
                return "Every move loses."  # and the reason says that it does at once
            if numbers["plies"] == IN_SIGHT and numbers["all_alike"] and not passes:
                return "Every move loses to the very next answer."
            if numbers["all_alike"]:
                return f"Every move loses with best play, in {moves}."
            if numbers["longest"]:
                return f"Lost with best play, but this holds out longest ({moves})."
            return f"Lost with best play, in {moves}."
        case Reason.BEST_TRY:
            found = answers_to_find(numbers["keeping"], numbers["answers"])
            return f"{mover.possessive} best try is {move}: {found}."
        case Reason.TRAP:
            lose = numbers["answers"] - numbers["keeping"]
            verb = "loses" if lose == 1 else "lose"
            return f"It sets a trap: {lose} of {numbers['answers']} answers {verb}."
        case Reason.CHANCE:
            win, best_win = percent(numbers["win"]), percent(numbers["best_win"])
            about, wins = ("about ", "is known to win") if numbers["error"] else ("", "wins")
            if numbers["all_alike"]:
                return "Every move wins." if numbers["win"] else "Every move loses with best play."
            if numbers["is_best"] and numbers["win"] == 1:
                return "It wins every time."
            if not numbers["is_best"]:
                only = f"only {win}" if numbers["win"] else "never"
                often = "every time" if numbers["best_win"] == 1 else f"{best_win} of the time"
                return f"{best} wins {about}{often}, {move} {only}."
            much = "much " if numbers["best_win"] > numbers["win"] else ""
            return f"It wins {about}{win} of the time, and no move {wins} {much}more."
        case Reason.LUCK:
            lucky = "Good luck" if numbers["after"] > numbers["before"] else "Bad luck"
            chances = f"from {percent(numbers['before'])} to {percent(numbers['after'])}"
            return f"{lucky}: what turned up took {mover.possessive} chances {chances}."

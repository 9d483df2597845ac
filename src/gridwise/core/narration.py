"""Saying who did what, to whomever listens: players by name, or as you.

    bot = PlayerName("Casual bot", "the casual bot")
    bot.does("go")  # "Casual bot goes"
    YOU.does("go")  # "You go"

The sentences about a move come from the game's `text.log_line`; the one about the result is made
here, from how the game ended.
"""

from __future__ import annotations

from typing import NamedTuple

from gridwise.core.outcome import DRAW, Outcome, Termination

_INFINITIVES = {"are": "be"}
_IRREGULAR = {"have": "has", "are": "is", "were": "was"}
_SIBILANTS = ("s", "sh", "ch", "x", "z", "o")


class PlayerName(NamedTuple):
    """How a player is called in a sentence."""

    subject: str  # where the sentence begins: "You", "Casual bot", "Player 2"
    object: str  # inside it: "you", "the casual bot", "Player 2"
    is_you: bool = False

    @property
    def possessive(self) -> str:
        """`your`, `Player 2's`."""
        return "your" if self.is_you else f"{self.object}'s"

    def does(self, verb: str) -> str:
        """The name and what it does: `You go`, `Casual bot goes`."""
        return f"{self.subject} {self.verb(verb)}"

    def verb(self, verb: str) -> str:
        """A verb, as it goes with the name."""
        if self.is_you:
            return verb
        ending = "es" if verb.endswith(_SIBILANTS) else "s"
        return _IRREGULAR.get(verb, verb + ending)

    def does_or_may(self, verb: str, *, certain: bool) -> str:
        """The name and what it does, if that is certain: `Player 2 gets`, `Player 2 may get`."""
        return self.does(verb) if certain else f"{self.subject} may {_INFINITIVES.get(verb, verb)}"

    @property
    def inside(self) -> PlayerName:
        """The name for a sentence that begins with something else."""
        return self._replace(subject=self.object)


def with_article(number: int) -> str:
    """A number as a noun: `a 5`, `an 8`."""
    return f"an {number}" if str(number).startswith("8") or number in {11, 18} else f"a {number}"


def percent(chance: float) -> str:
    """A chance as people say it, `67 %`: never 0 or 100 of what is not certain."""
    return f"{100 * (chance if chance in (0, 1) else min(max(chance, 0.01), 0.99)):.0f} %"


def capitalized(text: str) -> str:
    """A text at the beginning of a sentence; the rest of it stays as it is."""
    return text[:1].upper() + text[1:]


def count_of_moves(count: int) -> str:
    """`1 move`, `2 moves`."""
    return "1 move" if count == 1 else f"{count} moves"


Names = tuple[PlayerName, PlayerName]  # of Player 1 and of Player 2
YOU = PlayerName("You", "you", is_you=True)
OPPONENT = PlayerName("Your opponent", "your opponent")  # without a name, to the other player
NEUTRAL: Names = (PlayerName("Player 1", "Player 1"), PlayerName("Player 2", "Player 2"))
COLOURS: Names = (PlayerName("Blue", "Blue"), PlayerName("Red", "Red"))  # the same, on a screen


def numbered_names(person: int) -> Names:
    """Player 1 and Player 2, of whom `person` is you; 0 if neither is."""
    one, two = NEUTRAL
    return YOU if person == 1 else one, YOU if person == 2 else two


def names_from(side: int) -> Names:
    """Player 1 and Player 2 to one of them: you, and your opponent."""
    return (YOU, OPPONENT) if side == 1 else (OPPONENT, YOU)


def result_line(outcome: Outcome, scores: tuple[int, int] | None, names: Names) -> str:
    """Who has won and how, from the side of the person where one plays: `You lost: …`."""
    who, what = _how(outcome, scores, names)
    lead = "Nobody has won"
    if outcome.winner == DRAW:
        lead = "A draw"
    elif outcome.winner:
        winner, loser = names[outcome.winner - 1], names[2 - outcome.winner]
        lead = "You lost" if loser.is_you else f"{winner.subject} won"
    return f"{lead}: {who.object} {what}." if who else f"{lead}: {what}."


def reason_line(outcome: Outcome, scores: tuple[int, int] | None, names: Names) -> str:
    """How a game ended, without who has won: `Ada resigned.`."""
    who, what = _how(outcome, scores, names)
    return f"{who.subject} {what}." if who else f"{capitalized(what)}."


def _how(
    outcome: Outcome, scores: tuple[int, int] | None, names: Names
) -> tuple[PlayerName | None, str]:
    """Who did what to end the game; None where nobody did. Without scores, no points are named."""
    if outcome.winner not in (1, 2):
        return None, outcome.reason
    won = outcome.winner - 1
    winner, loser = names[won], names[1 - won]
    has, against = (scores[won], scores[1 - won]) if scores else (0, 0)
    ways: dict[Termination, tuple[PlayerName | None, str]] = {
        Termination.GOAL: (winner, f"reached {loser.possessive} corner"),
        Termination.NO_MOVES: (loser, "had no move left"),
        Termination.TARGET: (winner, f"reached {has} points" if scores else outcome.reason),
        Termination.OVER_TARGET: (
            loser,
            f"went over, to {against}" if scores else "went over the target",
        ),
        Termination.BOARD_FULL: (
            None,
            f"all cells are claimed, {has} to {against}" if scores else outcome.reason,
        ),
        Termination.RESIGNATION: (loser, "resigned"),
        Termination.TIME_OUT: (loser, "ran out of time"),
        Termination.ILLEGAL_MOVE: (loser, "made an illegal move"),
        Termination.CRASH: (loser, "crashed"),
    }
    return ways.get(outcome.termination, (None, outcome.reason))

"""What a viewer of a game reads and may do, decided here and nowhere else.

A player reads "you" and the name of the other; somebody who watches, or plays both sides on one
screen, reads both names. The panel says which parts of the page are shown and the words in them:
the page and its script look nothing up themselves. `commands.py` checks what is then asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gridwise.core.narration import (
    COLOURS,
    OPPONENT,
    YOU,
    Names,
    PlayerName,
    capitalized,
    reason_line,
)
from gridwise.core.outcome import Termination
from gridwise.engine.bots import LEVELS
from gridwise.play.ladder import result_note
from gridwise.play.series import Series
from gridwise.play.values import PRACTICE
from gridwise.web.game import events
from gridwise.web.game.stored_game import BOT, HUMAN, OPEN, OWN, Seat, isolated

if TYPE_CHECKING:
    from gridwise.web.game.snapshot import Snapshot

# What a player asks for, declines and withdraws.
OFFERS: dict[events.Offer, tuple[str, str, str]] = {
    "takeback": ("ask to take a move back", "the take-back", "the request to take a move back"),
    "stop": (
        "ask to end the game without a winner",
        "to end the game without a winner",
        "the offer to end the game without a winner",
    ),
    "rematch": ("offer a rematch", "the rematch", "the offer of a rematch"),
}
HELPED: dict[type[events.Event], str] = {
    events.HintGiven: "got a hint",
    events.ValuesShown: "looked at the values of the moves",
}
AFTER_THE_END = (events.Declined, events.RematchAsked, events.RematchMade)
UNDECIDED = (Termination.RESIGNATION, Termination.TIME_OUT)  # ends before points decide
SHORT_GAME = 4  # moves, of which none can be a turning point


class Called(NamedTuple):
    """What the players are called to one viewer."""

    names: Names  # within sentences
    cards: list[str]  # where the name stands alone
    about: list[str | None]  # beside a name; None where it says whether that person is there


def called(seats: Sequence[Seat], you: tuple[int, ...]) -> Called:
    """What the players are called to somebody who holds the seats `you`."""
    cards = [_card_name(seat, you) for seat in seats]
    return Called(names_for(seats, you), cards, [_about(seat, you) for seat in seats])


def names_for(seats: Sequence[Seat], you: Sequence[int], sides: Names = COLOURS) -> Names:
    """What the players are called to somebody who holds the seats `you`.

    Without a name they are called by `sides`: by colours on pages, by numbers in data.
    """
    one, two = (_name_for(seat, you, sides) for seat in seats)
    return one, two


def _name_for(seat: Seat, you: Sequence[int], sides: Names) -> PlayerName:
    if tuple(you) == (seat.number,):
        return YOU
    if len(you) == 1 and not seat.name and seat.kind != BOT:
        return OPPONENT
    return seat.called(sides)


def words(shown: Snapshot, names: Names) -> dict[str, Any]:
    """The sentences of a state: what has just happened, how it stands, why it ended."""
    position = shown.position
    outcome = position.outcome
    news = _news(shown, names)
    why = reason_line(outcome, position.scores, names) if outcome else None
    if outcome and not shown.is_joined and shown.event:
        why = f"{names[shown.event.player - 1].subject} cancelled the invitation."
    return {
        "news": news,
        "status_text": _status(shown, names),
        "why": why,
        "since": " ".join(news) if isinstance(shown.event, AFTER_THE_END) and outcome else None,
    }


def _news(shown: Snapshot, names: Names) -> list[str]:
    """A few sentences about the latest event; where there are none, the status says it all."""
    event, lines = shown.event, []
    if event is None:
        return _opening(shown, names)
    name = names[event.player - 1]
    match event:
        case events.MovePlayed():
            bot_began = len(shown.moves) == 1 and shown.seats[event.player - 1].kind == BOT
            opening = _opening(shown, names) if bot_began else []
            lines = [*opening, f"{shown.position.last_line(names)}."]
        case events.SeatTaken() | events.Arrived():
            lines = [f"{name.does('have')} joined."]
        case events.Asked():
            verb, _, what = OFFERS[event.what][0].partition(" ")
            lines = [f"{name.subject} {verb}{'ed' if name.is_you else 's'} {what}."]
        case events.TakenBack():
            let = f"let {names[2 - event.player].object} take"
            took = "took" if shown.has_one_decider else let
            lines = [f"{name.subject} {took} a move back."]
            if shown.position.game.has_hidden_cells:
                lines.append("Cells that are face down again have new numbers.")
        case events.Declined(what=what):
            _, declined, withdrew = OFFERS[what]
            did = f"withdrew {withdrew}" if shown.is_withdrawn else f"declined {declined}"
            lines = [f"{name.subject} {did}."]
        case events.HintGiven() | events.ValuesShown():
            lines = [f"{name.subject} {HELPED[type(event)]}."]
        case events.RematchMade():
            lines = [_next_game(shown, name, is_yours=names[2 - event.player].is_you)]
    return lines


def _opening(shown: Snapshot, names: Names) -> list[str]:
    """Who has which side now, in the later games of a match; who begins, where it may be either."""
    first, begins = shown.position.first, ""
    line = shown.setup.series.announcement(names, COLOURS, first)
    if shown.position.game.coin_toss and not line and shown.is_joined:
        begins = f"{names[first - 1].does('begin')}."
    return list(filter(None, (line, begins)))


def _next_game(shown: Snapshot, maker: PlayerName, *, is_yours: bool) -> str:
    """That the game which follows is there, to the one who has made it or to somebody else."""
    series = shown.series
    if series and not series["over"]:
        if is_yours:
            return f"{maker.subject} is waiting for you in game {series['game'] + 1}."
        return "The next game of the match is ready, with sides swapped."
    same = shown.setup.deal == OWN and not shown.position.game.has_hidden_cells
    return f"A rematch is ready, with sides swapped{', on the same board' if same else ''}."


def _status(shown: Snapshot, names: Names) -> str:
    """Whose turn it is, or how the game ended, in one sentence."""
    position = shown.position
    if position.outcome:
        return position.result_line(names)
    if shown.status == "waiting":
        return "Waiting for an opponent."
    whose = names[position.turn - 1]
    return "Your turn." if whose.is_you else f"{whose.subject}'s turn."


# The panel


def panel(shown: Snapshot, you: tuple[int, ...]) -> dict[str, Any]:
    """What the page beside the board shows to somebody who holds the seats `you`.

    `shown` are the ids of the parts that can be seen, `texts` the words in elements by their ids,
    and `confirm` the requests that are asked about once more, with the words for that. All texts
    are always there, so that a change has to name only those which are new.

    A move changes little of it, and the rest is made once: 135 us for a move and its two messages
    instead of 200.
    """
    if shown.status == "over":
        made = _whole_panel(shown, you)
    else:
        moved = any(played.player in you for played in shown.moves)
        asked, begun = tuple(shown.offers.values()), bool(shown.moves)
        depends_on = (you, shown.status, shown.turn, asked, begun, moved)
        if depends_on not in shown.known_panels:
            shown.known_panels[depends_on] = _whole_panel(shown, you)
        made = shown.known_panels[depends_on]
    aims = {
        f"aim-{seat.number}": capitalized(aim) if seat.kind != OPEN else ""
        for seat, (aim, *_) in zip(shown.seats, shown.objectives, strict=True)
    }
    scores = None if shown.status == "waiting" else shown.position.scores
    return made | {"texts": made["texts"] | aims, "scores": scores}


def _whole_panel(shown: Snapshot, you: tuple[int, ...]) -> dict[str, Any]:
    """All of it but for the points and what is still needed to win."""
    names, cards, about = shown.called(you)
    waiting = shown.status == "waiting"
    headline, confirm = _headline(shown, you, names), _confirmations(shown, you)
    texts = {"headline": headline}
    texts |= _offer_texts(shown, you, names) | _result_texts(shown, you, cards)
    for seat, name in zip(shown.seats, cards, strict=True):
        texts[f"name-{seat.number}"] = texts[f"head-{seat.number}"] = name
    texts |= {
        "resign": "Cancel invitation" if waiting else "Resign",
        "keep-playing": "Keep waiting" if waiting else "Keep playing",
        "stop": "End without a winner" if shown.has_one_decider else "Offer to end it",
        "since": "",
        "confirm-text": "",
        "sure": "",
    }
    if shown.status == "over" and not shown.offers["rematch"]:
        texts["since"] = words(shown, names)["since"] or ""
    return {
        "shown": [part for part, is_shown in _parts(shown, you).items() if is_shown],
        "texts": texts,
        "confirm": confirm,
        "mine": bool(shown.turn) and shown.turn in you,
        "subjects": [name.subject for name in names],
        "about": about,
        "agree": _asked_for(shown, you),
        "mood": _mood(shown.result, you),
        "call": _call(shown, you, names),
        "next_call": _next_call(shown, you, names),
    }


def _parts(shown: Snapshot, you: tuple[int, ...]) -> dict[str, bool]:
    """The parts of the page by their ids, and whether this viewer sees them."""
    playing, over, waiting = (shown.status == each for each in ("playing", "over", "waiting"))
    seated, offers, moves = bool(you), shown.offers, shown.moves
    people = len(you) == 1 and all(seat.kind == HUMAN for seat in shown.seats)
    offered = offers["takeback"] in you or offers["stop"] in you
    moved = any(played.player in you for played in moves)
    begun = bool(shown.result or moves)
    plays, ends, rematch = playing and seated, over and not shown.rematch, offers["rematch"]
    return {
        # Always there against a bot, so that buttons do not move around.
        "hint": plays and shown.has_one_decider,
        "values": plays and shown.has_one_decider,
        "takeback": plays and moved and not offers["takeback"],
        "stop": plays and shown.position.game.cyclic and not offers["stop"],
        "resign": seated and not over,
        "confirm": seated and not over,
        "typing": plays,
        "invite": waiting and seated,
        "join": waiting and not seated,
        "spectator": playing and not seated,
        "offer": plays and bool(_asked_for(shown, you)),
        "my-offer": playing and len(you) == 1 and offered,
        "say": people,
        "over": over,
        "rematch": ends and seated and shown.is_joined and begun and not rematch,
        "rematch-offer": ends and seated and rematch not in (0, *you),
        "my-rematch": ends and rematch in you,
        "to-rematch": bool(shown.rematch),
        "next-bot": over and _has_won(shown, you) and bool(stronger_bot(shown.seats)),
        "look-back": bool(moves),
        "see-why": over
        and bool(shown.result)
        and len(moves) >= SHORT_GAME
        and not shown.has_other_side,
    }


def _card_name(seat: Seat, you: tuple[int, ...]) -> str:
    """What a player is called where the name stands alone."""
    if seat.name:
        return isolated(seat.name)
    if seat.kind == BOT:
        return f"{seat.level.capitalize()} bot"
    if seat.kind == OPEN:
        return "Free seat"
    if len(you) != 1:
        return COLOURS[seat.number - 1].subject
    return "You" if seat.number in you else "Opponent"


def _about(seat: Seat, you: tuple[int, ...]) -> str | None:
    if seat.number in you:
        return "you" if len(you) == 1 and seat.name else ""
    return None if seat.kind == HUMAN else ""


def _headline(shown: Snapshot, you: tuple[int, ...], names: Names) -> str:
    if shown.status == "waiting":
        return "Waiting for an opponent." if you else "A seat is free."
    if shown.status == "playing":
        whose = names[shown.turn - 1]
        if whose.is_you:
            return "Your turn."
        thinks = shown.seats[shown.turn - 1].kind == BOT
        return f"{whose.subject} is thinking." if thinks else f"{whose.subject}'s turn."
    if not shown.is_joined:
        return "The invitation was cancelled."
    if shown.result not in ("p1", "p2"):
        return "A draw." if shown.result else "The game ended without a winner."
    winner = names[shown.result == "p2"]
    return f"{winner.subject} won{'!' if winner.is_you else '.'}"


def _confirmations(shown: Snapshot, you: tuple[int, ...]) -> dict[str, dict[str, str]]:
    """What cannot be undone, and nobody else has to agree to: resigning, stopping, practising."""
    if shown.status == "over" or not you:
        return {}
    texts = {"confirm-text": "Resign this game?", "sure": "Resign"}
    if shown.status == "waiting":
        ask = "Cancel the invitation? The link will stop working."
        texts = {"confirm-text": ask, "sure": "Cancel invitation"}
    if not shown.has_one_decider:
        return {"resign": texts}
    stop = {"confirm-text": "End this game without a winner?", "sure": "End the game"}
    practise = {"confirm-text": " ".join(PRACTICE), "sure": "Show values"}
    return {"resign": texts, "stop": stop, "values": practise}


def _asked_for(shown: Snapshot, you: tuple[int, ...]) -> events.Offer | None:
    """What the other player has asked for during the game."""
    asked: tuple[events.Offer, ...] = ("takeback", "stop")
    return next((what for what in asked if shown.offers[what] not in (0, *you)), None)


def _offer_texts(shown: Snapshot, you: tuple[int, ...], names: Names) -> dict[str, str]:
    other = names[2 - you[0]] if len(you) == 1 else OPPONENT
    asks = "asks to take the last move back."
    if _asked_for(shown, you) == "stop":
        asks = "asks to end the game without a winner."
    return {
        "offer-text": f"{other.subject} {asks}",
        "my-offer-text": f"Waiting for {other.object} to answer.",
        "rematch-offer-text": f"{other.subject} offers a rematch.",
        "my-rematch-text": f"You offered a rematch. Waiting for {other.object} to answer.",
    }


def _result_texts(shown: Snapshot, you: tuple[int, ...], cards: list[str]) -> dict[str, str]:
    """The words on the card at the end of a game."""
    series, outcome = shown.series, shown.position.outcome
    left, right = (1, 0) if you == (2,) else (0, 1)  # you first
    called = ["You" if you == (number,) else cards[number - 1] for number in (1, 2)]
    needs = any(objective.need for objective in shown.objectives)
    counts = outcome and shown.result and needs and outcome.termination not in UNDECIDED
    final = shown.position.scores if counts else None
    match = ""
    if series and outcome:
        wins = series["wins"]
        line = f"{called[left]} {wins[left]} : {wins[right]} {called[right]}"
        match = f"Match: {line} ({Series(series['best_of']).title.lower()})"
        if series["over"]:
            leader = series["leader"]
            first = int(leader == 2)
            verb = "win" if you == (first + 1,) else "wins"
            match = f"{called[first]} {verb} the match {wins[first]} : {wins[1 - first]}"
            if not leader:
                match = f"The match is drawn: {line}"
            elif wins[0] == wins[1]:
                fewer, more = sorted(series["won_in"])
                match += f", in {fewer} move{'s' * (fewer > 1)} against {more}"
    following = "next game" if series and not series["over"] else "rematch"
    return {
        "final": f"{final[left]} : {final[right]}" if final else "",
        "match-score": match,
        "counted": _ladder_text(shown, you),
        "rematch-text": following.capitalize(),
        "to-rematch": f"{'Go to' if you else 'Watch'} the {following}",
        "new-game": "New game" if shown.is_joined else "Start your own game",
    }


def _ladder_text(shown: Snapshot, you: tuple[int, ...]) -> str:
    """Whether a win against a bot counts for the ladder, and if not, why."""
    bots = [seat for seat in shown.seats if seat.kind == BOT]
    if not bots or len(you) != 1 or shown.status != "over":
        return ""
    return result_note(
        shown.position.game,
        bots[0].level,
        shown.help,
        shown.setup.series,
        won=_mood(shown.result, you) == "won",
        counts=shown.ladder_result == f"p{you[0]}",
    )


def stronger_bot(seats: Sequence[Seat]) -> str:
    """The level above that of the bot which plays; empty where none does, or it is the best."""
    levels = [seat.level for seat in seats if seat.kind == BOT]
    above = LEVELS[LEVELS.index(levels[0]) + 1 :] if levels else ()
    return above[0] if above else ""


def _has_won(shown: Snapshot, you: tuple[int, ...]) -> bool:
    """Whether somebody has won what was agreed on: the match where there is one, or the game."""
    if shown.series:
        return bool(shown.series["over"]) and you == (shown.series["leader"],)
    return _mood(shown.result, you) == "won"


def _mood(result: str | None, you: tuple[int, ...]) -> str:
    """How the card at the end looks: won, lost, or the colour of the winner."""
    if result not in ("p1", "p2"):
        return "none"
    if len(you) != 1:
        return result
    return "won" if result == f"p{you[0]}" else "lost"


def _call(shown: Snapshot, you: tuple[int, ...], names: Names) -> str:
    """What the other player waits for after the end."""
    asks = shown.status == "over" and len(you) == 1 and shown.offers["rematch"] not in (0, *you)
    return f"Rematch? {names[2 - you[0]].subject} is waiting" if asks else ""


def _next_call(shown: Snapshot, you: tuple[int, ...], names: Names) -> str:
    """That the other waits in the next game of the match, made while the page was open."""
    series = shown.series
    if shown.status != "over" or not series or series["over"] or len(you) != 1:
        return ""
    return f"{names[2 - you[0]].subject} is waiting in game {series['game'] + 1}"

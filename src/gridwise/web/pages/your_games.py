"""Your games: all of them, those where it is your turn first."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from gridwise.core.narration import Names, result_line
from gridwise.core.outcome import RESULTS, Outcome, Termination
from gridwise.core.registry import game as game_named
from gridwise.play.series import Series
from gridwise.web.game.event_sourced_game import known_games
from gridwise.web.game.events import MovePlayed, RematchAsked, RematchMade
from gridwise.web.game.stored_game import BOT, HUMAN, OPEN, OWN, GameEnding, StoredGame, seated
from gridwise.web.game.viewer import names_for
from gridwise.web.http.api import CURSOR, GameId
from gridwise.web.http.dependencies import form_of, hub_of, token_of
from gridwise.web.hub import MOST_LISTED, GameHub
from gridwise.web.pages.templating import page
from gridwise.web.storage.store import MOST_UNFINISHED, Cursor, GameStore

router = APIRouter(include_in_schema=False)

MOST_BOARDS = 6  # games on the page that are shown with their boards
MOST_NEXT = 12  # finished games that are asked whether another one follows
OFFERS_LAST = 7 * 86_400.0  # seconds after a game that its rematch or next game is called to mind


@router.get("/games")
async def your_games(
    request: Request, before: Annotated[str | None, Query(pattern=CURSOR)] = None
) -> Response:
    """Unfinished games, and finished ones a page at a time."""
    hub, token = hub_of(request), token_of(request)
    after = Cursor.parse(before) if before else None
    mine, most = NOTHING, (MOST_UNFINISHED, MOST_LISTED)
    if token:
        mine = await hub.store.ask(own_games, hub.store, token, *most, after, MOST_BOARDS)
    last = mine.over[-1] if len(mine.over) == MOST_LISTED else None
    yours = [each for each in mine.unfinished if is_turn_of(each, token)]
    theirs = [each for each in mine.unfinished if each.turn and each not in yours]
    waiting = [each for each in mine.unfinished if not each.turn]
    return page(
        request,
        "your_games.html",
        next_games=mine.next_games,
        lists=[
            (name, title, action, [own_game(each, token) for each in listed])
            for name, title, action, listed in (
                ("your-turn", "Your turn", "Play", yours),
                ("their-turn", "Your opponent's turn", "Open", theirs),
                ("waiting", "Waiting for an opponent", "Open", waiting),
            )
        ],
        boards=await _boards(hub, mine.versions),
        over=[own_game(each, token) for each in known_games(mine.over)],
        is_later_page=before is not None,
        older=Cursor(last.ending.at, last.setup.id) if last and last.ending else None,
    )


@router.post("/games/{game_id}/dismiss")
async def dismiss(game_id: GameId, request: Request) -> Response:
    """Remove a game from the lists, which ends it; then the list again that was looked at."""
    back = (await form_of(request, 5)).get("back", "")
    live = await hub_of(request).game(game_id)
    if token := token_of(request):
        await live.dismiss(token)
    return RedirectResponse("/" if back == "/" else "/games", 303)


def can_be_dismissed(stored: StoredGame, token: str | None) -> bool:
    """Whether an unfinished game can be ended by one player alone, without a result."""
    return all(seat.token == token or seat.kind in (BOT, OPEN) for seat in stored.seats)


def untouched(store: GameStore, token: str, game: str, level: str) -> str:
    """The id of an unfinished game against a bot in which one has not moved yet; empty for none.

    Not of one that was set up in another way than by a click.
    """
    found = {
        each.setup.id: seat.number
        for each in known_games(store.mine(token, MOST_LISTED))
        for seat in each.seats
        if (each.setup.game, seat.kind, seat.level) == (game, BOT, level)
        and (each.setup.deal != OWN and each.setup.best_of == 1)
    }
    last = store.last_events(list(found)) if found else {}
    for game_id, bot in found.items():
        # Nothing has happened, or the bot has begun.
        if last.get(game_id) in ((0, None, None), (1, MovePlayed.kind, bot)):
            return game_id
    return ""


class OwnGames(NamedTuple):
    """Games that somebody has a seat in, as lists show them."""

    unfinished: list[StoredGame]
    over: list[StoredGame]  # also of kinds that this version does not know
    next_games: Sequence[dict[str, Any]] = ()  # after which somebody waits
    versions: Mapping[str, int] = {}  # of the first games that are being played


NOTHING = OwnGames([], [])


def own_games(
    store: GameStore,
    token: str,
    unfinished: int,
    over: int,
    after: Cursor | None = None,
    boards: int = 0,
) -> OwnGames:
    """As many games as asked for, read in one thread; after a cursor, finished ones alone."""
    ended = store.mine(token, over, over=True, after=after)
    if after:
        return OwnGames([], ended)
    mine = known_games(store.mine(token, unfinished))
    shown = store.last_events([each.setup.id for each in mine if each.turn][:boards])
    versions = {game_id: number for game_id, (number, *_) in shown.items()}
    return OwnGames(mine, ended, next_games(store, known_games(ended), token), versions)


async def _boards(hub: GameHub, versions: Mapping[str, int]) -> dict[str, str]:
    """The boards of some games as pictures; the games come into memory, so not of all."""
    games = [await hub.playable(game_id, version) for game_id, version in versions.items()]
    return {game.id: game.snapshot.small_picture for game in games if game}


def is_turn_of(stored: StoredGame, token: str | None) -> bool:
    """Whether the holder of a token is to move."""
    return any(seat.number == stored.turn and seat.token == token for seat in stored.seats)


def next_games(store: GameStore, over: Sequence[StoredGame], token: str) -> list[dict[str, Any]]:
    """Of games that are over: where somebody offers you a rematch, or the match goes on."""
    since = time.time() - OFFERS_LAST
    recent = [each for each in over if each.ending and each.ending.at > since][:MOST_NEXT]
    last = store.last_events([each.setup.id for each in recent]) if recent else {}
    return [
        own_game(each, token) | {"waits": waits}
        for each in recent
        if (waits := _next_game(each, token, *last.get(each.setup.id, (0, "", 0))[1:]))
    ]


def _next_game(stored: StoredGame, token: str | None, kind: str, player: int) -> str:
    """What waits for you after a game, whose last event is known; empty if nothing does."""
    others = [seat for seat in stored.seats if seat.token != token]
    has_left = any(seat.kind == HUMAN and not seat.token for seat in others)
    if kind == RematchMade.kind or has_left:
        return ""
    opponent = names_to(stored, token)[others[0].number - 1] if others else None
    series = _series(stored)
    if series.best_of > 1 and not series.over:
        against = f" with {opponent.object}" if opponent else ""
        return f"Game {series.round} of your match{against} is waiting"
    if opponent and kind == RematchAsked.kind and player == others[0].number:
        return f"{opponent.does('offer')} a rematch"
    return ""


def _series(stored: StoredGame) -> Series:
    """How the match stands; a game that was stopped is played again, as in EventSourcedGame."""
    winner = RESULTS.index(stored.ending.result) if stored.ending else 0
    return stored.setup.series.after(winner) if winner else stored.setup.series


def names_to(stored: StoredGame, token: str | None) -> Names:
    """What both are called to one of them."""
    return names_for(stored.seats, [seat.number for seat in stored.seats if seat.token == token])


def own_game(stored: StoredGame, token: str | None) -> dict[str, Any]:
    """A game in a list, as one of its players sees it, or somebody else."""
    setup, ending = stored.setup, stored.ending
    names, opponent = names_to(stored, token), ""
    others = [seat for seat in stored.seats if seat.token != token]
    if len(others) == 1:
        opponent = f"against {names[others[0].number - 1].object}"
        if others[0].kind == OPEN:
            opponent = "nobody has joined yet"
    elif not others and any(seat.name for seat in stored.seats):  # two people at one screen
        opponent = f"{names[0].subject} against {names[1].object}"
    return {
        "id": setup.id,
        "dismiss": not ending and can_be_dismissed(stored, token),
        "game": setup.game,
        "title": game_named(setup.game).title,
        "names": seated(stored.seats),
        "opponent": opponent,
        "turn": f"{names[stored.turn - 1].possessive} turn" if stored.turn else "",
        "match": _match(stored, names),
        "at": datetime.fromtimestamp(ending.at if ending else setup.created, UTC),
        "result": _result(ending, names) if ending else "",
    }


def _match(stored: StoredGame, names: Names) -> str:
    """How the match stands: `Game 2. Best of 3: you lead 1 to 0`."""
    series = _series(stored)
    if series.best_of == 1:
        return ""
    if series.round == 1:
        return series.title
    return f"Game {stored.setup.round}. {series.line(names)[:-1]}"


def _result(ending: GameEnding, names: Names) -> str:
    """How it ended, to you: `You lost: you resigned`."""
    how = Termination(ending.termination)
    outcome = Outcome(RESULTS.index(ending.result), how, ending.reason)
    helped = f" (with {ending.help})" if ending.help else ""
    return f"{result_line(outcome, None, names)[:-1]}{helped}"

"""A Setup made into a match that can begin, with its players in their seats.

Every function raises GridwiseError with one clear line for what cannot be used.
"""

from __future__ import annotations

from dataclasses import replace

from gridwise.core.game import Game
from gridwise.core.outcome import MAX_PLIES, RESULT_MARKS
from gridwise.core.position import Position
from gridwise.core.registry import game as game_named
from gridwise.errors import BadRequest, quoted
from gridwise.play.library import Library
from gridwise.play.match import HUMAN, Match
from gridwise.play.records import Record
from gridwise.play.series import Series
from gridwise.play.session import PlaySession, Seats
from gridwise.play.setup import Setup
from gridwise.players.seats import ExternalPlayer, open_seat, player_name, resumed_player


def set_up(setup: Setup) -> PlaySession:
    """The match that was asked for, and who plays it."""
    library = Library()
    saved = library.read(setup.resume) if setup.resume else None
    if saved and (following := _next_of_series(setup, saved)):
        # Whoever has seen the other side of a board cannot play it for the first time again.
        if following.same_terms and setup.resume and library.other_side_begun(setup.resume):
            following = replace(following, same_terms="")
        return set_up(following)
    game = _game(setup, saved)
    before = saved.players if saved else (HUMAN, HUMAN)
    players = (
        player_name(setup.p1) if setup.p1 else resumed_player(before[0]),
        player_name(setup.p2) if setup.p2 else resumed_player(before[1]),
    )
    _check_programs(players)
    seats = (
        open_seat(game, players[0], setup.seed_for("player 1")),
        open_seat(game, players[1], setup.seed_for("player 2")),
    )
    max_plies = ply_limit(game, seats, len(saved.moves) if saved else 0)
    if saved:
        match, tags = _resumed(setup, saved, max_plies), dict(saved.tags)
        path = setup.record or setup.resume
        if players != saved.players:  # or a game won against one bot would count against another
            tags.pop("Terms", None)
        return PlaySession(match, seats, players, tags, path, library, _replaced(saved, players))
    match = replace(setup, game=game.key, p1=players[0], p2=players[1]).new_match(max_plies)
    session = PlaySession(match, seats, players, setup.series.tags, setup.record, library)
    if terms := setup.terms(match.board, match.first, session.person):
        session.tags |= {"Terms": terms}
    return session


def _check_programs(players: tuple[str, str]) -> None:
    """Raise EngineNotStarted for an engine that is not there: now, and not in the middle."""
    for player in players:
        kind, _, command = player.partition(":")
        if kind == "ugi":
            from gridwise.engine.ugi.client import check_program  # noqa: PLC0415 - 10 ms

            check_program(command)


def play_on(position: Position, person: int, bot: str) -> PlaySession:
    """A new game from a position, of a person on one side and a bot on the other.

    Cells that nobody has seen by now are dealt afresh.
    """
    game = position.game
    match = Match(game, position.board, first=position.first, moves=position.history)
    players = (HUMAN, bot) if person == 1 else (bot, HUMAN)
    seats = (open_seat(game, players[0]), open_seat(game, players[1]))
    return PlaySession(match, seats, players)


def ply_limit(game: Game, seats: Seats, played: int = 0) -> int | None:
    """The plies after which a game that can go on for ever is stopped; None if never.

    A person and a bot may go on. In UGI the game is over after MAX_PLIES, and models are told so;
    a person and an engine or a model may not, unless they continue one that has been played for
    longer already.
    """
    programs = None not in seats
    engine = any(isinstance(player, ExternalPlayer) for player in seats) and played <= MAX_PLIES
    return MAX_PLIES if game.cyclic and (programs or engine) else None


def _next_of_series(setup: Setup, saved: Record) -> Setup | None:
    """The next game of the series that a finished record is from, if there is one to come."""
    series = Series.from_tags(saved.tags)
    if not (saved.finished and series):
        return None
    match = Match.resume(saved)
    winner = RESULT_MARKS.index(saved.result)
    following = series.next(winner, match.moves_of(winner))
    if following is None:
        return None
    players = (resumed_player(saved.players[0]), resumed_player(saved.players[1]))
    before = replace(saved, players=players)
    going_on = Setup(resume=setup.resume).going_on(following, before)
    taken = replace(going_on, p1=setup.p1 or going_on.p1, p2=setup.p2 or going_on.p2, round=1)
    as_before = (player_name(taken.p1), player_name(taken.p2)) == (going_on.p1, going_on.p2)
    return taken if as_before else replace(taken, same_terms="")


def _replaced(saved: Record, players: tuple[str, str]) -> str:
    """Who sits where another program sat in a record; empty where nobody does."""
    lines = [
        f"Player {number} was {quoted(before, 60)}. A file starts no programs, so you move for "
        f"Player {number}; --p{number} seats another player."
        for number, (before, now) in enumerate(zip(saved.players, players, strict=True), 1)
        if now == HUMAN and before.partition(":")[0] in ("ugi", "python", "model")
    ]
    return " ".join(lines)


def _game(setup: Setup, saved: Record | None) -> Game:
    if saved is None:
        if not setup.game:
            raise BadRequest("Which game? Try gridwise play number-run, or gridwise for a menu.")
        return game_named(setup.game)
    if setup.game and game_named(setup.game) is not saved.game:
        raise BadRequest(f"{setup.resume} is a game of {saved.game.title}, not of {setup.game}.")
    return saved.game


def _resumed(setup: Setup, saved: Record, max_plies: int | None) -> Match:
    options = (setup.size, setup.first, setup.target, setup.handicap, setup.deal)
    if setup.board is not None or any(options):
        raise BadRequest(
            "A resumed game has its board already: "
            "leave out --board, --deal, --size, --target, --handicap and --first."
        )
    if saved.finished:
        over = f"The game in {setup.resume} is over ({saved.result})."
        raise BadRequest(f"{over} `gridwise replay` steps through it.")
    return Match.resume(saved, seed=setup.seed_for("resume"), max_plies=max_plies)

"""Watching at a pace of one's own: two programs that play, or a game that was played."""

from __future__ import annotations

import asyncio
import time
from typing import ClassVar

from textual.binding import Binding, BindingType

from gridwise.core.narration import Names
from gridwise.core.outcome import RESULT_MARKS
from gridwise.core.position import Player, Position
from gridwise.play.match import Match, one_person
from gridwise.play.records import Record
from gridwise.play.session import PlaySession, player_names
from gridwise.play.setup import Setup
from gridwise.tui.screens.match import MatchScreen


class WatchScreen(MatchScreen, inherit_bindings=False):
    """A game between two programs: it can be paused, and gone through move by move."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "pause", "Pause", tooltip="Pause, and go on"),
        Binding("enter,right", "step", "One move", key_display="→", tooltip="One move, then pause"),
        Binding("p", "play_again", "Next game", tooltip="Another game, with sides swapped"),
        *MatchScreen.BINDINGS,
    ]

    def __init__(self, session: PlaySession, setup: Setup) -> None:
        super().__init__(session, setup)
        self._paused = False
        self._steps = 0  # moves that are to be shown though it is paused

    def _turn_line(self) -> str:
        if self._paused and not self.session.match.outcome:
            return "Paused: space goes on, → shows one move"
        return super()._turn_line()

    async def _pause(self, since: float) -> None:
        """Wait for the usual time, and while it is paused."""
        while not self._steps:
            left = since + self.app.delay - time.monotonic()
            if left <= 0 and not self._paused:
                return
            await asyncio.sleep(min(0.05, left) if left > 0 else 0.05)
        self._steps -= 1

    def action_pause(self) -> None:
        """Pause, or go on."""
        self._paused = not self._paused
        self._show_status()

    def action_step(self) -> None:
        """Show one more move, and pause."""
        self._paused = True
        self._steps += 1
        self._show_status()


class ReplayScreen(WatchScreen, inherit_bindings=False):
    """A game that was played, move by move; it is shown and not written to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Back", key_display="←", tooltip="One move back"),
        Binding("right,enter", "step", "On", key_display="→", tooltip="One move on, then pause"),
        Binding("space", "pause", "Run", tooltip="Let it run, and pause"),
        Binding("home", "go_to(0)", "Start", show=False, tooltip="Before the first move"),
        Binding("end", "go_to(-1)", "End", show=False, tooltip="After the last move"),
        Binding("p", "play_again", "Again", show=False, tooltip="Once more, from the start"),
        *MatchScreen.BINDINGS,
    ]

    def __init__(self, record: Record, paused: bool = False) -> None:
        player = RecordedPlayer(record)
        match = Match(record.game, record.board, first=record.first)
        session = _Replayed(match, (player, player), record.players)
        super().__init__(session, Setup(game=record.game.key))
        self._record, self._paused = record, paused

    def action_go(self, by: int) -> None:
        """So many moves on or back, and pause."""
        self.action_go_to(max(0, len(self.session.match.moves) + by))

    def action_go_to(self, number: int) -> None:
        """Show the position after so many moves, or at the end, and pause."""
        self._stop()
        self._paused, self._steps = True, 0
        match, moves = self.session.match, self._record.moves
        number = len(moves) if number < 0 else number
        # On the same board: a cell that is face down again has the value that it had.
        match.rewind(min(number, len(match.moves)), match.true_board)
        for move in moves[len(match.moves) : number]:
            match.move(move)
        self._show()
        self._play()

    def _program_to_move(self) -> Player | None:
        at_the_end = len(self.session.match.moves) == len(self._record.moves)
        return None if at_the_end else super()._program_to_move()

    async def _let_programs_move(self) -> None:
        await super()._let_programs_move()
        match, winner = self.session.match, RESULT_MARKS.index(self._record.result)
        if winner in (1, 2) and not match.outcome:
            match.resign(3 - winner)
            self._show()

    def _turn_line(self) -> str:
        if not (self._program_to_move() or self.session.match.outcome):
            return "This is as far as the game went."
        if self._paused and not self.session.match.outcome:
            return f"Paused after move {len(self.session.match.moves)}: ← and → step, space runs on"
        return super()._turn_line()

    def action_play_again(self) -> None:
        """Show it once more, from the start."""
        self.app.switch_screen(ReplayScreen(self._record))


class _Replayed(PlaySession):
    """A session in which nobody is asked, though a person may have played: that was you."""

    @property
    def names(self) -> Names:
        """As the review of the game has them."""
        return player_names(self.players, one_person(self.players), self.nameless)


class RecordedPlayer:
    """Makes the moves of a record again."""

    name = "record"

    def __init__(self, record: Record) -> None:
        self._moves = record.moves

    def choose(self, position: Position) -> int:
        """The move that was made here."""
        return position.read(self._moves[len(position.history)])

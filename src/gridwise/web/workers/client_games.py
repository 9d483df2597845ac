"""ClientGames: keeps one address from filling the server with games that nobody finishes.

They are counted in memory, each process for itself: the database has no addresses, not even hashed
ones, which could be guessed back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Sequence

from gridwise.web.errors import TooMany
from gridwise.web.settings import ServerLimits

FULL = "Your network has {} unfinished games on this server, the limit. Finish one, or resign."


class ClientGames:
    """Who has started the last games; `unfinished` says which of some are not over."""

    def __init__(
        self, limits: ServerLimits, unfinished: Callable[[Sequence[str]], Awaitable[set[str]]]
    ) -> None:
        self._most, self._unfinished = limits.client_games, unfinished
        # The address and the id of each. Of older ones the server can have no more than of these.
        self._started: deque[tuple[str, str]] = deque(maxlen=limits.all_games)

    async def check(self, address: str) -> None:
        """Raise TooMany if an address has as many unfinished games as it may have."""
        mine = self._of(address)
        if len(mine) >= self._most:  # only then is it worth asking which of them are over
            over = set(mine) - await self._unfinished(mine)
            left = [each for each in self._started if each[1] not in over]
            self._started = deque(left, self._started.maxlen)
            if len(self._of(address)) >= self._most:
                raise TooMany(FULL.format(self._most), after=600)

    def note(self, address: str, game_id: str) -> None:
        """Count a game that an address has started."""
        self._started.append((address, game_id))

    def _of(self, address: str) -> list[str]:
        # 0.6 ms for 20,000 games; to start one takes ten times that.
        return [game_id for whose, game_id in self._started if whose == address]

"""How many unfinished games each client has started, in memory.

The database has no addresses, not even hashed ones, which could be guessed back. After a restart
counting starts again, and each process counts for itself: that is enough to keep one client from
filling the server.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from gridwise.web.errors import TooMany
from gridwise.web.workers.sites import SITE, site_of

FULL = (
    "Your network has {many} unfinished games on this server, which is the limit. "
    "Finish one, or resign."
)


FEWEST = 10_000  # games in memory before those that are over are looked for


class ClientGames:
    """The games that each client has started; `unfinished` says which of some are not over."""

    def __init__(
        self, most: int, unfinished: Callable[[Sequence[str]], Awaitable[set[str]]]
    ) -> None:
        self._most = most
        self._unfinished = unfinished
        self._started: dict[str, dict[str, None]] = {}  # ids by client, the oldest first
        self._clients: dict[str, str] = {}  # the client of each game
        self._sites: Counter[str] = Counter()  # games by IPv6 site
        self._look_at = FEWEST

    async def check(self, client: str) -> None:
        """Raise TooMany if a client, or its site, has as many unfinished games as it may have."""
        if len(self._clients) >= self._look_at:
            self._look_at = len(self._clients) + FEWEST  # for those who ask meanwhile
            await self._forget_finished(list(self._clients))
            self._look_at = 2 * max(FEWEST, len(self._clients))
        # Only of one that is full is it worth asking which of its games are over.
        if len(self._started.get(client, ())) >= self._most:
            await self._forget_finished(list(self._started[client]))
            if len(self._started.get(client, ())) >= self._most:
                raise TooMany(FULL.format(many=self._most), after=600)
        site, most = site_of(client), self._most * SITE
        if site and self._sites[site] >= most:
            games = [each for each, whose in self._clients.items() if site_of(whose) == site]
            await self._forget_finished(games)
            if self._sites[site] >= most:
                raise TooMany(FULL.format(many=most), after=600)

    def note(self, game_id: str, client: str) -> None:
        """Count a game that a client has started; once, however often it is read again."""
        if game_id in self._clients:
            return
        self._started.setdefault(client, {})[game_id] = None
        self._clients[game_id] = client
        if site := site_of(client):
            self._sites[site] += 1

    def note_rematch(self, game_id: str, of: str) -> None:
        """Count a rematch for the client who started the game before it."""
        if of in self._clients:
            self.note(game_id, self._clients[of])

    async def _forget_finished(self, ids: Sequence[str]) -> None:
        for game_id in set(ids) - await self._unfinished(ids):
            client = self._clients.pop(game_id, None)
            if client is not None:
                self._started[client].pop(game_id)
                if not self._started[client]:
                    del self._started[client]
                if site := site_of(client):
                    self._sites[site] -= 1
                    if not self._sites[site]:
                        del self._sites[site]

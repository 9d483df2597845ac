"""The web app: everything put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import gridwise  # the games are registered
from gridwise.web import pages
from gridwise.web.http import api, operation
from gridwise.web.http.middleware import SecurityMiddleware
from gridwise.web.http.operation import Readiness
from gridwise.web.http.rate_limit import RateLimiter
from gridwise.web.http.sockets import GameSockets, OpenSockets
from gridwise.web.hub import GameHub
from gridwise.web.settings import ServerSettings
from gridwise.web.storage import GameStore
from gridwise.web.telemetry.metrics import watch_lag
from gridwise.web.workers.pacing import Pacer


def make_app(settings: ServerSettings, store: GameStore | None = None) -> FastAPI:
    """The app for these settings; without a store it can be described, and not run."""
    pacer = Pacer()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        assert store, "it is only described"
        store.pacer = pacer
        await asyncio.to_thread(store.clock.measure)
        hub = app.state.hub = GameHub(store, settings)
        app.state.readiness = Readiness(store, settings.probe_time)
        lag = asyncio.create_task(watch_lag())
        yield
        lag.cancel()
        await hub.close()
        store.close()

    app = FastAPI(
        title="Gridwise",
        version=gridwise.__version__,
        summary="Five two-player grid games: play them, watch them, connect your own program.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # FastAPI's pages load scripts from other sites
        redoc_url=None,
        lifespan=lifespan,
    )
    limiter = app.state.rate_limiter = RateLimiter(settings.limits)
    app.state.sockets = OpenSockets(settings.limits)
    app.add_middleware(GameSockets)  # inside of the next
    app.add_middleware(SecurityMiddleware, settings=settings, rate_limiter=limiter, pacer=pacer)
    app.include_router(api.router)
    app.include_router(operation.router)
    pages.install(app)
    return app

"""The web app: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

import gridwise  # the games are registered
from gridwise.web import pages
from gridwise.web.http import api, sockets
from gridwise.web.http.middleware import SecurityMiddleware
from gridwise.web.http.rate_limit import RateLimiter
from gridwise.web.hub import GameHub
from gridwise.web.settings import Settings
from gridwise.web.storage import Store, open_database


def make_app(settings: Settings, store: Store | None = None) -> FastAPI:
    """The app for these settings; it opens its database when it starts, unless given one."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        opened = store or Store(open_database(settings.database))
        hub = app.state.hub = GameHub(opened, settings)
        yield
        await hub.close()
        opened.close()

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
    app.add_middleware(SecurityMiddleware, limits=settings.limits, rate_limiter=limiter)
    app.include_router(api.router)
    app.include_router(sockets.router)

    @app.get("/health", tags=["server"])
    async def health() -> dict[str, Any]:
        """Whether the server is up."""
        return {"status": "ok", "version": gridwise.__version__, "live": len(app.state.hub)}

    pages.install(app)
    return app

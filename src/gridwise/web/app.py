"""The app: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

import gridwise  # the games are registered
from gridwise.web import answers, api, api_docs, pages, sockets
from gridwise.web.guard import Guard
from gridwise.web.hall import Hall
from gridwise.web.rates import Rates
from gridwise.web.schema import open_database
from gridwise.web.settings import Settings
from gridwise.web.store import Store


def make_app(settings: Settings, store: Store | None = None) -> FastAPI:
    """The app for these settings; it opens its database when it starts, unless given one."""

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        kept = store or Store(open_database(settings.database))
        hall = app.state.hall = Hall(kept, settings)
        yield
        await hall.close()
        kept.close()

    app = FastAPI(
        title="Gridwise",
        version=gridwise.__version__,
        summary="Five two-player grid games: play them, watch them, let a program take a seat.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages would load scripts from elsewhere
        redoc_url=None,
        lifespan=life,
    )
    rates = app.state.rates = Rates(settings.limits)
    app.add_middleware(Guard, limits=settings.limits, rates=rates)
    answers.install(app)
    app.include_router(api.router)
    app.include_router(sockets.router)

    @app.get("/health", tags=["server"])
    async def health() -> dict[str, Any]:
        """Whether the server is there."""
        return {"status": "ok", "version": gridwise.__version__, "live": len(app.state.hall)}

    app.include_router(api_docs.router)
    pages.install(app)
    return app

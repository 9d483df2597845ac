"""For whoever runs the server: whether it is up, and whether it can do its work."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import secrets
import time
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

import gridwise
from gridwise.web.errors import NotYours
from gridwise.web.http.dependencies import hub_of
from gridwise.web.settings import ServerSettings
from gridwise.web.storage import GameStore
from gridwise.web.telemetry.metrics import exposition

log = logging.getLogger("gridwise.web")

# How long an answer counts: however often it is asked for, the database is not.
HEALTH_SECONDS = 1.0

router = APIRouter(tags=["server"])


class Readiness:
    """Whether the database can be written to, found out by writing, at most once a second."""

    def __init__(self, store: GameStore, wait: float) -> None:
        self._store, self._wait = store, wait
        self._problem, self._known_at = "", float("-inf")
        self._probe: asyncio.Task[tuple[str, Exception | None]] | None = None

    async def problem(self) -> str:
        """What is wrong, in a sentence; empty if nothing is."""
        if time.monotonic() - self._known_at < HEALTH_SECONDS:
            return self._problem
        # One at a time: a database that hangs is not asked again.
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(asyncio.to_thread(self._try))
        probe = self._probe
        done, _ = await asyncio.wait({probe}, timeout=self._wait)
        late = f"The database has not answered for {self._wait:g} s."
        problem, cause = probe.result() if done else (late, None)
        if problem and not self._problem:
            log.warning("Not ready. %s", problem, exc_info=cause)
        elif self._problem and not problem:
            log.warning("Ready again")
        self._problem, self._known_at = problem, time.monotonic()
        return problem

    def _try(self) -> tuple[str, Exception | None]:
        url = self._store.engine.url
        try:
            if url.get_backend_name() == "sqlite" and not Path(url.database or "").exists():
                return "The file of the database is gone.", None  # SQLite would go on writing to it
            self._store.probe()
        except Exception as error:  # noqa: BLE001 - whatever it is, moves cannot be written
            return f"The database cannot be written to ({type(error).__name__}).", error
        return "", None


@router.get("/health", summary="Whether the server is up")
async def health(request: Request) -> dict[str, Any]:
    """It says nothing about the database; that is `/ready`."""
    return {"status": "ok", "version": gridwise.__version__, "live": len(hub_of(request))}


@router.get(
    "/ready",
    summary="Whether moves can be written",
    responses={503: {"description": "They cannot; `reason` says why"}},
)
async def ready(request: Request) -> Response:
    """Found out by writing to the database, at most once a second."""
    readiness: Readiness = request.app.state.readiness
    if hub_of(request).admin_tasks.drain_until:
        problem = "The server is about to stop, and takes no new games."
    else:
        problem = await readiness.problem()
    if problem:
        body = {"status": "unavailable", "reason": problem}
        return JSONResponse(body, 503, {"Retry-After": "5"})
    return JSONResponse({"status": "ready"})


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request) -> Response:
    """For Prometheus: to this machine, to networks that the settings allow, or for a token."""
    hub = hub_of(request)
    if not _may_read_metrics(request, hub.settings):
        raise NotYours(
            "Metrics are for the machine of the server. Its settings can allow others: "
            "metrics_networks, metrics_token."
        )
    state = request.app.state
    levels = [
        *hub.levels(),
        ("gridwise_sockets", "Open sockets.", {"": len(state.sockets)}),
        ("gridwise_connections", "Open connections.", {"": len(state.connections)}),
        ("gridwise_rate_buckets", "Clients that are counted.", {"": len(state.rate_limiter)}),
    ]
    return Response(exposition(levels), media_type="text/plain; version=0.0.4; charset=utf-8")


def _may_read_metrics(request: Request, settings: ServerSettings) -> bool:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    wanted = settings.metrics_token.encode()
    if wanted and kind.casefold() == "bearer" and secrets.compare_digest(token.encode(), wanted):
        return True
    try:
        # Behind a proxy this is the visitor, by X-Forwarded-For.
        address = ipaddress.ip_address(request.client.host if request.client else "")
    except ValueError:
        return False
    allowed = (ipaddress.ip_network(each) for each in settings.metrics_networks)
    return address.is_loopback or any(address in network for network in allowed)

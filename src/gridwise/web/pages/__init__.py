"""The pages that people see.

They are made on the server and work without scripts as far as possible; scripts make them faster.
A browser gets a page even when something is wrong; programs use `/api`.
"""

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from gridwise.web.pages import (
    analysis_page,
    device,
    error_pages,
    game_page,
    learn_page,
    look_back,
    new_game_page,
    puzzles,
    start_page,
    your_games,
)
from gridwise.web.pages.templating import STATIC, HashedFiles


def install(app: FastAPI) -> None:
    """Add the pages to the app, and error pages for browsers."""
    for part in (
        start_page,
        your_games,
        new_game_page,
        game_page,
        look_back,
        learn_page,
        puzzles,
        analysis_page,
        device,
    ):
        app.include_router(part.router)
    app.mount("/static/{version}", HashedFiles(directory=STATIC))
    app.add_middleware(GZipMiddleware, minimum_size=1_000)
    error_pages.install(app)

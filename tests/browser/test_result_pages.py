"""The pages that an arena and a study write, as files in a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from gridwise.lab.report.document import as_html
from gridwise.lab.run import Executor
from gridwise.lab.store import ResultStore
from gridwise.lab.study.blocks import Plan
from gridwise.lab.study.report import draw_all, report
from gridwise.lab.study.totals import run_study
from gridwise.lab.tournament.report import page as arena_page
from tests.browser.windows import assert_fits
from tests.lab.test_study import MEMORY, standard
from tests.lab.tournament import result, schedule
from tests.sizes import sample


def tournament_page() -> str:
    """The page of a small tournament, with figures as wide as they usually are."""
    planned = schedule(
        "bot:random", "bot:novice", "bot:casual", key="number-connect", pairs=sample(20, long=100)
    )
    return arena_page(result(planned))


def study_page() -> str:
    """The page of a small study of three variants."""
    changes = ("", "target=13", "size=3x3,target=12")
    variants = [standard("number-connect", each) for each in changes]
    levels = ("random", "novice", "casual")
    plan = sample(
        Plan(boards=4, pairs=4, games=2, levels=levels),
        long=Plan(boards=50, pairs=20, games=4, levels=levels),
    )
    figures = run_study(variants, plan, Executor(), ResultStore(None, MEMORY))
    parts = list(report(figures, plan, "gridwise study number-connect"))
    return as_html(parts, draw_all(figures))


@pytest.mark.parametrize("content", [tournament_page, study_page])
def test_a_page_of_results_fits_into_every_window(
    content: Callable[[], str], browser: Browser
) -> None:
    """Nothing sticks out on a phone; on a laptop no column of a table is out of sight."""
    with browser.new_context() as context:
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text))
        page.set_content(content())
        for width in (320, 400, 760, 1000, 1920):
            page.set_viewport_size({"width": width, "height": 800})
            assert_fits(page, f"{width} px")
        page.set_viewport_size({"width": 1000, "height": 800})
        cut = "each => each.scrollWidth > each.clientWidth"
        assert (
            page.evaluate(f"[...document.querySelectorAll('.scroll, table')].filter({cut})") == []
        )
        assert complaints == []

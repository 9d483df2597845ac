"""Windows of all sizes, and what must fit into them."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.sizes import sample

_FEW = {
    "small phone": (320, 568),
    "phone": (375, 667),
    "on its side": (740, 360),
    "zoomed": (640, 400),  # what is left of a window of 1280 by 800 at 200 %
    "laptop": (1280, 800),
    "large": (1920, 1080),
}
_MORE = {"phone on its side": (667, 375), "tall phone": (375, 740)}
WINDOWS = sample(_FEW, long=_FEW | _MORE)

# What is wider than the window: the innermost elements that stick out, if the page can be scrolled
# sideways. What scrolls by itself, such as a table, may be as wide as it likes.
_STICKING_OUT = """() => {
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= wide) return [];
  const out = [...document.body.querySelectorAll("*")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && (box.right > wide + 1 || box.left < -1);
  });
  const name = (each) => `${each.localName}#${each.id}.${each.getAttribute("class")}`;
  const inner = (each) => !out.some((other) => other !== each && each.contains(other));
  return ["the page", ...out.filter(inner).map(name)];
}"""
# What is not wholly in the window, without scrolling.
_OUT_OF_SIGHT = """(selectors) => {
  scrollTo(0, 0);
  return selectors.filter((selector) => {
    const shown = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    return !shown.length || shown.some((each) => {
      const { top, left, right, bottom } = each.getBoundingClientRect();
      return top < -1 || left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
    });
  });
}"""


def assert_fits(page: Page, where: str) -> None:
    """Nothing sticks out sideways."""
    wide = page.evaluate(_STICKING_OUT)
    assert wide == [], f"{where}: {wide}"


def assert_in_sight(page: Page, *selectors: str) -> None:
    """All of these can be seen without scrolling."""
    hidden = page.evaluate(_OUT_OF_SIGHT, list(selectors))
    assert hidden == [], f"{hidden} cannot be seen in {page.viewport_size}"


def resized(page: Page) -> Iterator[str]:
    """Make the window of a page as large as all of them in turn, and then as it was."""
    before = page.viewport_size
    for name, (width, height) in WINDOWS.items():
        page.set_viewport_size({"width": width, "height": height})
        yield name
    if before:
        page.set_viewport_size(before)


def assert_fits_everywhere(page: Page, *needed: str) -> None:
    """In every window nothing sticks out, and what is needed is in sight."""
    for window in resized(page):
        assert_fits(page, window)
        if needed:
            assert_in_sight(page, *needed)

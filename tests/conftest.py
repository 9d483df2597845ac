"""What holds for the whole suite: long tests, compiled code, and which worker runs what."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.sizes import LONG_VARIABLE

pytest_plugins = ["tests.processor_time"]

# One worker runs all tests below one of these, so that what they share exists once: Chromium and a
# server; PostgreSQL; Inspect, which takes 2 s to load; a Dask cluster. They come first, as they
# take longest.
SHARED_PREFIXES = ("tests/browser/", "tests/web/", "tests/evals/", "tests/lab/test_dask")
# Folders with large files come next, so that at the end no worker waits for another.
FIRST_PREFIXES = (*SHARED_PREFIXES, "tests/tui/", "tests/cli/", "tests/lab/", "tests/engine/")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer `--long`."""
    parser.addoption(
        "--long", action="store_true", help="run long tests too, and all with full samples"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Set what every process of the run must know before the first test is imported."""
    if config.getoption("long"):
        os.environ[LONG_VARIABLE] = "1"
    # Kernels are hashed by what they were compiled from, so they can be kept between runs; also
    # with `-p no:cacheprovider`.
    compiled = config.rootpath / ".pytest_cache" / "d" / "compiled"
    compiled.mkdir(parents=True, exist_ok=True)
    os.environ["GRIDWISE_CACHE"] = str(compiled)
    # One day for the whole run: midnight may pass between two reports that are compared.
    os.environ.setdefault("SOURCE_DATE_EPOCH", str(int(time.time())))
    config.option.loadscopereorder = False  # the order is ours
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for no garbage in what is there now; with that, collecting took 14 s instead of 8."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Give the requests that Schemathesis makes of one test a name each, as before pytest 9.2."""
    if item.parent and not item.nodeid.endswith(item.name):
        item._id = item.parent.id.child(item.name)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests unless they are wanted, and put the longest first."""
    name, times = Counter(item.nodeid for item in items).most_common(1)[0] if items else ("", 0)
    if times > 1:
        raise pytest.UsageError(f"{times} tests are called {name}: a worker would run one of them.")
    long = [item for item in items if item.get_closest_marker("long")]
    for item in long:
        if not any(mark.args for mark in item.iter_markers("long")):
            raise pytest.UsageError(f"{item.nodeid} does not say why it is long.")
    if long and not config.getoption("long"):
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
    items.sort(key=_place)


def _place(item: pytest.Item) -> int:
    return next(
        (place for place, start in enumerate(FIRST_PREFIXES) if item.nodeid.startswith(start)),
        len(FIRST_PREFIXES),
    )


def pytest_xdist_auto_num_workers() -> int:
    """One worker more than processors, for `-n auto`: tests also wait for programs and pages."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Give a worker a whole file at a time, or all that belongs together."""
    return FileScheduling(config, log)


class FileScheduling(LoadScopeScheduling):
    """As xdist's `loadfile`, and each of `SHARED_PREFIXES` as one file."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return next((start for start in SHARED_PREFIXES if file.startswith(start)), file)

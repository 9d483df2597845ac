"""A pytest plugin: the processor time of every test, with a limit and a summary.

Processor time counts what a test makes the machine do, in its own process and in all the programs
it starts, and not how long it waits: another program on the machine hardly changes it. What a
fixture needs is counted for the test that first asks for it, but not held against it.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

LIMIT_SECONDS = 5.0
SLOWEST_SHOWN = 10
CACHE_KEY = "gridwise/processor_time"  # scripts/test_times.py reads it

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


def processor_seconds() -> float:
    """What this process and all that descend from it have used so far.

    A process that has ended counts in the one that waited for it.
    """
    used = os.times()
    ticks = sum(_ticks(pid) for pid in _descendants(os.getpid()))
    return sum(used[:4]) + ticks / _TICKS_PER_SECOND


def _descendants(pid: int) -> Iterator[int]:
    # Without pathlib, which takes three times as long: this is asked three times a test.
    with suppress(OSError):  # it has just ended
        for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - as above
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as children:
                for child in map(int, children.read().split()):
                    yield child
                    yield from _descendants(child)


def _ticks(pid: int) -> int:
    """User and system time of a process and of its children that have ended."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as stat:
        return sum(map(int, stat.read().rpartition(b")")[2].split()[11:15]))
    return 0


class ProcessorTime:
    """Measures in the process that runs tests, adds up in the one that reports them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._used = processor_seconds()
        self._seconds: defaultdict[str, float] = defaultdict(float)  # by test

    def pytest_collection_finish(self) -> None:
        """What was used until now is no test's."""
        self._used = processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note what one phase of a test has used; too much is a failure."""
        report = yield
        used = processor_seconds()
        # Less than before: a program has ended whose times went to nobody, as Chromium's do.
        seconds, self._used = max(0.0, used - self._used), used
        vars(report)["processor_seconds"] = seconds  # goes from worker to controller
        if (
            call.when == "call"
            and report.passed
            and seconds > LIMIT_SECONDS * (2 if _is_busy() else 1)
            and not self._config.getoption("long")
            and "COVERAGE_RUN" not in os.environ  # tracing takes several times as long
            and not _compiled_since(call.start)
        ):
            report.outcome = "failed"
            report.longrepr = (
                f"{item.nodeid} took {seconds:.1f} s of processor time, and {LIMIT_SECONDS:.0f} s "
                "is the limit. Take a smaller sample (tests/sizes.py), share what is expensive, or "
                'mark it @pytest.mark.long("why it cannot be quick"): then only '
                "`make test-long` runs it."
            )
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test to its total."""
        self._seconds[report.nodeid] += vars(report).get("processor_seconds", 0.0)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:  # noqa: ANN401 - pytest's
        """Say what the tests used, and which of them most."""
        if not self._seconds:
            return
        total = sum(self._seconds.values())
        terminalreporter.section("processor time")
        slowest = sorted(self._seconds.items(), key=lambda test: -test[1])
        for nodeid, seconds in slowest[:SLOWEST_SHOWN]:
            terminalreporter.write_line(f"{seconds:6.2f} s  {nodeid}")
        used = f"{len(self._seconds)} tests used {total:.0f} s of processor time"
        terminalreporter.write_line(used)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Keep the times for scripts/test_times.py."""
        config = session.config
        if self._seconds and not hasattr(config, "workerinput") and hasattr(config, "cache"):
            rounded = {nodeid: round(used, 3) for nodeid, used in self._seconds.items()}
            config.cache.set(CACHE_KEY, rounded)


def _is_busy() -> bool:
    """Whether others use this machine: programs that share caches take longer for the same work."""
    return os.getloadavg()[0] > 2 * (os.cpu_count() or 1)


def _compiled_since(start: float) -> bool:
    """Whether a kernel was compiled in the meantime: that happens once, in whichever test is first.

    Times of files can be a few milliseconds behind the clock.
    """
    compiled = Path(os.environ["GRIDWISE_CACHE"]).rglob("*.nbc")
    return any(file.stat().st_mtime > start - 0.1 for file in compiled)


def pytest_configure(config: pytest.Config) -> None:
    """Begin."""
    config.pluginmanager.register(ProcessorTime(config), "processor-time")

"""The suite watches itself: what is too slow fails, what is long is left out, and says why."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# The limit is made small, so that a test of it is quick.
CONFTEST = """
import tests.processor_time
from tests.conftest import *
tests.processor_time.LIMIT_SECONDS = 0.1
"""

WORK_CODE = "sum(range(60_000_000))"  # 0.4 s at least; the limit is 0.1, and 0.2 where others work


def run_pytest(folder: Path, tests: str, *options: str) -> str:
    """Run a file of tests as this suite is run; the report."""
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = long\n")
    (folder / "test_some.py").write_text(f"import pytest, subprocess, sys, time\n{tests}")
    command = [sys.executable, "-m", "pytest", "-p", "xdist", "-rf", *options]
    environment = {"PYTHONPATH": f"{ROOT}", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


def test_a_test_that_uses_much_processor_time_fails(tmp_path: Path) -> None:
    """Work counts, its own and that of programs it starts; waiting does not."""
    report = run_pytest(
        tmp_path,
        f"def test_own(): {WORK_CODE}\n"
        f"def test_program(): subprocess.run([sys.executable, '-c', {WORK_CODE!r}])\n"
        "def test_waits(): time.sleep(0.5)\n",
        "-n1",
    )
    assert "2 failed, 1 passed" in report, report
    assert "FAILED test_some.py::test_own" in report
    assert "FAILED test_some.py::test_program" in report
    assert 'mark it @pytest.mark.long("why it cannot be quick")' in report
    assert "3 tests used" in report


def test_a_long_test_is_run_when_asked_for_and_has_no_limit(tmp_path: Path) -> None:
    """`make test` leaves it out and counts it; `--long` runs it, and takes the larger samples."""
    tests = (
        "from tests.sizes import sample\n"
        f"@pytest.mark.long('it works hard')\ndef test_long(): {WORK_CODE}\n"
        "@pytest.mark.parametrize('number', range(sample(1, long=3)))\n"
        "def test_quick(number): assert sample(1, long=3) > number\n"
    )
    assert "1 passed, 1 deselected" in run_pytest(tmp_path, tests)
    assert "4 passed" in run_pytest(tmp_path, tests, "--long")


def test_a_long_test_says_why(tmp_path: Path) -> None:
    """A mark without a reason is refused before anything runs."""
    report = run_pytest(tmp_path, "@pytest.mark.long\ndef test_long(): pass\n")
    assert "test_some.py::test_long does not say why it is long" in report


def test_no_two_tests_have_one_name(tmp_path: Path) -> None:
    """Workers go by names: of two tests with the same one they would run one, and say nothing."""
    (tmp_path / "two.py").write_text(
        "import pytest\n@pytest.hookimpl(tryfirst=True)\n"
        "def pytest_collection_modifyitems(items): items[1]._id = items[0].id\n"
    )
    tests = "def test_one(): pass\ndef test_two(): pass\n"
    report = run_pytest(tmp_path, tests, "-p", "two")
    assert "2 tests are called test_some.py::test_one" in report, report


def test_what_belongs_together_runs_in_one_worker(tmp_path: Path) -> None:
    """What the tests of a folder share is started once, and the folder is the first to run."""
    for folder in ("arena", "browser"):
        (tmp_path / "tests" / folder).mkdir(parents=True)
        for number in range(2):
            file = tmp_path / "tests" / folder / f"test_{number}.py"
            file.write_text("def test_some(worker_id): open(worker_id, 'a').write(f'{__name__} ')")
    report = run_pytest(tmp_path, "", "-n2", "--import-mode=importlib")
    assert "4 passed" in report, report
    ran = sorted(file.read_text().split() for file in tmp_path.glob("gw?"))
    assert ["tests.browser.test_0", "tests.browser.test_1"] in [names[:2] for names in ran]

"""The files of `gridwise grade`: what cannot be written is known before the games."""

from __future__ import annotations

from pathlib import Path

import pytest

from gridwise.arena.grades.report import Report
from gridwise.cli.commands.research.grade import grade
from gridwise.errors import GridwiseError
from tests.cli.program import gridwise


def test_a_kind_of_plot_that_there_is_not_is_refused_before_the_games(home: Path) -> None:
    """A million games would take hours."""
    words = ("grade", "casual", "maze", "--games", "1000000", "--plot", home / "plot.nonsense")
    run = gridwise(*words, home=home)
    assert (run.status, run.out) == (2, "")
    assert "nonsense" in run.err
    assert run.err.count("\n") == 1


def test_a_plot_without_matplotlib_is_refused_before_the_games(home: Path) -> None:
    """With what to install."""
    (home / "matplotlib.py").write_text("raise ModuleNotFoundError('matplotlib')\n")
    run = gridwise(
        *("grade", "casual", "maze", "--games", "1000000", "--plot", "plot.png"),
        home=home,
        through=["env", f"PYTHONPATH={home}:{Path(__file__).parents[2] / 'src'}"],
    )
    assert (run.status, run.out) == (2, "")
    assert "pip install 'gridwise[plot]'" in run.err


@pytest.mark.parametrize("fails", ["plot", "write_rows"])
def test_the_report_is_printed_though_a_file_cannot_be_written(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fails: str
) -> None:
    """The games are not lost."""

    def full(_report: Report, _path: Path) -> None:
        raise GridwiseError("No space left.")

    monkeypatch.setattr(Report, fails, full)
    with pytest.raises(GridwiseError, match="No space left"):
        grade("casual", "maze", games=2, plot=home / "plot.png", rows=home / "rows.jsonl")
    assert "casual" in capsys.readouterr().out

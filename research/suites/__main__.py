"""Make the suites of positions in src/gridwise/lab/suite_data, from a seed.

python -m research.suites [GAME …]
"""

from __future__ import annotations

import sys
from pathlib import Path

from gridwise import game, games
from gridwise.lab.grading.judge import HARDEST
from research.suites import VERSION, make, write_suite

FOLDER = Path(__file__).parents[2] / "src" / "gridwise" / "lab" / "suite_data"


def main() -> None:
    """Make the suites of the games that are named, or of all."""
    FOLDER.mkdir(exist_ok=True)
    for played in [game(key) for key in sys.argv[1:]] or games():
        rows = make(played)
        (FOLDER / f"{played.key}-{VERSION}.jsonl.gz").write_bytes(write_suite(rows))
        strata = sorted({(row.phase, row.difficulty) for row in rows})
        print(f"{played.key}: {len(rows)} positions in {len(strata)} strata of {3 * HARDEST}")


if __name__ == "__main__":
    main()

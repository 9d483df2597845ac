"""Where the last run of the tests spent its processor time: by folder, then the slowest tests.

    .venv/bin/python -m scripts.test_times [--slowest 50]

pytest keeps the times in .pytest_cache; a part of the suite that is run alone replaces them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

KEPT = Path(__file__).parents[1] / ".pytest_cache/v/gridwise/processor_time"


def main() -> None:
    """Print both tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slowest", type=int, default=50, metavar="N", help="how many tests")
    wanted = parser.parse_args()
    try:
        seconds: Counter[str] = Counter(json.loads(KEPT.read_text(encoding="utf-8")))
    except FileNotFoundError:
        sys.exit("No run has been kept. Run the tests first: make test")
    folders: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    for nodeid, used in seconds.items():
        folder = nodeid.split("/")[1]
        folders[folder] += used
        tests[folder] += 1
    print("| folder | tests | processor seconds |\n|---|---:|---:|")
    for folder, used in folders.most_common():
        print(f"| {folder} | {tests[folder]} | {used:.1f} |")
    print(f"| all | {len(seconds)} | {seconds.total():.1f} |\n")
    print("| test | processor seconds |\n|---|---:|")
    for nodeid, used in seconds.most_common(wanted.slowest):
        print(f"| `{nodeid.removeprefix('tests/')}` | {used:.2f} |")


if __name__ == "__main__":
    main()

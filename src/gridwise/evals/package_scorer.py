"""Scorers of this package, under names by which `inspect score LOG` finds them again.

A log keeps the name of a scorer without its package, and looks it up as it stands, so scorers that
are found by an entry point would not be found in a log. Ours have the package in their own name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ParamSpec

from inspect_ai.scorer import Metric, Scorer, scorer

from gridwise.evals.inspect_internals import SCORER_METRICS, scorer_register

P = ParamSpec("P")
PREFIX = "gridwise/"


def package_scorer(
    metrics: Sequence[Metric] | Mapping[str, Sequence[Metric]],
) -> Callable[[Callable[P, Scorer]], Callable[P, Scorer]]:
    """As Inspect's `scorer`: a decorator for what makes a scorer."""

    def register(factory: Callable[P, Scorer]) -> Callable[P, Scorer]:
        name = PREFIX + factory.__name__
        # Inspect puts the package before the name once more; a log leaves out the first of the two.
        made = scorer(metrics=metrics, name=name)(factory)
        return scorer_register(made, name, {SCORER_METRICS: metrics})

    return register

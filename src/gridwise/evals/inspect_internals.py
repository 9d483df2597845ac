"""What we need of Inspect that has no public name, in one place.

A release of Inspect may move it without notice. Then one line says so, and which release works,
instead of a traceback from the middle of an evaluation.
"""

from __future__ import annotations

from importlib.metadata import version

TESTED = "0.3.285"  # the release that the tests run with, as in constraints.txt

try:
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.scorer._scorer import SCORER_METRICS, scorer_register
except ImportError as error:
    raise ImportError(
        f"Gridwise cannot work with inspect_ai {version('inspect_ai')} yet ({error.name} has "
        f"changed). Try: pip install 'inspect_ai=={TESTED}'",
        name=error.name,
    ) from None

__all__ = ["SCORER_METRICS", "PrerequisiteError", "scorer_register"]

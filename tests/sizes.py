"""How large a sample is: `make test` takes few, `make test-long` as many as a paper would.

The claims are the same in both. The usual size is large enough to fail when something is really
broken; the long one finds what goes wrong once in a hundred thousand.
"""

from __future__ import annotations

import os
from typing import TypeVar

LONG_VARIABLE = "GRIDWISE_TEST_LONG"  # set by `pytest --long`, for every process of the run

_T = TypeVar("_T")


def sample(usual: _T, *, long: _T) -> _T:
    """The first in `make test`, the second in `make test-long`."""
    return long if os.environ.get(LONG_VARIABLE) else usual

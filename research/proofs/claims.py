"""Claims that are checked, and prose that fits a terminal: what all proofs share.

A proof is a module with `prove()`, which gives lines of text. A line may only say what has been
checked before it is given; a check that does not hold ends the proof with ProofFailed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from gridwise.errors import GridwiseError

WIDTH = 78


class ProofFailed(GridwiseError):
    """A step of a proof that does not hold for the rules as they are; the message says which."""

    kind = "proof-failed"


def heading(text: str) -> Iterator[str]:
    """A line with a rule under it, and air around."""
    yield from ("", text, "-" * len(text), "")


def prose(text: str, mark: str = "") -> Iterator[str]:
    """Text broken between words; `mark` stands before its first line, and the rest hangs."""
    yield from textwrap.wrap(
        " ".join(text.split()),
        WIDTH,
        initial_indent=mark,
        subsequent_indent=" " * len(mark),
        break_on_hyphens=False,
        break_long_words=False,
    )


def require(holds: bool, claim: str) -> None:
    """Go on if the claim holds."""
    if not holds:
        raise ProofFailed(f"The proof fails: it is not true that {claim}.")

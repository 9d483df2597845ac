"""Provenance: on which day and with which versions figures were made."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from gridwise import __version__
from gridwise.play.records import local_date

PACKAGES = ("numpy", "numba", "llvmlite")


def today() -> str:
    """The date, where this runs."""
    return f"{local_date():%Y-%m-%d}"


def versions() -> dict[str, str]:
    """What figures are made with."""
    installed = {"python": platform.python_version()}
    for name in ("gridwise", *PACKAGES):
        try:
            installed[name] = version(name)
        except PackageNotFoundError:
            installed[name] = ""
    return installed


def date_and_version(date: str = "") -> str:
    """Both in words, of today if no date is given: `2026-11-19 by Gridwise 0.1.0`."""
    return f"{date or today()} by Gridwise {__version__}"

from __future__ import annotations

from tests.cli.conftest import home
from tests.lab.conftest import two_workers

__all__ = ["home", "two_workers"]  # fixtures that this folder needs too

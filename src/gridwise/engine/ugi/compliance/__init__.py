"""Whether an engine speaks UGI as it should: a list of checks, each with what was sent and heard.

An engine is a process that may hang, die, flood its output or never read (`process.py`). Each of
these fails the check in which it happens; the engine is started again for the next. An engine that
does not get as far as `readyok` is not asked any further: the other checks are skipped.

What is expected comes from the rules of the game. A check looks at one thing only: the legality of
a move in one, its time in another. So an engine that does one thing wrong fails one check.
"""

from gridwise.engine.ugi.compliance.checks import CHECKS
from gridwise.engine.ugi.compliance.conversation import Check, Status
from gridwise.engine.ugi.compliance.report import PATIENCE, Report, check_engine

__all__ = ["CHECKS", "PATIENCE", "Check", "Report", "Status", "check_engine"]

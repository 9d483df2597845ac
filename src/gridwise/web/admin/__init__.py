"""What the operator of a server does to its database: the work behind `gridwise server`.

All of it can be done while servers run on the database. They hear of it by messages, which they
read every few seconds (`storage/admin_messages.py`).
"""

from gridwise.web.admin.check import check
from gridwise.web.admin.copies import back_up, copy_games
from gridwise.web.admin.games import (
    Filter,
    count_games,
    count_old,
    delete_games,
    drain,
    erase_name,
    list_games,
    remove_old,
    stop_game,
)
from gridwise.web.admin.opening import opened

__all__ = [
    "Filter",
    "back_up",
    "check",
    "copy_games",
    "count_games",
    "count_old",
    "delete_games",
    "drain",
    "erase_name",
    "list_games",
    "opened",
    "remove_old",
    "stop_game",
]

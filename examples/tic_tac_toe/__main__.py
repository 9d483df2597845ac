"""The gridwise command with tic-tac-toe among its games."""

from gridwise.__main__ import main
from gridwise.core.registry import register

register("tic-tac-toe", "tic_tac_toe")
main()

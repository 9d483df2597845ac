"""The Universal Game Interface, both ways: our engine for other programs, other engines as players.

From outside, use `protocol.Session` (the engine, without input or output), `client.UgiPlayer` (a
player that asks another program) and `position_text` (positions as UGI writes them).
"""

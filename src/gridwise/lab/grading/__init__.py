"""Grading: `grade` plays and judges, `judge` compares one move with the best, `report` adds up.

`exploitability` computes what the best opponent can gain.
"""

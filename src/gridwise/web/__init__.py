"""The games in a browser: `gridwise serve`.

Nothing heavy is imported here.
"""

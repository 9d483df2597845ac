"""The web app: `gridwise serve`.

    server -> app -> pages -> http -> hub -> storage -> game

Nothing heavy is imported here.
"""

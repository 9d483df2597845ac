"""The web app: `gridwise serve`.

    server -> app -> pages -> http -> hub -> storage -> game -> workers

Nothing heavy is imported here.
"""

"""Pictures of environments are those of the View, in every mode."""

from __future__ import annotations

import random

import numpy as np

from gridwise import Match
from gridwise.core.bits import random_bit
from gridwise.core.game import Game
from gridwise.core.view import draw, plain
from gridwise.envs.render import render
from gridwise.show.palette import LIGHT
from gridwise.show.pictures import rgb_array
from gridwise.show.svg import CELL, EDGE, MARGIN, svg


def colour(code: str) -> tuple[int, int, int]:
    """`#rrggbb` as numbers."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def in_progress(game: Game, plies: int = 3) -> Match:
    """A game after a few random moves."""
    rng = random.Random(5)
    match = Match(game, seed=1)
    while match.outcome is None and len(match.actions) < plies:
        match.move(random_bit(match.position.legal_mask, rng.random))
    return match


def test_pixels_have_the_colours_of_the_svg(game: Game) -> None:
    """Every cell is painted where the SVG has it, in its colour; so are paper and margins."""
    view = in_progress(game).view
    pixels = rgb_array(view)
    assert pixels.dtype == np.uint8
    around = MARGIN + EDGE
    assert pixels.shape == (view.rows * CELL + around, view.cols * CELL + around, 3)
    assert tuple(pixels[2, 2]) == colour(LIGHT.paper)
    for number, cell in enumerate(view.cells):
        row, col = divmod(number, view.cols)
        # Left of the middle, inside all frames: nothing is written there.
        x, y = MARGIN + col * CELL + 8, MARGIN + row * CELL + CELL // 2
        group = svg(view).split(f' data-cell="{cell.name}"')[1]
        fill = group.split('fill="')[1][:7]
        assert tuple(pixels[y, x]) == colour(fill), cell.name


def test_tokens_are_painted(game: Game) -> None:
    """Where a token stands, its colour is the most frequent one in its circle."""
    view = in_progress(game).view
    pixels = rgb_array(view)
    for number, cell in enumerate(view.cells):
        if cell.token:
            row, col = divmod(number, view.cols)
            x, y = MARGIN + col * CELL + CELL // 2, MARGIN + row * CELL + CELL // 2
            assert tuple(pixels[y - 18, x]) == colour((LIGHT.one, LIGHT.two)[cell.token - 1])


def test_modes(game: Game) -> None:
    """Text is the grid with colour codes, SVG the SVG, pixels fresh ones each time."""
    view = in_progress(game).view
    text = render(view, "ansi")
    for code in ("1;34", "1;31", "1;32", "34", "31", "2", "1", "0"):
        text = text.replace(f"\x1b[{code}m", "")
    grid = [line.rstrip() for line in text.splitlines()][: len(draw(view))]
    assert grid == plain(draw(view)).splitlines()
    assert view.caption in text
    assert render(view, "svg") == svg(view)
    pixels = render(view, "rgb_array")
    pixels[...] = 0
    assert render(view, "rgb_array").any()

"""Draw the display font of the pages: src/gridwise/web/static/gridwise.woff.

    python scripts/make_font.py

Letters of our own, for headings: strokes of one width along the lines of a grid, with the round
corners of a cell. Each glyph is a few paths; what it has no glyph for is set in the next font of
the style sheet. Needs fontTools, which nothing else here does.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._g_l_y_f import Glyph

TARGET = Path(__file__).parents[1] / "src" / "gridwise" / "web" / "static" / "gridwise.woff"

Point = tuple[float, float]

UNITS = 1000
STROKE = 124
H = STROKE / 2
ROUND = 165  # of a corner, along the middle of the stroke
TIGHT = H + 6  # of the corner of a diagonal
NIB = 26  # of the corners where a stroke ends

CAP, LOW, ASC, DESC = 700, 520, 735, -185  # heights, to the edge of the stroke
T, X, B, D = CAP - H, LOW - H, H, DESC + H  # and to its middle
MID = 355
BEARING = 52  # beside a glyph
SLANTED_BEARING = 20  # beside one that leaves room there itself


class Stroke(NamedTuple):
    """A path of a glyph, along the middle of its stroke."""

    points: list[Point]
    closed: bool = False
    radius: float = ROUND


def line(*points: Point, r: float = ROUND) -> Stroke:
    """A stroke with two ends."""
    return Stroke(list(points), radius=r)


def loop(left: float, bottom: float, right: float, top: float, r: float = ROUND) -> Stroke:
    """A stroke that goes round."""
    return Stroke(
        [(left, bottom), (left, top), (right, top), (right, bottom)], closed=True, radius=r
    )


def stem(x: float, bottom: float, top: float) -> Stroke:
    """An upright stroke."""
    return line((x, bottom), (x, top))


def bar(y: float, left: float, right: float) -> Stroke:
    """A level stroke."""
    return line((left, y), (right, y))


def dot(x: float, y: float) -> Stroke:
    """A dot as wide as a stroke."""
    return line((x, y - H - 4), (x, y + H + 4))


def _unit(a: Point, b: Point) -> Point:
    length = math.dist(a, b)
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


class Corner(NamedTuple):
    """Where a path turns: on an arc that touches both sides."""

    start: Point
    end: Point
    centre: Point
    radius: float
    sweep: float  # radians; positive turns left


def _corner(before: Point, at: Point, after: Point, radius: float, room: Point) -> Corner:
    """The corner at a point, with that radius if there is room for it on both sides."""
    come, go = _unit(before, at), _unit(at, after)
    turn = math.atan2(come[0] * go[1] - come[1] * go[0], come[0] * go[0] + come[1] * go[1])
    reach = min(radius * math.tan(abs(turn) / 2), *room)
    radius = reach / math.tan(abs(turn) / 2)
    start = at[0] - come[0] * reach, at[1] - come[1] * reach
    end = at[0] + go[0] * reach, at[1] + go[1] * reach
    side = math.copysign(radius, turn)
    return Corner(start, end, (start[0] - come[1] * side, start[1] + come[0] * side), radius, turn)


def _corners(stroke: Stroke) -> list[Corner]:
    points, count, closed = stroke.points, len(stroke.points), stroke.closed
    found = []
    for at in range(0 if closed else 1, count if closed else count - 1):
        before, here, after = points[at - 1], points[at], points[(at + 1) % count]
        # A side between two corners is shared by them; one that ends is the corner's alone.
        room = (
            math.dist(before, here) / (2 if closed or at > 1 else 1),
            math.dist(here, after) / (2 if closed or at < count - 2 else 1),
        )
        found.append(_corner(before, here, after, stroke.radius, room))
    return found


def peaks(*points: Point) -> Stroke:
    """A stroke whose rounded corners reach the points, instead of staying inside them."""
    moved = list(points)
    for _ in range(6):
        for at in range(1, len(points) - 1):
            come, go = _unit(moved[at - 1], moved[at]), _unit(moved[at], moved[at + 1])
            out = come[0] - go[0], come[1] - go[1]
            length = math.hypot(*out)
            half = math.pi / 2 - math.asin(min(1, length / 2))  # of the angle between the sides
            far = TIGHT * (1 / math.sin(half) - 1)
            x, y = points[at]
            moved[at] = x + out[0] / length * far, y + out[1] / length * far
    return Stroke(moved, radius=TIGHT)


S = H  # the middle of the left stem
R = 388  # of the right one: small letters
C = 440  # and capitals
N = 420  # digits

GLYPHS: dict[str, list[Stroke]] = {
    "a": [loop(S, B, R, X), stem(R, 0, LOW)],
    "b": [loop(S, B, R, X), stem(S, 0, ASC)],
    "c": [line((R + 10, X), (S, X), (S, B), (R + 10, B))],
    "d": [loop(S, B, R, X), stem(R, 0, ASC)],
    "e": [line((S, 252), (R, 252), (R, X), (S, X), (S, B), (R + 4, B))],
    "f": [line((120, 0), (120, ASC - H), (310, ASC - H)), bar(X, 10, 290)],
    "g": [loop(S, B, R, X), line((R, LOW), (R, D), (S + 20, D))],
    "h": [stem(S, 0, ASC), line((S, X), (R, X), (R, 0))],
    "i": [stem(S, 0, LOW), dot(S, 672)],
    "j": [line((S + 60, LOW), (S + 60, D), (-30, D), r=110), dot(S + 60, 672)],
    "k": [stem(S, 0, ASC), line((S + 20, 232), (R - 20, LOW), r=0), line((190, 300), (R, 0), r=0)],
    "l": [line((S, ASC), (S, B), (S + 130, B), r=110)],
    "m": [
        stem(S, 0, LOW),
        line((S, X), (R - 20, X), (R - 20, 0)),
        line((R - 60, X), (694, X), (694, 0)),
    ],
    "n": [stem(S, 0, LOW), line((S, X), (R, X), (R, 0))],
    "o": [loop(S, B, R, X)],
    "p": [loop(S, B, R, X), stem(S, DESC, LOW)],
    "q": [loop(S, B, R, X), stem(R, DESC, LOW)],
    "r": [stem(S, 0, LOW), line((S, X), (276, X))],
    "s": [line((R - 12, X), (S, X), (S, 260), (R - 20, 260), (R - 20, B), (S - 12, B), r=97)],
    "t": [line((120, 680), (120, B), (300, B), r=130), bar(X, 10, 300)],
    "u": [line((S, LOW), (S, B), (R, B)), stem(R, 0, LOW)],
    "v": [peaks((30, LOW), (205, H), (380, LOW))],
    "w": [peaks((30, LOW), (170, H), (320, X - 20), (470, H), (610, LOW))],
    "x": [line((36, 0), (384, LOW), r=0), line((36, LOW), (384, 0), r=0)],
    "y": [line((S, LOW), (S, B), (R, B)), line((R, LOW), (R, D), (S + 20, D))],
    "z": [
        line((36, X), (R - 12, X), r=0),
        line((36, B), (R, B), r=0),
        line((R - 40, X - 20), (64, B + 20), r=0),
    ],
    "A": [peaks((32, 0), (262, T), (492, 0)), bar(180, 110, 414)],
    "B": [
        stem(S, 0, CAP),
        line((S, T), (C - 40, T), (C - 40, MID), (S, MID), r=130),
        line((S, MID), (C, MID), (C, B), (S, B), r=140),
    ],
    "C": [line((C + 20, T), (S, T), (S, B), (C + 20, B), r=210)],
    "D": [stem(S, 0, CAP), line((S, T), (C + 20, T), (C + 20, B), (S, B), r=230)],
    "E": [line((C - 20, T), (S, T), (S, B), (C - 20, B), r=TIGHT), bar(MID, S, C - 50)],
    "F": [line((C - 30, T), (S, T), (S, 0), r=TIGHT), bar(MID - 20, S, C - 60)],
    "G": [line((C + 10, T), (S, T), (S, B), (C + 16, B), (C + 16, 340), (268, 340), r=200)],
    "H": [stem(S, 0, CAP), stem(C + 20, 0, CAP), bar(MID, S, C + 20)],
    "I": [stem(S, 0, CAP)],
    "J": [line((310, CAP), (310, B), (-4, B), r=180)],
    "K": [stem(S, 0, CAP), line((S + 20, 292), (C, CAP), r=0), line((200, 420), (C + 24, 0), r=0)],
    "L": [line((S, CAP), (S, B), (C - 40, B), r=TIGHT)],
    "M": [
        stem(S, 0, CAP),
        stem(C + 130, 0, CAP),
        peaks((S + 20, CAP - 30), ((S + C + 130) / 2, 250), (C + 110, CAP - 30)),
    ],
    "N": [stem(S, 0, CAP), stem(C + 24, 0, CAP), line((S + 16, T), (C + 8, B), r=0)],
    "O": [loop(S, B, C + 40, T, r=215)],
    "P": [stem(S, 0, CAP), line((S, T), (C, T), (C, 268), (S, 268), r=180)],
    "Q": [loop(S, B, C + 40, T, r=215), line((310, 200), (C + 60, -10), r=0)],
    "R": [
        stem(S, 0, CAP),
        line((S, T), (C, T), (C, 288), (S, 288), r=170),
        line((262, 288), (C + 18, 0), r=0),
    ],
    "S": [line((C - 14, T), (S, T), (S, MID), (C, MID), (C, B), (S - 14, B), r=143)],
    "T": [bar(T, 0, 480), stem(240, 0, CAP)],
    "U": [line((S, CAP), (S, B), (C + 10, B), (C + 10, CAP), r=200)],
    "V": [peaks((30, CAP), (258, H), (486, CAP))],
    "W": [peaks((28, CAP), (196, H), (374, T - 60), (552, H), (720, CAP))],
    "X": [line((38, 0), (478, CAP), r=0), line((38, CAP), (478, 0), r=0)],
    "Y": [peaks((30, CAP), (248, 330), (466, CAP)), stem(248, 0, 340)],
    "Z": [
        line((44, T), (C, T), r=0),
        line((44, B), (C + 10, B), r=0),
        line((C - 40, T - 20), (92, B + 20), r=0),
    ],
    "0": [loop(S, B, N, T, r=178)],
    "1": [line((30, 548), (186, T + 22), r=0), stem(196, 0, CAP)],
    "2": [
        line((S - 16, T), (N - 6, T), (N - 6, MID - 6), (S, MID - 6), (S, 30), r=140),
        bar(B, S - H, N + 10),
    ],
    "3": [line((S - 16, T), (N - 6, T), (N - 6, B), (S - 16, B), r=150), bar(MID, 150, N - 40)],
    "4": [line((S + 20, CAP), (S + 20, 210), (N + 70, 210), r=TIGHT), stem(N - 30, 0, 430)],
    "5": [
        bar(T, S - H + 10, N - 6),
        stem(S + 10, MID - 20, CAP),
        line((S, MID + 40), (N, MID + 40), (N, B), (S - 16, B), r=150),
    ],
    "6": [line((N - 20, T), (S, T), (S, B), (N, B), (N, MID + 30), (S, MID + 30), r=150)],
    "7": [bar(T, 20, N - 10), line((N - 70, T + 10), (170, 0), r=0)],
    "8": [loop(S + 12, MID, N - 12, T, r=135), loop(S, B, N, MID, r=140)],
    "9": [line((S + 20, B), (N, B), (N, T), (S, T), (S, MID - 30), (N, MID - 30), r=150)],
    ".": [dot(S, H + 2)],
    ",": [line((S + 6, STROKE), (S - 24, -90), r=0)],
    ":": [dot(S, H + 2), dot(S, X - 20)],
    ";": [line((S + 6, STROKE), (S - 24, -90), r=0), dot(S + 6, X - 20)],
    "!": [stem(S, 220, CAP), dot(S, H + 2)],
    "?": [
        line((S - 30, T), (N - 60, T), (N - 60, 360), (220, 360), (220, 200), r=120),
        dot(220, H + 2),
    ],
    "'": [stem(S, 470, CAP + 20)],
    "\u2019": [line((S + 10, CAP + 20), (S - 20, 480), r=0)],
    "-": [bar(260, 10, 270)],
    "\u2013": [bar(260, 10, 420)],
    "\u00b7": [dot(S, 270)],
    "/": [line((20, -80), (320, 760), r=0)],
    "(": [line((230, 790), (90, 790), (90, -120), (230, -120), r=139)],
    ")": [line((0, 790), (140, 790), (140, -120), (0, -120), r=139)],
    "+": [bar(290, 10, 410), stem(210, 90, 490)],
    "#": [stem(130, 0, CAP), stem(330, 0, CAP), bar(220, 0, 460), bar(480, 0, 460)],
    "&": [
        line(
            (C + 60, 0),
            (110, 560),
            (110, T),
            (330, T),
            (330, 470),
            (S, 300),
            (S, B),
            (360, B),
            (C + 40, 330),
            r=TIGHT,
        )
    ],
}
SLANTED = set("AVWXYvwx7/")


def _beside(corner: Corner, offset: float) -> list[tuple[str, list[Point]]]:
    """The arc of a corner, moved to the left by `offset`: a point, then curves."""
    radius = corner.radius - math.copysign(offset, offset * corner.sweep)
    cx, cy = corner.centre
    first = math.atan2(corner.start[1] - cy, corner.start[0] - cx)
    if radius <= 1:
        middle = first + corner.sweep / 2
        return [("line", [(cx + radius * math.cos(middle), cy + radius * math.sin(middle))])]
    steps = max(1, math.ceil(abs(corner.sweep) / (math.pi / 4 + 0.01)))
    step = corner.sweep / steps
    drawn = [("line", [(cx + radius * math.cos(first), cy + radius * math.sin(first))])]
    for number in range(steps):
        half, end = first + step * (number + 0.5), first + step * (number + 1)
        far = radius / math.cos(step / 2)
        control = cx + far * math.cos(half), cy + far * math.sin(half)
        drawn.append(
            ("curve", [control, (cx + radius * math.cos(end), cy + radius * math.sin(end))])
        )
    return drawn


def _reversed(drawn: list[tuple[str, list[Point]]]) -> list[tuple[str, list[Point]]]:
    """The same outline, from its end to its beginning."""
    points = [step[1][-1] for step in drawn]
    back: list[tuple[str, list[Point]]] = [("line", [points[-1]])]
    for number in range(len(drawn) - 1, 0, -1):
        kind, inner = drawn[number]
        controls = [inner[0]] if kind == "curve" else []
        back.append((kind, [*controls, points[number - 1]]))
    return back


def _draw(pen: TTGlyphPen, outline: list[tuple[str, list[Point]]]) -> None:
    def whole(points: list[Point]) -> list[tuple[int, int]]:
        return [(round(x), round(y)) for x, y in points]

    pen.moveTo(whole(outline[0][1])[-1])
    for kind, points in outline[1:]:
        if kind == "line":
            pen.lineTo(whole(points)[0])
        else:
            pen.qCurveTo(*whole(points))
    pen.closePath()


def _outline(pen: TTGlyphPen, stroke: Stroke) -> None:
    points, corners = stroke.points, _corners(stroke)
    if stroke.closed:
        left = [step for corner in corners for step in _beside(corner, H)]
        right = [step for corner in corners for step in _beside(corner, -H)]
        _draw(pen, left)
        _draw(pen, _reversed(right))
        return
    sides = []
    for offset in (H, -H):
        side: list[tuple[str, list[Point]]] = []
        for end, (a, b) in ((0, points[:2]), (1, points[-2:])):
            if end:
                for corner in corners:
                    side += _beside(corner, offset)
            along = _unit(a, b)
            at = b if end else a
            side.append(("line", [(at[0] - along[1] * offset, at[1] + along[0] * offset)]))
        sides.append(side)
    left, right = sides
    _draw(pen, _capped(left, _reversed(right)))


def _capped(
    there: list[tuple[str, list[Point]]], back: list[tuple[str, list[Point]]]
) -> list[tuple[str, list[Point]]]:
    """One outline of the two sides of a stroke, its ends a little rounded."""
    whole = there + back
    ends = {0, len(there) - 1, len(there), len(whole) - 1}
    drawn: list[tuple[str, list[Point]]] = []
    for at, (kind, points) in enumerate(whole):
        if at not in ends:
            drawn.append((kind, points))
            continue
        here, before = points[-1], whole[at - 1][1][-1]
        after = whole[(at + 1) % len(whole)][1][0]
        come, go = _unit(before, here), _unit(here, after)
        start = here[0] - come[0] * NIB, here[1] - come[1] * NIB
        drawn.append(("line", [start]))
        drawn.append(("curve", [here, (here[0] + go[0] * NIB, here[1] + go[1] * NIB)]))
    return drawn


def _outlines(strokes: list[Stroke], shift: float) -> Glyph:
    pen = TTGlyphPen(None)
    for stroke in strokes:
        _outline(pen, stroke._replace(points=[(x + shift, y) for x, y in stroke.points]))
    return pen.glyph()


def _glyph(character: str) -> tuple[Glyph, int]:
    """The outlines and the advance of a character."""
    strokes = GLYPHS[character]
    bearing = SLANTED_BEARING if character in SLANTED else BEARING
    xs = [x for x, _ in _outlines(strokes, 0).coordinates]
    return _outlines(strokes, bearing - min(xs)), round(max(xs) - min(xs) + 2 * bearing)


def draw(target: Path) -> None:
    """Draw every glyph and write the font."""
    names = {character: f"uni{ord(character):04X}" for character in GLYPHS}
    glyphs = {names[character]: _glyph(character) for character in GLYPHS}
    empty = TTGlyphPen(None).glyph()
    order = [".notdef", "space", *glyphs]
    builder = FontBuilder(UNITS, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(
        {ord(character): name for character, name in names.items()} | {32: "space", 160: "space"}
    )
    builder.setupGlyf({".notdef": empty, "space": empty} | {n: g for n, (g, _) in glyphs.items()})
    table = builder.font["glyf"]
    metrics = {".notdef": (300, 0), "space": (236, 0)}
    for name, (_, advance) in glyphs.items():
        metrics[name] = (advance, table[name].xMin)
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=930, descent=-250)
    builder.setupNameTable({"familyName": "Gridwise", "styleName": "Bold"})
    builder.setupOS2(
        sTypoAscender=930, sTypoDescender=-250, usWinAscent=930, usWinDescent=250, usWeightClass=700
    )
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.font.flavor = "woff"
    builder.save(target)


if __name__ == "__main__":
    draw(TARGET)

"""Draws the grid as SVG with more on it than cells: the names of its parts, or the fingers' paths.

usage: diagram.py parts < KEYFRAME.json > PICTURE.svg
       diagram.py fingers 'down 4 7 move 11 7 up'... < KEYFRAME.json > PICTURE.svg

The key frame is what `pixelboop show --json` prints, a finger what `pixelboop touch` takes.
"""

import collections
import json
import sys

CELL = 20
PITCH = CELL + 1
MARGIN = 10
LABEL_MARGIN = 170

# Column, row, and what is there: named above, on the left and on the right of the grid.
ABOVE = [
    (0, 0, "music key"),
    (1.5, 0, "play, stop"),
    (4.5, 0, "undo, redo"),
    (8, 0, "scales"),
    (16.5, 0, "roots"),
    (24, 0, "ghosts"),
    (27, 0, "tempo"),
    (31, 0, "length"),
    (35.5, 0, "scrub indicator"),
    (41.5, 0, "clear"),
]
LEFT = [(0, 3, "mute"), (1, 4, "solo"), (2, 5, "level meter")]
RIGHT = [
    (38, 1, "steps, beats, bars"),
    (38, 4.5, "melody"),
    (42, 7, "slots"),
    (38, 10.5, "chords"),
    (38, 15.5, "bass"),
    (38, 19.5, "rhythm"),
    (38, 22, "overview"),
    (42, 23, "scenes"),
]


def centre(column, row):
    """The middle of a cell."""
    return column * PITCH + CELL / 2, row * PITCH + CELL / 2


def cells(frame):
    """One shape for each colour."""
    places = collections.defaultdict(list)
    for index, rgb in enumerate(frame["rgb"]):
        row, column = divmod(index, frame["cols"])
        places[rgb].append(f"M{column * PITCH} {row * PITCH}h{CELL}v{CELL}h-{CELL}z")
    for rgb, shapes in places.items():
        yield f'<path fill="#{rgb:06x}" d="{"".join(shapes)}"/>'


def name(place, label, text, attributes):
    """A line from a place to its name."""
    (x, y), (label_x, label_y) = place, label
    yield f'<path d="M{x} {y}L{label_x} {label_y}" stroke="#999"/>'
    yield f'<circle cx="{x}" cy="{y}" r="4" fill="#fff" stroke="#000"/>'
    yield f'<text transform="translate({label_x} {label_y}){attributes}>{text}</text>'


def names(columns):
    """The names of all parts."""
    for column, row, text in ABOVE:
        x, y = centre(column, row)
        yield from name((x, y), (x, -14), text, ' rotate(-40)" x="4"')
    for column, row, text in LEFT:
        x, y = centre(column, row)
        yield from name((x, y), (-14, y), text, '" x="-4" y="5" text-anchor="end"')
    for column, row, text in RIGHT:
        x, y = centre(column, row)
        yield from name((x, y), (columns * PITCH + 14, y), text, '" x="4" y="5"')


def ways(fingers):
    """A ring where each finger comes down, and an arrow to where it is lifted."""
    for finger in fingers:
        words = iter(finger.split())
        places = [centre(float(next(words)), float(next(words))) for word in words if word in ("down", "move", "tap")]
        x, y = places[0]
        yield f'<circle cx="{x}" cy="{y}" r="7" fill="none" stroke="#fff" stroke-width="3"/>'
        if len(places) > 1:
            line = "L".join(f"{x} {y}" for x, y in places)
            yield f'<path d="M{line}" stroke="#fff" stroke-width="3" fill="none" marker-end="url(#arrow)"/>'


def main():
    kind, *fingers = sys.argv[1:]
    frame = json.load(sys.stdin)
    width, height = frame["cols"] * PITCH - 1, frame["rows"] * PITCH - 1
    side, top = (LABEL_MARGIN, 110) if kind == "parts" else (MARGIN, MARGIN)
    box = f"{-side} {-top} {width + 2 * side} {height + top + MARGIN}"
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="sans-serif" fill="#ddd">')
    print('<defs><marker id="arrow" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="4" markerHeight="4" orient="auto">')
    print('<path d="M0 0L10 5L0 10z" fill="#fff"/></marker></defs>')
    print(f'<rect x="{-side}" y="{-top}" width="100%" height="100%" fill="#101010"/>')
    for shape in cells(frame):
        print(shape)
    for shape in names(frame["cols"]) if kind == "parts" else ways(fingers):
        print(shape)
    print("</svg>")


if __name__ == "__main__":
    main()

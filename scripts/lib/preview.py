"""Draws what `pixelboop-lights --preview` prints: the last picture of each file before the black one, one above the other.

usage: preview.py OUT.png IN...
"""

import re
import sys

from PIL import Image

WIDTH = 880
GAP = 24
GROUND = (24, 24, 24)


def lights(name):
    """The rows of the last picture, each a list of colours."""
    with open(name, encoding="utf-8") as file:
        pictures = [part for part in file.read().split("\n\n") if part]
    rows = []
    # The last one is black: the end.
    for line in pictures[-2].splitlines():
        row, color = [], None
        for codes, text in re.findall(r"\x1b\[([\d;]*)m([^\x1b]*)", line):
            found = re.search(r"48;2;(\d+);(\d+);(\d+)", codes)
            if found:
                color = tuple(map(int, found.groups()))
            row += [color] * (len(text) // 2)
        rows.append(row)
    return rows


def drawn(rows):
    """Lines of pixels: square lights with a gap between."""
    side = WIDTH // len(rows[0])
    space = max(1, side // 10)
    for row in rows:
        line = [GROUND if x % side < space else row[min(x // side, len(row) - 1)] for x in range(WIDTH)]
        yield from [[GROUND] * WIDTH] * space + [line] * (side - space)


def main(out, names):
    lines = []
    for name in names:
        lines += ([[GROUND] * WIDTH] * GAP if lines else []) + list(drawn(lights(name)))
    picture = Image.new("RGB", (WIDTH, len(lines)))
    picture.putdata([pixel for line in lines for pixel in line])
    picture.save(out, optimize=True)


main(sys.argv[1], sys.argv[2:])

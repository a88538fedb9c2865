"""Reports which pictures of the grid are stale. Cells are compared by colour; names and paths by their SVG.

usage: stale.py KEPT NEW    folders: each picture in NEW is looked for in KEPT
"""

import pathlib
import re
import sys

from PIL import Image, ImageDraw

PITCH = 21
# The music key breathes, and level meters show what still rings out: their colours depend on the moment.
MOVING = [(0, 0), *((2, row) for row in range(2, 22))]
PLAYING = {"play"}  # Has a playhead, wherever that was.


def grid(path):
    """The pixels of a PNG, but for the cells that move."""
    image = Image.open(path).convert("RGB")
    for column, row in MOVING:
        x, y = column * PITCH, row * PITCH
        ImageDraw.Draw(image).rectangle((x, y, x + PITCH - 1, y + PITCH - 1), fill=0)
    return image.size, image.tobytes()


def drawing(path):
    """The colours of an SVG's cells, by place, and everything else in it."""
    cells, others = {}, []
    for line in path.read_text().splitlines():
        if found := re.fullmatch(r'<path fill="(#\w{6})" d="([^"]*)"/>', line):
            cells.update((place, found[1]) for place in re.findall(r"M\d+ \d+", found[2]))
        else:
            others.append(line)
    for column, row in MOVING:
        cells.pop(f"M{column * PITCH} {row * PITCH}", None)
    return cells, others


def main():
    kept, new = map(pathlib.Path, sys.argv[1:])
    made = sorted(path for path in new.iterdir() if path.stem not in PLAYING)
    read = {".png": grid, ".svg": drawing}
    stale = [path.name for path in made
             if not (kept / path.name).exists() or read[path.suffix](path) != read[path.suffix](kept / path.name)]
    print(f"{len(made)} pictures compared")
    if stale:
        sys.exit(f"stale, redraw with scripts/pictures: {' '.join(stale)}")


if __name__ == "__main__":
    main()

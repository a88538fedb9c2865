"""Writes the current grid as a PNG like `pixelboop show --png --pixel 20`, and darkens what is below and around a text on it, so
that the text can be read in a still picture.

usage: still.py OUT.png    of the daemon at $PIXELBOOP_SOCKET
"""

import json
import os
import socket
import sys

from PIL import Image, ImageDraw

CELL, PITCH = 20, 21
DARKNESS = 0.2


def frame(tooltips):
    """The picture, with texts or without, as rows of colours."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["PIXELBOOP_SOCKET"])
        lines = connection.makefile("rw", encoding="utf-8")
        for number, (method, params) in enumerate((("hello", {"tooltips": tooltips}), ("frame.get", {}))):
            print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}), file=lines, flush=True)
        answer = next(message for message in map(json.loads, lines) if message.get("id") == 1)["result"]
    cols = answer["cols"]
    return [answer["rgb"][start:start + cols] for start in range(0, len(answer["rgb"]), cols)]


def channels(rgb, factor=1.0):
    return tuple(round(factor * (rgb >> shift & 0xFF)) for shift in (16, 8, 0))


def main():
    shown, plain = frame(True), frame(False)
    # The music key pulses meanwhile, and is no letter.
    letters = {(column, row) for row, cells in enumerate(shown) for column, rgb in enumerate(cells)
               if rgb != plain[row][column] and row > 0 and min(channels(rgb)) > 0xC0}
    columns, rows = ([place[axis] for place in letters] for axis in (0, 1))
    image = Image.new("RGB", (len(shown[0]) * PITCH - 1, len(shown) * PITCH - 1))
    draw = ImageDraw.Draw(image)
    for row, cells in enumerate(shown):
        for column, rgb in enumerate(cells):
            is_field = letters and min(columns) - 2 < column < max(columns) + 2 and min(rows) - 2 < row < max(rows) + 2
            colour = (255, 255, 255) if (column, row) in letters else channels(rgb, DARKNESS if is_field else 1)
            x, y = column * PITCH, row * PITCH
            draw.rectangle((x, y, x + CELL - 1, y + CELL - 1), fill=colour)
    image.save(sys.argv[1], optimize=True)


if __name__ == "__main__":
    main()

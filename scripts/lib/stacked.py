"""Puts the rhythm of several pictures of the grid one below the other.

usage: stacked.py TO.png FROM.png...
"""

import sys

from PIL import Image

ROWS, COLUMNS = (18, 22), (0, 13)

pictures = [Image.open(name) for name in sys.argv[2:]]
pitch = pictures[0].height / 24
box = tuple(round(pitch * place) for place in (COLUMNS[0], ROWS[0], COLUMNS[1], ROWS[1]))
parts = [picture.crop(box) for picture in pictures]
gap = round(pitch / 2)
whole = Image.new("RGB", (parts[0].width, len(parts) * (parts[0].height + gap) - gap))
for number, part in enumerate(parts):
    whole.paste(part, (0, number * (part.height + gap)))
whole.save(sys.argv[1], optimize=True)

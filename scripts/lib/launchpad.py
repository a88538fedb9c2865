"""Draws a Launchpad Mini MK3 (SVG) with the lights that Tests/Programs/Peers/launchpad.py prints.

usage: launchpad.py <LINES >OUT.svg    LINES is what that program printed; the last line with lights counts
"""

import json
import sys

SIDE, GAP, MARGIN = 44, 8, 16
LABELS = {91: "▲", 92: "▼", 93: "◄", 94: "►", 95: "play", 96: "rec", 97: "undo", 98: "redo", 39: "mute", 29: "solo",
          19: "lens"}


def main():
    lines = [line for line in sys.stdin if line.startswith("lights ")]
    lights = {int(number): color for number, color in json.loads(lines[-1][len("lights "):]).items()}
    size = 2 * MARGIN + 9 * SIDE + 8 * GAP
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}" '
          'font-family="sans-serif" font-size="12" text-anchor="middle">')
    print(f'<rect width="{size}" height="{size}" rx="14" fill="#181818"/>')
    for row in range(9):
        for column in range(9):
            number = 10 * (9 - row) + column + 1
            if number == 99:
                continue
            x, y = MARGIN + column * (SIDE + GAP), MARGIN + row * (SIDE + GAP)
            # Seven bits for each channel; lights look brighter than a screen's numbers.
            red, green, blue = (min(255, round(2 * value * 0.85 + (36 if value else 26))) for value in lights.get(number, (0, 0, 0)))
            is_pad = row > 0 and column < 8
            print(f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" rx="{5 if is_pad else SIDE // 2}" '
                  f'fill="#{red:02x}{green:02x}{blue:02x}"/>')
            if number in LABELS:
                ink = "#000" if 2 * red + 5 * green + blue > 1000 else "#fff"
                print(f'<text x="{x + SIDE / 2}" y="{y + SIDE / 2 + 4}" fill="{ink}">{LABELS[number]}</text>')
    print("</svg>")


main()

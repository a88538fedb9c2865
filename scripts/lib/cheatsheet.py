"""Draws the cheat sheet, one page of A4 (SVG): the grid with the names of its parts, the gestures, controls, pads and keys.

usage: cheatsheet.py < KEYFRAME.json > SHEET.svg    of the key frame that `pixelboop show --json` prints
"""

import json
import sys
import xml.etree.ElementTree as ElementTree

from diagram import CELL, PITCH, cells, names

WIDTH, HEIGHT, MARGIN = 1188, 840, 36
ROW = 19
ICONS = "Sources/Clients/WebPage/Page/icons.svg"

# The page's icon, the finger, and what it writes on melody, chords, bass and rhythm; a single text applies to all four.
GESTURES = [
    ("tap", "tap", "note, next note, none", "triad, none", "note and fifth, none", "the row's drums in turn, none"),
    ("hold", "hold 0.4 s", "ACCENT!"),
    ("across", "drag along", "ARPEGGIO: the scale", "ARPEGGIO: the chord", "WALK", "ROLL"),
    ("up", "drag across", "slide to a note", "CHORD: 2 to 4 tones", "ROOT+5", "MULTI: all rows"),
    ("slope", "drag diagonally", "PHRASE", "PHRASE", "FILL", "FILL"),
    ("held-across", "hold, drag along", "SUSTAIN", "SUSTAIN: a triad", "SUSTAIN: with the fifth", "ROLL with accents"),
    ("twice", "tap twice", "ERASE: empties the step; above or below the tracks: play or stop"),
    ("swipes", "swipe twice", "to the left <<UNDO, to the right REDO>>"),
    ("scrub", "rub back and forth", "at the fifth turn CLEARED!; undo brings it back"),
    ("hold", "hold a meter 0.6 s", "a lens, and back; tap the meter: the next one; on a note tap, hold and drag change its value"),
    ("hold", "rest on second row", "FILL, until the finger is lifted"),
    ("held-across", "rest on the last rows", "stutter, filter, brake, throw (lower row: rhythm) until it is lifted; move it along"),
]
CONTROLS = [
    ("music key", "play, stop; hold: colours"), ("play, stop", "hold: record a keyboard"), ("undo, redo", "brighter when there is something"),
    ("scales, roots", "existing notes stay"), ("ghosts", "where other tracks have notes"),
    ("tempo", "slower, tap it, faster; hold: sync"), ("length", "shorter, 8 16 24 32, longer"),
    ("scrub indicator", "hold: catch what was not recorded"),
    ("clear", "hold 0.6 s; undo brings it back"), ("in front of a track", "mute, solo; meter: sounds"),
]
PADS = [
    ("tap", "plays when the loop begins again"), ("tap twice", "NOW, at the same place"),
    ("drag over pads", "CHAIN: one after the other"), ("hold 0.6 s", "COPY; the next tap: PASTE"),
]
KEYS = [
    ("Space", "play, stop"), ("Ctrl-Z, Ctrl-Y", "undo, redo"), ("1 to 8", "scenes"),
    ("up, down", "tempo (terminal: + and -)"), ("R, I", "record, catch"), ("N", "names on notes"), ("?", "help"),
    ("Tab, arrows, Enter", "cursor: tap, hold, drag"), ("X C V B, held", "stutter, filter, brake, throw"),
]
COMMANDS = [
    ("pixelboop new", "start afresh"), ("pixelboop save NAME", "and load, list"), ("pixelboop tempo 96", "swing, length, root"),
    ("pixelboop scene 1 2 3", "a chain"), ("pixelboop export --wav FILE", "a file to hear"),
    ("pixelboop take", "what you have played"), ("pixelboop tui", "in the terminal"),
]


def icons():
    """The page's own drawings of the gestures, by name."""
    ElementTree.register_namespace("", "http://www.w3.org/2000/svg")
    return {icon.attrib.pop("id"): ElementTree.tostring(icon, encoding="unicode").strip()
            for icon in ElementTree.parse(ICONS).getroot()}


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def text(x, y, words, **attributes):
    given = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<text x="{x}" y="{y}"{given}>{escaped(words)}</text>'


def grid(frame, x, y, width):
    """The grid and the names of its parts, as wide as there is room."""
    scale = width / (frame["cols"] * PITCH + 340)
    yield f'<g transform="translate({x + 170 * scale:.1f} {y + 110 * scale:.1f}) scale({scale:.4f})" font-size="19">'
    yield (f'<rect x="-3" y="-3" width="{frame["cols"] * PITCH + 5}" height="{frame["rows"] * PITCH + 5}" '
           'rx="4" fill="#000"/>')
    yield from cells(frame)
    yield from names(frame["cols"])
    yield "</g>"


def gestures(x, y):
    drawn = icons()
    columns = [x + 165, x + 335, x + 480, x + 625]
    yield text(x, y, "On the tracks", font_weight=700, font_size=15)
    for column, track in zip(columns, ("melody", "chords", "bass", "rhythm")):
        yield text(column, y, track, font_weight=700)
    for number, (icon, finger, *written) in enumerate(GESTURES):
        middle = y + 24 * (number + 1)
        yield (f'<g transform="translate({x} {middle - 16}) scale(0.83)" fill="none" stroke="#000" stroke-width="1.8" '
               f'stroke-linecap="round" stroke-linejoin="round" color="#000">{drawn[icon]}</g>')
        yield text(x + 30, middle, finger, font_weight=600)
        for column, words in zip(columns, written):
            yield text(column, middle, words)


def table(title, rows, x, y, indent):
    yield text(x, y, title, font_weight=700, font_size=15)
    for number, (name, words) in enumerate(rows):
        at = y + 6 + ROW * (number + 1)
        yield text(x, at, name, font_weight=600)
        yield text(x + indent, at, words)


def main():
    frame = json.load(sys.stdin)
    right = 858
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="297mm" height="210mm" '
          'font-family="Inter, sans-serif" font-size="11.5" fill="#000">')
    print(f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>')
    print(text(MARGIN, 54, "PixelBoop", font_size=26, font_weight=800))
    print(text(MARGIN + 175, 54, "44 by 24 pixels: you touch it, it loops, and what you see is what you hear", fill="#444"))
    for line in grid(frame, MARGIN - 26, 66, 828):
        print(line)
    for line in gestures(MARGIN, 528):
        print(line)
    for line in table("Controls, top row", CONTROLS, right, 96, 120):
        print(line)
    for line in table("Pads: slots and scenes", PADS, right, 324, 120):
        print(line)
    for line in table("Keys, page and terminal", KEYS, right, 442, 130):
        print(line)
    for line in table("Commands", COMMANDS, right, 654, 190):
        print(line)
    print(text(right, 814, "docs/playing.md has it all, with pictures", fill="#444"))
    print("</svg>")


if __name__ == "__main__":
    main()

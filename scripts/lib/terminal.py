"""Runs a program in a terminal of its own and draws, as SVG, what it shows two seconds after the last of the keys typed.

usage: terminal.py [--type KEYS] COLUMNS LINES PROGRAM [ARGUMENT...] > PICTURE.svg
"""

import contextlib
import fcntl
import html
import itertools
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

import pyte

WIDTH, HEIGHT = 10, 20  # of a character
PATIENCE = 2.0  # s
COLOURS = {"default": "d0d0d0", "black": "000000"}


def screen_of(columns, lines, command, keys):
    screen = pyte.Screen(columns, lines)
    stream = pyte.ByteStream(screen)
    process, terminal = pty.fork()
    if not process:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LC_ALL="C.UTF-8")
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    os.kill(process, signal.SIGWINCH)
    watch(terminal, stream)
    for key in keys:
        os.write(terminal, key.encode())
        watch(terminal, stream)
    os.kill(process, signal.SIGTERM)
    # A terminal that nobody reads fills up, and blocks its writer.
    with contextlib.suppress(OSError):
        while os.read(terminal, 65536):
            pass
    os.waitpid(process, 0)
    return screen


def watch(terminal, stream):
    end = time.monotonic() + PATIENCE
    while select.select([terminal], [], [], max(0, end - time.monotonic()))[0]:
        stream.feed(os.read(terminal, 65536))


def colour(name, fallback):
    return f"#{COLOURS.get(name, name) if name != 'default' else fallback}"


def line(screen, row):
    """Joins neighbouring characters of one style in one shape."""
    characters = [screen.buffer[row][column] for column in range(screen.columns)]
    kind = lambda column: (characters[column].fg, characters[column].bg, characters[column].bold)
    for (fg, bg, bold), run in itertools.groupby(range(screen.columns), kind):
        columns = list(run)
        text = "".join(characters[column].data for column in columns)
        x, y, width = columns[0] * WIDTH, row * HEIGHT, len(columns) * WIDTH
        if bg != "default":
            yield f'<rect x="{x}" y="{y}" width="{width}" height="{HEIGHT}" fill="{colour(bg, "000000")}"/>'
        if text.strip():
            weight = ' font-weight="bold"' if bold else ""
            yield (f'<text x="{x}" y="{y + 15}" textLength="{width}" xml:space="preserve" '
                   f'fill="{colour(fg, COLOURS["default"])}"{weight}>{html.escape(text)}</text>')


def main():
    arguments = sys.argv[1:]
    keys = []
    if arguments[0] == "--type":
        keys, arguments = [arguments[1].encode().decode("unicode_escape")], arguments[2:]
    columns, lines = int(arguments[0]), int(arguments[1])
    screen = screen_of(columns, lines, arguments[2:], keys)
    width, height = columns * WIDTH, lines * HEIGHT
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {width + 20} {height + 20}" '
          'font-family="DejaVu Sans Mono, monospace" font-size="16">')
    print(f'<rect x="-10" y="-10" width="{width + 20}" height="{height + 20}" rx="8"/>')
    for row in range(lines):
        print(*line(screen, row), sep="\n")
    print("</svg>")


main()

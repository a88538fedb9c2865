"""Benchmarks of PixelBoop beside other programs, on the same machine in the same run.

usage: scripts/bench peers [--install] [--runs N] [--seconds S] [--processor N] [PART...]

voices   processor time per second of audio, and memory, under jackd (dummy driver, 64 frames, 48 kHz) with 0 and 12
         voices, beside a C program with as many ports
offline  rendering a sound file, in multiples of real time
control  round trips on the control socket, at a request every 5 ms
start    from the start of a program to its first words on a socket, and until JACK calls it
sequencers
         only if named: how far the onsets of steps that are played live are from where they belong, as sound and over
         MIDI, and the processor time that this takes; each plays for half a minute

All programs, jackd too, run on one processor (--processor, usually 0). The tables are Markdown: the median of the runs, which take
turns; in brackets the least, and how many times the first program's median it is. A program that is not installed or cannot
be measured is left out, and named below the table.
"""

import argparse
import os
import signal
import sys
import tempfile

from control import echo, measure_control
from offline import measure_offline
from programs import Missing
from sequencers import measure_sequencers
from start import measure_start
from voices import measure_voices


def main():
    parts = {"voices": measure_voices, "offline": measure_offline, "control": measure_control, "start": measure_start,
             "sequencers": measure_sequencers}
    parser = argparse.ArgumentParser(prog="scripts/bench peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=5, help="how many times everything is measured")
    parser.add_argument("--seconds", type=float, default=5, help="how long each load is measured")
    parser.add_argument("--processor", type=int, default=min(os.sched_getaffinity(0)),
                        help="the processor that all programs run on")
    parser.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.sched_setaffinity(0, {options.processor})
    for part in options.parts or [part for part in parts if part != "sequencers"]:
        with tempfile.TemporaryDirectory(prefix="pixelboop-peers-") as place:
            try:
                parts[part](options, place)
            except Missing as reason:
                print(f"\n{part} is left out: {reason}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--echo"]:
        echo(sys.argv[2])
    else:
        main()

"""Benchmarks of PixelBoop beside other programs, on the same machine in the same run.

usage: scripts/bench peers [--install] [--runs N] [--seconds S] [voices] [offline] [sequencers] [control]

voices   processor time per second of audio under jackd (dummy driver, 64 frames, 48 kHz) with 0 and 12 voices, and of a
         C program with as many ports that plays nothing
offline  rendering a sound file, in multiples of real time
sequencers
         how far the onsets of steps that are played live are from where they belong, as sound and over MIDI, and
         the processor time that this takes; each plays for half a minute
control  round trips on the control socket, at a request every 5 ms

Every figure is the median of the runs, which take turns. Programs that are not installed are skipped, with a note.
"""

import argparse
import signal
import sys
import tempfile

from control import echo, measure_control
from offline import measure_offline
from sequencers import measure_sequencers
from voices import measure_voices


def main():
    parts = {"voices": measure_voices, "offline": measure_offline, "sequencers": measure_sequencers,
             "control": measure_control}
    parser = argparse.ArgumentParser(prog="scripts/bench peers", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS)
    parser.add_argument("parts", nargs="*", choices=[*parts, []], help=argparse.SUPPRESS)
    parser.add_argument("--runs", type=int, default=5, help="how many times everything is measured")
    parser.add_argument("--seconds", type=float, default=5, help="how long each load is measured")
    parser.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    for part in options.parts or parts:
        with tempfile.TemporaryDirectory(prefix="pixelboop-peers-") as place:
            parts[part](options, place)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--echo"]:
        echo(sys.argv[2])
    else:
        main()

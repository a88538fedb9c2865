"""Rendering into files."""

import json
import os
import shutil
import subprocess
import time
import wave

from programs import PERIOD, RATE, SOUND_FONT, Daemon, Missing
from report import Figures

ORCHESTRA = """<CsoundSynthesizer>
<CsOptions>
</CsOptions>
<CsInstruments>
sr = 48000
ksmps = 64
nchnls = 2
0dbfs = 1
massign 0, 1
instr 1
  icps cpsmidi
  iamp ampmidi 0.1
  kenvelope linsegr 0, 0.005, 1, 0.1, 0
  asaw vco2 iamp, icps
  outs asaw * kenvelope, asaw * kenvelope
endin
</CsInstruments>
<CsScore>
f 0 36000
</CsScore>
</CsoundSynthesizer>
"""


def duration(path):
    with wave.open(path) as file:
        return file.getnframes() / file.getframerate()


def time_rendering(command, output):
    """How many times faster than real time a sound file is rendered, the program's start included."""
    if not shutil.which(command[0]):
        raise Missing(f"{command[0]} is not installed")
    start = time.monotonic()
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    taken = time.monotonic() - start
    if not os.path.exists(output):
        raise Missing(f"{command[0]} made no file: {result.stderr[-300:].strip()!r}")
    return duration(output) / taken


def plain(pattern):
    """A pattern as csound plays it: with the first presets, without effects and motions."""
    tracks = {name: {**track, "motion": {}} for name, track in pattern["tracks"].items()}
    return {**pattern, "sounds": {}, "tracks": tracks}


def measure_offline(options, place):
    loops, demo, midi = 60, "config/demo.json", f"{place}/demo.mid"
    daemon = Daemon(place, options.programs)
    with open(demo) as file:
        pattern = json.load(file)
    with open(f"{place}/plain.json", "w") as file:
        json.dump(plain(pattern), file)
    daemon.call("pattern.set", pattern=pattern)
    daemon.call("export.midi", path=midi, loops=loops)
    daemon.end()
    with open(f"{place}/peer.csd", "w") as file:
        file.write(ORCHESTRA)
    commands = {
        "pixelboop render": [f"{options.programs}/pixelboop", "render", demo, "OUT", "--loops", str(loops)],
        "pixelboop render, plain": [
            f"{options.programs}/pixelboop", "render", f"{place}/plain.json", "OUT", "--loops", str(loops)],
        "fluidsynth -F": ["fluidsynth", "-ni", "-R", "0", "-C", "0", "-r", str(RATE), "-z", str(PERIOD), "-F", "OUT",
                          SOUND_FONT, midi],
        "csound": ["csound", "-d", "-m0", "-W", "-T", "-F", midi, "-o", "OUT", f"{place}/peer.csd"],
    }
    figures = Figures("offline", f"The demo {loops} times over into a WAV file, start included", "times real time")

    def take(command, output):
        taken = time_rendering([output if word == "OUT" else word for word in command], output)
        os.remove(output)
        return {"speed": taken}

    for run in range(options.runs):
        for name, command in commands.items():
            figures.measure(name, lambda: take(command, f"{place}/rendered-{run}.wav"))
    figures.report()

"""Draws docs/images/sounds: what each preset and kit looks like, time to the right and frequency upwards, from audio that
`pixelboop render` makes.

A preset plays two notes, normal and accented; a kit its twelve drums in turn. With --mixes it draws the first 6 s of the demo
and of config/mixes instead. Levels are from white (the loudest in the picture) to the ground colour (72 dB less), frequencies
from 40 Hz to 20 kHz, with all octaves equally high.

usage: spectrograms.py PIXELBOOP DIR [--mixes]
"""

import cmath
import json
import math
import os
import subprocess
import sys
import tempfile
import wave

from PIL import Image

RATE = 48000
SIZE = 4096  # frames in a column's window
HEIGHT = 96
LOWEST, HIGHEST = 40.0, 20000.0
RANGE = 72.0  # dB
COLUMNS_PER_SECOND = 90

PITCHES = {"melody": 67, "chords": 55, "bass": 40}
DRUMS = [36, 35, 45, 38, 40, 37, 39, 42, 46, 49, 51, 56]


def note(step, pitch, velocity):
    # There is a separator before every eighth step.
    return {"col": 4 + step + step // 8, "pitch": pitch, "velocity": velocity}


def preset_pattern(track, preset):
    """At 120 BPM, a step of 0.125 s: notes of six steps, with two of silence behind each."""
    notes = []
    for start, velocity in ((0, "normal"), (8, "accent")):
        notes.append(note(start, PITCHES[track], velocity))
        notes += [note(start + step, PITCHES[track], "sustain") for step in range(1, 6)]
    return {
        "version": 1, "bpm": 120, "length": 16, "sounds": {track: {"preset": preset}},
        "tracks": {track: {"type": track, "notes": notes}},
    }


def kit_pattern(kit):
    """Two steps of 0.15 s for each drum: what rings longer is covered by the next."""
    notes = [note(2 * place, drum, "accent") for place, drum in enumerate(DRUMS)]
    return {
        "version": 1, "bpm": 100, "length": 24, "sounds": {"rhythm": {"kit": kit}},
        "tracks": {"rhythm": {"type": "rhythm", "notes": notes}},
    }


def rendered(program, track, pattern, seconds):
    """The samples of a track; without one, of the middle of the mix."""
    with tempfile.TemporaryDirectory() as place:
        source, sound = os.path.join(place, "pattern.json"), os.path.join(place, "sound.wav")
        with open(source, "w", encoding="utf-8") as file:
            json.dump(pattern, file)
        subprocess.run(
            [program, "render", "--rate", str(RATE), *(["--track", track] if track else ["--loops", "2"]), source, sound],
            check=True, stdout=subprocess.DEVNULL)
        with wave.open(sound) as file:
            channels, data = file.getnchannels(), file.readframes(int(seconds * RATE))
    values = [int.from_bytes(data[i:i + 3], "little", signed=True) / 2**23 for i in range(0, len(data), 3)]
    samples = [sum(values[i:i + channels]) / channels for i in range(0, len(values), channels)]
    count = int(seconds * RATE)
    return samples[:count] + [0.0] * (count - len(samples))


def transform(values):
    """The discrete Fourier transform of a power of two (Cooley and Tukey)."""
    count = len(values)
    if count == 2:
        return [values[0] + values[1], values[0] - values[1]]
    even, odd = transform(values[0::2]), transform(values[1::2])
    turned = [TURNS[index * (SIZE // count)] * value for index, value in enumerate(odd)]
    return [a + b for a, b in zip(even, turned)] + [a - b for a, b in zip(even, turned)]


TURNS = [cmath.exp(-2j * math.pi * index / SIZE) for index in range(SIZE // 2)]
WINDOW = [0.5 - 0.5 * math.cos(2 * math.pi * index / SIZE) for index in range(SIZE)]


def powers(samples):
    """The power of each line of the picture, from the bottom up, in each column."""
    step = math.log(HIGHEST / LOWEST) / HEIGHT
    edges = [LOWEST * math.exp(step * line) * SIZE / RATE for line in range(HEIGHT + 1)]
    count = int(len(samples) / RATE * COLUMNS_PER_SECOND)

    def windowed(column):
        start = int(column * RATE / COLUMNS_PER_SECOND) - SIZE // 4
        part = (samples[i] if 0 <= i < len(samples) else 0.0 for i in range(start, start + SIZE))
        return [sample * weight for sample, weight in zip(part, WINDOW)]

    columns = []
    for column in range(0, count, 2):
        # Two columns at once, as the real and imaginary parts of one.
        both = transform([complex(*pair) for pair in zip(windowed(column), windowed(column + 1))])
        mirrored = [both[-index].conjugate() for index in range(SIZE // 2)]
        for sign in (1, -1):
            power = [abs(a + sign * b) ** 2 for a, b in zip(both, mirrored)]
            columns.append([max(power[int(low):int(high) + 1]) for low, high in zip(edges, edges[1:])])
    return columns


def color(level):
    """From the ground over violet and orange to white, for 0 to 1."""
    stops = [(24, 24, 24), (70, 30, 110), (190, 50, 110), (250, 140, 60), (255, 245, 220)]
    place = max(0.0, min(0.9999, level)) * (len(stops) - 1)
    below, part = stops[int(place)], place % 1
    above = stops[int(place) + 1]
    return tuple(round(a + (b - a) * part) for a, b in zip(below, above))


def write(name, columns):
    loudest = max(max(column) for column in columns)
    picture = Image.new("RGB", (len(columns), HEIGHT))
    picture.putdata([
        color(1 + 10 * math.log10(column[line] / loudest + 1e-12) / RANGE)
        for line in reversed(range(HEIGHT)) for column in columns
    ])
    picture.save(name, optimize=True)


def sounds():
    """The names of each track's presets, and those of the kits."""
    with open(os.path.join(os.path.dirname(__file__), "../../docs/openrpc.json"), encoding="utf-8") as file:
        tracks = json.load(file)["components"]["schemas"]["State"]["properties"]["tracks"]["properties"]
    presets = {track: tracks[track]["properties"]["preset"]["enum"] for track in PITCHES}
    return presets, tracks["rhythm"]["properties"]["kit"]["examples"]


def mixes():
    """The patterns that come with the program, by name."""
    config = os.path.join(os.path.dirname(__file__), "../../config")
    for name, path in (("demo", "demo"), ("house", "mixes/house"), ("trap", "mixes/trap"), ("ambient", "mixes/ambient")):
        with open(os.path.join(config, f"{path}.json"), encoding="utf-8") as file:
            yield name, json.load(file)


def pictures(kind):
    """The name of each picture, its track, pattern and seconds."""
    if kind == "--mixes":
        return [(name, None, pattern, 6.0) for name, pattern in mixes()]
    presets, kits = sounds()
    return [
        (f"{track}-{preset}", track, preset_pattern(track, preset), 2.0) for track in presets for preset in presets[track]
    ] + [(f"kit-{kit}", "rhythm", kit_pattern(kit), 3.6) for kit in kits]


def main(program, folder, kind=""):
    os.makedirs(folder, exist_ok=True)
    for name, track, pattern, seconds in pictures(kind):
        file = name.lower().replace(" ", "-").replace("+", "") + ".png"
        write(os.path.join(folder, file), powers(rendered(program, track, pattern, seconds)))


main(*sys.argv[1:])

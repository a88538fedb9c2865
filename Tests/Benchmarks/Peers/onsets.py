"""When steps begin in rendered files."""

import json
import os
import wave
import xml.etree.ElementTree as ElementTree

from offline import time_rendering
from patterns import pattern
from programs import RATE, Missing
from report import Table

HYDROGEN_SONG = "/usr/share/hydrogen/data/demo_songs/TR808kit-demo.h2song"
TEMPO = 127.31
ONSET_STEPS = 4


def hydrogen_song(place, bars, instrument="Closed Hat", notes=4):
    """A song in which one drum plays so many notes a bar, in sound and over MIDI; made from one of Hydrogen's own."""
    if not os.path.exists(HYDROGEN_SONG):
        raise Missing(f"{HYDROGEN_SONG} is not there")
    tree = ElementTree.parse(HYDROGEN_SONG)
    song = tree.getroot()
    song.find("bpm").text = str(TEMPO)
    song.find("loopEnabled").text = "false"
    drum = next(item for item in song.iter("instrument")
                if item.find("name") is not None and item.find("name").text == instrument)
    drum.find("midiOutChannel").text = "9"
    patterns = song.find("patternList")
    first = patterns.find("pattern")
    for other in patterns.findall("pattern")[1:]:
        patterns.remove(other)
    cells = first.find("noteList")
    model = cells.find("note")
    for note in list(cells):
        cells.remove(note)
    for number in range(notes):
        note = ElementTree.fromstring(ElementTree.tostring(model))
        note.find("position").text = str(192 // notes * number)
        note.find("instrument").text = drum.find("id").text
        cells.append(note)
    sequence = song.find("patternSequence")
    for group in list(sequence):
        sequence.remove(group)
    for _ in range(bars):
        ElementTree.SubElement(ElementTree.SubElement(sequence, "group"), "patternID").text = first.find("name").text
    path = f"{place}/peer.h2song"
    tree.write(path, encoding="UTF-8", xml_declaration=True)
    return path


def samples(path):
    """The first channel of a WAV file of 16 or 24 bits."""
    with wave.open(path) as file:
        width, channels = file.getsampwidth(), file.getnchannels()
        data = file.readframes(file.getnframes())
    frame = width * channels
    return [int.from_bytes(data[at:at + width], "little", signed=True) / (1 << (8 * width - 1))
            for at in range(0, len(data), frame)]


def onset_errors(path):
    """How far each onset is from where it belongs by the first one, in frames."""
    signal_ = [abs(value) for value in samples(path)]
    threshold = max(signal_) / 100
    interval = RATE * 60 / TEMPO
    first = next(at for at, value in enumerate(signal_) if value > threshold)
    errors, number = [], 1
    while True:
        expected = first + number * interval
        start, end = int(expected) - RATE // 50, int(expected) + RATE // 50
        if end > len(signal_):
            return errors
        found = next((at for at in range(start, end) if signal_[at] > threshold), None)
        if found is None:
            return errors
        errors.append(abs(found - expected))
        number += 1


def measure_onsets(options, place):
    bars = 32
    with open(f"{place}/beats.json", "w") as file:
        # Rhythm's pitches are General MIDI keys: 37 is the rimshot, which is no noise and so the same every time.
        json.dump(pattern({"rhythm": [(step, 37, "normal") for step in range(0, 32, ONSET_STEPS)]}, bpm=TEMPO), file)
    left_out, figures = {}, {}
    ours, theirs = f"{place}/ours.wav", f"{place}/theirs.wav"
    try:
        time_rendering([f"{options.programs}/pixelboop", "render", f"{place}/beats.json", ours, "--loops",
                        str(bars // 2)], ours)
        figures["pixelboop"] = onset_errors(ours)
    except Missing as reason:
        left_out["pixelboop"] = reason
    try:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        time_rendering(["h2cli", "-s", hydrogen_song(place, bars), "-d", "auto", "-r", str(RATE), "-o", theirs], theirs)
        figures["h2cli"] = onset_errors(theirs)
    except Missing as reason:
        left_out["h2cli"] = reason
    table = Table(
        "onsets", f"a drum on every beat of {bars} bars at {TEMPO} BPM, frames from where it belongs (one run: it is "
        "the same each time)", "frames", left_out)
    table.add({name: values for name, values in figures.items() if values}, maximum=True)

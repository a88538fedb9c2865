"""When the steps of live sequencers begin, and what that costs."""

import os
import re
import statistics
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

from listening import SECONDS, on_own_server, record
from patterns import pattern
from programs import RATE, Daemon, Missing, Running
from report import Figures

TEMPO = 127.31
STEP = RATE * 15 / TEMPO  # Frames.
HYDROGEN_SONG = "/usr/share/hydrogen/data/demo_songs/TR808kit-demo.h2song"
HYDROGEN_CONFIGURATION = "/usr/share/hydrogen/data/hydrogen.default.conf"


@dataclass
class Sequencer:
    """A program that plays sixteenths, at once or when JACK's transport runs."""

    running: Running
    midi_port: str
    audio_port: str = ""
    needs_transport: bool = False


def start_pixelboop(place, programs, server):
    daemon = Daemon(place, programs, server.name)
    daemon.await_audio()
    daemon.call("pattern.set", pattern=pattern({"rhythm": [(step, 37, "normal") for step in range(32)]}, bpm=TEMPO))
    daemon.call("track.set", track="rhythm", target="both")
    daemon.call("transport.play")
    return Sequencer(daemon, "pixelboop:midi_out", "pixelboop:main_L")


def start_stepseq(place, programs, server):
    # Two notes that take turns: a note that is followed by itself is held.
    cells = {17 + 8 * (step % 2) + step: 100 for step in range(8)}
    controls = {1: TEMPO, 2: 1, **cells}
    sequencer = Running(
        place, "x42-stepseq",
        ["x42-stepseq", "--nogui", "--jack-name", "stepseq",
         *(word for port, value in controls.items() for word in ("--port", f"{port}:{value}"))], server.environment)
    sequencer.await_true(lambda: server.has_client("stepseq"), "x42-stepseq in JACK")
    return Sequencer(sequencer, "stepseq:midiout")


def hydrogen_song(place):
    """A minute of one drum's sixteenths, in sound and over MIDI; made from one of Hydrogen's own songs."""
    if not os.path.exists(HYDROGEN_SONG):
        raise Missing(f"{HYDROGEN_SONG} is not there")
    tree = ElementTree.parse(HYDROGEN_SONG)
    song = tree.getroot()
    song.find("bpm").text = str(TEMPO)
    song.find("loopEnabled").text = "false"
    drum = next(item for item in song.iter("instrument")
                if item.find("name") is not None and item.find("name").text == "Clave")
    drum.find("midiOutChannel").text = "9"
    patterns = song.find("patternList")
    first = patterns.find("pattern")
    for other in patterns.findall("pattern")[1:]:
        patterns.remove(other)
    cells = first.find("noteList")
    model = cells.find("note")
    for note in list(cells):
        cells.remove(note)
    for number in range(16):
        note = ElementTree.fromstring(ElementTree.tostring(model))
        note.find("position").text = str(12 * number)
        note.find("instrument").text = drum.find("id").text
        cells.append(note)
    sequence = song.find("patternSequence")
    for group in list(sequence):
        sequence.remove(group)
    for _ in range(32):
        ElementTree.SubElement(ElementTree.SubElement(sequence, "group"), "patternID").text = first.find("name").text
    path = f"{place}/peer.h2song"
    tree.write(path, encoding="UTF-8", xml_declaration=True)
    return path


def start_hydrogen(place, programs, server):
    home = f"{place}/hydrogen"
    os.makedirs(f"{home}/.hydrogen", exist_ok=True)
    if not os.path.exists(HYDROGEN_CONFIGURATION):
        raise Missing(f"{HYDROGEN_CONFIGURATION} is not there")
    with open(HYDROGEN_CONFIGURATION) as file:
        configuration = re.sub("<driverName>.*?<", "<driverName>JACK-MIDI<", file.read())
    with open(f"{home}/.hydrogen/hydrogen.conf", "w") as file:
        file.write(configuration)
    song = hydrogen_song(place)
    # Hydrogen's window needs a display; h2cli has the same engine, and follows JACK's transport.
    drums = Running(
        place, "h2cli", ["h2cli", "-d", "jack", "-s", song],
        {**server.environment, "HOME": home, "QT_QPA_PLATFORM": "offscreen"})
    drums.await_true(lambda: server.has_client("Hydrogen") and server.has_client("Hydrogen-midi"), "Hydrogen in JACK")
    return Sequencer(drums, "Hydrogen-midi:TX", "Hydrogen:out_L", needs_transport=True)


def play(start, place, programs, server):
    """Frames at which notes and sounds began, and milliseconds of processor time per second."""
    sequencer = start(place, programs, server)
    try:
        return record(server, sequencer.midi_port, sequencer.audio_port, sequencer.needs_transport,
                      meanwhile=sequencer.running.load)
    finally:
        sequencer.running.end()


def figures(onsets):
    """How far onsets are from the grid, in frames, and how many steps began never or more than once.

    The grid is at their median offset. The first second, in which a program starts, does not count.
    """
    onsets = [frame for frame in onsets if frame >= onsets[0] + RATE]
    first = {}
    for frame in onsets:
        first.setdefault(round((frame - onsets[0]) / STEP), frame)
    count = max(first) + 1
    distances = [frame - number * STEP for number, frame in sorted(first.items())]
    middle = statistics.median(distances)
    errors = sorted(abs(distance - middle) for distance in distances)
    quarter = len(distances) // 4
    drift = statistics.mean(distances[-quarter:]) - statistics.mean(distances[:quarter])
    return {"median": statistics.median(errors), "p99": errors[len(errors) * 99 // 100], "worst": errors[-1],
            "drift": abs(drift), "wrong": count - len(first) + len(onsets) - len(first)}


def measure_sequencers(options, place):
    sequencers = {"pixelboopd": start_pixelboop, "x42-stepseq": start_stepseq, "hydrogen": start_hydrogen}
    what = f"sixteenths at {TEMPO} BPM for {SECONDS} s"
    times = Figures("sequencers cpu", f"Processor time per second of audio: {what}", "ms/s")
    errors = {
        "midi": Figures(
            "sequencers midi", f"Note-ons of {what}: how far from where they belong; drift from the first to the last "
            "quarter; steps with none, or more than one", "frames"),
        "audio": Figures("sequencers audio", "The same of their sounds", "frames")}
    for _ in range(options.runs):
        for name, start in sequencers.items():
            heard = {}

            def take():
                onsets, load = on_own_server(place, lambda server: play(start, place, options.programs, server))
                heard.update(onsets)
                return {"load": load}

            times.measure(name, take)
            for kind, onsets in heard.items():
                if onsets:
                    errors[kind].measure(name, lambda: figures(onsets))
    for kind in errors.values():
        kind.report()
    times.report()

"""How exactly Hydrogen follows our timebase in JACK."""

import json
import os
import statistics
import subprocess

from onsets import TEMPO
from patterns import pattern
from programs import RATE, Daemon, JackServer, Missing
from report import Table
from sequencers import SECONDS, start_hydrogen


def record(server):
    """Frames of our note-ons and of Hydrogen's sounds while JACK's transport runs."""
    command = ["/usr/bin/python3", "-B", f"{os.path.dirname(os.path.abspath(__file__))}/recorder.py", str(SECONDS),
               "pixelboop:midi_out", "Hydrogen:out_L", "--roll"]
    output = subprocess.run(command, env={**os.environ, **server.environment}, capture_output=True, timeout=90).stdout
    heard = json.loads(output)
    return heard["midi"], heard["audio"]


def figures(led, followed):
    """Frames from our steps to Hydrogen's, which begin a second after the start; how far they are from their median, and
    how many steps it leaves out or plays more than once."""
    start = led[0] + RATE
    led = [frame for frame in led if frame >= start][:-1]
    followed = [frame for frame in followed if led[0] - 1000 < frame < led[-1] + 1000]
    pairs = {}
    for frame in followed:
        pairs.setdefault(min(range(len(led)), key=lambda step: abs(led[step] - frame)), []).append(frame)
    distances = [frames[0] - led[step] for step, frames in sorted(pairs.items())]
    middle = statistics.median(distances)
    errors = sorted(abs(distance - middle) for distance in distances)
    quarter = len(distances) // 4
    return {"sound after note-on": middle, "median": statistics.median(errors), "p99": errors[len(errors) * 99 // 100],
            "worst": errors[-1],
            "drift": abs(statistics.mean(distances[-quarter:]) - statistics.mean(distances[:quarter])),
            "steps wrong": len(led) - len(pairs) + len(followed) - len(pairs)}


def measure_followers(options, place):
    server = JackServer(place, "--sync")
    found, left_out = {}, {}
    try:
        for _ in range(options.runs):
            try:
                daemon = Daemon(place, options.programs, server.name)
                daemon.await_audio()
                steps = {"rhythm": [(step, 37, "normal") for step in range(32)]}
                daemon.call("pattern.set", pattern=pattern(steps, bpm=TEMPO))
                daemon.call("track.set", track="rhythm", target="midi")
                daemon.call("sync.set", lead=["jack"])
                daemon.await_true(lambda: "jack" in daemon.call("state.get")["sync"]["leading"], "the timebase")
                hydrogen = start_hydrogen(place, options.programs, server)
                for figure, value in figures(*record(server)).items():
                    found.setdefault(figure, []).append(value)
                hydrogen.running.end()
                daemon.end()
            except Missing as reason:
                left_out["hydrogen"] = reason
                break
    finally:
        server.end()
    table = Table("followers", f"Hydrogen, following our timebase at {TEMPO} BPM for {SECONDS} s: frames between its "
                  "sixteenths and ours", "frames", left_out)
    table.add(found)

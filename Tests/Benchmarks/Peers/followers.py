"""How exactly Hydrogen follows our timebase in JACK."""

import statistics

from listening import SECONDS, on_own_server, record
from onsets import TEMPO
from patterns import pattern
from programs import RATE, Daemon, Missing
from report import Table
from sequencers import start_hydrogen


def play(place, programs, server):
    """Frames of our note-ons and of Hydrogen's sounds while JACK's transport runs."""
    daemon = Daemon(place, programs, server.name)
    try:
        daemon.await_audio()
        steps = {"rhythm": [(step, 37, "normal") for step in range(32)]}
        daemon.call("pattern.set", pattern=pattern(steps, bpm=TEMPO))
        daemon.call("track.set", track="rhythm", target="midi")
        daemon.call("sync.set", lead=["jack"])
        daemon.await_true(lambda: "jack" in daemon.call("state.get")["sync"]["leading"], "the timebase")
        hydrogen = start_hydrogen(place, programs, server)
        try:
            heard, _ = record(server, "pixelboop:midi_out", hydrogen.audio_port, is_rolling=True)
            return heard["midi"], heard["audio"]
        finally:
            hydrogen.running.end()
    finally:
        daemon.end()


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
    found, left_out = {}, {}
    for _ in range(options.runs):
        try:
            led, followed = on_own_server(place, lambda server: play(place, options.programs, server))
        except Missing as reason:
            left_out["hydrogen"] = reason
            break
        for figure, value in figures(led, followed).items():
            found.setdefault(figure, []).append(value)
    table = Table("followers", f"Hydrogen, following our timebase at {TEMPO} BPM for {SECONDS} s: frames between its "
                  "sixteenths and ours", "frames", left_out)
    table.add(found)

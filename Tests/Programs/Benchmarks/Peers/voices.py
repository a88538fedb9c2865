"""Processor time under jackd."""

import os
import subprocess
import time

from osc import OSC, saw_definition
from patterns import pattern
from programs import PERIOD, RATE, SOUND_FONT, Daemon, JackServer, Missing, Running
from report import Figures


def start_pixelboop(place, programs, server, voices):
    daemon = Daemon(place, programs, server.name)
    daemon.await_audio()
    held = [(step, note, "sustain" if step else "accent") for step in range(32) for note in range(voices // 2)]
    daemon.call("pattern.set", pattern=pattern({"chords": held, "bass": held}))
    if voices:
        daemon.call("transport.play")
    return daemon


def start_bare(place, programs, server, voices):
    client = Running(place, "bare C", [f"{programs}/bare-jack-client", "peer", str(voices)], server.environment)
    client.await_true(lambda: server.has_client("peer"), "the bare client in JACK")
    return client


def start_fluidsynth(place, programs, server, voices):
    if not os.path.exists(SOUND_FONT):
        raise Missing(f"{SOUND_FONT} is not there")
    synth = Running(
        place, "fluidsynth",
        ["fluidsynth", "-a", "jack", "-o", f"audio.jack.server={server.name}", "-o", "audio.jack.id=peer", "-n", "-r",
         str(RATE), "-z", str(PERIOD), "-R", "0", "-C", "0", SOUND_FONT], stdin=subprocess.PIPE)
    synth.await_true(lambda: server.has_client("peer"), "fluidsynth in JACK")
    # A drawbar organ: it sounds as long as it is held.
    synth.write("prog 0 16\n" + "".join(f"noteon 0 {48 + note} 80\n" for note in range(voices)))
    return synth


def start_scsynth(place, programs, server, voices):
    control = OSC()
    synth = Running(
        place, "scsynth",
        ["scsynth", "-u", str(control.port), "-z", str(PERIOD), "-S", str(RATE), "-D", "0", "-R", "0", "-i", "0", "-o",
         "2", "-H", f"{server.name}:peer"], server.environment)
    synth.await_true(lambda: control.is_answered("/status"), "scsynth's answer")
    if not control.is_answered("/d_recv", saw_definition()):
        raise Missing("scsynth does not take the synth definition")
    for voice in range(voices):
        control.send("/s_new", "saw", 1000 + voice, 0, 0, "freq", 200.0 + 20 * voice)
    return synth


def start_zynaddsubfx(place, programs, server, voices):
    control = OSC()
    synth = Running(
        place, "zynaddsubfx",
        ["zynaddsubfx", "-U", "-O", "jack", "-I", "null", "-P", str(control.port), "-r", str(RATE), "-b",
         str(PERIOD)], server.environment)
    synth.await_true(lambda: server.has_client("zynaddsubfx"), "zynaddsubfx in JACK")
    for voice in range(voices):
        control.send("/noteOn", 0, 48 + voice, 80)
    return synth


SYNTHESIZERS = {"bare C": start_bare, "pixelboopd": start_pixelboop, "fluidsynth": start_fluidsynth,
                "scsynth": start_scsynth, "zynaddsubfx": start_zynaddsubfx}


def measure_voices(options, place):
    times = Figures("voices", f"Processor time per second of audio, {PERIOD} frames at {RATE} Hz", "ms/s")
    memory = Figures("memory", "The same programs' memory", "MiB")
    server = JackServer(place)

    def play(start, voices):
        running = start(place, options.programs, server, voices)
        try:
            time.sleep(1)
            return {"load": running.load(options.seconds), "memory": running.memory()}
        finally:
            running.end()

    try:
        for _ in range(options.runs):
            for name, start in SYNTHESIZERS.items():
                for voices in (0, 12):
                    column, figures = f"{voices} voices", {}

                    def take():
                        figures.update(play(start, voices))
                        return {column: figures["load"]}

                    times.measure(name, take)
                    if figures:
                        memory.measure(name, lambda: {column: figures["memory"]})
    finally:
        server.end()
    times.report()
    memory.report()

"""Processor time under jackd."""

import os
import subprocess
import time

from osc import OSC, saw_definition
from patterns import pattern
from programs import PERIOD, RATE, SOUND_FONT, Daemon, JackServer, Missing, Running
from report import Table


def start_pixelboop(place, programs, server, voices):
    daemon = Daemon(place, programs, server.name)
    daemon.await_audio()
    held = [(step, note, "sustain" if step else "accent") for step in range(32) for note in range(voices // 2)]
    daemon.call("pattern.set", pattern=pattern({"chords": held, "bass": held}))
    if voices:
        daemon.call("transport.play")
    return daemon


def start_silence(place, programs, server, voices):
    client = Running(place, "silent-client", [f"{programs}/silent-client", "peer"], server.environment)
    client.await_true(lambda: server.has_client("peer"), "the silent client in JACK")
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
    try:
        synth.await_true(lambda: server.has_client("zynaddsubfx"), "zynaddsubfx in JACK")
    except Missing:
        synth.end()
        raise
    for voice in range(voices):
        control.send("/noteOn", 0, 48 + voice, 80)
    return synth


def measure_voices(options, place):
    server = JackServer(place)
    peers = {"pixelboopd": start_pixelboop, "silent C": start_silence, "fluidsynth": start_fluidsynth,
             "scsynth": start_scsynth, "zynaddsubfx": start_zynaddsubfx}
    figures, left_out = {}, {}
    try:
        for _ in range(options.runs):
            for name, start in peers.items():
                for voices in (0,) if start is start_silence else (0, 12):
                    if name in left_out:
                        continue
                    try:
                        running = start(place, options.programs, server, voices)
                    except Missing as reason:
                        left_out[name] = reason
                        continue
                    time.sleep(1)
                    figures.setdefault((name, voices), []).append(running.load(options.seconds))
                    running.end()
    finally:
        server.end()
    table = Table("voices", f"ms of processor time per second of audio, {PERIOD} frames at {RATE} Hz", "ms/s", left_out)
    for voices in (0, 12):
        table.add({f"{name}, {voices} voices": values for (name, count), values in figures.items() if count == voices})

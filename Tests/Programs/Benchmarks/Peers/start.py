"""From the start of programs until they answer, and until JACK calls them."""

import os
import select
import subprocess
import time

from control import MPD, MPV
from programs import Daemon, JackServer, Lines, Missing
from report import Figures
from voices import SYNTHESIZERS


class WatchedServer:
    """A server that notices by itself when it first calls a client, without programs that look for it meanwhile."""

    def __init__(self, server, programs, client):
        self.name, self.environment = server.name, server.environment
        self.watch = subprocess.Popen([f"{programs}/jack-watch", client], env={**os.environ, **self.environment},
                                      stdout=subprocess.PIPE, text=True)
        if self.watch.stdout.readline() != "ready\n":
            raise Missing("JACK cannot be watched")

    def has_client(self, _):
        return bool(select.select([self.watch.stdout], [], [], 0)[0])

    def await_call(self):
        """When it called the client, by `time.monotonic`."""
        return float(self.watch.stdout.readline())

    def end(self):
        self.watch.kill()
        self.watch.wait()


def until_call(server, programs, client, start):
    """Milliseconds from the start of a program until JACK calls it."""
    watched = WatchedServer(server, programs, client)
    try:
        begin = time.monotonic()
        running = start(watched)
        try:
            return 1000 * (watched.await_call() - begin)
        finally:
            running.end()
    finally:
        watched.end()


def until_answer(start, talk):
    """Milliseconds from the start of a program until its first words, or its first answer."""
    begin = time.monotonic()
    running = start()
    try:
        talk(running.path)
        return 1000 * (time.monotonic() - begin)
    finally:
        running.end()
        if os.path.exists(running.path):
            os.remove(running.path)


def ask(path, line):
    lines = Lines(path)
    lines.ask(line)
    lines.close()


def measure_start(options, place):
    called = Figures("start audio", "From the start of a program until JACK calls it", "ms")
    answered = Figures("start", "From the start of a program to its first words on a socket", "ms")
    sockets = {
        # It has been greeted when it is made.
        "pixelboopd": (lambda: Daemon(place, options.programs), lambda path: None),
        "mpd": (lambda: MPD(place), lambda path: ask(path, b"")),
        "mpv": (lambda: MPV(place), lambda path: ask(path, b'{"command":["get_property","volume"]}\n')),
    }
    clients = {"pixelboopd": "pixelboop", "zynaddsubfx": "zynaddsubfx"}
    server = JackServer(place)
    try:
        for _ in range(options.runs):
            for name, start in SYNTHESIZERS.items():
                called.measure(name, lambda: {"start": until_call(
                    server, options.programs, clients.get(name, "peer"),
                    lambda watched: start(place, options.programs, watched, 0))})
            for name, (start, talk) in sockets.items():
                answered.measure(name, lambda: {"start": until_answer(start, talk)})
    finally:
        server.end()
    called.report()
    answered.report()

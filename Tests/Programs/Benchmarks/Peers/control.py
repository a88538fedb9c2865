"""Round trips on control sockets."""

import json
import os
import socket
import sys
import time

from programs import Daemon, Lines, Missing, Running
from report import Table


def echo(path):
    """The minimal server: sends back what it gets."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(1)
    connection, _ = listener.accept()
    while data := connection.recv(4096):
        connection.sendall(data)


class Echo(Running):
    def __init__(self, place):
        self.path = f"{place}/echo.sock"
        super().__init__(place, "echo", [sys.executable, os.path.dirname(os.path.abspath(__file__)), "--echo", self.path])
        self.await_true(lambda: os.path.exists(self.path), "the echo's socket")


class MPD(Running):
    def __init__(self, place):
        self.path = f"{place}/mpd.sock"
        with open(f"{place}/mpd.conf", "w") as file:
            file.write(f'bind_to_address "{self.path}"\naudio_output {{\n type "null"\n name "null"\n}}\n')
        super().__init__(place, "mpd", ["mpd", "--no-daemon", f"{place}/mpd.conf"])
        self.await_true(lambda: os.path.exists(self.path), "mpd's socket")


class MPV(Running):
    def __init__(self, place):
        self.path = f"{place}/mpv.sock"
        super().__init__(
            place, "mpv", ["mpv", "--no-config", "--idle", "--ao=null", "--vo=null", f"--input-ipc-server={self.path}"])
        self.await_true(lambda: os.path.exists(self.path), "mpv's socket")


def round_trips(path, greeting, line, answer, count):
    """Microseconds from a request to its answer, a request every 5 ms."""
    lines = Lines(path)
    if greeting:
        lines.file.readline()
    times, next_time = [], time.monotonic()
    for _ in range(count):
        next_time += 0.005
        time.sleep(max(0, next_time - time.monotonic()))
        start = time.perf_counter()
        reply = lines.ask(line)
        times.append(1e6 * (time.perf_counter() - start))
        while answer not in reply:  # mpv reports events in between.
            reply = lines.file.readline()
    lines.close()
    return times


def measure_control(options, place):
    touch = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "note.set", "params": {
        "track": "rhythm", "step": 0, "note": 0, "velocity": "normal"}}).encode() + b"\n"
    ping = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    peers = {
        "echo (this script)": (lambda: Echo(place), False, ping, b"ping"),
        "pixelboopd ping": (lambda: Daemon(place, options.programs), True, ping, b'"id":1'),
        "pixelboopd note.set": (lambda: Daemon(place, options.programs), True, touch, b'"id":1'),
        "mpd ping": (lambda: MPD(place), True, b"ping\n", b"OK"),
        "mpv get_property": (lambda: MPV(place), False, b'{"command":["get_property","volume"]}\n', b"request_id"),
    }
    figures, slowest, left_out = {}, {}, {}
    for _ in range(options.runs):
        for name, (start, greeting, line, answer) in peers.items():
            if name in left_out:
                continue
            try:
                running = start()
            except Missing as reason:
                left_out[name] = reason
                continue
            times = sorted(round_trips(running.path, greeting, line, answer, 1000))
            running.end()
            if os.path.exists(running.path):
                os.remove(running.path)
            figures.setdefault(name, []).append(times[len(times) // 2])
            slowest.setdefault(name, []).append(times[len(times) * 99 // 100])
    Table("control p50", "round trip, median of 1000, a request every 5 ms", "us", left_out).add(figures)
    Table("control p99", "round trip, 99th percentile", "us", {}).add(slowest)

"""Round trips on control sockets."""

import json
import os
import socket
import sys
import time

from programs import Daemon, Lines, Running
from report import Figures

COUNT = 1000


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
        self.await_socket()


class MPD(Running):
    def __init__(self, place):
        self.path = f"{place}/mpd.sock"
        with open(f"{place}/mpd.conf", "w") as file:
            file.write(f'bind_to_address "{self.path}"\naudio_output {{\n type "null"\n name "null"\n}}\n')
        super().__init__(place, "mpd", ["mpd", "--no-daemon", f"{place}/mpd.conf"])
        self.await_socket()


class MPV(Running):
    def __init__(self, place):
        self.path = f"{place}/mpv.sock"
        super().__init__(
            place, "mpv", ["mpv", "--no-config", "--idle", "--ao=null", "--vo=null", f"--input-ipc-server={self.path}"])
        self.await_socket()


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
    figures = Figures("control", f"Round trips from a Python script, a request every 5 ms, {COUNT} of them", "us")

    def take(start, greeting, line, answer):
        running = start()
        try:
            times = sorted(round_trips(running.path, greeting, line, answer, COUNT))
        finally:
            running.end()
            if os.path.exists(running.path):
                os.remove(running.path)
        return {"p50": times[COUNT // 2], "p99": times[COUNT * 99 // 100]}

    for _ in range(options.runs):
        for name, peer in peers.items():
            figures.measure(name, lambda: take(*peer))
    figures.report()

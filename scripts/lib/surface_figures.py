"""Measures surfaces with built programs: from a press to its light, and what walls of lights take.

usage: surface_figures.py PROGRAMS [SECONDS]    PROGRAMS is the folder with the built programs

The press and its light go by UDP, as serialosc and a monome grid would have it, and beside that by the bare control socket,
in turns, from the same process; both get at most 60 pictures a second. Walls are sent to this process, while the demo plays on a JACK server of its own.
"""

import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

PRESSES = 200
TICKS = os.sysconf("SC_CLK_TCK")


def osc(address, *values):
    """A message of Open Sound Control."""

    def padded(text):
        data = text.encode()
        return data + b"\0" * (4 - len(data) % 4)

    types = "," + "".join("i" if isinstance(value, int) else "s" for value in values)
    packed = b"".join(struct.pack(">i", value) if isinstance(value, int) else padded(value) for value in values)
    return padded(address) + padded(types) + packed


def address_of(packet):
    return packet[: packet.index(b"\0")].decode()


def datagrams():
    place = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    place.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
    place.bind(("127.0.0.1", 0))
    place.settimeout(10)
    return place


class Grid:
    """serialosc with one grid of 8 by 8, whose pads are pressed."""

    def __init__(self):
        self.serialosc, self.device = datagrams(), datagrams()
        threading.Thread(target=self.offer, daemon=True).start()

    def offer(self):
        while True:
            try:
                packet, sender = self.serialosc.recvfrom(65536)
            except TimeoutError:
                continue
            if address_of(packet) == "/serialosc/list":
                port = self.device.getsockname()[1]
                self.serialosc.sendto(osc("/serialosc/device", "m1", "monome test", port), sender)

    def wait_for_owner(self):
        while True:
            packet, self.owner = self.device.recvfrom(65536)
            if address_of(packet) == "/sys/info":
                self.device.sendto(osc("/sys/size", 8, 8), self.owner)
                return

    def drain(self):
        self.device.settimeout(0.06)
        try:
            while True:
                self.device.recv(65536)
        except TimeoutError:
            self.device.settimeout(10)

    def press(self, column, row):
        self.device.sendto(osc("/pixelboop/grid/key", column, row, 1), self.owner)

    def release(self, column, row):
        """Seconds from a release, which makes the press a tap, to the first lights that change."""
        start = time.perf_counter()
        self.device.sendto(osc("/pixelboop/grid/key", column, row, 0), self.owner)
        while "level" not in address_of(self.device.recv(65536)):
            pass
        return time.perf_counter() - start


class Client:
    """The bare control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.rest = b""
        self.say(1, "subscribe", topics=["frame"], maxFps=60)

    def say(self, number, method, **values):
        request = {"jsonrpc": "2.0", "method": method, "params": values}
        if number:
            request["id"] = number
        self.socket.sendall(json.dumps(request).encode() + b"\n")

    def line(self):
        while b"\n" not in self.rest:
            self.rest += self.socket.recv(65536)
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def drain(self):
        self.socket.settimeout(0.06)
        try:
            while True:
                self.line()
        except TimeoutError:
            self.socket.settimeout(10)

    def call(self, number, method, **values):
        self.say(number, method, **values)
        while self.line().get("id") != number:
            pass

    def press(self, column, row):
        self.say(None, "touch", touch=1, phase="down", x=column + 0.5, y=row + 0.5)

    def release(self, column, row):
        """Seconds from a release, which makes the press a tap, to the first picture that changes."""
        start = time.perf_counter()
        self.say(None, "touch", touch=1, phase="up", x=column + 0.5, y=row + 0.5)
        while self.line().get("method") != "frame":
            pass
        return time.perf_counter() - start


def used(process):
    """Seconds of processor time."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def quantiles(durations):
    ordered = sorted(durations)
    return [f"{ordered[int(len(ordered) * part)] * 1000:.2f} ms" for part in (0.5, 0.95, 0.99)]


class Stage:
    """A daemon on a JACK server of its own, in a folder of its own."""

    def __init__(self, programs):
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="pixelboop-figures-")
        self.name = f"figures-{os.getpid()}"
        self.running = []
        self.start("jackd", "--name", self.name, "--no-realtime", "-d", "dummy", "-r", "48000", "-p", "256")
        self.socket = f"{self.folder}/control.sock"
        self.start(
            f"{programs}/pixelboopd", "--socket", self.socket, "--state-dir", f"{self.folder}/state", "--data-dir",
            f"{self.folder}/data", "--jack-server", self.name)
        while not os.path.exists(self.socket):
            time.sleep(0.05)

    def start(self, *command):
        environment = {**os.environ, "HOME": self.folder, "JACK_DEFAULT_SERVER": self.name}
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.running.append(process)
        return process

    def end(self, process):
        self.running.remove(process)
        process.send_signal(signal.SIGTERM)
        process.wait()

    def close(self):
        for process in reversed(self.running[:]):
            self.end(process)


def measure_presses(stage):
    grid = Grid()
    program = stage.start(
        f"{stage.programs}/pixelboop-grid", "--socket", stage.socket, "--jack-server", "none", "--serialosc",
        str(grid.serialosc.getsockname()[1]))
    grid.wait_for_owner()
    client = Client(stage.socket)
    random.seed(1)
    durations = {"bare socket": [], "pixelboop-grid": []}
    for _ in range(PRESSES):
        column, row = random.randrange(8), random.randrange(6)
        for name, player, place in (
            ("bare socket", client, (column + 4, row + 2)), ("pixelboop-grid", grid, (column, row))
        ):
            for step in (lambda: None, lambda: player.press(*place)):
                step()
                client.drain()
                grid.drain()
            durations[name].append(player.release(*place))
    for name, values in durations.items():
        print(f"{name}: p50 {', p95 '.join(quantiles(values)[:2])}, p99 {quantiles(values)[2]}", flush=True)
    stage.end(program)


def measure_walls(stage, seconds):
    client = Client(stage.socket)
    with open("config/demo.json", encoding="utf-8") as file:
        client.call(2, "pattern.set", pattern=json.load(file))
    client.call(3, "transport.play")
    for flag in ("ddp", "artnet", "sacn"):
        wall = datagrams()
        program = stage.start(
            f"{stage.programs}/pixelboop-lights", "--socket", stage.socket, f"--{flag}",
            f"127.0.0.1:{wall.getsockname()[1]}", "--fps", "40")
        wall.recv(65536)
        time.sleep(1)
        wall.setblocking(False)
        packets = size = 0
        before, start = used(program), time.monotonic()
        # A finger that goes to and fro changes every picture.
        step = 0
        client.say(None, "touch", touch=2, phase="down", x=4.5, y=22.5)
        while time.monotonic() - start < seconds:
            step += 1
            client.say(None, "touch", touch=2, phase="move", x=4.5 + step % 30, y=3.5)
            time.sleep(0.02)
            try:
                while True:
                    size += len(wall.recv(65536))
                    packets += 1
            except BlockingIOError:
                pass
            client.socket.setblocking(False)
            try:
                while client.socket.recv(1 << 20):
                    pass
            except BlockingIOError:
                client.socket.setblocking(True)
        client.say(None, "touch", touch=2, phase="cancel")
        duration = time.monotonic() - start
        share = (used(program) - before) / duration * 100
        print(
            f"{flag}: {packets / duration:.0f} packets/s, {size / duration / 1000:.0f} kB/s, {share:.1f} % of a core",
            flush=True)
        stage.end(program)


def main():
    stage = Stage(os.path.abspath(sys.argv[1]))
    try:
        measure_presses(stage)
        measure_walls(stage, float(sys.argv[2]) if len(sys.argv) > 2 else 20)
    finally:
        stage.close()


main()

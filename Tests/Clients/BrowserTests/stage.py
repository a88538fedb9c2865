"""A test's own JACK server, daemon and gateway, and a direct connection to the daemon."""

import contextlib
import itertools
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time

PROGRAMS = pathlib.Path(os.environ.get("PIXELBOOP_PROGRAMS", ".build/debug"))
DEADLINE = 20.0  # s; nothing here takes a tenth of it on a machine that is not overloaded


def until(condition, what, deadline=DEADLINE):
    """Waits until a condition returns something true, and returns that."""
    end = time.monotonic() + deadline
    while time.monotonic() < end:
        if result := condition():
            return result
        time.sleep(0.01)
    raise AssertionError(f"{what}: not within {deadline:.0f} s")


@contextlib.contextmanager
def scrolling(page):
    """Waits at its end until the page has scrolled."""
    page.run("""
        window.hasScrolled = false;
        document.addEventListener("scroll", () => (window.hasScrolled = true), { capture: true, once: true });""")
    yield
    until(lambda: page.run("return window.hasScrolled"), "the scrolling")


def is_downloaded(path):
    """Chromium makes an empty file first, and puts the whole one in its place."""
    return path.exists() and path.stat().st_size > 0


class Daemon:
    """A connection to the control socket, for calls only."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(DEADLINE)
        try:
            self.socket.connect(str(path))
        except OSError:
            self.socket.close()
            raise
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.ids = itertools.count(1)

    def call(self, method, **params):
        number = next(self.ids)
        message = {"jsonrpc": "2.0", "method": method, "params": params, "id": number}
        self.socket.sendall(json.dumps(message).encode() + b"\n")
        while True:
            answer = json.loads(self.lines.readline())
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]

    def notes(self, track):
        """The track's notes as (step's column, MIDI pitch, velocity), in order."""
        notes = self.call("pattern.get")["tracks"].get(track, {}).get("notes", [])
        return sorted((note["col"], note["pitch"], note["velocity"]) for note in notes)

    def close(self):
        self.lines.close()
        self.socket.close()


class Stage:
    """Starts everything or, call by call, a part."""

    def __init__(self, driver="jack", options=()):
        self.driver, self.options = driver, options
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="pixelboop."))
        # One name for all: JACK has room for eight servers, and reuses a killed one's place only for its name.
        self.server = f"pixelboop-page-{os.getpid()}"
        self.socket_path = self.place / "control.sock"
        # The gateway's, which it chooses at its first start.
        self.port = 0
        self.jack = self.process = self.gateway = self.daemon = None
        self.logs = []

    @property
    def address(self):
        return f"http://localhost:{self.port}/"

    def start(self):
        if self.driver == "jack":
            self.start_jack()
        self.start_daemon()
        self.start_gateway()
        until(lambda: self.daemon.call("state.get")["audio"]["status"] == "running", self.driver)
        return self

    def run(self, name, *arguments):
        log = open(self.place / f"{name}.log", "a")
        self.logs.append(log)
        return subprocess.Popen([str(each) for each in arguments], stdout=log, stderr=log)

    def start_jack(self):
        self.jack = self.run(
            "jackd", "jackd", "--name", self.server, "--no-realtime", "-d", "dummy", "-r", 48000, "-p", 1024)

    def start_daemon(self):
        self.process = self.run(
            "pixelboopd", PROGRAMS / "pixelboopd", "--socket", self.socket_path, "--state-dir", self.place / "state",
            "--data-dir", self.place / "data", "--driver", self.driver, "--jack-server", self.server, *self.options)
        self.daemon = until(self.connect, "the daemon")

    def start_gateway(self, *options):
        self.gateway = self.run(
            "pixelboop-web", PROGRAMS / "pixelboop-web", "--socket", self.socket_path, "--listen",
            f"127.0.0.1:{self.port}", "--token-file", self.place / "token", *options)
        until(self.gateway_listens, "the gateway")

    def connect(self):
        try:
            daemon = Daemon(self.socket_path)
        except OSError:
            return None
        # Pictures like the page's, which shows texts itself.
        daemon.call("hello", tooltips=False)
        return daemon

    def gateway_listens(self):
        if not self.port:
            place = re.search(r"listening on \S+:(\d+)\n", (self.place / "pixelboop-web.log").read_text())
            self.port = int(place[1]) if place else 0
            return self.port
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self, name):
        """Kills "jack", "process" (the daemon) or "gateway" as a power cut would."""
        process = getattr(self, name)
        if process:
            process.kill()
            process.wait()
            setattr(self, name, None)

    def stop(self):
        if self.daemon:
            self.daemon.close()
        for name in ("gateway", "process"):
            self.kill(name)
        if self.jack:
            self.jack.terminate()
            self.jack.wait()
        for log in self.logs:
            log.close()
        shutil.rmtree(self.place)

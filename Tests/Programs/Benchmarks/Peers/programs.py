"""The programs to be measured, and the servers that they need."""

import json
import os
import shutil
import socket
import subprocess
import time

RATE = 48000
PERIOD = 64
SOUND_FONT = "/usr/share/sounds/sf2/TimGM6mb.sf2"


class Missing(Exception):
    """Why a program is skipped."""


class Running:
    """A program that ends with this one, and whose output goes to a file."""

    def __init__(self, place, name, command, environment=None, stdin=subprocess.DEVNULL):
        if not shutil.which(command[0]):
            raise Missing(f"{command[0]} is not installed")
        self.log = os.path.join(place, name + ".log")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", *command], stdin=stdin, stdout=log, stderr=log,
                env={**os.environ, **(environment or {})})

    def write(self, text):
        self.process.stdin.write(text.encode())
        self.process.stdin.flush()

    def cpu_seconds(self):
        """Processor time of all its threads, ended ones included: CPUCLOCK_SCHED of the process, <linux/posix-timers.h>."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    def load(self, seconds):
        """Milliseconds of processor time per second."""
        start, before = time.monotonic(), self.cpu_seconds()
        time.sleep(seconds)
        return 1000 * (self.cpu_seconds() - before) / (time.monotonic() - start)

    def memory(self):
        """MiB in memory, except what it shares with JACK."""
        with open(f"/proc/{self.process.pid}/status") as file:
            kilobytes = dict(line.split(":", 1) for line in file)
        return sum(int(kilobytes[kind].split()[0]) for kind in ("RssAnon", "RssFile")) / 1024

    def await_true(self, condition, what, patience=20, pause=0.02):
        deadline = time.monotonic() + patience
        while not condition():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end()
                with open(self.log, errors="replace") as log:
                    raise Missing(f"{what} did not happen: {log.read()[-300:].strip()!r}")
            time.sleep(pause)

    def await_socket(self):
        self.await_true(lambda: os.path.exists(self.path), f"the socket {self.path}", pause=0.001)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Lines:
    """A line-based connection."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(10)
        deadline = time.monotonic() + 1
        while True:
            try:
                self.socket.connect(path)
                break
            except ConnectionRefusedError:
                # The socket is there, but the program does not listen yet.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.001)
        self.file = self.socket.makefile("rb")

    def ask(self, line):
        self.socket.sendall(line)
        return self.file.readline()

    def close(self):
        self.file.close()
        self.socket.close()


class Daemon(Running):
    """pixelboopd with all its files in a folder of its own."""

    def __init__(self, place, programs, server="pixelboop-peers-nowhere"):
        self.path = f"{place}/control.sock"
        shutil.rmtree(f"{place}/state", ignore_errors=True)
        super().__init__(
            place, "pixelboopd",
            [f"{programs}/pixelboopd", "--socket", self.path, "--state-dir", f"{place}/state", "--data-dir",
             f"{place}/data", "--jack-server", server])
        self.await_socket()
        self.lines = Lines(self.path)
        self.lines.file.readline()

    def call(self, method, **parameters):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        answer = json.loads(self.lines.ask(json.dumps(request).encode() + b"\n"))
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def await_audio(self):
        self.await_true(lambda: self.call("state.get")["audio"]["status"] == "running", "pixelboopd in JACK")

    def end(self):
        self.lines.close()
        super().end()


class JackServer(Running):
    def __init__(self, place, *options):
        self.name = f"pixelboop-peers-{os.getpid()}"
        super().__init__(
            place, "jackd", ["jackd", "--name", self.name, "--realtime", *options, "-d", "dummy", "-r",
                             str(RATE), "-p", str(PERIOD)])
        socket_path = f"/dev/shm/jack_{self.name}_{os.getuid()}_0"
        self.await_true(lambda: os.path.exists(socket_path), "jackd's socket")
        self.environment = {"JACK_DEFAULT_SERVER": self.name}

    def has_client(self, name):
        ports = subprocess.run(
            ["jack_lsp"], env={**os.environ, **self.environment}, capture_output=True, text=True, timeout=10).stdout
        return any(port.startswith(name + ":") for port in ports.splitlines())

"""Starts the daemon without JACK eleven times, and prints how soon its first words come and how much memory it has.

Run it as a user with XDG_RUNTIME_DIR, while no daemon runs.
"""

import os
import re
import socket
import statistics
import subprocess
import time

PATH = os.environ["XDG_RUNTIME_DIR"] + "/pixelboop/control.sock"
STARTS = 11


def first_words():
    """Waits until a daemon listens and speaks."""
    while True:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(PATH)
            except (FileNotFoundError, ConnectionRefusedError):
                time.sleep(0.0002)
                continue
            if client.recv(1):
                return


def resident(process):
    """What a process has in memory, in MiB: its own, and mapped files."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
        return sum(int(size) for size in re.findall(r"Rss(?:Anon|File):\s+(\d+) kB", status.read())) / 1024


def start():
    """Starts the daemon; returns it, and after how many ms it spoke."""
    begun = time.monotonic()
    daemon = subprocess.Popen(["pixelboopd", "--driver", "internal"], stderr=subprocess.DEVNULL)
    first_words()
    return daemon, (time.monotonic() - begun) * 1000


def end(daemon):
    """Ends the daemon as a service manager does."""
    daemon.terminate()
    if status := daemon.wait():
        raise SystemExit(f"error: the daemon ended with {status}")


times = []
for _ in range(STARTS):
    running, duration = start()
    times.append(duration)
    end(running)
running, _ = start()
time.sleep(4)
idle = resident(running)
subprocess.run(["pixelboop", "play"], check=True, stdout=subprocess.DEVNULL)
time.sleep(4)
print(f"start to first words: {statistics.median(times):.1f} ms ({min(times):.1f} to {max(times):.1f}), median of {STARTS}")
print(f"resident 4 s after the start: {idle:.1f} MiB; after playing for 4 s: {resident(running):.1f} MiB")
end(running)

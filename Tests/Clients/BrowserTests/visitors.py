"""Pages in Chromium with random fingers on them, on a daemon that others play too.

usage: visitors.py ADDRESS SOCKET SEED

Lines of input: `memory` and `judge`; it ends with its input. Lines of output: `ready` when the pages show the grid,
`memory KIB` with the memory of the browser's processes, `equal` when each page shows exactly the daemon's picture, which
must not change meanwhile, and `failed WHY`, at any time.
"""

import os
import pathlib
import random
import select
import sys

from browser import Browser
from session import DISPLAYS, compare, lift_all, open_pages
from stage import Daemon

PAGES = 2
BETWEEN_TOUCHES = (0.05, 0.4)  # s
# Complaints while the daemon is away, which the soak kills.
LOST = ("WebSocket connection to", "WebSocket is already in CLOSING or CLOSED state")
NICENESS = 10  # leaves the processors to the daemon that is measured


def say(*words):
    print(*words, flush=True)


def descendants(process):
    """A process and all its descendants."""
    children = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            # The name in brackets may hold anything.
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(folder.name))
    found = [process]
    for each in found:
        found += children.get(each, [])
    return found


def own_memory(process):
    """A process's own memory in KiB; 0 if it is gone."""
    try:
        lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("RssAnon:")), 0)


class Visitors:
    def __init__(self, address, socket_path, seed):
        self.random = random.Random(seed)
        self.socket_path = socket_path
        self.browser = Browser()
        self.pages = open_pages(self.browser, address, DISPLAYS[:PAGES], self.random)

    def play(self):
        """Touches until there is no more input."""
        while True:
            if not select.select([sys.stdin], [], [], self.random.uniform(*BETWEEN_TOUCHES))[0]:
                self.random.choice(self.pages).play()
            elif command := sys.stdin.readline().strip():
                {"memory": self.tell_memory, "judge": self.judge}[command]()
            else:
                return

    def tell_memory(self):
        for page in self.pages:
            page.show()
            self.browser.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        say("memory", sum(map(own_memory, descendants(self.browser.driver.service.process.pid))))

    def judge(self):
        lift_all(self.pages)
        daemon = Daemon(self.socket_path)
        compare(self.pages, daemon)
        daemon.close()
        if complaints := [each for each in self.browser.complaints() if not any(lost in each for lost in LOST)]:
            raise AssertionError(complaints[0])
        say("equal")

    def close(self):
        self.browser.quit()


def main():
    os.nice(NICENESS)
    address, socket_path, seed = sys.argv[1:]
    visitors = Visitors(address, socket_path, int(seed))
    try:
        say("ready")
        visitors.play()
    finally:
        visitors.close()


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        say("failed", type(error).__name__, *str(error).splitlines()[:1])
        sys.exit(1)

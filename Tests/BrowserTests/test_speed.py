"""Script time for a picture in which every cell changes, with names on notes too, by the browser's own trace."""

import time
import unittest

from browser import Browser
from pretended import PretendedDaemon
from stage import Stage, until
from test_names import COLOURS

PICTURES = 60
ROUNDS = 6
LIMIT = 4.0  # ms
# What the trace calls the running of scripts from outside; what they call is inside.
SCRIPT = {"FunctionCall", "RunMicrotasks", "FireAnimationFrame"}


def script_time(events):
    """Milliseconds of processor time in scripts, on each thread only what is not inside another such event."""
    total = 0
    end = {}
    for event in sorted(events, key=lambda event: event["ts"]):
        thread = event["pid"], event["tid"]
        if event["ts"] < end.get(thread, 0):
            continue
        end[thread] = event["ts"] + event["dur"]
        total += event.get("tdur", event["dur"])
    return total / 1000


class Speed(unittest.TestCase):
    def test_a_picture_in_which_every_cell_changes(self):
        self.measure()

    def test_the_same_with_names_on_all_notes(self):
        def show_names(browser, daemon):
            daemon.name_every_note()
            browser.press("n")
            until(lambda: browser.run(COLOURS, 4, 5) > 2, "the names")
        self.measure(show_names)

    def measure(self, prepare=lambda browser, daemon: None):
        stage = Stage()
        self.addCleanup(stage.stop)
        daemon = PretendedDaemon(stage.socket_path)
        self.addCleanup(daemon.close)
        stage.start_gateway()
        browser = Browser(traces=True)
        self.addCleanup(browser.quit)
        browser.open_live(stage.address)
        drawn = lambda: browser.canvas()["cells"]
        daemon.change_every_cell()
        until(lambda: len(set(drawn())) > 1000, "the first picture")
        prepare(browser, daemon)
        browser.run("performance.mark('begin')")
        for _ in range(ROUNDS * PICTURES):
            daemon.change_every_cell()
            time.sleep(1 / 60)  # The rate of pictures is what is measured.
        last = drawn()
        until(lambda: last == drawn(), "the last picture")
        events = [event for event in browser.trace_since("begin") if event.get("ph") == "X" and event["name"] in SCRIPT]
        # Whatever else runs on the machine only adds to it: the least of some rounds.
        begin, end = min(event["ts"] for event in events), max(event["ts"] for event in events) + 1
        rounds = [[] for _ in range(ROUNDS)]
        for event in events:
            rounds[int((event["ts"] - begin) * ROUNDS / (end - begin))].append(event)
        figure = min(script_time(events) for events in rounds) / PICTURES
        print(f"{figure:.2f} ms of script a picture", flush=True)
        self.assertGreater(figure, 0.05, "the trace has no scripts")
        self.assertLess(figure, LIMIT)

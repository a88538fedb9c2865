"""Measures the page in Chromium: the script time of pictures in which every cell changes, without and with names on
notes; and on three displays the time from a finger's lift to the cell that it changed, and that of script and layout.
Script and layout times are from the browser's own trace. Fails if a picture's script takes too long."""

import os
import statistics
import sys
import time

from browser import Browser
from pretended import PretendedDaemon
from stage import Stage, until
from test_names import COLOURS

DISPLAYS = ((390, 844, 3), (1024, 768, 2), (3840, 2160, 1))
TAPS = 100
PICTURES = 240
# The trace's events for scripts that the browser calls; they include what these scripts call.
SCRIPT = {"FunctionCall", "RunMicrotasks", "FireAnimationFrame"}
LAYOUT = {"Layout", "UpdateLayoutTree"}
ROUNDS = 4
LIMIT = 4.0  # ms

# Notes when the canvas paints the cell at a place, after the finger on it was lifted.
WATCH = """
window.watched = null;
addEventListener("pointerup", (event) => { if (watched) watched.up = event.timeStamp; }, true);
const { fillRect } = CanvasRenderingContext2D.prototype;
CanvasRenderingContext2D.prototype.fillRect = function (left, top, width, height) {
  if (watched?.up && !watched.end && width < innerWidth && left <= watched.x && watched.x < left + width
      && top <= watched.y && watched.y < top + height) watched.end = performance.now();
  return fillRect.apply(this, arguments);
};
"""
AIM = """
const box = document.getElementById("grid").getBoundingClientRect();
watched = { x: (arguments[0] - box.left) * devicePixelRatio, y: (arguments[1] - box.top) * devicePixelRatio };
"""


def quantile(values, share):
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def touch_times(browser):
    """Milliseconds from the end of each tap, as the browser dates it, to the paint of its cell."""
    browser.run(WATCH)
    times = []
    for number in range(TAPS):
        step, row = number % 32, (7, 13, 17, 21)[number // 32]
        place = browser.place_of(4 + step + step // 8, row)
        browser.run(AIM, *place)
        browser.dispatch_touch("touchStart", (0, place))
        time.sleep(0.05)  # A tap; and the preview is painted.
        browser.dispatch_touch("touchEnd")
        until(lambda: browser.run("return watched.end"), "the note")
        times.append(browser.run("return watched.end - watched.up"))
    return times


def trace_pictures(browser, daemon, names):
    """The trace's events with these names while every cell changes in each sixtieth of a second."""
    daemon.change_every_cell()
    until(lambda: len(set(browser.canvas()["cells"])) > 1000, "the first picture")
    browser.run("performance.mark('begin')")
    for _ in range(PICTURES):
        daemon.change_every_cell()
        time.sleep(1 / 60)  # The rate of pictures is what is measured.
    return [event for event in browser.trace_since("begin") if event.get("ph") == "X" and event["name"] in names]


def processor_time(events):
    """Milliseconds of processor time in these events, without those that are nested in others on their thread."""
    total = 0
    end = {}
    for event in sorted(events, key=lambda event: event["ts"]):
        thread = event["pid"], event["tid"]
        if event["ts"] < end.get(thread, 0):
            continue
        end[thread] = event["ts"] + event["dur"]
        total += event.get("tdur", event["dur"])
    return total / 1000


def processor_times(events, seconds):
    """Milliseconds of processor time in each window of this many seconds."""
    begin = min(event["ts"] for event in events)
    windows = {}
    for event in events:
        windows.setdefault(int((event["ts"] - begin) / 1e6 / seconds), []).append(event)
    return [processor_time(window) for window in windows.values()]


def picture_times(browser, daemon):
    """Milliseconds of script and layout in each sixtieth of a second."""
    return processor_times(trace_pictures(browser, daemon, SCRIPT | LAYOUT), 1 / 60)


def script_time(browser, daemon):
    """Milliseconds of script per picture: the least of some rounds, because whatever else runs only adds to it."""
    events = trace_pictures(browser, daemon, SCRIPT)
    times = [event["ts"] for event in events]
    seconds = (max(times) + 1 - min(times)) / 1e6
    return min(processor_times(events, seconds / ROUNDS)) / (PICTURES / ROUNDS)


def script_time_with_names(browser, daemon):
    daemon.name_every_note()
    browser.press("n")
    until(lambda: browser.run(COLOURS, 4, 5) > 2, "the names")
    return script_time(browser, daemon)


def with_page(size, scale, measure, pretended=False):
    stage = Stage()
    browser = Browser(traces=pretended)
    try:
        daemon = PretendedDaemon(stage.socket_path) if pretended else None
        stage.start_gateway() if pretended else stage.start()
        browser.open_live(stage.address, size=size, scale=scale)
        return measure(browser, daemon) if pretended else measure(browser)
    finally:
        browser.quit()
        stage.stop()
        if pretended:
            daemon.close()


def main():
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    scripts = [with_page((1024, 768), 1, measure, pretended=True) for measure in (script_time, script_time_with_names)]
    print(f"script a picture at least {scripts[0]:.2f} ms, with names on all notes {scripts[1]:.2f} ms", flush=True)
    for width, height, scale in DISPLAYS:
        touches = with_page((width, height), scale, touch_times)
        pictures = with_page((width, height), scale, picture_times, pretended=True)
        print(f"{width}x{height}@{scale}: a touch's end to its cell p50 {statistics.median(touches):.1f} ms, p90 "
              f"{quantile(touches, 0.9):.1f} ms; script and layout a picture p50 {statistics.median(pictures):.2f} ms, "
              f"p99 {quantile(pictures, 0.99):.2f} ms", flush=True)
    if max(scripts) >= LIMIT:
        sys.exit(f"a picture's script takes {max(scripts):.2f} ms; {LIMIT} are allowed")


if __name__ == "__main__":
    main()

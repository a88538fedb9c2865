"""Measures the page in Chromium on three displays: from a finger's end to the cell that it changed, and the script and
layout of pictures in which every cell changes, by the browser's own trace."""

import os
import statistics
import time

from browser import Browser
from pretended import PretendedDaemon
from stage import Stage, until
from test_speed import SCRIPT, script_time

DISPLAYS = ((390, 844, 3), (1024, 768, 2), (3840, 2160, 1))
TAPS = 100
PICTURES = 240
LAYOUT = {"Layout", "UpdateLayoutTree"}

# Notes when the canvas paints the cell at a place, after the finger that is on it was lifted.
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


def picture_times(browser, daemon):
    """Milliseconds of script and layout in each sixtieth of a second, while every cell changes in each."""
    daemon.change_every_cell()
    until(lambda: len(set(browser.canvas()["cells"])) > 1000, "the first picture")
    browser.run("performance.mark('begin')")
    for _ in range(PICTURES):
        daemon.change_every_cell()
        time.sleep(1 / 60)  # The rate of pictures is what is measured.
    events = [event for event in browser.trace_since("begin")
              if event.get("ph") == "X" and event["name"] in SCRIPT | LAYOUT]
    begin = min(event["ts"] for event in events)
    windows = {}
    for event in events:
        windows.setdefault((event["ts"] - begin) * 60 // 1_000_000, []).append(event)
    return [script_time(window) for window in windows.values()]


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
    for width, height, scale in DISPLAYS:
        touches = with_page((width, height), scale, touch_times)
        pictures = with_page((width, height), scale, picture_times, pretended=True)
        print(f"{width}x{height}@{scale}: a touch's end to its cell p50 {statistics.median(touches):.1f} ms, p90 "
              f"{quantile(touches, 0.9):.1f} ms; script and layout a picture p50 {statistics.median(pictures):.2f} ms, "
              f"p99 {quantile(pictures, 0.99):.2f} ms", flush=True)


if __name__ == "__main__":
    main()

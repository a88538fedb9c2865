"""A headless Chromium with the page in it, as a finger, a keyboard and an eye."""

import base64
import json
import os
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.command import Command

from stage import scrolling, until

TABLET = (1024, 768)

# The geometry of the whole grid on the canvas: where a cell is, in device pixels of the canvas. Tracks are set apart by 6
# CSS pixels; in portrait less and more of tempo and length change places.
GEOMETRY = """
const canvas = document.getElementById("grid");
const isTurned = canvas.height > canvas.width;
const pitch = ((isTurned ? canvas.height : canvas.width) + 1) / 44;
const cornerOf = (column, row) => {
  const band = [2, 8, 14, 18, 22].filter((first) => first <= row).length;
  const across = row * pitch + band * Math.round(6 * devicePixelRatio);
  const along = (isTurned && row === 0 && { 26: 28, 28: 26, 30: 32, 32: 30 }[column] || column) * pitch;
  return isTurned ? [canvas.width + 1 - across - pitch, along] : [along, across];
};
"""

# Reads the canvas: the colour of each cell near its corner, which no sign covers, and how many pixels differ from squares
# with black gaps; signs may cover the middle of controls.
READ_CANVAS = GEOMETRY + """
const { width, height } = canvas;
const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
const rgb = (x, y) => {
  const pixel = pixels[y * width + x];
  return ((pixel & 0xff) << 16) | (pixel & 0xff00) | ((pixel >> 16) & 0xff);
};
const cells = [];
let wrong = 0;
for (let row = 0; row < 24; row++) for (let column = 0; column < 44; column++) {
  const [left, top] = cornerOf(column, row);
  cells.push(rgb(left, top));
  const isStep = row >= 2 && row < 22 && column >= 3 && column < 40;
  for (let y = 0; y < pitch && top + y < height; y++) for (let x = 0; x < pitch && left + x < width; x++) {
    const isInner = Math.min(x, y, pitch - 2 - x, pitch - 2 - y) >= 1;
    if (isInner && !isStep) continue;
    if (rgb(left + x, top + y) !== (x < pitch - 1 && y < pitch - 1 ? cells.at(-1) : 0)) wrong++;
  }
}
return { cells, wrong, pitch };
"""

# Pretends an earlier visit that showed the whole grid, unless the test wants a first visit.
EARLIER_VISIT = """
try {
  if (!sessionStorage.isFirstVisit) {
    localStorage["pixelboop.guided"] ??= "true";
    localStorage["pixelboop.focus"] ??= "false";
  }
} catch {}
"""

# The visible controls with a name.
VISIBLE = """[...document.querySelectorAll(`[aria-label="${arguments[0]}"]`)]
  .filter((each) => each.checkVisibility())"""


BACKGROUND = 0x0a0a0a
GAP_COLUMNS = (3, 12, 21, 30, 39)


def with_gaps(rgb):
    """A picture as the page shows it: its gap columns are darker between the tracks' steps."""
    return [0 if colour == BACKGROUND and index % 44 in GAP_COLUMNS and 2 <= index // 44 < 22 else colour
            for index, colour in enumerate(rgb)]


class Browser:
    def __init__(self, traces=False, arguments=()):
        options = webdriver.ChromeOptions()
        for argument in ("--headless=new", "--disable-gpu", "--force-color-profile=srgb", "--hide-scrollbars",
                         "--disable-dev-shm-usage", "--force-prefers-reduced-motion", *arguments):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        logs = {"browser": "ALL"}
        if traces:
            logs["performance"] = "ALL"
            categories = "devtools.timeline,blink.user_timing"
            options.add_experimental_option("perfLoggingPrefs", {"traceCategories": categories})
        options.set_capability("goog:loggingPrefs", logs)
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": EARLIER_VISIT})

    def quit(self):
        self.driver.quit()

    # The window.

    def resize(self, width, height, scale=1, mobile=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": mobile})
        # A change of scale alone is a zoom, at which browsers say so; this way of changing it does not.
        self.driver.execute_script("dispatchEvent(new Event('resize'))")
        # The page arranges itself with the next frame.
        self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def renew_tab(self):
        """Replaces the tab: after several of chromedriver's fingers, a tab passes no touches to the pages that it loads
        next."""
        old = self.driver.current_window_handle
        self.driver.switch_to.new_window("tab")
        new = self.driver.current_window_handle
        self.driver.switch_to.window(old)
        self.driver.close()
        self.driver.switch_to.window(new)
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": EARLIER_VISIT})

    def open(self, address, size=TABLET, **how):
        self.resize(*size, **how)
        self.driver.get(address)

    def open_live(self, address, **how):
        """Opens the page and waits until the grid can be played and the sheet opened."""
        self.open(address, **how)
        self.wait_live()
        until(lambda: self.find("open-sheet").is_enabled(), "what the daemon can do")

    def visit_first(self, address, **how):
        """Opens the page as a first-time visitor."""
        self.open(address, **how)
        self.run("sessionStorage.isFirstVisit = 1; localStorage.clear(); location.reload()")
        self.wait_live()
        until(lambda: self.find("open-sheet").is_enabled(), "what the daemon can do")

    def leave(self):
        """Forgets everything, and shows no page."""
        self.run("localStorage.clear(); sessionStorage.clear()")
        self.driver.get("about:blank")

    def wait_live(self):
        until(lambda: "live" in self.body_classes(), "the picture")

    def body_classes(self):
        return self.run("return document.body.className").split()

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def complaints(self):
        """The browser's complaints since the last call: errors, refused content. Only the tests read the canvas, and
        ScriptProcessors are needed where there are no worklets."""
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        known = ("willReadFrequently", "ScriptProcessorNode is deprecated")
        return [message for message in messages if not any(each in message for each in known)]

    def screenshot(self, path):
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    # Elements.

    def find(self, name):
        return self.driver.find_element(By.ID, name)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    def tempo(self):
        """The tempo in the bar, with its unit and who leads it."""
        return self.run("return ['tempo-field', 'tempo-unit'].map((id) => document.getElementById(id)).reduce("
                        "(field, unit) => `${field.value} ${unit.textContent}`)")

    def labelled(self, label):
        """The visible control with a name."""
        found = self.run(f"return {VISIBLE}", label)
        assert len(found) == 1, f"{len(found)} controls are called {label}"
        return found[0]

    def can_use(self, label):
        """Whether the visible control with a name is enabled, even while its section is being rebuilt."""
        return self.run(f"return {VISIBLE}[0]?.disabled === false", label)

    def value(self, label):
        """The value of the visible control with a name, even while its section is being rebuilt."""
        return self.run(f"return {VISIBLE}[0]?.value", label)

    def click(self, label):
        """Clicks the visible control with a name, even while its list is being rebuilt."""
        self.run(f"{VISIBLE}[0].click()", label)

    def open_section(self, title):
        if not self.find("sheet").is_displayed():
            self.find("open-sheet").click()
        next(tab for tab in self.all("#tabs button") if tab.text == title).click()

    # The grid.

    def canvas(self):
        return self.run(READ_CANVAS)

    def wait_picture(self, daemon):
        """Waits until the canvas shows the daemon's picture, which breathes while nothing happens."""
        def is_equal():
            seen = self.canvas()
            return seen["wrong"] == 0 and seen["cells"] == with_gaps(daemon.call("frame.get")["rgb"])
        until(is_equal, "the daemon's picture on the canvas")

    def place_of(self, column, row):
        """The middle of a cell, in CSS pixels."""
        return self.run(GEOMETRY + """
            const box = canvas.getBoundingClientRect();
            const [left, top] = cornerOf(...arguments).map((corner) => (corner + pitch / 2) / devicePixelRatio);
            return [box.left + left, box.top + top].map(Math.round);
            """, column, row)

    # Fingers: each a list of ("down" | "move", column, row) and ("up",), all in step. Between calls Chromedriver
    # forgets that a finger is down, but not where: a call that continues with it begins with another "down", which
    # the page does not get.

    def touch(self, *fingers, kind="touch"):
        actions = [{"type": "pointer", "id": f"{kind}{number}", "parameters": {"pointerType": kind},
                    "actions": list(self.pointer_actions(finger))} for number, finger in enumerate(fingers)]
        self.driver.execute(Command.W3C_ACTIONS, {"actions": actions})

    def pointer_actions(self, finger):
        for phase, *cell in finger:
            if phase in ("down", "move"):
                x, y = self.place_of(*cell)
                yield {"type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": "viewport"}
            if phase == "down":
                yield {"type": "pointerDown", "button": 0}
            elif phase == "up":
                yield {"type": "pointerUp", "button": 0}

    def tap(self, column, row, kind="touch"):
        self.touch([("down", column, row), ("up",)], kind=kind)

    def dispatch_touch(self, kind, *fingers):
        """Sends the browser a "touchStart" or "touchMove" with each (finger, place) that is then down, or a "touchEnd"
        or "touchCancel" for all."""
        points = [{"id": finger, "x": x, "y": y} for finger, (x, y) in fingers]
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def scroll_up(self, x, y):
        """Swipes up from a place. The finger rests before it is lifted: after a fling the page would scroll on, as far as the
        machine is fast."""
        with scrolling(self):
            self.dispatch_touch("touchStart", (0, (x, y)))
            for part in range(1, 12):
                self.dispatch_touch("touchMove", (0, (x, y - 25 * part)))
        time.sleep(0.2)
        self.dispatch_touch("touchMove", (0, (x, y - 276)))
        self.dispatch_touch("touchEnd")

    def lift_all(self):
        self.driver.execute(Command.W3C_CLEAR_ACTIONS)

    # Keys.

    def press(self, *keys):
        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            chain.key_down(key)
        for key in reversed(keys):
            chain.key_up(key)
        chain.perform()

    def hold(self, key):
        ActionChains(self.driver, duration=0).key_down(key).perform()

    def release(self, key):
        ActionChains(self.driver, duration=0).key_up(key).perform()

    # The browser's own trace.

    def trace_since(self, mark):
        """The trace's events since the page set a `performance.mark`."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        events = [message["params"] for message in messages if message["method"] == "Tracing.dataCollected"]
        begin = next(event["ts"] for event in events if event["name"] == mark)
        return [event for event in events if event["ts"] >= begin]

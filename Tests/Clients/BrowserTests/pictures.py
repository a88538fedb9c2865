"""Makes the pictures of the page that docs/ shows: each a screenshot in the frame of a device.

usage: pictures.py FOLDER
"""

import base64
import json
import pathlib
import subprocess
import sys
import time

from selenium.webdriver.common.keys import Keys

from browser import Browser
from stage import Stage, until

DEMO = json.loads((pathlib.Path(__file__).parents[3] / "config/demo.json").read_text())
LIBRARY = (("Lanterns", 92, "major"), ("Slow Tide", 76, "penta"), ("Third Rail", 128, "minor"))
MIX = {"melody": {"gain": -2.5, "pan": 0.2}, "chords": {"gain": -6, "pan": -0.3}, "bass": {"gain": 1.5}}

# Width and height of the display, its scale, and of the frame around it: width, corners outside, corners inside.
TABLET = (1112, 834, 1), (26, 44, 12)
PHONE = (390, 844, 1), (12, 58, 46)
LAPTOP = (1440, 810, 1), (14, 18, 4)

FRAME = """
document.body.innerHTML = "";
const image = document.createElement("img");
image.src = `data:image/png;base64,${arguments[0]}`;
image.width = arguments[1];
const [bezel, outside, inside] = arguments[2];
document.body.style.cssText = "margin: 0; background: transparent";
image.style.cssText = `display: block; width: ${arguments[1]}px; border: ${bezel}px solid #1a1a1d;
  outline: 2px solid #3a3a40; outline-offset: -2px; border-radius: ${outside}px; background: #000;
  clip-path: inset(0 round ${outside}px)`;
return image.decode().then(() => document.body.append(image)).then(() => true);
"""


class Photographer:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.stage = Stage().start()
        self.browser = Browser()
        self.daemon = self.stage.daemon

    def open(self, device):
        width, height, scale = device[0]
        self.browser.open_live(self.stage.address, size=(width, height), scale=scale)
        # One track only where a picture asks for it.
        self.browser.run("localStorage['pixelboop.focus'] = 'false'; location.reload()")
        self.browser.wait_live()
        until(lambda: self.browser.find("open-sheet").is_enabled(), "what the daemon can do")
        # The pictures are not about how busy this machine is.
        self.show_calm()

    def show_calm(self):
        """Shows the dot as on a machine that is never late."""
        self.browser.run("""
            const health = document.getElementById("health");
            new MutationObserver(() => health.dataset.kind === "late" && (health.dataset.kind = "well"))
              .observe(health, { attributes: true });
            health.title += "";""")

    def shoot(self, name, device, rest=0.5):
        """Takes a screenshot once everything has come to rest, then puts it into its frame on a separate page."""
        time.sleep(rest)
        (width, height, scale), (bezel, outside, inside) = device
        driver = self.browser.driver
        shot = driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        page = driver.current_window_handle
        driver.switch_to.new_window("tab")
        self.browser.resize(width + 2 * bezel, height + 2 * bezel, scale)
        driver.execute_cdp_cmd(
            "Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
        driver.execute_script(FRAME, shot, width, (bezel, outside, inside))
        file = self.folder / f"{name}.png"
        self.browser.screenshot(file)
        driver.close()
        driver.switch_to.window(page)
        subprocess.run(["pngquant", "--force", "--speed", "1", "--nofs", "--output", file, "256", file], check=True)

    def take_all(self):
        self.first_visit()
        for name, bpm, scale in LIBRARY:
            self.daemon.call("pattern.set", pattern={**DEMO, "name": name, "bpm": bpm, "scale": scale})
            self.daemon.call("library.save", name=name)
        self.daemon.call("pattern.set", pattern=DEMO)
        self.daemon.call("library.save", name=DEMO["name"])
        for track, settings in MIX.items():
            self.daemon.call("track.set", track=track, **settings)
        self.daemon.call("transport.play")
        self.playing()
        self.help()
        self.views()
        self.sheet()
        self.names()
        self.scope()
        self.gesture()
        self.takes()
        self.lost()

    def open_phone(self):
        """As a phone shows it: one track."""
        self.open(PHONE)
        self.browser.run("localStorage['pixelboop.focus'] = 'true'; location.reload()")
        self.browser.wait_live()
        until(lambda: self.browser.find("open-sheet").is_enabled(), "what the daemon can do")
        self.show_calm()

    def first_visit(self):
        """What a stranger sees, in order: the labels, the first note under the finger, the loop that plays."""
        for name, device in (("laptop", LAPTOP), ("tablet", TABLET), ("phone", PHONE)):
            self.daemon.call("pattern.new")
            undos = self.daemon.call("state.get")["history"]["undo"]
            width, height, scale = device[0]
            self.browser.visit_first(self.stage.address, size=(width, height), scale=scale)
            until(lambda: self.browser.find("visit").is_displayed(), "the first step")
            self.show_calm()
            self.shoot(f"first-visit-{name}-1", device)
            for _ in range(3):
                self.browser.press(Keys.ESCAPE)
            until(lambda: not self.browser.find("visit").is_displayed(), "the grid")
            left, top, right, bottom = self.browser.run("""
                const { left, top, right, bottom } = document.getElementById("grid").getBoundingClientRect();
                return [left, top, right, bottom];""")
            place = {"x": left + 0.45 * (right - left), "y": top + 0.4 * (bottom - top), "id": 0}
            self.touch("touchStart", place)
            self.shoot(f"first-visit-{name}-2", device, rest=0.1)  # A tap, and not yet a hold.
            # The page was hidden for the picture, which cancels its fingers.
            self.touch("touchEnd")
            self.touch("touchStart", place)
            self.touch("touchEnd")
            until(lambda: self.daemon.call("state.get")["history"]["undo"] > undos, "the note")
            self.daemon.call("transport.play")
            self.shoot(f"first-visit-{name}-3", device)
            self.daemon.call("transport.stop")
            self.browser.run("sessionStorage.clear()")

    def touch(self, phase, *places):
        self.browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": phase, "touchPoints": list(places)})

    def help(self):
        self.open_phone()
        self.browser.find("show-help").click()
        self.shoot("page-help", PHONE)

    def names(self):
        self.daemon.call("colors.set", mode="safe")
        self.open(TABLET)
        self.shoot("page-names", TABLET)
        self.daemon.call("colors.set", mode="chromatic")

    def playing(self):
        for name, device in (("page-tablet", TABLET), ("page-phone", PHONE), ("page-laptop", LAPTOP)):
            self.open_phone() if device is PHONE else self.open(device)
            if device is TABLET:
                self.browser.find("listen").click()
                until(lambda: "behind" in self.browser.find("listen").get_attribute("title"), "sound")
            until(self.is_moment, "the moment, some seconds without a gap before it")
            self.shoot(name, device)

    def views(self):
        for name, device in (("page-keys", LAPTOP), ("page-keys-phone", PHONE), ("page-drums", TABLET), ("page-drums-phone", PHONE)):
            self.open(device)
            title = "Keys" if "keys" in name else "Drums"
            next(each for each in self.browser.all(".view-tab") if each.text == title).click()
            until(self.is_moment, "the moment")
            if title == "Keys":
                self.browser.hold("d")
            self.shoot(name, device)
            if title == "Keys":
                self.browser.release("d")
        self.browser.run("localStorage.removeItem('pixelboop.view')")

    def is_moment(self):
        is_step = self.daemon.call("state.get")["transport"]["step"] % 16 in (5, 6)
        return is_step and not self.browser.all("#listen.trouble")

    def sheet(self):
        self.open(LAPTOP)
        self.browser.open_section("Mixer")
        self.shoot("page-mixer", LAPTOP)
        for section in ("Library", "Scenes"):
            self.open_phone()
            self.browser.open_section(section)
            self.shoot(f"page-{section.lower()}", PHONE)

    def takes(self):
        """Takes that have ended, one of them starred and one heard again, and the one that goes on."""
        for (name, bpm, scale), seconds in zip(LIBRARY, (8, 21, 13)):
            self.daemon.call("pattern.set", pattern={**DEMO, "name": name, "bpm": bpm, "scale": scale})
            self.play_take(seconds)
            # A take ends with the daemon, or after half a minute of silence.
            self.stage.kill("process")
            self.daemon.close()
            self.stage.start_daemon()
            self.daemon = self.stage.daemon
            until(lambda: self.daemon.call("state.get")["audio"]["status"] == "running", "JACK")
        self.daemon.call("pattern.set", pattern=DEMO)
        self.play_take(5)
        latest = self.daemon.call("take.list")["takes"]
        self.daemon.call("take.star", take=latest[2]["number"])
        self.open_phone()
        self.browser.open_section("Library")
        next(each for each in self.browser.all("#section .choices button") if each.text == "Takes").click()
        heard = f"Play take {latest[1]['number']},"
        until(lambda: self.browser.run("""
            const row = [...document.querySelectorAll(".takes .load")].find(({ title }) => title.startsWith(arguments[0]));
            row?.click();
            return Boolean(row);""", heard), "the take")
        until(lambda: self.browser.run("return document.querySelector('.takes audio')?.currentTime > 4"), "its sound", 120)
        self.shoot("page-takes", PHONE)
        self.browser.run("localStorage.removeItem('pixelboop.library')")

    def play_take(self, seconds):
        time.sleep(1)  # A take has the name that the pattern has before it.
        self.daemon.call("transport.play")
        takes = lambda: self.daemon.call("take.list")["takes"]
        until(lambda: takes() and takes()[0]["current"] and takes()[0]["seconds"] > seconds, "the take", 60)

    def scope(self):
        self.open(TABLET)
        self.browser.find("toggle-scope").click()
        until(lambda: self.daemon.call("state.get")["transport"]["step"] == 20, "some music in it")
        self.shoot("page-scope", TABLET)

    def gesture(self):
        self.daemon.call("transport.stop")
        self.open(TABLET)
        self.browser.touch([("down", 13, 7), ("move", 15, 5), *[("move", column, 2.4) for column in range(16, 21)]])
        until(lambda: self.browser.text("tooltip") == "PHRASE", "the gesture's name")
        self.shoot("page-gesture", TABLET)
        self.browser.tap(20, 2)

    def lost(self):
        self.open(LAPTOP)
        self.stage.kill("process")
        until(lambda: self.browser.find("line").is_displayed(), "the loss")
        self.shoot("page-lost", LAPTOP)

    def close(self):
        self.browser.quit()
        self.stage.stop()


def main():
    photographer = Photographer(sys.argv[1])
    try:
        photographer.take_all()
    finally:
        photographer.close()


if __name__ == "__main__":
    main()

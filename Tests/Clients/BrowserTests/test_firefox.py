"""The first evening in Firefox, with fingers: the five first tasks, Keys and Drums."""

import atexit
import functools
import shutil
import unittest

from case import PageTestCase
from firefox import Firefox
from stage import until
from test_tasks import Tasks, beside_the_name


@functools.cache
def shared_firefox():
    firefox = Firefox()
    atexit.register(firefox.quit)
    return firefox


@unittest.skipUnless(shutil.which("firefox-esr"), "there is no firefox-esr")
class InFirefox(PageTestCase):
    browser_of = staticmethod(shared_firefox)


class FirstTasks(Tasks, InFirefox):
    find_the_bass = beside_the_name


class FirstTasksOnASmallTablet(Tasks, InFirefox):
    size = (800, 600)
    find_the_bass = beside_the_name


class Views(InFirefox):
    def tap(self, *labels):
        """Puts a finger on each that is called so, one after the other, then lifts them all. Of fingers in one of Marionette's
        actions only the first becomes a pointer."""
        boxes = until(lambda: self.browser.run("""
            const all = [...document.querySelectorAll("#app [aria-label], .view-tab")].filter((each) => each.checkVisibility());
            const found = arguments[0].map((label) =>
              all.find((each) => (each.getAttribute("aria-label") ?? each.textContent) === label)?.getBoundingClientRect());
            return found.every(Boolean) && found.map(({ left, top, width, height }) => [left + width / 2, top + height / 2]);
            """, list(labels)), labels)
        for finger in enumerate(boxes):
            self.browser.dispatch_touch("touchStart", finger)
        self.browser.dispatch_touch("touchEnd")

    def setUp(self):
        super().setUp()
        self.browser.run("localStorage['pixelboop.guided'] = 'true'")
        self.browser.open_live(self.stage.address)

    def test_drums_are_tapped(self):
        self.tap("Drums")
        self.tap("Clap, step 5, off")
        self.tap("Closed hat, step 5, off")
        until(lambda: self.daemon.notes("rhythm") == [(8, 39, "normal"), (8, 42, "normal")], "clap and hat")
        self.tap("Clap, step 5, on")
        until(lambda: self.daemon.notes("rhythm") == [(8, 42, "normal")], "the hat alone")

    def test_keys_are_held_by_several_fingers(self):
        methods = self.daemon.call("rpc.discover")["methods"]
        if not any(method["name"] == "keys.press" for method in methods):
            self.skipTest("the daemon has no keys.press")
        self.daemon.call("root.set", root="C")
        self.daemon.call("scale.set", scale="major")
        self.daemon.call("transport.record", on=True)
        self.daemon.call("transport.play")
        self.tap("Keys")
        until(lambda: self.browser.run("return document.querySelectorAll('.key-pad').length") == 7, "the pads")
        self.browser.run("[...document.querySelectorAll('#view .track-tab')].find((each) => each.textContent === 'Chords').click()")
        self.tap("C, root", "E", "G")
        until(lambda: {pitch for _, pitch, _ in self.daemon.notes("chords")} == {48, 52, 55}, "the chord")
        self.daemon.call("transport.record", on=False)

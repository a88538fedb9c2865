"""Punch-ins: fingers, mouse and keys on the overview, as a subscriber of the daemon hears of them."""

import json
import time

from case import PageTestCase, shared_browser
from stage import Daemon, until

EFFECTS = ["stutter", "filter", "brake", "throw"]
ALL = ["melody", "chords", "bass", "rhythm"]


class PunchIns(PageTestCase):
    def setUp(self):
        shared_browser().renew_tab()
        super().setUp()
        self.daemon.call("transport.play")
        self.watcher = Daemon(self.stage.socket_path)
        self.addCleanup(self.watcher.close)
        self.watcher.call("subscribe", topics=["punch"])
        self.held = {}

    def hear(self):
        """Takes notice of the next event."""
        message = json.loads(self.watcher.lines.readline())
        if message.get("method") != "punch":
            return
        event = message["params"]
        if "amount" in event:
            self.held[event["effect"]] = event
        else:
            del self.held[event["effect"]]

    def wait_held(self, *effects):
        until(lambda: sorted(self.held) == sorted(effects) or self.hear(), f"only {effects} held")

    def test_a_resting_finger_holds_an_effect_however_long(self):
        self.browser.touch([("down", 14, 22)])
        self.wait_held("filter")
        self.assertEqual(self.held["filter"], {"effect": "filter", "amount": 1.5 / 8, "tracks": ALL})
        until(lambda: self.browser.text("tooltip") == "LOW 790", "the text")
        # Longer than a page may be silent: it repeats where the finger is.
        time.sleep(2.5)
        self.browser.touch([("down", 14, 22), ("move", 19, 22)])
        until(lambda: self.held["filter"]["amount"] > 0.8 or self.hear(), "the amount")
        self.browser.touch([("down", 19, 22), ("up",)])
        self.wait_held()

    def test_four_fingers_hold_four_effects_on_rhythm_alone(self):
        self.browser.touch(*[[("down", column, 23)] for column in (6, 15, 24, 33)])
        self.wait_held(*EFFECTS)
        self.assertEqual({tuple(event["tracks"]) for event in self.held.values()}, {("rhythm",)})
        self.browser.touch(*[[("down", column, 23), ("up",)] for column in (6, 15, 24, 33)])
        self.wait_held()

    def test_the_mouse_presses_holds_and_drags(self):
        self.browser.touch([("down", 32, 22), ("move", 36, 22)], kind="mouse")
        self.wait_held("throw")
        self.browser.touch([("down", 36, 22), ("up",)], kind="mouse")
        self.wait_held()

    def test_keys_hold_effects_while_they_are_down(self):
        for key, effect in zip("xcvb", EFFECTS):
            self.browser.hold(key)
            self.wait_held(effect)
            self.browser.release(key)
            self.wait_held()
        self.browser.press("?")
        self.assertIn("stutter, filter, brake, throw", self.browser.find("help").text)

    def test_a_page_that_loses_the_focus_lets_go(self):
        self.browser.hold("c")
        self.wait_held("filter")
        self.browser.run("window.dispatchEvent(new Event('blur'))")
        self.wait_held()
        self.browser.release("c")

    def test_with_the_page_goes_what_it_holds(self):
        self.browser.hold("b")
        self.wait_held("throw")
        self.browser.driver.get("about:blank")
        self.wait_held()
        self.browser.open_live(self.stage.address, size=self.size)

    def test_a_screen_reader_is_told_the_effects(self):
        self.browser.run("document.getElementById('grid').focus({ focusVisible: true })")
        for _ in range(15):
            self.browser.press("\ue015")
        self.assertEqual(self.browser.text("announcer"), "Overview, step 1; hold: stutter")

    def test_a_phone_has_a_strip_of_four_zones_for_fingers(self):
        self.browser.resize(390, 844, scale=3, mobile=True)
        self.browser.run("localStorage['pixelboop.focus'] = 'true'; location.reload()")
        self.browser.wait_live()
        zones = until(lambda: self.browser.run("""
            return [...document.querySelectorAll(".zone")].filter((each) => each.checkVisibility()).map((each) => {
              const { left, top, width, height } = each.getBoundingClientRect();
              return [each.textContent, left, top, width, height];
            })"""), "the zones")
        self.assertEqual([zone[0] for zone in zones], ["Stutter", "Filter", "Brake", "Throw"])
        self.assertTrue(all(min(zone[3:]) >= 44 for zone in zones), zones)
        _, left, top, width, height = zones[1]
        self.browser.dispatch_touch("touchStart", (0, (left + 0.75 * width, top + height / 4)))
        self.wait_held("filter")
        self.assertEqual(self.held["filter"]["tracks"], ALL)
        self.browser.dispatch_touch("touchEnd")
        self.wait_held()

"""The canvas, read back, equals the daemon's picture."""

import json
import pathlib

from case import PageTestCase

DEMO = json.loads((pathlib.Path(__file__).parents[3] / "config/demo.json").read_text())


class Picture(PageTestCase):
    def test_on_each_display(self):
        self.daemon.call("pattern.set", pattern=DEMO)
        for size in ((1024, 768), (390, 844), (844, 390), (1440, 789)):
            for scale in (1, 2, 3):
                with self.subTest(size=size, scale=scale):
                    self.browser.resize(*size, scale=scale)
                    self.browser.wait_picture(self.daemon)

    def test_at_a_scale_that_is_no_whole_number(self):
        self.daemon.call("pattern.set", pattern=DEMO)
        for scale in (1.25, 2.625):
            with self.subTest(scale=scale):
                self.browser.resize(412, 915, scale=scale)
                self.browser.wait_picture(self.daemon)

    def test_turned_by_hand(self):
        for turned in (True, False, True, False):
            self.browser.find("turn").click()
            box = self.browser.find("grid").size
            self.assertEqual(box["height"] > box["width"], turned)

    def test_after_playing(self):
        self.daemon.call("pattern.set", pattern=DEMO)
        self.daemon.call("transport.play")
        self.daemon.call("transport.pause")
        self.browser.wait_picture(self.daemon)

    def test_fills_the_display(self):
        # Tracks are set apart by 30 pixels in all, 18 are for their names; the bar has one row, on a phone two.
        for (width, height), (across, gaps), (down, more) in (
                ((1024, 768), (44, 18), (24, 30 + 48)), ((390, 844), (24, 30), (44, 18 + 96))):
            self.browser.resize(width, height)
            self.browser.wait_picture(self.daemon)
            pitch = self.browser.canvas()["pitch"]
            self.assertTrue(across * (pitch + 1) - 1 > width - gaps or down * (pitch + 1) - 1 > height - more)

"""What the page shows of the sound: the scope, and the mixer's meters."""

from case import PageTestCase
from stage import until

# The rows of the scope's canvas that the waveform of the main output reaches: 0 while it is silent.
HEIGHT_OF_WAVE = """
const canvas = document.getElementById("scope");
const { width, height } = canvas;
const { data } = canvas.getContext("2d").getImageData(0, 0, Math.floor(width / 2), height);
const rows = new Set();
data.forEach((value, i) => i % 4 === 0 && value > 200 && rows.add(Math.floor(i / 4 / Math.floor(width / 2))));
return Math.max(0, rows.size - 2 * Math.ceil(devicePixelRatio));
"""
LEVEL = "return document.querySelector(`[aria-label=${arguments[0]}] .meter`).style.getPropertyValue('--level')"


class Sound(PageTestCase):
    def setUp(self):
        super().setUp()
        for step in range(0, 32, 2):
            self.daemon.call("note.set", track="rhythm", step=step, note=0, velocity="accent")

    def test_the_scope_is_drawn_while_it_is_open(self):
        height = lambda: self.browser.run(HEIGHT_OF_WAVE)
        self.browser.find("toggle-scope").click()
        until(lambda: self.browser.find("scope").is_displayed(), "the scope")
        self.assertEqual(height(), 0)
        self.daemon.call("transport.play")
        until(lambda: height() > 10, "the waveform")
        self.browser.find("toggle-scope").click()
        until(lambda: not self.browser.find("scope").is_displayed(), "its end")

    def test_the_mixer_has_meters(self):
        level = lambda track: float(self.browser.run(LEVEL, track) or 0)
        self.browser.open_section("Mixer")
        until(lambda: self.browser.run(LEVEL, "Rhythm") == "0", "silence")
        self.daemon.call("transport.play")
        until(lambda: level("Rhythm") > 0.2, "the level")
        self.assertEqual(level("Melody"), 0)
        self.daemon.call("transport.stop")
        until(lambda: level("Rhythm") == 0, "silence")

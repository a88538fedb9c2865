"""The bar: nothing in it moves, the tempo is a field, FILL is held, lenses are chips, the dot has a shape."""

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from case import PageTestCase
from stage import until

# The boxes of everything in the bar, and whether it is seen.
BOXES = """
return [...document.querySelectorAll("#bar, #bar > *")].map((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  return [each.id, left, top, width, height, getComputedStyle(each).opacity];
});
"""


class Bar(PageTestCase):
    def state(self):
        return self.daemon.call("state.get")

    def setUp(self):
        super().setUp()
        self.daemon.call("tempo.set", bpm=120)
        until(lambda: self.browser.tempo() == "120 BPM", "the tempo")

    def test_a_touch_hides_and_moves_nothing(self):
        for size in ((390, 844), (844, 390), (1024, 768), (1366, 768)):
            with self.subTest(size=size):
                self.browser.resize(*size)
                before = self.browser.run(BOXES)
                self.browser.touch([("down", 4, 7), *[("move", column, 7) for column in range(5, 9)]])
                until(lambda: self.browser.text("tooltip") == "ARPEGGIO", "the gesture's name")
                self.assertEqual(self.browser.run(BOXES), before)
                self.browser.lift_all()
                self.browser.run("window.dispatchEvent(new Event('blur'))")
                until(lambda: not self.browser.find("tooltip").is_displayed(), "the name to go")

    def test_the_tempo_is_typed(self):
        field = self.browser.find("tempo-field")
        field.click()
        field.send_keys("112", Keys.ENTER)
        until(lambda: self.state()["bpm"] == 112, "the tempo")
        self.browser.press(Keys.SPACE)
        until(lambda: self.state()["transport"]["state"] == "playing", "the keys to be the instrument's again")
        field.click()
        field.send_keys("7000", Keys.ENTER)
        until(lambda: "20 to 300" in self.browser.text("notices"), "the refusal")
        self.assertEqual(self.browser.tempo(), "112 BPM")
        field.click()
        field.send_keys("99", Keys.ESCAPE)
        self.assertEqual(self.browser.tempo(), "112 BPM")
        self.assertEqual(self.state()["bpm"], 112)

    def test_the_tempo_is_wheeled(self):
        self.browser.run("""
            for (const deltaY of [-100, -100, 100]) document.getElementById("tempo-field")
              .dispatchEvent(new WheelEvent("wheel", { deltaY, bubbles: true, cancelable: true }));""")
        until(lambda: self.state()["bpm"] == 121 or self.state()["bpm"] == 119, "the tempo")

    def test_the_tempo_is_tapped(self):
        calls = self.browser.run("""
            window.sent = [];
            const { send } = WebSocket.prototype;
            WebSocket.prototype.send = function (line) { sent.push(JSON.parse(line).method); send.call(this, line); };""")
        for _ in range(3):
            self.browser.find("tap").click()
        taps = lambda: self.browser.run("return sent.filter((method) => method === 'tempo.tap').length")
        until(lambda: taps() == 3, "three taps, each once")

    def test_fill_is_held(self):
        button = self.browser.find("fill")
        for size in ((390, 844), (844, 390), (1024, 768), (2560, 1440)):
            self.browser.resize(*size)
            self.assertGreaterEqual(min(button.size["width"], button.size["height"]), 44, size)
        mouse = ActionChains(self.browser.driver, duration=0)
        mouse.move_to_element(button).click_and_hold().perform()
        until(lambda: self.state().get("fill"), "FILL")
        until(lambda: button.get_attribute("aria-pressed") == "true", "FILL to be shown")
        ActionChains(self.browser.driver, duration=0).release().perform()
        until(lambda: not self.state().get("fill"), "its end")

    def test_an_open_lens_is_a_chip_in_the_bar_and_at_its_track(self):
        for close in (lambda: self.browser.all("#lenses .chip")[0].click(), lambda: self.browser.all(".edge .chip")[0].click()):
            self.daemon.call("lens.set", track="bass", lens="tone")
            until(lambda: [chip.text.split() for chip in self.browser.all("#lenses .chip")] == [["Bass:", "tone", "\u00d7"]],
                  "the chip")
            self.assertEqual([chip.text for chip in self.browser.all(".edge .chip")], ["Tone \u00d7"])
            self.browser.touch([("move", 38, 16)], kind="mouse")
            until(lambda: self.browser.text("cell-name") == "Bass, tone -8, step 32", "the lens's name")
            close()
            until(lambda: not self.state()["lenses"], "the lens to be closed")
            until(lambda: not self.browser.all(".chip"), "the chips to go")

    def test_the_dot_has_a_shape_and_a_text_for_each_state(self):
        kind = lambda: self.browser.find("health").get_attribute("data-kind")
        label = lambda: self.browser.find("health").get_attribute("aria-label")
        until(lambda: kind() in ("well", "late"), "the connection")
        self.assertIn("48 kHz, 1024 frames", label())
        self.browser.find("health").click()
        self.assertIn("48 kHz", self.browser.text("notices"))
        shape = "const { borderRadius, clipPath, transform, borderWidth } = getComputedStyle(document.querySelector('.lamp'));"
        shapes = {self.browser.run(f"document.getElementById('health').dataset.kind = '{each}'; {shape}"
                                   "return [borderRadius, clipPath, transform, borderWidth].join()")
                  for each in ("well", "late", "trouble", "lost")}
        self.assertEqual(len(shapes), 4, "not by colour alone")

    def test_in_portrait_the_upper_arrow_means_more(self):
        self.browser.resize(390, 844)
        for column in (26, 28):
            x, y = self.browser.place_of(column, 0)
            other = self.browser.place_of(54 - column, 0)
            before = self.state()["bpm"]
            self.browser.dispatch_touch("touchStart", (0, (x, y)))
            self.browser.dispatch_touch("touchEnd")
            until(lambda: self.state()["bpm"] != before, "the tempo")
            self.assertEqual(self.state()["bpm"] > before, y < other[1])

    def test_signs_and_names_are_there_from_18_pixels(self):
        """A cell with a sign has more than its own colour."""
        from test_names import COLOURS
        for width, has_signs in ((44 * 18 - 1 + 18, True), (44 * 18 - 2 + 18, False)):
            self.browser.resize(width, 768)
            for cell in ((0, 2), (1, 8), (2, 14), (26, 0), (28, 0), (1, 0), (40, 0), (11, 0)):
                until(lambda: (self.browser.run(COLOURS, *cell) > 2) == has_signs, f"{cell} at {width}: {has_signs}")
        self.assertEqual([each.text for each in self.browser.all(".edge")], ["Melody", "Chords", "Bass", "Rhythm"])

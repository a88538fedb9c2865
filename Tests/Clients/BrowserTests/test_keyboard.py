"""Keys, and the cursor on the grid that plays without a pointer."""

from selenium.webdriver.common.keys import Keys

from case import PageTestCase
from stage import until


class Keyboard(PageTestCase):
    def playing(self):
        return self.daemon.call("state.get")["transport"]["state"]

    def focus_grid(self):
        focused = lambda: self.browser.run("return document.activeElement.id")
        until(lambda: self.browser.press(Keys.TAB) or focused() == "grid", "the grid")
        self.assertTrue(self.browser.find("cursor").is_displayed())

    def test_space_plays_and_stops(self):
        self.browser.press(Keys.SPACE)
        until(lambda: self.playing() == "playing", "the music")
        until(lambda: "Stop" in self.browser.find("play").get_attribute("aria-label"), "the button")
        self.browser.press(Keys.SPACE)
        until(lambda: self.playing() == "stopped", "silence")

    def test_undo_and_redo(self):
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.browser.press(Keys.CONTROL, "z")
        until(lambda: self.daemon.notes("bass") == [], "undo")
        self.browser.press(Keys.CONTROL, "y")
        until(lambda: self.daemon.notes("bass"), "redo")
        self.browser.press(Keys.CONTROL, "z")
        self.browser.press(Keys.CONTROL, Keys.SHIFT, "z")
        until(lambda: self.daemon.notes("bass"), "redo")

    def test_arrows_change_the_tempo(self):
        self.daemon.call("tempo.set", bpm=120)
        until(lambda: self.browser.tempo() == "120 BPM", "the tempo in the bar")
        self.browser.press(Keys.ARROW_UP)
        until(lambda: self.browser.tempo() == "125 BPM", "faster")
        self.browser.press(Keys.ARROW_DOWN)
        until(lambda: self.browser.tempo() == "120 BPM", "slower")

    def test_question_mark_helps(self):
        self.browser.press("?")
        self.assertTrue(self.browser.find("help").is_displayed())
        self.browser.press(Keys.ESCAPE)
        self.assertFalse(self.browser.find("help").is_displayed())

    def test_enter_taps_where_the_cursor_is(self):
        self.focus_grid()
        for key in (Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP):
            self.browser.press(key)
        self.assertEqual(self.browser.text("announcer"), "Melody, D, step 3")
        self.browser.press(Keys.ENTER)
        until(lambda: self.daemon.notes("melody") == [(6, 62, "normal")], "the note")
        until(lambda: self.browser.text("announcer") == "d4", "its name")

        def name_on_return():
            self.browser.press(Keys.ARROW_LEFT)
            self.browser.press(Keys.ARROW_RIGHT)
            return self.browser.text("announcer")

        # The picture and the labels arrive later.
        until(lambda: name_on_return() == "Melody, D, step 3, lit", "the cell's new name")

    def test_enter_held_holds(self):
        self.focus_grid()
        self.browser.hold(Keys.ENTER)
        until(lambda: self.browser.text("announcer") == "accent!", "the accent")
        self.browser.release(Keys.ENTER)
        until(lambda: self.daemon.notes("melody") == [(4, 60, "accent")], "the note")

    def test_arrows_with_enter_drag(self):
        self.focus_grid()
        self.browser.hold(Keys.ENTER)
        for _ in range(3):
            self.browser.press(Keys.ARROW_RIGHT)
        self.browser.release(Keys.ENTER)
        until(lambda: [pitch for _, pitch, _ in self.daemon.notes("melody")] == [60, 62, 64, 65], "the arpeggio")

    def test_in_portrait_arrows_go_where_they_point(self):
        self.browser.resize(390, 844)
        self.browser.wait_picture(self.daemon)
        self.focus_grid()
        before = self.browser.find("cursor").location
        self.browser.press(Keys.ARROW_DOWN)
        after = self.browser.find("cursor").location
        self.assertEqual(after["x"], before["x"])
        self.assertGreater(after["y"], before["y"])

    def test_a_click_on_the_grid_takes_no_keys_away(self):
        self.daemon.call("tempo.set", bpm=120)
        until(lambda: self.browser.tempo() == "120 BPM", "the tempo in the bar")
        self.browser.open_section("Library")
        self.browser.labelled("Save as").click()
        self.browser.tap(4, 7, kind="mouse")
        self.browser.press(Keys.ARROW_UP)
        until(lambda: self.browser.tempo() == "125 BPM", "faster")

    def test_keys_that_a_field_needs_are_its_own(self):
        self.browser.open_section("Library")
        field = self.browser.labelled("Save as")
        # Not cleared: a field that is empty and has no focus gets a suggestion.
        field.send_keys(Keys.CONTROL + "a" + Keys.NULL + "r f 1?")
        self.assertEqual(field.get_attribute("value"), "r f 1?")
        self.assertEqual(self.playing(), "stopped")

    def test_keys_that_a_menu_needs_are_its_own(self):
        self.daemon.call("tempo.set", bpm=120)
        until(lambda: self.browser.tempo() == "120 BPM", "the tempo in the bar")
        self.browser.open_section("Mixer")
        self.browser.labelled("Lens on bass").send_keys(Keys.ARROW_DOWN)
        until(lambda: "bass" in self.daemon.call("state.get").get("lenses", {}), "the lens")
        self.addCleanup(self.daemon.call, "lens.set", track="bass")
        self.assertEqual(self.daemon.call("state.get")["bpm"], 120)

"""What fingers do to the sheet: sliders that move with the finger, keys that play after a click, a library that asks."""

import json
import pathlib
import tempfile

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from case import PageTestCase, shared_browser
from stage import until

# A range slider's middle, by its name within a track's strip.
MIDDLE = """
const slider = document.querySelector(`section[aria-label="Bass"] [aria-label="${arguments[0]}"]`);
slider.scrollIntoView({ block: "center" });
const { left, top, width, height } = slider.getBoundingClientRect();
return [left + width / 2, top + height / 2, width];
"""


class Touching(PageTestCase):
    size = (390, 844)

    def setUp(self):
        shared_browser().renew_tab()
        super().setUp()

    def drag(self, start, *places):
        self.browser.dispatch_touch("touchStart", (0, start))
        for place in places:
            self.browser.dispatch_touch("touchMove", (0, place))
        self.browser.dispatch_touch("touchEnd")

    def tap(self, place):
        self.drag(place)


class Sliders(Touching):
    def setUp(self):
        super().setUp()
        self.daemon.call("track.set", track="bass", gain=-12, pan=0.5)
        self.browser.open_section("Mixer")

    def track(self):
        return self.daemon.call("state.get")["tracks"]["bass"]

    def middle(self, name):
        return self.browser.run(MIDDLE, name)

    def test_a_touch_moves_nothing(self):
        x, y, width = self.middle("Gain")
        self.tap((x - width / 3, y))
        self.daemon.call("ping")
        self.assertEqual(self.track()["gain"], -12)

    def test_it_moves_by_what_the_finger_moves(self):
        x, y, width = self.middle("Gain")
        self.drag((x - width / 3, y), *[(x - width / 3 + part, y) for part in (10, 20, 30, 10 + width / 4)])
        until(lambda: self.track()["gain"] != -12, "the gain")
        self.assertAlmostEqual(self.track()["gain"], -12 + 72 / 4, delta=2.5)

    def test_farther_away_it_moves_slower(self):
        x, y, width = self.middle("Gain")
        self.drag((x, y), *[(x + part, y) for part in (10, 20, 30)], (x + 30, y - 240),
                  (x + 30 + width / 4, y - 240))
        until(lambda: self.track()["gain"] != -12, "the gain")
        near, far = 72 * 20 / width, 72 / 4 / 4
        until(lambda: abs(self.track()["gain"] - (-12 + near + far)) < 1.5, "a fourth of the way")

    def test_a_swipe_that_scrolls_changes_nothing(self):
        x, y, _ = self.middle("Gain")
        before = self.browser.run("return document.getElementById('section').scrollTop")
        self.drag((x, y), *[(x + part / 4, y - part) for part in range(8, 160, 8)])
        until(lambda: self.browser.run("return document.getElementById('section').scrollTop") != before, "scrolling")
        self.daemon.call("ping")
        self.assertEqual((self.track()["gain"], self.track()["pan"]), (-12, 0.5))

    def test_a_double_tap_resets(self):
        for name, value in (("Gain", 0), ("Pan", 0)):
            x, y, _ = self.middle(name)
            self.tap((x, y))
            self.tap((x, y))
            until(lambda: self.track()[name.lower()] == value, name)

    def test_arm_is_spelled_out_and_seen(self):
        arm = self.browser.labelled("Arm bass")
        self.assertEqual(arm.text, "Arm")
        look = lambda: self.browser.run("return getComputedStyle(arguments[0]).backgroundColor", arm)
        armed = look()
        self.browser.click("Arm bass")
        until(lambda: self.track()["arm"] is False, "the state")
        until(lambda: look() != armed, "another look")
        self.daemon.call("track.set", track="bass", arm=True, gain=0, pan=0)

    def test_a_drag_is_announced_at_its_end_only(self):
        x, y, width = self.middle("Pan")
        self.browser.run("""
            window.spoken = [];
            new MutationObserver(() => spoken.push(document.getElementById("announcer").textContent))
              .observe(document.getElementById("announcer"), { childList: true, characterData: true, subtree: true });""")
        self.drag((x, y), *[(x - part, y) for part in range(5, 60, 5)])
        until(lambda: self.browser.run("return spoken.length"), "the value")
        self.assertEqual(len(self.browser.run("return spoken")), 1)
        live = self.browser.all("output, [aria-live], [role=status], [role=alert]")
        self.assertEqual({each.get_attribute("id") for each in live} - {"line", "notices", "announcer"}, set())


class Keys_(Touching):
    size = (1024, 768)

    def playing(self):
        return self.daemon.call("state.get")["transport"]["state"]

    def test_after_a_click_keys_play(self):
        self.browser.open_section("Mixer")
        self.browser.labelled("Mute bass").click()
        until(lambda: self.daemon.call("state.get")["tracks"]["bass"]["mute"], "mute")
        self.browser.press(Keys.SPACE)
        until(lambda: self.playing() == "playing", "the music")
        self.assertTrue(self.daemon.call("state.get")["tracks"]["bass"]["mute"], "the button is not pressed again")
        self.browser.find("open-sheet").click()
        self.browser.press(Keys.SPACE)
        until(lambda: self.playing() == "stopped", "silence")
        self.assertFalse(self.browser.find("sheet").is_displayed())
        self.daemon.call("track.set", track="bass", mute=False)

    def test_a_slider_that_was_reached_by_keys_has_its_arrows_and_no_more(self):
        self.daemon.call("track.set", track="bass", gain=0)
        self.browser.open_section("Mixer")
        slider = self.browser.all('section[aria-label="Bass"] [aria-label="Gain"]')[0]
        slider.send_keys(Keys.ARROW_LEFT)
        until(lambda: self.daemon.call("state.get")["tracks"]["bass"]["gain"] == -0.5, "the gain")
        self.browser.press(Keys.SPACE)
        until(lambda: self.playing() == "playing", "the music")
        self.daemon.call("transport.stop")
        self.daemon.call("track.set", track="bass", gain=0)


class Sheet(Touching):
    def test_all_tabs_are_seen(self):
        for size in ((390, 844), (360, 640), (844, 390), (1024, 768), (1440, 810)):
            with self.subTest(size=size):
                self.browser.resize(*size)
                if not self.browser.find("sheet").is_displayed():
                    self.browser.find("open-sheet").click()
                boxes = self.browser.run("""
                    const sheet = document.getElementById("sheet").getBoundingClientRect();
                    return [...document.querySelectorAll("#tabs button")].map((tab) => {
                      const { left, right, top, bottom } = tab.getBoundingClientRect();
                      return [tab.textContent, left >= sheet.left - 1 && right <= sheet.right + 1 && top >= sheet.top - 1
                        && bottom <= sheet.bottom + 1 && tab.scrollWidth <= tab.clientWidth + 1];
                    });""")
                self.assertEqual([name for name, _ in boxes],
                                 ["Library", "Scenes", "Mixer", "Sounds", "MIDI", "Sync", "Settings"])
                self.assertEqual([name for name, is_seen in boxes if not is_seen], [])

    def test_a_swipe_closes_it(self):
        self.browser.find("open-sheet").click()
        x, y = self.browser.run("""const { left, top, width, height } = document.querySelector(".sheet-head")
            .getBoundingClientRect(); return [left + width / 2, top + height / 2]""")
        self.drag((x, y), *[(x, y + part) for part in range(10, 150, 10)])
        until(lambda: not self.browser.find("sheet").is_displayed(), "the sheet to go")

    def test_a_mouse_that_selects_text_leaves_it_open(self):
        self.browser.open_section("Settings")
        hint = next(each for each in self.browser.all("#section .hint") if each.text.startswith("Only this machine"))
        self.browser.run("arguments[0].scrollIntoView({ block: 'center' })", hint)
        mouse = ActionChains(self.browser.driver, duration=0)
        mouse.move_to_element_with_offset(hint, -100, 0).click_and_hold().move_by_offset(200, 0).release().perform()
        self.assertTrue(self.browser.run("return String(getSelection())"))
        self.assertTrue(self.browser.find("sheet").is_displayed())

    def test_it_stands_beside_the_grid_where_there_is_room(self):
        self.browser.resize(1280, 800)
        self.browser.find("open-sheet").click()
        until(lambda: self.browser.run("""
            const [grid, sheet] = ["grid", "sheet"].map((id) => document.getElementById(id).getBoundingClientRect());
            return grid.right <= sheet.left"""), "both to be seen")
        self.browser.wait_picture(self.daemon)

    def test_names_stay_as_they_are(self):
        self.browser.open_section("Sounds")
        texts = [each.text for each in self.browser.all(".choices button")]
        self.assertIn("FM bass", texts)
        labels = [each.text for each in self.browser.all("#section .label") if each.is_displayed()]
        self.assertLess(labels.index("Preset"), labels.index("Tone"))

    def test_forced_colours_leave_sliders_to_be_seen(self):
        self.browser.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
        self.browser.open_section("Mixer")
        look = self.browser.run(
            "return getComputedStyle(document.querySelector('input[type=range]')).appearance")
        self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.assertEqual(look, "auto")


class Scenes(Touching):
    size = (1024, 768)

    def setUp(self):
        super().setUp()
        self.daemon.call("scene.launch", scene=1)
        self.browser.open_section("Scenes")

    def playing(self):
        return {slots["playing"] for slots in self.daemon.call("state.get")["slots"].values()}

    def pad(self, name):
        return next(pad for pad in self.browser.all(".pad") if pad.get_attribute("aria-label").startswith(name))

    def mode(self, name):
        next(each for each in self.browser.all(".scenes .choices button") if each.text == name).click()

    def test_a_pad_launches(self):
        self.assertEqual(len(self.browser.all(".scene-pads .pad")), 8)
        self.assertEqual(len(self.browser.all(".slots .pad")), 32)
        self.pad("Scene 3").click()
        until(lambda: self.playing() == {3}, "the scene")
        self.pad("Bass slot 2").click()
        until(lambda: self.playing() == {2, 3}, "the slot")

    def test_how_near_the_launch_is_is_seen_until_then(self):
        progress = lambda: self.browser.all(".progress")[0]
        self.assertFalse(progress().is_displayed())
        self.daemon.call("transport.play")
        self.pad("Scene 2").click()
        until(lambda: progress().is_displayed(), "the progress")
        self.assertIn(", next", self.pad("Scene 2").get_attribute("aria-label"))
        level = lambda: float(self.browser.run(
            "return document.querySelector('.progress span').style.getPropertyValue('--level')") or 0)
        first = until(level, "a step")
        until(lambda: level() > first, "the next step")
        until(lambda: not progress().is_displayed(), "the launch")
        self.assertEqual(self.playing(), {2})
        self.daemon.call("transport.stop")

    def test_copy(self):
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.mode("Copy")
        self.pad("Scene 1").click()
        self.pad("Scene 4").click()
        until(lambda: 4 in self.daemon.call("state.get")["slots"]["bass"]["filled"], "the copy")

    def test_chain(self):
        self.mode("Chain")
        for number in (1, 2, 3):
            self.pad(f"Scene {number}").click()
        next(each for each in self.browser.all(".scenes .primary") if each.text == "Play the chain").click()
        until(lambda: self.daemon.call("state.get")["scenes"]["chain"] == [1, 2, 3], "the chain")
        self.daemon.call("slot.cancel")


class Library(Touching):
    size = (1024, 768)

    def setUp(self):
        super().setUp()
        for entry in self.daemon.call("library.list"):
            self.daemon.call("library.delete", name=entry["name"])
        self.browser.open_section("Library")

    def save(self, name):
        field = self.browser.labelled("Save as")
        field.clear()
        field.send_keys(name, Keys.ENTER)

    def notes(self):
        return self.browser.text("notices")

    def import_text(self, name, text):
        # The page reads the file later.
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name) / name
        file.write_bytes(text)
        self.browser.all("#section input[type=file]")[0].send_keys(str(file))
        return file

    def test_it_says_saved_and_asks_before_it_replaces(self):
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.save("tune")
        until(lambda: "Saved tune" in self.notes(), "Saved")
        self.daemon.call("pattern.clear")
        until(lambda: self.browser.all(".load"), "the row")
        self.save("tune")
        self.daemon.call("ping")
        self.daemon.call("library.load", name="tune")
        self.assertTrue(self.daemon.notes("bass"), "not replaced yet")
        self.daemon.call("pattern.clear")
        until(lambda: [each for each in self.browser.all(".primary") if each.text == "Replace?"], "the question").pop().click()
        def is_replaced():
            self.daemon.call("library.load", name="tune")
            return self.daemon.notes("bass") == []
        until(is_replaced, "the new one")

    def test_it_asks_whichever_way_the_name_is_spelled(self):
        for saved, typed in (("Caf\u00e9", "Cafe\u0301"), ("Dre\u0301", "Dr\u00e9")):
            self.daemon.call("library.save", name=saved)
            until(lambda: saved in [row.text for row in self.browser.all(".load strong")], "the row")
            self.save(typed)
            until(lambda: [each for each in self.browser.all(".primary") if each.text == "Replace?"], "the question")
            self.daemon.call("library.delete", name=saved)
            until(lambda: not self.browser.all(".load"), "the empty list")

    def test_it_follows_what_others_save(self):
        self.daemon.call("library.save", name="elsewhere")
        until(lambda: [row.text for row in self.browser.all(".load strong")] == ["elsewhere"], "the other page's")

    def test_the_same_file_twice_imports_twice(self):
        pattern = {"version": 1, "tracks": {"bass": {"notes": [{"col": 6, "pitch": 43, "velocity": "normal"}]}}}
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "twice.json"
            file.write_text(json.dumps(pattern))
            for _ in range(2):
                self.browser.all("#section input[type=file]")[0].send_keys(str(file))
                until(lambda: self.daemon.notes("bass"), "the import")
                self.daemon.call("pattern.clear")

    def test_what_is_no_pattern_is_told_in_words_that_go_with_the_next_success(self):
        self.import_text("song.json", b"MThd\0\0\0\6\0\1")
        until(lambda: "this is a MIDI file; patterns end in .json" in self.notes(), "what it is")
        self.import_text("song.json", b"{")
        until(lambda: "not a pattern" in self.notes(), "what it is")
        self.browser.press(Keys.ARROW_UP)
        until(lambda: self.notes() == "", "the error to go")
        self.daemon.call("tempo.set", bpm=120)

    def test_it_loads_into_a_scene_or_at_the_next_loop(self):
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.daemon.call("library.save", name="tune")
        self.browser.find("close-sheet").click()
        self.browser.open_section("Library")
        until(lambda: self.browser.all(".load"), "the row")
        self.browser.click("Load tune into a scene")
        self.browser.click("Into scene 5")
        filled = lambda: self.daemon.call("state.get")["slots"]["bass"]["filled"]
        until(lambda: 5 in filled(), "the scene")
        until(lambda: not self.browser.all(".scene-choice"), "the row as before")
        self.browser.click("Load tune into a scene")
        next(each for each in self.browser.all(".scene-choice button") if each.text == "At the next loop").click()
        until(lambda: self.daemon.call("state.get")["slots"]["bass"]["playing"] == 2, "the free scene")
        self.daemon.call("scene.launch", scene=1)

    def test_where_a_drop_would_land_is_shown(self):
        self.browser.run("document.body.dispatchEvent(new DragEvent('dragover', { bubbles: true, cancelable: true }))")
        self.assertTrue(self.browser.find("landing").is_displayed())
        until(lambda: not self.browser.find("landing").is_displayed(), "it to go")

"""The sheet: library, mixer, settings."""

import json
import pathlib
import tempfile

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from case import PageTestCase
from stage import is_downloaded, until


UNDO_TIME = 10_000  # ms, within which a deleted pattern can be kept


class Library(PageTestCase):
    def setUp(self):
        super().setUp()
        for pattern in self.daemon.call("library.list"):
            self.daemon.call("library.delete", name=pattern["name"])
        self.browser.open_section("Library")

    def names(self):
        return [pattern["name"] for pattern in self.daemon.call("library.list")]

    def shown(self):
        return self.browser.run("""
            return [...document.querySelectorAll(".library .load:not(.deleted) strong")].map((name) => name.textContent)""")

    def save(self, name):
        field = self.browser.labelled("Save as")
        field.clear()
        field.send_keys(name, Keys.ENTER)
        until(lambda: name in self.shown(), "the saved pattern in the list")

    def test_save_load_rename_delete(self):
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.save("first loop")
        self.assertEqual(self.names(), ["first loop"])
        self.daemon.call("pattern.clear")
        self.browser.click("Load first loop")
        until(lambda: self.daemon.notes("bass") == [(4, 36, "normal")], "the loaded pattern")

        self.browser.click("Rename first loop")
        field = self.browser.labelled("New name of first loop")
        field.clear()
        field.send_keys("second", Keys.ENTER)
        until(lambda: self.shown() == ["second"], "the new name")
        self.assertEqual(self.names(), ["second"])

        self.browser.run(f"const real = setTimeout; window.setTimeout = (act, ms) => real(act, ms === {UNDO_TIME} ? 800 : ms)")
        self.browser.click("Delete second")
        until(lambda: self.shown() == [], "the empty list")
        until(lambda: self.names() == [], "the empty library")

    def test_what_was_deleted_is_kept_by_undo(self):
        self.save("keeper")
        self.browser.click("Delete keeper")
        until(lambda: self.browser.all(".deleted"), "the row that says so")
        self.assertEqual(self.names(), ["keeper"], "nothing is deleted yet")
        self.browser.click("Undo deleting keeper")
        until(lambda: not self.browser.all(".deleted"), "the row as it was")
        self.assertEqual(self.names(), ["keeper"])

    def test_save_is_off_without_a_name(self):
        button = self.browser.all("#section .primary")[0]
        field = self.browser.labelled("Save as")
        until(lambda: field.get_attribute("value"), "a suggestion")
        self.assertTrue(button.is_enabled())
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.BACKSPACE)
        until(lambda: not button.is_enabled(), "Save to be off")
        field.send_keys("  x")
        until(button.is_enabled, "Save to be on")

    def test_pads_under_into_scene_show_which_are_filled(self):
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.daemon.call("scene.copy", **{"from": 1, "to": 3})
        self.save("tune")
        self.browser.click("Load tune into a scene")
        labels = lambda: [pad.get_attribute("aria-label") for pad in self.browser.all(".into-filled")]
        until(lambda: labels() == ["Into scene 1, which has notes", "Into scene 3, which has notes"], "the filled scenes")
        self.daemon.call("history.undo")

    def test_a_new_pattern_is_asked_for_twice_and_undone_as_a_whole(self):
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.daemon.call("track.set", track="bass", gain=-6)
        self.browser.click("Start a new pattern")
        self.assertEqual(self.daemon.notes("bass"), [(4, 36, "normal")], "one tap empties nothing")
        self.browser.click("Start a new pattern")
        until(lambda: self.daemon.notes("bass") == [], "the empty pattern")
        self.assertEqual(self.daemon.call("state.get")["tracks"]["bass"]["gain"], 0)
        self.daemon.call("history.undo")
        self.assertEqual(self.daemon.notes("bass"), [(4, 36, "normal")])
        self.assertEqual(self.daemon.call("state.get")["tracks"]["bass"]["gain"], -6)

    def test_what_the_daemon_refuses_is_shown_in_its_words(self):
        field = self.browser.labelled("Save as")
        field.clear()
        field.send_keys("a/b", Keys.ENTER)
        shown = until(lambda: self.browser.text("notices"), "the refusal")
        try:
            self.daemon.call("library.save", name="a/b")
        except RuntimeError as refusal:
            self.assertEqual(shown, str(refusal))

    def import_file(self, content):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(content)
            file.flush()
            self.browser.all("input[type=file]")[0].send_keys(file.name)
            until(lambda: self.browser.text("notices") or self.browser.text("announcer").startswith("Imported"),
                  "the import")

    def test_import(self):
        note = {"col": 4, "pitch": 64, "velocity": "accent"}
        self.import_file(json.dumps({"version": 1, "tracks": {"melody": {"notes": [note]}}}))
        until(lambda: self.daemon.notes("melody") == [(4, 64, "accent")], "the imported pattern")

    def test_a_dropped_file(self):
        pattern = {"version": 1, "tracks": {"bass": {"notes": [{"col": 6, "pitch": 43, "velocity": "normal"}]}}}
        self.browser.run("""
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([arguments[0]], "dropped.json"));
            const drop = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer });
            document.getElementById("grid").dispatchEvent(drop);
            """, json.dumps(pattern))
        until(lambda: self.daemon.notes("bass") == [(6, 43, "normal")], "the dropped pattern")

    def test_an_import_that_is_refused_names_the_place(self):
        note = {"col": 12, "pitch": 64, "velocity": "normal"}
        self.import_file(json.dumps({"version": 1, "tracks": {"melody": {"notes": [note]}}}))
        self.assertIn("tracks.melody.notes[0].col", self.browser.text("notices"))

    def test_an_import_that_is_no_pattern_says_so(self):
        for content, words in (("null", "pattern"), ("{", "JSON")):
            self.browser.run("document.getElementById('notices').replaceChildren()")
            self.import_file(content)
            self.assertIn(words, self.browser.text("notices"))

    def test_downloads(self):
        self.daemon.call("note.set", track="melody", step=0, note=4, velocity="normal")
        self.save("tune")
        with tempfile.TemporaryDirectory() as folder:
            self.browser.driver.execute_cdp_cmd(
                "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
            self.browser.labelled("Download as JSON").click()
            file = pathlib.Path(folder) / "tune.json"
            until(lambda: is_downloaded(file), "the JSON file")
            self.assertEqual(json.loads(file.read_text())["tracks"]["melody"]["notes"][0]["pitch"], 64)
            self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal", slot=3)
            for choice, name in (("What is playing", "tune"), ("Scene 3", "tune scene 3"), ("All filled scenes: 1, 3", "tune scenes")):
                until(lambda: len(self.browser.all(".scene-choice")) == 0, "the last question to be answered")
                self.browser.labelled("Export as MIDI").click()
                next(each for each in self.browser.all(".scene-choice button") if each.text == choice).click()
                file = pathlib.Path(folder) / f"{name}.mid"
                until(lambda: is_downloaded(file), "the MIDI file")
                self.assertEqual(file.read_bytes()[:4], b"MThd")

    def test_the_chain_is_exported_where_there_is_one(self):
        choices = lambda: [each.text for each in self.browser.all(".scene-choice button")]
        self.browser.labelled("Export as MIDI").click()
        self.assertEqual(choices(), ["What is playing"])
        self.browser.labelled("Export as MIDI").click()
        methods = self.daemon.call("rpc.discover")["methods"]
        export = next(method for method in methods if method["name"] == "export.midi")
        if not any(parameter["name"] == "chain" for parameter in export["params"]):
            self.skipTest("the daemon exports no chain")
        self.daemon.call("transport.play")
        self.daemon.call("slot.chain", track="bass", slots=[1, 2])
        until(lambda: self.daemon.call("state.get")["slots"]["bass"]["chain"], "the chain")
        self.browser.labelled("Export as MIDI").click()
        self.assertEqual(choices(), ["What is playing", "The chain"])
        self.daemon.call("slot.cancel", track="bass")


class Mixer(PageTestCase):
    def setUp(self):
        super().setUp()
        self.daemon.call("track.set", track="bass", mute=False, solo=False, gain=0, pan=0)
        self.browser.open_section("Mixer")

    def track(self):
        return self.daemon.call("state.get")["tracks"]["bass"]

    def strip(self, selector):
        return self.browser.all(f'section[aria-label="Bass"] {selector}')[0]

    def test_a_slider_is_heard(self):
        slider = self.strip('[aria-label="Gain"]')
        slider.send_keys(Keys.ARROW_LEFT * 6)
        until(lambda: self.track()["gain"] == -3, "the gain")
        self.assertEqual(self.strip(".value").text, "\u22123.0 dB")

    def test_mute_and_solo(self):
        for name in ("mute", "solo"):
            letter = self.browser.labelled(f"{name.title()} bass")
            letter.click()
            until(lambda: self.track()[name], name)
            until(lambda: letter.get_attribute("aria-pressed") == "true", f"{name} to be shown")

    def test_lenses_are_opened_reset_and_frozen(self):
        for step in range(8):
            self.daemon.call("note.set", track="bass", step=step, note=0, velocity="normal", cycle="2:2")
        notes = lambda: self.daemon.call("pattern.get")["tracks"]["bass"]["notes"]
        menu = self.browser.labelled("Lens on bass")
        self.assertGreaterEqual(menu.size["width"], 90, "room for a lens's name")
        Select(menu).select_by_visible_text("Cycle")
        until(lambda: self.daemon.call("state.get")["lenses"] == {"bass": "cycle"}, "the lens")
        self.strip('[title="Reset the lens"]').click()
        until(lambda: all("cycle" not in note for note in notes()), "the default")
        self.daemon.call("history.undo")
        self.strip('[title="Freeze the last pass"]').click()
        until(lambda: notes() == [], "what the first pass plays")
        self.daemon.call("lens.set", track="bass")
        # Selenium would ask one option after the other, and find none while the menu changes.
        chosen = lambda: self.browser.run("return arguments[0].selectedOptions[0].text", menu)
        until(lambda: chosen() == "Notes", "the menu to follow")

    def test_a_slider_follows_the_motion_of_its_parameter_and_says_so(self):
        for step, value in ((0, -20), (16, 5)):
            self.daemon.call("motion.set", track="bass", parameter="gain", step=step, value=value)
        slider = self.strip('[aria-label="Gain"]')
        follows = lambda: "follows its motion" in slider.find_element("xpath", "../..").text
        self.assertFalse(follows(), "stopped, the mixer's value counts")
        self.daemon.call("transport.play")
        until(follows, "the word")
        seen = set()
        until(lambda: seen.add(slider.get_attribute("value")) or len(seen) > 3, "the slider to move")
        self.assertEqual(self.track()["gain"], 0)
        self.daemon.call("transport.stop")
        until(lambda: not follows() and slider.get_attribute("value") == "0", "the mixer's value")

    def test_what_others_change_is_shown(self):
        self.daemon.call("track.set", track="bass", pan=-0.5)
        until(lambda: self.strip('[aria-label="Pan"]').get_attribute("value") == "-0.5", "the pan")


class Scenes(PageTestCase):
    def test_slots_and_scenes_are_cleared(self):
        for track in ("bass", "melody"):
            self.daemon.call("note.set", track=track, step=0, note=0, velocity="normal")
        self.browser.open_section("Scenes")
        next(each for each in self.browser.all(".choices button") if each.text == "Clear").click()
        self.browser.click("Bass slot 1, playing")
        until(lambda: self.daemon.notes("bass") == [], "the empty slot")
        self.assertNotEqual(self.daemon.notes("melody"), [])
        self.browser.click("Scene 1, playing")
        until(lambda: self.daemon.notes("melody") == [], "the empty scene")


class Shape(PageTestCase):
    """The same on each display: the sheet's width, its tabs, and the grid beside it."""

    SECTIONS = ("Library", "Scenes", "Mixer", "Sounds", "MIDI", "Sync", "Settings")

    def test_tabs_are_equal_and_the_grid_stays_as_it_is(self):
        for size, rows in (((390, 844), 2), ((844, 390), 1), ((1024, 768), 1), ((1366, 768), 1), ((2560, 1440), 1)):
            with self.subTest(size=size):
                self.browser.resize(*size)
                seen = set()
                for section in self.SECTIONS:
                    self.browser.open_section(section)
                    seen.add(json.dumps(self.browser.run("""
                        const box = (id) => document.getElementById(id).getBoundingClientRect().toJSON();
                        const tabs = [...document.querySelectorAll("#tabs button")].map((tab) => tab.getBoundingClientRect());
                        const cut = [...document.querySelectorAll("#tabs button")].some((tab) => tab.scrollWidth > tab.clientWidth);
                        return [box("sheet"), box("grid"), new Set(tabs.map((tab) => Math.round(tab.width))).size,
                          new Set(tabs.map((tab) => tab.top)).size, cut];""")))
                self.browser.find("close-sheet").click()
                self.assertEqual(len(seen), 1, "one width for all, and one grid")
                self.assertEqual(json.loads(seen.pop())[2:], [1, rows, False])


class Settings(PageTestCase):
    def test_single_letter_keys_can_be_switched_off(self):
        record = lambda: self.daemon.call("state.get")["transport"]["record"]
        self.browser.open_section("Settings")
        switch = "Single-letter keys (R, F, N, 1 to 8)"
        self.browser.click(switch)
        self.browser.find("close-sheet").click()
        self.browser.press("r")
        self.browser.press(Keys.SPACE)
        until(lambda: self.daemon.call("state.get")["transport"]["state"] == "playing", "Space plays on")
        self.assertFalse(record())
        self.daemon.call("transport.stop")
        self.browser.open_section("Settings")
        self.browser.click(switch)
        self.browser.press("r")
        until(record, "record")
        self.daemon.call("transport.record", on=False)

    def test_every_setting_reaches_the_daemon_and_back(self):
        self.browser.open_section("Settings")
        state = lambda: self.daemon.call("state.get")
        choices = ("Minor", "scale", "minor"), ("F#", "root", "F#"), ("Harmonic", "colors", "harmonic")
        for text, name, value in choices:
            choice = next(each for each in self.browser.all(".choices button") if each.text == text)
            choice.click()
            until(lambda: state()[name] == value, name)
            until(lambda: choice.get_attribute("aria-pressed") == "true", f"{name} to be shown")
        self.browser.labelled("Ghosts of other tracks").click()
        until(lambda: state()["ghosts"] is False, "ghosts")
        self.browser.labelled("Tempo").send_keys(Keys.ARROW_RIGHT)
        until(lambda: state()["bpm"] == 121, "the tempo")
        for method, params in (("scale.set", {"scale": "major"}), ("root.set", {"root": "C"}),
                               ("colors.set", {"mode": "chromatic"}), ("ghosts.set", {"on": True})):
            self.daemon.call(method, **params)

    def test_escape_closes_it_and_gives_the_focus_back(self):
        self.browser.open_section("Settings")
        self.browser.press(Keys.ESCAPE)
        until(lambda: not self.browser.find("sheet").is_displayed(), "the sheet to go")
        self.assertEqual(self.browser.driver.switch_to.active_element.get_attribute("id"), "open-sheet")


class TrackShape(PageTestCase):
    def setUp(self):
        super().setUp()
        self.initial = self.bass()
        if "filter" not in self.initial:
            self.skipTest("the daemon's tracks have no filter")
        self.browser.open_section("Mixer")
        self.browser.click("Shape of bass")

    def tearDown(self):
        names = ("filter", "lfoRate", "lfoTo")
        self.daemon.call("track.set", track="bass", **{name: self.initial[name] for name in names if name in self.initial})
        super().tearDown()

    def bass(self):
        return self.daemon.call("state.get")["tracks"]["bass"]

    def part(self):
        return self.browser.all('section[aria-label="Bass"] .fold')[0]

    def test_what_folds_out_are_the_daemons_own_parameters(self):
        labels = [each.text for each in self.part().find_elements("class name", "label") if each.text]
        self.assertEqual(labels, ["Filter", "Drive", "Resonance", "Width", "LFO to", "LFO shape", "LFO rate", "LFO depth",
                                  "Drift", "Sway", "Dynamics"])
        slider = self.part().find_element("css selector", '[aria-label="Filter"]')
        for _ in range(10):
            slider.send_keys(Keys.ARROW_LEFT)
        until(lambda: abs(self.bass()["filter"] + 0.1) < 1e-6, "the filter")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "LP 11.5 kHz")
        for label, name, value in (("LFO to", "lfoTo", "level"), ("LFO rate", "lfoRate", 32)):
            group = self.part().find_element("css selector", f'[aria-label="{label}"]')
            next(each for each in group.find_elements("tag name", "button") if each.text.lower() == str(value)).click()
            until(lambda: self.bass()[name] == value, label)

    def test_a_slider_follows_its_motion(self):
        self.daemon.call("motion.set", track="bass", parameter="filter", step=0, value=-0.5)
        self.daemon.call("transport.play")
        follows = self.part().find_elements("class name", "follows")[0]
        until(lambda: follows.text == "follows its motion", "the words")
        slider = self.part().find_element("css selector", '[aria-label="Filter"]')
        until(lambda: slider.get_attribute("aria-valuetext") == "LP 1.3 kHz", "its value")

"""The sheet: library, mixer, settings."""

import json
import pathlib
import tempfile

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from case import PageTestCase
from stage import until


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
            return [...document.querySelectorAll(".library strong")].map((name) => name.textContent)""")

    def save(self, name):
        field = self.browser.labelled("Name to save under")
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

        self.browser.click("Delete second")
        self.assertEqual(self.names(), ["second"], "one tap deletes nothing")
        self.browser.click("Delete second")
        until(lambda: self.shown() == [], "the empty list")
        self.assertEqual(self.names(), [])

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
        field = self.browser.labelled("Name to save under")
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
            until(file.exists, "the JSON file")
            self.assertEqual(json.loads(file.read_text())["tracks"]["melody"]["notes"][0]["pitch"], 64)
            self.browser.labelled("Download as MIDI").click()
            file = pathlib.Path(folder) / "tune.mid"
            until(file.exists, "the MIDI file")
            self.assertEqual(file.read_bytes()[:4], b"MThd")


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
        menu = self.browser.labelled("Lens of bass")
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

    def test_what_others_change_is_shown(self):
        self.daemon.call("track.set", track="bass", pan=-0.5)
        until(lambda: self.strip('[aria-label="Pan"]').get_attribute("value") == "-0.5", "the pan")


class Settings(PageTestCase):
    def test_every_setting_reaches_the_daemon_and_back(self):
        self.browser.open_section("Settings")
        state = lambda: self.daemon.call("state.get")
        choices = ("Minor", "scale", "minor"), ("F#", "root", "F#"), ("Harmonic", "colors", "harmonic")
        for text, name, value in choices:
            choice = next(each for each in self.browser.all(".choices button") if each.text == text)
            choice.click()
            until(lambda: state()[name] == value, name)
            until(lambda: choice.get_attribute("aria-pressed") == "true", f"{name} to be shown")
        self.browser.labelled("Ghosts").click()
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

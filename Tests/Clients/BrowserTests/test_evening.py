"""The evening's tasks: a loop, a bass line, a sweep and a chain, taken home, by a visitor who sees only labels."""

import base64
import pathlib
import tempfile
import wave

from selenium.webdriver.support.ui import Select

from case import PageTestCase
from stage import is_downloaded, until
from test_tasks import Stranger

PATTERN = {"version": 1, "name": "Night Bus", "tracks": {}}
HOUSE = {"Kick": (1, 5, 9, 13), "Clap": (5, 13), "Closed hat": (3, 5, 7, 11, 15)}
KEYS = {"Kick": 36, "Clap": 39, "Closed hat": 42}
ROWS = (-24, -8, 8, 24)  # semitones that the bass's four rows stand for


def column_of(step):
    return 3 + step + (step - 1) // 8


class Evening:
    def setUp(self):
        self.browser_of().renew_tab()
        super().setUp()
        self.daemon.call("pattern.set", pattern=PATTERN)
        self.daemon.call("tempo.set", bpm=120)
        self.daemon.call("scene.launch", scene=1)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.browser.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": self.folder.name})
        self.stranger = Stranger(self.browser)
        self.tap = self.stranger.tap_on

    def tearDown(self):
        self.daemon.call("transport.record", on=False)
        self.daemon.call("transport.stop")
        self.daemon.call("lens.set", track="bass")
        self.daemon.call("slot.cancel")
        self.daemon.call("scene.launch", scene=1)
        super().tearDown()

    def state(self):
        return self.daemon.call("state.get")

    def test_the_evening(self):
        for act in (self.write_a_house_loop, self.record_a_bass_line, self.draw_a_sweep, self.chain_two_scenes,
                    self.take_it_home):
            before = self.stranger.touches
            act()
            print(f"{act.__name__.replace('_', ' ')}: {self.stranger.touches - before} touches", end="; ", flush=True)

    def write_a_house_loop(self):
        self.tap("Drums")
        wanted = sorted((step, drum) for drum, steps in HOUSE.items() for step in steps)
        until(lambda: self.stranger.sees("Kick, step 1"), "the steps")
        for step, drum in wanted:
            cell = f"{drum}, step {step}"
            if not self.stranger.sees(cell):
                self.tap("Later steps")
            self.tap(cell)
        expected = sorted((column_of(step), KEYS[drum]) for step, drum in wanted)
        until(lambda: [(column, key) for column, key, _ in self.daemon.notes("rhythm")] == expected, "the house loop")

    def record_a_bass_line(self):
        self.tap("Keys")
        self.tap("Bass")
        self.tap("REC")
        self.tap("Play (Space)")
        until(lambda: self.state()["transport"]["state"] == "playing", "the music")
        for count, name in enumerate(("C, root", "E", "G"), start=1):
            step = self.state()["transport"]["step"]
            until(lambda: self.state()["transport"]["step"] not in (step, step + 1), "another step")
            self.tap(name)
            until(lambda: len(self.daemon.notes("bass")) == count, f"{name} in the pattern")
        self.tap("REC")
        until(lambda: not self.state()["transport"]["record"], "the end of recording")
        self.assertEqual(sorted(key for _, key, _ in self.daemon.notes("bass")), [36, 40, 43])

    def draw_a_sweep(self):
        self.tap("Grid")
        steps = self.bass_steps()
        self.tap("Library, mixer, settings")
        self.tap("Mixer")
        menu = until(lambda: self.browser.all('[aria-label="Lens on bass"]'), "the menu")[0]
        Select(menu).select_by_visible_text("Tone")  # The browser's own menu takes no fingers of the debugger.
        until(lambda: self.state()["lenses"] == {"bass": "tone"}, "the lens")
        self.tap("Close (Escape)")
        # From low to high, steeper and steeper.
        parts = [part / 60 for part in range(61)]
        self.stranger.drag([self.place(steps, 0.02 + 0.9 * part, part ** 2) for part in parts])
        points = until(lambda: self.daemon.call("motion.get", track="bass").get("tone"), "the sweep")
        values = [value for _, value in points]
        self.assertEqual(values, sorted(values), "it rises")
        self.assertLess(values[0], -18)
        self.assertGreater(values[-1], 12)
        self.assertLess(len(points), 12, "a few points")
        between = [value for value in values if min(abs(value - row) for row in ROWS) > 1]
        self.assertGreater(len(between), 1, f"values between the rows: {points}")
        self.tap("Close the lens on bass: tone")
        until(lambda: not self.state()["lenses"], "the notes")

    def place(self, steps, along, height):
        """A place on steps: along them, and how high from the lowest row to the highest."""
        left, top, right, bottom = steps
        if self.is_turned:
            return left + (0.1 + 0.8 * height) * (right - left), top + along * (bottom - top)
        return left + along * (right - left), bottom - (0.1 + 0.8 * height) * (bottom - top)

    def chain_two_scenes(self):
        self.tap("Library, mixer, settings")
        self.tap("Scenes")
        self.tap("Copy")
        self.tap("Scene 1, playing")
        self.tap("Scene 2, empty")
        until(lambda: all(2 in self.state()["slots"][track]["filled"] for track in ("bass", "rhythm")), "the copy")
        self.tap("Chain")
        self.tap("Scene 1, playing")
        self.tap("Scene 2")
        self.tap("Play the chain")
        until(lambda: self.state()["scenes"]["chain"], "the chain")

    def take_it_home(self):
        self.tap("Library")
        self.tap("Export as MIDI")
        self.tap("The chain")
        midi = pathlib.Path(self.folder.name) / "Night Bus chain.mid"
        until(lambda: is_downloaded(midi), "the MIDI file")
        self.assertEqual(midi.read_bytes(), base64.b64decode(self.daemon.call("export.midi", chain=True)["data"]))
        self.tap("Close (Escape)")
        self.tap("Record the sound")
        until(lambda: self.stranger.sees("0:04"), "four seconds, of which the loop takes two")
        self.tap("Stop recording, and download it")
        sound = pathlib.Path(self.folder.name) / "Night Bus.wav"
        until(lambda: is_downloaded(sound), "the WAV file")
        with wave.open(str(sound)) as file:
            self.assertGreater(file.getnframes(), 3 * file.getframerate())
            self.assertGreater(len(set(file.readframes(file.getnframes()))), 100, "music")


class OnALaptop(Evening, PageTestCase):
    size, scale, is_turned = (1440, 810), 1, False

    def bass_steps(self):
        """Beside the name, whose height is that of four rows."""
        until(lambda: self.stranger.sees("Bass"), "the name")
        _, top, right, bottom = self.stranger.memory["Bass"]
        cell = (bottom - top) / 4
        return [right + 4 * cell, top, right + 39 * cell, bottom]


class OnAPhone(Evening, PageTestCase):
    size, scale, is_turned = (390, 844), 3, True

    def setUp(self):
        super().setUp()
        self.browser.run("localStorage['pixelboop.focus'] = 'true'; location.reload()")
        self.browser.wait_live()

    def bass_steps(self):
        """One track fills the display between the bar and the tracks' names."""
        self.tap("Bass")
        bar = self.stranger.memory["Drums"]
        width, height = self.browser.run("return [innerWidth, innerHeight]")
        return [0.42 * width, bar[3] + 0.14 * (height - bar[3]), 0.7 * width, 0.84 * height]

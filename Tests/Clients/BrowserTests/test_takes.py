"""Takes: the library's list of them, recordings and exports that are rendered from them."""

import atexit
import functools
import json
import pathlib
import signal
import tempfile
import unittest
import wave
import zipfile

from selenium.webdriver.common.keys import Keys

from case import shared_browser
from pretended import OPENRPC, PretendedDaemon
from stage import Stage, is_downloaded, until

DEMO = json.loads((pathlib.Path(__file__).parents[3] / "config/demo.json").read_text())
SIZES = ((390, 844), (844, 390), (1024, 768), (1366, 768), (2560, 1440))
STEMS = ["melody", "chords", "bass", "rhythm", "reverb", "delay", "mix"]
UNDO_TIME = 10_000  # ms
PATIENCE = 120.0  # s for a render, which gets only what others leave of the processor


def play(stage, seconds):
    """Plays until the take is so long."""
    stage.daemon.call("transport.play")
    until(lambda: takes(stage) and takes(stage)[0]["current"] and takes(stage)[0]["seconds"] > seconds, "the take")
    stage.daemon.call("transport.stop")


def takes(stage):
    return stage.daemon.call("take.list")["takes"]


def end_take(stage):
    """Ends the take with the daemon, which would otherwise need half a minute of silence."""
    stage.kill("process")
    stage.daemon.close()
    stage.start_daemon()
    until(lambda: stage.daemon.call("state.get")["audio"]["status"] == "running", "the driver")


@functools.cache
def stage_with_takes():
    """A daemon with a take that has ended, and one that goes on."""
    stage = Stage(driver="internal")
    atexit.register(stage.stop)
    stage.start()
    stage.daemon.call("pattern.set", pattern=DEMO)
    play(stage, 2)
    end_take(stage)
    return stage


class TakesTestCase(unittest.TestCase):
    stage_of = staticmethod(stage_with_takes)

    def setUp(self):
        self.stage = self.stage_of()
        self.browser = shared_browser()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.browser.driver.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder.name})
        self.browser.open_live(self.stage.address)

    def tearDown(self):
        complaints = self.browser.complaints()
        self.browser.leave()
        self.assertEqual(complaints, [])

    @property
    def daemon(self):
        return self.stage.daemon

    def open_takes(self):
        self.browser.open_section("Library")
        next(each for each in self.browser.all("#section .choices button") if each.text == "Takes").click()

    def rows(self):
        """The texts of all rows: title and details."""
        return self.browser.run("""
            return [...document.querySelectorAll(".takes li")].map((row) =>
              [...row.querySelectorAll("strong, small")].map((each) => each.textContent))""")

    def downloaded(self, name):
        file = self.folder / name
        errors = lambda: self.browser.run("return document.querySelector('.notice:not(.done)')?.textContent")
        until(lambda: is_downloaded(file) or errors(), name, PATIENCE)
        self.assertTrue(file.exists(), errors())
        return file


class List(TakesTestCase):
    def setUp(self):
        super().setUp()
        if not takes(self.stage)[0]["current"]:
            play(self.stage, 1)
        self.latest, self.ended = [take["number"] for take in takes(self.stage)][:2]
        self.open_takes()
        until(lambda: len(self.rows()) >= 2, "the takes")

    def test_the_newest_comes_first_and_the_current_one_is_now(self):
        shown = self.rows()
        self.assertEqual([title for title, _ in shown],
                         [f"{take['number']} · {take['pattern']}" if take["pattern"] else f"Take {take['number']}"
                          for take in takes(self.stage)])
        self.assertTrue(shown[0][1].startswith("now · "))
        self.assertNotIn("now", shown[1][1])
        self.assertRegex(shown[1][1], r"· 0:0\d$")

    def test_the_date_is_in_the_readers_language_and_time_zone(self):
        driver = self.browser.driver
        driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Kolkata"})
        driver.execute_cdp_cmd("Emulation.setLocaleOverride", {"locale": "de-DE"})
        self.addCleanup(driver.execute_cdp_cmd, "Emulation.setTimezoneOverride", {"timezoneId": ""})
        self.addCleanup(driver.execute_cdp_cmd, "Emulation.setLocaleOverride", {})
        driver.refresh()
        self.browser.wait_live()
        until(lambda: self.browser.find("open-sheet").is_enabled(), "what the daemon can do")
        self.open_takes()
        until(self.rows, "the takes")
        expected = self.browser.run("""
            return new Date(arguments[0]).toLocaleString("de-DE",
              { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Kolkata" })""", takes(self.stage)[0]["began"])
        self.assertIn(expected, self.rows()[0][1])

    def test_a_star_is_set_by_key_and_keeps_the_focus(self):
        starred = lambda: {take["number"]: take["starred"] for take in takes(self.stage)}[self.ended]
        label = f"Star take {self.ended}"
        for is_on in (True, False):
            self.browser.run("document.querySelector(`[aria-label='${arguments[0]}']`).focus({ focusVisible: true })", label)
            self.browser.press(Keys.ENTER)
            until(lambda: starred() == is_on, "the star")
            until(lambda: self.browser.run("""
                const { title, ariaPressed } = document.activeElement;
                return title === arguments[0] && ariaPressed === arguments[1]""", label, str(is_on).lower()), "its picture")

    def test_what_was_deleted_is_kept_by_undo(self):
        self.browser.click(f"Delete take {self.ended}")
        until(lambda: self.browser.all(".takes .deleted"), "the row that says so")
        self.browser.click(f"Undo deleting Take {self.ended}")
        until(lambda: not self.browser.all(".takes .deleted"), "the row as it was")
        self.assertIn(self.ended, [take["number"] for take in takes(self.stage)])

    def test_without_undo_it_is_deleted_even_if_the_sheet_is_closed(self):
        end_take(self.stage)
        until(lambda: "live" in self.browser.body_classes(), "the picture")
        until(lambda: not takes(self.stage)[0]["current"], "the take's end")
        number = takes(self.stage)[0]["number"]
        self.open_takes()
        self.browser.run(f"const real = setTimeout; window.setTimeout = (act, ms) => real(act, ms === {UNDO_TIME} ? 800 : ms)")
        until(lambda: self.browser.can_use(f"Delete take {number}"), "its button")
        self.browser.click(f"Delete take {number}")
        self.browser.find("close-sheet").click()
        until(lambda: number not in [take["number"] for take in takes(self.stage)], "the shorter list")
        self.browser.complaints()

    def test_the_current_take_cannot_be_deleted(self):
        button = self.browser.labelled(f"Delete take {self.latest}: not while it goes on")
        self.assertFalse(button.is_enabled())

    def test_a_take_that_begins_appears_by_itself(self):
        end_take(self.stage)
        until(lambda: "live" in self.browser.body_classes(), "the picture")
        count = len(takes(self.stage))
        play(self.stage, 1)
        until(lambda: len(self.rows()) == count + 1, "the new take")
        self.browser.complaints()

    def press_play(self):
        """Clicks the row, even while the list is being rebuilt."""
        self.browser.run("""
            [...document.querySelectorAll(".takes .load")].find(({ title }) => title.startsWith(arguments[0])).click()""",
            f"Play take {self.ended},")

    def test_it_is_heard_again_and_paused_by_the_same_button_and_with_the_sheet(self):
        length = next(take["seconds"] for take in takes(self.stage) if take["number"] == self.ended)
        self.press_play()
        audio = lambda what: self.browser.run(f"return document.querySelector('.takes audio')?.{what}")
        until(lambda: audio("duration"), "the sound", PATIENCE)
        self.assertAlmostEqual(audio("duration"), length, delta=0.1)
        until(lambda: audio("currentTime") > 0, "the music")
        self.press_play()
        until(lambda: audio("paused"), "the pause")
        self.press_play()
        until(lambda: not audio("paused"), "the music again")
        self.browser.find("close-sheet").click()
        self.assertTrue(audio("paused"), "nobody would find where to stop it")
        self.assertEqual(audio("getAttribute('aria-label')"), f"Take {self.ended}")

    def test_rendering_is_shown_and_cancelled(self):
        self.stage.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.stage.process.send_signal, signal.SIGCONT)
        self.press_play()
        self.assertTrue(self.browser.labelled(f"Rendering take {self.ended}").is_displayed())
        self.browser.click(f"Cancel rendering take {self.ended}")
        self.stage.process.send_signal(signal.SIGCONT)
        until(lambda: not self.browser.all("progress"), "the row as it was")
        self.daemon.call("ping")
        self.assertEqual(self.browser.all(".takes audio"), [])
        self.assertEqual(self.browser.text("notices"), "")

    def test_downloads(self):
        name = f"{DEMO['name']} take {self.ended}"
        length = next(take["seconds"] for take in takes(self.stage) if take["number"] == self.ended)
        for choice, ending in (("WAV", "wav"), ("FLAC", "flac"), ("Stems", "zip"), ("MIDI", "mid")):
            if not self.browser.all(".takes .scene-choice"):
                self.browser.click(f"Download take {self.ended}")
            next(each for each in self.browser.all(".takes .scene-choice button") if each.text == choice).click()
            file = self.downloaded(f"{name}.{ending}")
            if choice == "WAV":
                with wave.open(str(file)) as sound:
                    self.assertEqual((sound.getnchannels(), sound.getsampwidth()), (2, 3))
                    self.assertAlmostEqual(sound.getnframes() / sound.getframerate(), length, delta=0.1)
                    self.assertGreater(len(set(sound.readframes(48000))), 100, "music")
            elif choice == "Stems":
                with zipfile.ZipFile(file) as stems:
                    self.assertIsNone(stems.testzip())
                    self.assertEqual(sorted(stems.namelist()), sorted(f"{name} {stem}.wav" for stem in STEMS))
                    self.assertEqual(stems.read(f"{name} bass.wav")[:4], b"RIFF")
            else:
                self.assertEqual(file.read_bytes()[:4], {"FLAC": b"fLaC", "MIDI": b"MThd"}[choice])

    def test_nothing_overlaps_and_all_can_be_touched(self):
        self.press_play()
        until(lambda: self.browser.all(".takes audio"), "the player", PATIENCE)
        self.browser.click(f"Download take {self.ended}")
        for size in SIZES:
            with self.subTest(size=size):
                self.browser.resize(*size)
                boxes = self.browser.run("""
                    const section = document.getElementById("section");
                    const seen = [...section.querySelectorAll("button, audio")].filter((each) => each.checkVisibility());
                    return [section.scrollWidth <= section.clientWidth, seen.map((each) => {
                      const { left, top, right, bottom } = each.getBoundingClientRect();
                      const isCut = [...each.querySelectorAll("strong")].some((text) => text.scrollHeight > text.clientHeight + 1);
                      return [each.title || each.textContent || each.localName, left, top, right, bottom, isCut];
                    })];""")
                self.assertTrue(boxes[0], "nothing is wider than the sheet")
                for index, (name, left, top, right, bottom, is_cut) in enumerate(boxes[1]):
                    self.assertGreaterEqual(min(right - left, bottom - top), 43.9, name)
                    self.assertFalse(is_cut, name)
                    for other, *box in boxes[1][index + 1:]:
                        apart = box[0] >= right - 0.5 or box[2] <= left + 0.5 or box[1] >= bottom - 0.5 or box[3] <= top + 0.5
                        self.assertTrue(apart, f"{name} lies over {other}")

    def test_the_library_opens_as_it_was_left(self):
        self.browser.find("close-sheet").click()
        self.browser.find("open-sheet").click()
        until(self.rows, "the takes")
        next(each for each in self.browser.all("#section .choices button") if each.text == "Patterns").click()
        self.assertTrue(self.browser.labelled("Save as").is_displayed())


class Recorded(TakesTestCase):
    """Record, in the bar."""

    def setUp(self):
        super().setUp()
        end_take(self.stage)
        until(lambda: "live" in self.browser.body_classes(), "the picture")
        self.browser.open_live(self.stage.address)
        self.browser.complaints()

    def record(self, seconds):
        """Taps Record, waits, and taps it again."""
        button = self.browser.find("take")
        button.click()
        self.assertEqual(button.get_attribute("aria-pressed"), "true")
        until(lambda: self.browser.text("take-time") == f"0:0{seconds}", "the time")
        button.click()

    def file(self):
        with wave.open(str(self.downloaded(f"{DEMO['name']}.wav"))) as sound:
            self.assertEqual((sound.getnchannels(), sound.getsampwidth()), (2, 3))
            return sound.getnframes() / sound.getframerate(), sound.readframes(sound.getnframes())

    def test_a_part_of_a_take_is_a_wav_file_with_24_bits(self):
        self.daemon.call("transport.play")
        until(lambda: takes(self.stage)[0]["current"] and takes(self.stage)[0]["seconds"] > 3, "some music before it")
        self.record(2)
        length, samples = self.file()
        self.daemon.call("transport.stop")
        self.assertTrue(2 <= length <= 4.5, f"{length} s")
        self.assertGreater(len(set(samples[:48000 * 3])), 100, "music from the beginning on")
        self.assertNotEqual(self.browser.find("listen").get_attribute("aria-pressed"), "true")
        until(lambda: self.browser.find("take").get_attribute("aria-label") == "Record the sound", "its rest")

    def test_silence_before_the_music_is_left_out(self):
        button = self.browser.find("take")
        button.click()
        until(lambda: self.browser.text("take-time") == "0:03", "some silence")
        self.daemon.call("transport.play")
        until(lambda: takes(self.stage)[0]["current"] and takes(self.stage)[0]["seconds"] > 1, "some music")
        button.click()
        length, samples = self.file()
        self.daemon.call("transport.stop")
        self.assertTrue(1 <= length <= 3, f"{length} s")
        self.assertNotEqual(set(samples[:48000]), {0})

    def test_two_takes_are_two_files(self):
        self.daemon.call("transport.play")
        until(lambda: takes(self.stage)[0]["current"], "a take")
        self.browser.find("take").click()
        until(lambda: self.browser.text("take-time") == "0:02", "the time")
        end_take(self.stage)
        play(self.stage, 1)
        until(lambda: "live" in self.browser.body_classes(), "the picture")
        self.browser.find("take").click()
        with zipfile.ZipFile(self.downloaded(f"{DEMO['name']}.zip")) as files:
            self.assertEqual(files.namelist(), [f"{DEMO['name']} {number}.wav" for number in (1, 2)])
        self.browser.complaints()

    def test_without_sound_it_says_so(self):
        self.record(1)
        until(lambda: "no sound" in self.browser.text("notices"), "the word")
        self.assertEqual(list(self.folder.iterdir()), [])


class Exports(TakesTestCase):
    def export(self, kind, choice):
        self.browser.open_section("Library")
        self.browser.labelled(f"Export as {kind}").click()
        next(each for each in self.browser.all(".scene-choice button") if each.text == choice).click()

    def test_what_plays_is_a_wav_file(self):
        self.export("WAV", "What is playing")
        data = self.downloaded(f"{DEMO['name']}.wav").read_bytes()
        self.assertEqual((data[:4], data[8:12]), (b"RIFF", b"WAVE"))
        self.assertGreater(len(set(data[4000:200_000])), 100, "music")
        until(lambda: not self.browser.all(".scene-choice"), "the question to go")

    def test_a_scene_is_exported_as_stems(self):
        self.export("Stems", "Scene 1")
        with zipfile.ZipFile(self.downloaded(f"{DEMO['name']} scene 1.zip")) as stems:
            self.assertIsNone(stems.testzip())
            self.assertEqual(len(stems.namelist()), len(STEMS))

    def test_one_question_at_a_time(self):
        self.browser.open_section("Library")
        asked = lambda: [each.text for each in self.browser.all(".scene-choice .label")]
        for kind, words in (("WAV", ["Export as WAV"]), ("MIDI", ["Export as MIDI"]), ("MIDI", [])):
            self.browser.labelled(f"Export as {kind}").click()
            self.assertEqual(asked(), words)

    def test_rendering_is_shown_and_cancelled(self):
        self.browser.open_section("Library")
        self.browser.labelled("Export as WAV").click()
        choice = next(each for each in self.browser.all(".scene-choice button") if each.text == "What is playing")
        self.stage.process.send_signal(signal.SIGSTOP)
        self.addCleanup(self.stage.process.send_signal, signal.SIGCONT)
        choice.click()
        self.assertTrue(self.browser.all("progress")[0].is_displayed())
        self.browser.all(".rendering button")[0].click()
        self.stage.process.send_signal(signal.SIGCONT)
        until(lambda: not self.browser.all("progress"), "the question to go")
        self.assertEqual(list(self.folder.iterdir()), [])


class WithoutTakes(unittest.TestCase):
    """What the list says while it is empty."""

    def shown(self, *options):
        stage = Stage(driver="internal", options=options)
        self.addCleanup(stage.stop)
        stage.start()
        browser = shared_browser()
        browser.open_live(stage.address)
        browser.open_section("Library")
        next(each for each in browser.all("#section .choices button") if each.text == "Takes").click()
        hint = lambda: browser.run("return document.querySelector('#section .hint')?.textContent")
        until(lambda: hint() != "Loading…", "the list")
        text = hint()
        self.assertEqual(browser.complaints(), [])
        browser.leave()
        return text

    def test_before_anything_was_played(self):
        self.assertIn("whatever you play is kept here by itself", self.shown())

    def test_while_they_are_switched_off(self):
        self.assertIn("switched off", self.shown("--takes-keep", 0))


class Pretended(unittest.TestCase):
    """What a disk that is full or slow would lead to."""

    def setUp(self):
        self.stage = Stage()
        self.addCleanup(self.stage.stop)
        self.daemon = PretendedDaemon(self.stage.socket_path)
        self.addCleanup(self.daemon.close)
        self.daemon.description = {**OPENRPC, "methods": [*OPENRPC["methods"], {"name": "take.list", "params": []}]}
        self.stage.start_gateway()
        self.browser = shared_browser()

    def tearDown(self):
        complaints = self.browser.complaints()
        self.browser.leave()
        self.assertEqual(complaints, [])

    def open_takes(self):
        self.browser.open_live(self.stage.address)
        self.browser.open_section("Library")
        next(each for each in self.browser.all("#section .choices button") if each.text == "Takes").click()

    def hint(self):
        return self.browser.run("return document.querySelector('#section .hint').textContent")

    def test_why_nothing_is_kept_and_what_is_there(self):
        take = {"number": 7, "began": "2026-11-29T03:10:22Z", "seconds": 3782, "pattern": "Night Bus", "starred": False,
                "exact": False, "inexactFrom": 61, "current": False, "sketch": False, "rate": 48000, "size": 40960}
        self.daemon.takes = {"takes": [take], "status": "stopped", "reason": "the disk is full"}
        self.open_takes()
        until(lambda: self.hint().endswith(": the disk is full"), "the reason")
        text = self.browser.run("return document.querySelector('.takes small').textContent")
        self.assertTrue(text.endswith(" · 1:03:02 · not exact from 1:01"), text)

    def test_a_list_that_cannot_be_read_says_why(self):
        self.daemon.refusals["take.list"] = "the takes cannot be used"
        self.open_takes()
        until(lambda: self.hint().endswith(": the takes cannot be used"), "the reason")

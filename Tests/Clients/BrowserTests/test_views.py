"""Keys and Drums: what fingers, the computer's keyboard and a screen reader do there."""

from selenium.webdriver.common.keys import Keys as K

from case import PageTestCase, shared_browser, shared_stage
from stage import until

DISPLAYS = ((390, 844), (844, 390), (1024, 768), (1366, 768), (2560, 1440))

# Remembers what the page sends about keys and notes.
SPY = """
window.sent = [];
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (line) {
  const { method, params } = JSON.parse(line);
  if (/^(keys|note|ping)/.test(method)) sent.push([method, params]);
  send.call(this, line);
};
"""

# What is visible, can be pressed, and overlaps something else that can, or is cut off by the display.
OVERLAPS = """
const pressed = [...document.querySelectorAll("button, input, .hint, #words")].filter((each) =>
  each.checkVisibility({ visibilityProperty: true }) && !each.closest("dialog, #guide"));
const boxes = pressed.map((each) => each.getBoundingClientRect());
const nameOf = (each) => each.getAttribute("aria-label") || each.textContent || each.id;
const wrong = [];
boxes.forEach((one, i) => {
  if (!one.width || pressed[i].closest("#section")) return;
  if (one.left < -1 || one.top < -1 || one.right > innerWidth + 1 || one.bottom > innerHeight + 1) wrong.push(nameOf(pressed[i]));
  boxes.slice(i + 1).forEach((other, j) => {
    const each = pressed[i + 1 + j];
    if (!other.width || pressed[i].contains(each) || each.closest("#sheet") && !pressed[i].closest("#sheet")) return;
    if (each.closest("#section")) return;
    if (other.left < one.right - 1 && one.left < other.right - 1 && other.top < one.bottom - 1 && one.top < other.bottom - 1) {
      wrong.push(`${nameOf(pressed[i])} and ${nameOf(each)}`);
    }
  });
});
return wrong;
"""


def has_keys():
    methods = shared_stage().daemon.call("rpc.discover")["methods"]
    return any(method["name"] == "keys.press" for method in methods)


class Views(PageTestCase):
    view = "keys"

    def setUp(self):
        shared_browser().renew_tab()
        super().setUp()
        self.daemon.call("root.set", root="C")
        self.daemon.call("scale.set", scale="major")
        self.browser.run(SPY)
        self.choose(self.view.title())

    def choose(self, name):
        self.browser.find("views")
        next(each for each in self.browser.all(".view-tab") if each.text == name).click()
        self.browser.run("document.activeElement.blur()")

    def choose_track(self, name):
        next(each for each in self.browser.all("#view .track-tab") if each.text == name).click()

    def sent(self, *methods):
        return [params for method, params in self.browser.run("return sent") if method in methods]

    def middle(self, label):
        return self.browser.run("""
            const { left, top, width, height } = arguments[0].getBoundingClientRect();
            return [left + width / 2, top + height / 2];""", self.browser.labelled(label))

    def touch(self, *labels):
        self.browser.dispatch_touch("touchStart", *enumerate(map(self.middle, labels)))

    def state(self):
        return self.daemon.call("state.get")

    def labels(self, selector):
        return self.browser.run("return [...document.querySelectorAll(arguments[0])].map((each) => each.getAttribute('aria-label'))",
                                selector)


class KeysView(Views):
    def setUp(self):
        if not has_keys():
            self.skipTest("the daemon has no keys.press")
        super().setUp()
        self.choose_track("Melody")

    def pressed(self):
        return [(each["note"], each["velocity"]) for each in self.sent("keys.press")]

    def released(self):
        return [each["note"] for each in self.sent("keys.release")]

    def test_the_pads_are_the_notes_of_the_key(self):
        self.assertEqual(self.labels(".key-pad"), ["C, root", "D", "E", "F", "G", "A", "B"])
        self.daemon.call("root.set", root="G")
        until(lambda: self.labels(".key-pad") == ["C", "D", "E", "F sharp", "G, root", "A", "B"], "the new key")
        self.choose_track("Rhythm")
        until(lambda: len(self.labels(".key-pad")) == 12, "the drums")
        self.assertIn("Closed hat", self.labels(".key-pad"))

    def test_five_fingers_hold_five_keys(self):
        self.touch("C, root", "D", "E", "F", "G")
        until(lambda: sorted(self.pressed()) == [(note, 64) for note in (0, 2, 4, 5, 7)], "five keys")
        until(lambda: len(self.browser.all(".key-pad[aria-pressed=true]")) == 5, "five pads that are lit")
        until(lambda: len(self.sent("ping")) > 2, "the page to be heard of while it holds keys")
        self.browser.dispatch_touch("touchEnd")
        until(lambda: sorted(self.released()) == [0, 2, 4, 5, 7], "their release")
        self.assertEqual(self.browser.all(".key-pad[aria-pressed=true]"), [])

    def test_a_finger_slides_from_pad_to_pad(self):
        self.touch("C, root")
        self.browser.dispatch_touch("touchMove", (0, self.middle("D")))
        until(lambda: self.pressed() == [(0, 64), (2, 64)] and self.released() == [0], "the next key")
        self.browser.dispatch_touch("touchEnd")
        until(lambda: self.released() == [0, 2], "its release")

    def test_the_computers_keyboard_plays_with_shift_for_accents(self):
        self.browser.press("a")
        self.browser.press(K.SHIFT, "j")
        until(lambda: self.pressed() == [(0, 64), (11, 112)], "two keys")
        until(lambda: self.released() == [0, 11], "their release")
        self.browser.run("""for (const repeat of [false, true, true]) document.body.dispatchEvent(
            new KeyboardEvent("keydown", { code: "KeyF", key: "u", repeat, bubbles: true }))""")
        self.assertEqual(self.pressed()[2:], [(5, 64)], "the system's repeat is ignored, and letters do not matter")

    def test_the_rows_play_and_other_keys_keep_their_meaning(self):
        self.choose_track("Rhythm")
        self.browser.press("r")
        self.browser.press("f")
        until(lambda: [note for note, _ in self.pressed()] == [9, 3], "crash and snare")
        self.assertFalse(self.state()["transport"]["record"])
        self.browser.press("2")
        until(lambda: self.state()["slots"]["bass"]["playing"] == 2, "the scene")
        self.daemon.call("scene.launch", scene=1)
        self.browser.press("?")
        self.assertTrue(self.browser.find("help").get_attribute("open"))
        self.browser.press("?")

    def test_without_single_letter_keys_the_rows_are_silent(self):
        self.browser.run("localStorage['pixelboop.letterKeys'] = 'false'")
        self.browser.press("a")
        self.browser.press(K.SPACE)
        until(lambda: self.state()["transport"]["state"] == "playing", "Space")
        self.assertEqual(self.pressed(), [])

    def test_an_unfocused_page_releases_its_keys(self):
        self.browser.hold("a")
        until(lambda: self.pressed() == [(0, 64)], "the key")
        self.browser.run("window.dispatchEvent(new Event('blur'))")
        until(lambda: self.released() == [0], "its release")
        self.browser.release("a")

    def test_what_is_played_is_recorded(self):
        rec = self.browser.all(".rec")[0]
        rec.click()
        until(lambda: rec.get_attribute("aria-pressed") == "true", "REC")
        self.daemon.call("transport.play")
        until(lambda: self.state()["transport"]["state"] == "playing", "the music")
        self.browser.press("g")
        until(lambda: [pitch for _, pitch, _ in self.daemon.notes("melody")] == [67], "the note G")
        self.daemon.call("transport.record", on=False)

    def test_a_sound_that_is_chosen_while_the_music_stands_is_heard(self):
        self.browser.open_section("Sounds")
        preset = next(each for each in self.browser.all("#section button") if each.text == "Reed")
        preset.click()
        until(lambda: self.pressed() == [(0, 64)], "the root")
        until(lambda: self.released() == [0], "its end")
        kit = next(each for each in self.browser.all("#section button") if each.text == "909")
        kit.click()
        until(lambda: self.pressed()[1:] == [(3, 64)], "the snare")
        self.daemon.call("transport.play")
        until(lambda: self.browser.all('[aria-label="Stop (Space)"]'), "the music")
        next(each for each in self.browser.all("#section button") if each.text == "Sine").click()
        until(lambda: self.state()["tracks"]["melody"]["preset"] == "Sine", "the preset")
        self.assertEqual(len(self.pressed()), 2, "the music plays it")
        self.daemon.call("track.set", track="rhythm", kit="Classic")


class DrumsView(Views):
    view = "drums"

    def notes(self):
        return self.daemon.notes("rhythm")

    def press(self, label):
        self.touch(label)
        self.browser.dispatch_touch("touchEnd")

    def test_clap_and_hat_share_a_step(self):
        self.press("Clap, step 5, off")
        self.press("Closed hat, step 5, off")
        until(lambda: self.notes() == [(8, 39, "normal"), (8, 42, "normal")], "both")
        self.browser.labelled("Clap, step 5, on")
        self.press("Clap, step 5, on")
        until(lambda: self.notes() == [(8, 42, "normal")], "the hat alone")

    def test_a_held_cell_is_an_accent(self):
        self.touch("Kick, step 1, off")
        until(lambda: self.notes() == [(4, 36, "accent")], "the accent")
        self.browser.dispatch_touch("touchEnd")
        until(lambda: self.browser.labelled("Kick, step 1, accent"), "its name")

    def test_others_notes_are_shown(self):
        self.daemon.call("note.set", track="rhythm", step=30, note=11, velocity="accent")
        until(lambda: "Cowbell, step 31, accent" in self.labels(".step"), "the cowbell")
        self.daemon.call("slot.launch", track="rhythm", slot=2)
        until(lambda: "Cowbell, step 31, off" in self.labels(".step"), "the other slot")
        self.daemon.call("slot.launch", track="rhythm", slot=1)

    def test_arrows_move_and_enter_sets(self):
        self.browser.run("document.querySelector('.step[tabindex=\"0\"]').focus()")
        first = self.browser.run("return document.activeElement.getAttribute('aria-label')")
        self.assertEqual(first, "Kick, step 1, off")
        for key in (K.ARROW_UP, K.ARROW_RIGHT, K.ARROW_RIGHT):
            self.browser.press(key)
        self.assertEqual(self.browser.run("return document.activeElement.getAttribute('aria-label')"), "Kick 2, step 3, off")
        self.browser.press(K.ENTER)
        until(lambda: self.notes() == [(6, 35, "normal")], "the note")
        self.assertEqual(self.browser.run("return document.activeElement.getAttribute('aria-label')"), "Kick 2, step 3, on")
        self.browser.press(K.ENTER)
        until(lambda: not self.notes(), "nothing")

    def test_a_short_slot_has_its_own_steps(self):
        self.daemon.call("slot.set", track="rhythm", length=12)
        until(lambda: len(self.browser.all(".step")) == 12 * 12, "12 steps")
        self.daemon.call("slot.set", track="rhythm", length=0)
        until(lambda: len(self.browser.all(".step")) == 12 * 32, "32 steps")

    def test_on_a_phone_steps_are_turned_over(self):
        self.browser.resize(390, 844)
        until(lambda: len(self.browser.all(".step")) == 12 * 8, "8 steps")
        self.browser.labelled("Later steps").click()
        self.press("Snare, step 9, off")
        until(lambda: self.notes() == [(13, 38, "normal")], "the note")

    def test_pitched_tracks_have_twelve_rows_and_outside_the_key_only_removal(self):
        self.choose_track("Bass")
        until(lambda: "C sharp, step 1, off, outside the key" in self.labels(".step"), "the rows of the bass")
        self.press("C sharp, step 1, off, outside the key")
        self.press("D, step 1, off")
        until(lambda: self.daemon.notes("bass") == [(4, 38, "normal")], "the note in the key alone")
        self.daemon.call("root.set", root="C#")
        self.daemon.call("note.set", track="bass", step=1, note=1, velocity="normal")
        self.daemon.call("root.set", root="C")
        until(lambda: "C sharp, step 2, on, outside the key" in self.labels(".step"), "a note from before")
        self.press("C sharp, step 2, on, outside the key")
        until(lambda: self.daemon.notes("bass") == [(4, 38, "normal")], "its removal")

    def test_a_drum_is_muted(self):
        tracks = self.state()["tracks"]
        if "mutedDrums" not in tracks["rhythm"]:
            self.skipTest("the daemon has no mutedDrums")
        mute = self.browser.labelled("Mute clap")
        mute.click()
        until(lambda: len(self.state()["tracks"]["rhythm"]["mutedDrums"]) == 1, "the mute")
        until(lambda: mute.get_attribute("aria-pressed") == "true", "its look")
        self.press("Clap, step 1, off")
        self.press("Snare, step 1, off")
        opacity = lambda label: float(self.browser.labelled(label).value_of_css_property("opacity"))
        until(lambda: opacity("Clap, step 1, on") < 0.5 and opacity("Snare, step 1, on") == 1, "the clap's steps to be paler")
        mute.click()
        until(lambda: not self.state()["tracks"]["rhythm"]["mutedDrums"], "the clap")

    def test_a_chosen_drum_is_heard_while_the_music_stands(self):
        if not has_keys():
            self.skipTest("the daemon has no keys.press")
        self.browser.labelled("Play clap").click()
        until(lambda: [each["note"] for each in self.sent("keys.press")] == [6], "the clap")
        self.press("Kick, step 1, off")
        until(lambda: [each["note"] for each in self.sent("keys.press")] == [6, 0], "the kick")


class Displays(PageTestCase):
    def test_nothing_overlaps_in_any_view_of_any_display(self):
        self.daemon.call("lens.set", track="bass", lens="tone")
        self.addCleanup(self.daemon.call, "lens.set", track="bass")
        for size in DISPLAYS:
            self.browser.resize(*size)
            for view in self.browser.all(".view-tab"):
                if not view.is_displayed():
                    continue
                view.click()
                with self.subTest(size=size, view=view.text):
                    self.assertEqual(self.browser.run(OVERLAPS), [])
            for title in ("Library", "Mixer", "Scenes"):
                self.browser.open_section(title)
                with self.subTest(size=size, section=title):
                    self.assertEqual(self.browser.run(OVERLAPS), [])
            self.browser.find("close-sheet").click()

    def test_a_notice_is_taken_away_by_a_tap_that_writes_nothing(self):
        for size in ((390, 844), (1024, 768)):
            with self.subTest(size=size):
                self.browser.resize(*size)
                self.browser.find("health").click()
                notice = until(lambda: self.browser.all(".notice"), "the notice")[0]
                notice.click()
                until(lambda: not self.browser.all(".notice"), "its end")
                self.daemon.call("ping")
                self.assertEqual([self.daemon.notes(track) for track in ("melody", "chords", "bass", "rhythm")], [[]] * 4)

    def test_beside_the_mixer_a_tablets_cells_are_large_enough(self):
        self.browser.open_section("Mixer")
        until(lambda: self.browser.canvas()["pitch"] >= 16, "cells of 16 pixels")

    def test_lens_chips_are_at_the_tracks_of_every_view(self):
        self.daemon.call("lens.set", track="bass", lens="chance")
        self.choose_drums()
        chip = until(lambda: self.browser.all("#view .chip"), "the chip")[0]
        self.assertEqual(chip.text, "chance \u00d7")
        chip.click()
        until(lambda: not self.daemon.call("state.get")["lenses"], "the lens to be closed")

    def choose_drums(self):
        next(each for each in self.browser.all(".view-tab") if each.text == "Drums").click()


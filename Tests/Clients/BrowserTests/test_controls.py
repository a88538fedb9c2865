"""Controls and the bar, with a daemon that says and refuses what the test wants."""

import copy
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from case import shared_browser
from pretended import OPENRPC, PretendedDaemon, TRACKS
from stage import Stage, until

PITCHED = {"mute": False, "solo": False, "gain": 0, "pan": 0, "reverb": -18, "preset": "Pluck"}
DRUMS = {"mute": False, "solo": False, "gain": 0, "pan": 0, "reverb": -60, "kit": "909"}
STATE = {
    "tracks": {track: DRUMS if track == "rhythm" else PITCHED for track in TRACKS}, "reverb": {"time": 1.8},
    "transport": {"state": "playing", "step": 0, "record": False},
    "sync": {"source": "auto", "lead": ["jack"], "following": "jack", "bpm": 127.98},
    "slots": {track: {"playing": 3} for track in TRACKS},
}


def with_shapes(description):
    """A description of methods in which tracks have parameters that shape their sound."""
    result = copy.deepcopy(description)
    number = {"type": "number", "minimum": 0, "maximum": 1}
    schemas = {"drift": number, "filter": {**number, "minimum": -1}, "drive": number, "places": number,
               "lfoTo": {"type": "string", "enum": ["filter", "pan", "level"]}}
    params = next(each["params"] for each in result["methods"] if each["name"] == "track.set")
    params[:] = [each for each in params if each["name"] not in schemas]
    params += [{"name": name, "schema": schema} for name, schema in schemas.items()]
    return result


class PretendedTestCase(unittest.TestCase):
    state = STATE

    def setUp(self):
        self.stage = Stage()
        self.addCleanup(self.stage.stop)
        self.daemon = PretendedDaemon(self.stage.socket_path, self.state)
        self.addCleanup(self.daemon.close)
        self.stage.start_gateway()
        self.browser = shared_browser()
        self.browser.open_live(self.stage.address)
        self.addCleanup(self.browser.driver.get, "about:blank")

    def calls(self, name):
        return [params for called, params in self.daemon.calls if called == name]


class Controls(PretendedTestCase):
    def corner(self, name):
        """A slider's binding and its button."""
        field = next(each for each in self.browser.all('section[aria-label="Melody"] .field-slider')
                     if each.find_element("class name", "label").text == name)
        return field.find_element("class name", "bound"), field.find_element("class name", "learn")

    def test_a_slider_learns_the_controller_that_is_moved_next(self):
        self.browser.open_section("Mixer")
        bound, button = self.corner("Pan")
        self.assertFalse(button.is_displayed(), "nobody has asked to learn")
        self.browser.find("learn").click()
        to = {"method": "track.set", "params": {"track": "melody"}, "value": "pan"}
        learned = {"on": {"type": "cc", "channel": 3, "number": 21}, "to": to}
        for told, words in (({}, "Nothing received"), (learned, "cc 21, channel 3")):
            button.click()
            until(lambda: self.calls("midi.learn")[-1:] == [{"to": to}], "to be learned")
            self.assertIn({"topics": ["midi"]}, self.calls("subscribe"))
            self.assertEqual((bound.text, button.text), ("Move a knob\u2026", "Cancel"))
            self.daemon.tell("midi", {"port": "midi_in", "frame": 1, "usecs": 1, "bytes": [178, 21, 64]})
            self.daemon.tell("midi", {"learned": told})
            until(lambda: bound.text == words, words)
            self.assertEqual(button.text, "Learn")
            self.daemon.calls.clear()

    def lessons(self):
        """Of what the daemon was asked, what begins and ends lessons, in order."""
        return [name for name, params in self.daemon.calls
                if name == "midi.learn" or name == "unsubscribe" and params == {"topics": ["midi"]}]

    def test_a_second_lesson_cancels_the_first_and_nothing_else(self):
        self.browser.open_section("Mixer")
        self.browser.find("learn").click()
        (_, one), (second, other) = self.corner("Pan"), self.corner("Gain")
        one.click()
        other.click()
        until(lambda: self.lessons() == ["midi.learn", "unsubscribe", "midi.learn"], "one lesson after the other")
        self.assertEqual((one.text, second.text), ("Learn", "Move a knob\u2026"))
        on = {"type": "cc", "channel": 1, "number": 7}
        self.daemon.tell("midi", {"learned": {"on": on, "to": self.calls("midi.learn")[-1]["to"]}})
        until(lambda: second.text == "cc 7, channel 1", "what the second has learned")

    def test_a_lesson_that_is_cancelled_or_no_longer_seen_ends_in_the_daemon(self):
        cancel = lambda: self.corner("Pan")[1].click()
        for hide in (cancel, lambda: self.browser.open_section("Sounds"), self.browser.find("close-sheet").click,
                     self.browser.find("learn").click):
            self.browser.open_section("Mixer")
            if self.browser.find("learn").get_attribute("aria-pressed") != "true":
                self.browser.find("learn").click()
            _, button = self.corner("Pan")
            button.click()
            until(lambda: button.text == "Cancel", "the lesson")
            hide()
            until(lambda: self.lessons() == ["midi.learn", "unsubscribe"], "the end of the lesson")
            self.assertEqual(self.calls("midi.unbind"), [])
            self.daemon.calls.clear()

    def test_after_a_lost_connection_lessons_go_on_as_before(self):
        self.browser.open_section("Mixer")
        self.browser.find("learn").click()
        _, button = self.corner("Pan")
        button.click()
        until(lambda: button.text == "Cancel", "the lesson")
        self.daemon.cut()
        until(lambda: len(self.calls("midi.bindings")) == 2, "the section made anew")
        bound, button = self.corner("Pan")
        self.assertEqual(button.text, "Learn")
        button.click()
        until(lambda: len(self.calls("midi.learn")) == 2, "the next lesson")
        on = {"type": "cc", "channel": 1, "number": 7}
        self.daemon.tell("midi", {"learned": {"on": on, "to": self.calls("midi.learn")[-1]["to"]}})
        until(lambda: bound.text == "cc 7, channel 1", "what it has learned")

    def slide_gain(self):
        """Moves the melody's gain with a mouse whose button stays down; returns what shows the value."""
        self.browser.open_section("Mixer")
        field = next(each for each in self.browser.all('section[aria-label="Melody"] .field-slider')
                     if each.find_element("class name", "label").text == "Gain")
        mouse = ActionChains(self.browser.driver, duration=0)
        # The first movement begins the slide, the second goes on with it.
        mouse.move_to_element(field.find_element("class name", "slide")).click_and_hold()
        mouse.move_by_offset(-10, 0).move_by_offset(-10, 0).perform()
        until(lambda: self.calls("track.set"), "the new gain")
        return field.find_element("class name", "value")

    def release_mouse(self):
        ActionChains(self.browser.driver, duration=0).release().perform()

    def test_a_slider_shows_after_a_slide_what_the_daemon_has_if_it_refused(self):
        self.daemon.refusals["track.set"] = "somebody holds the fader"
        value = self.slide_gain()
        self.release_mouse()
        until(lambda: self.browser.text("notices") == "somebody holds the fader", "the refusal")
        until(lambda: value.text == "0.0 dB", "the gain as it was")

    def test_a_slider_shows_after_a_slide_what_others_have_set_meanwhile(self):
        value = self.slide_gain()
        self.daemon.tell("state", {"tracks": {"melody": {"gain": -30}}, "sync": {"bpm": 99}})
        until(lambda: self.browser.tempo() == "99 BPM \u00b7 JACK", "the new state")
        self.assertNotEqual(value.text, "\u221230.0 dB", "the finger is still there")
        self.release_mouse()
        until(lambda: value.text == "\u221230.0 dB", "what was set")

    def test_letters_and_choices_learn_too_and_lists_do_not(self):
        strip = 'section[aria-label="Melody"]'
        self.browser.open_section("Mixer")
        self.browser.find("learn").click()
        for section, within, label, value in (
                ("Mixer", strip, "Mute", "mute"), ("Mixer", strip, "Solo", "solo"),
                ("Sounds", "#section", "Preset", "preset"), ("Sync", "#section", "Sync source", "source")):
            self.browser.open_section(section)
            self.browser.all(f'{within} .learn[aria-label="Learn {label}"]')[0].click()
            until(lambda: self.calls("midi.learn") and self.calls("midi.learn")[-1]["to"]["value"] == value, value)
        self.assertEqual(self.calls("midi.learn")[0]["to"],
                         {"method": "track.set", "params": {"track": "melody"}, "value": "mute"})
        self.assertEqual(len([each for each in self.browser.all("#section .learn") if each.is_displayed()]), 1)

    def test_of_a_list_each_value_is_switched_by_itself(self):
        self.browser.open_section("Sync")
        jack, midi = self.browser.all('[aria-label="Sync lead"] button')
        self.assertEqual([each.get_attribute("aria-pressed") for each in (jack, midi)], ["true", "false"])
        for button, lead in ((midi, ["jack", "midi"]), (jack, ["midi"]), (midi, [])):
            button.click()
            until(lambda: self.calls("sync.set")[-1:] == [{"lead": lead}], f"to lead {lead}")
            self.daemon.tell("state", {"sync": {"lead": lead}})
            pressed = str(button.text.lower() in lead).lower()
            until(lambda: button.get_attribute("aria-pressed") == pressed, "the button")

    def test_the_bar_shows_scene_leader_and_record(self):
        until(lambda: self.browser.tempo() == "127.98 BPM \u00b7 JACK", "the leader")
        self.assertEqual(self.browser.text("scene"), "Scene 3")
        self.browser.find("record").click()
        until(lambda: self.calls("transport.record") == [{"on": True}], "record")
        self.browser.press("5")
        until(lambda: self.calls("scene.launch") == [{"scene": 5}], "the scene")
        until(lambda: self.browser.find("health").get_attribute("title").endswith("3 xruns in the last hour"), "the xruns")

    def test_the_daemon_is_told_how_wide_a_cell_is(self):
        for size, scale in (((1024, 768), 1), ((390, 844), 3)):
            self.browser.resize(*size, scale=scale)
            width = lambda: round(self.browser.canvas()["pitch"] / scale, 1)
            told = lambda: self.calls("hello")[-1].get("touch")
            until(lambda: told() == {"resolution": "subcell", "cellPixels": width()}, "the width")


class Shapes(PretendedTestCase):
    shape = {"filter": -0.5, "drive": 0, "drift": 0.5, "lfoTo": "filter"}
    pitched, drums = {**PITCHED, **shape}, {**DRUMS, **shape, "places": 1}
    state = {**STATE, "tracks": {"melody": pitched, "chords": pitched, "bass": pitched, "rhythm": drums}}

    def setUp(self):
        super().setUp()
        self.daemon.description = with_shapes(OPENRPC)
        self.browser.open_live(self.stage.address)
        self.browser.open_section("Mixer")

    def labels(self, track):
        """What is seen of a strip's fold."""
        strip = self.browser.all(f'section[aria-label="{track}"]')[0]
        return [text for each in strip.find_elements("css selector", ".fold .label") if (text := each.text)]

    def fold(self, track):
        return self.browser.labelled(f"Shape of {track}")

    def test_each_strip_folds_out_filter_and_drive_first(self):
        self.assertEqual(self.labels("Melody"), [])
        self.fold("melody").click()
        until(lambda: self.labels("Melody") == ["Filter", "Drive", "LFO to", "Drift"], "the shape")
        self.fold("rhythm").click()
        until(lambda: self.labels("Rhythm") == ["Filter", "Drive", "LFO to", "Drift", "Places"], "that of drums")
        self.assertEqual(self.labels("Bass"), [])
        slider = self.browser.all(".fold input")[0]
        self.assertEqual(slider.get_attribute("aria-label"), "Filter")
        self.assertEqual(slider.get_attribute("aria-valuetext"), "LP 1.3 kHz")
        slider.send_keys(Keys.ARROW_RIGHT)
        until(lambda: self.calls("track.set") == [{"track": "melody", "filter": -0.49}], "the filter's new value")

    def test_it_stays_as_it_was_left(self):
        self.fold("melody").click()
        until(lambda: self.labels("Melody"), "the shape")
        self.browser.open_section("Sounds")
        self.browser.open_section("Mixer")
        until(lambda: self.labels("Melody")[0] == "Filter", "the shape again")
        self.fold("melody").click()
        until(lambda: not self.labels("Melody"), "its end")

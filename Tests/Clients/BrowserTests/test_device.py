"""What the page asks of the device: vibrating, staying awake, full screen."""

from case import PageTestCase
from stage import until


class Device(PageTestCase):
    def record(self, object, method, result="undefined"):
        """Records calls of a browser's method in `window.calls` instead of making them."""
        self.browser.run(f"""
            window.calls = [];
            {object}.{method} = (argument) => {{ calls.push(argument); return {result}; }}""")

    def calls(self):
        return self.browser.run("return calls")

    def test_taps_and_accents_are_felt(self):
        self.record("navigator", "vibrate", "true")
        # A page may vibrate the device only after a first tap.
        self.browser.tap(4, 7)
        self.browser.tap(6, 7)
        until(lambda: 8 in self.calls(), "the tap")
        self.browser.touch([("down", 4, 21)])
        until(lambda: 30 in self.calls(), "the accent")
        self.browser.tap(4, 21)

    def test_it_can_be_switched_off(self):
        self.browser.open_section("Settings")
        self.browser.labelled("Vibrate").click()
        self.browser.find("close-sheet").click()
        self.record("navigator", "vibrate", "true")
        self.browser.tap(4, 7)
        until(lambda: self.daemon.notes("melody"), "the note")
        self.assertEqual(self.calls(), [])

    def test_the_display_stays_awake_while_music_plays(self):
        self.record("navigator.wakeLock", "request", "Promise.resolve({ release: () => calls.push('released') })")
        self.daemon.call("transport.play")
        until(lambda: self.calls() == ["screen"], "the lock")
        self.daemon.call("transport.stop")
        until(lambda: self.calls() == ["screen", "released"], "its release")

    def test_a_lock_that_comes_after_the_end_of_the_music_is_released(self):
        lock = "{ release: () => calls.push('released') }"
        self.record("navigator.wakeLock", "request", f"new Promise((done) => (window.grant = () => done({lock})))")
        self.daemon.call("transport.play")
        until(lambda: self.calls() == ["screen"], "the request")
        self.daemon.call("transport.stop")
        until(lambda: "Play" in self.browser.find("play").get_attribute("aria-label"), "silence")
        self.browser.run("grant()")
        until(lambda: self.calls() == ["screen", "released"], "the release")

    def test_full_screen(self):
        self.browser.find("full-screen").click()
        until(lambda: self.browser.run("return document.fullscreenElement !== null"), "full screen")
        self.browser.find("full-screen").click()
        until(lambda: self.browser.run("return document.fullscreenElement === null"), "its end")

"""A name that is typed while the page has something new to show: the field stays until it is left."""

import unittest

from selenium.webdriver.common.keys import Keys

from case import shared_browser
from pretended import PretendedDaemon
from stage import Stage, until

TUNE = {"name": "tune", "bpm": 120, "scale": "major", "length": 32, "modified": "2026-01-01T00:00:00Z"}


class Typing(unittest.TestCase):
    def setUp(self):
        self.stage = Stage()
        self.addCleanup(self.stage.stop)
        self.daemon = PretendedDaemon(self.stage.socket_path)
        self.addCleanup(self.daemon.close)
        self.daemon.patterns = [TUNE]
        self.stage.start_gateway()
        self.browser = shared_browser()
        self.browser.open_live(self.stage.address)
        self.addCleanup(self.browser.driver.get, "about:blank")
        self.browser.open_section("Library")
        until(lambda: self.shown() == ["tune"], "the list")

    def calls(self, name):
        return [params for called, params in self.daemon.calls if called == name]

    def shown(self):
        return self.browser.run("""
            return [...document.querySelectorAll(".library strong")].map((name) => name.textContent)""")

    def type(self, text):
        for key in text:
            self.browser.press(key)

    def wait_taken_in(self):
        """Waits until the page has processed everything that was sent so far."""
        self.daemon.tell("tooltip", {"text": "LATER"})
        until(lambda: self.browser.text("tooltip") == "LATER", "the last message")

    def assert_nothing_was_played(self):
        self.assertEqual(self.calls("transport.toggle") + self.calls("transport.record") + self.calls("scene.launch"), [])

    def test_a_pattern_that_another_page_saves_leaves_the_field(self):
        self.browser.labelled("Rename tune").click()
        self.type("new ")
        lists = len(self.calls("library.list"))
        self.daemon.patterns.append({**TUNE, "name": "elsewhere"})
        self.daemon.tell("library", {})
        until(lambda: len(self.calls("library.list")) > lists, "the page's question")
        self.wait_taken_in()
        self.type("r 1")
        self.browser.press(Keys.ENTER)
        until(lambda: self.calls("library.rename") == [{"name": "tune", "to": "new r 1"}], "the whole name")
        until(lambda: self.shown() == ["tune", "elsewhere"], "the new list")
        self.assert_nothing_was_played()

    def test_a_connection_that_comes_back_leaves_the_field(self):
        self.browser.labelled("Save as").clear()
        self.browser.labelled("Save as").click()
        self.type("new ")
        joined = lambda: self.calls("subscribe").count({"topics": ["labels"]})
        self.assertEqual(joined(), 1)
        self.daemon.cut()
        until(lambda: joined() == 2, "the connection")
        self.wait_taken_in()
        self.type("r 1")
        self.browser.press(Keys.ENTER)
        until(lambda: self.calls("library.save") == [{"name": "new r 1"}], "the whole name")
        self.assert_nothing_was_played()
        self.browser.run("document.activeElement.blur()")
        until(lambda: self.browser.value("Save as") == "Pattern 1", "the section made anew")

    def test_a_name_is_protected_even_if_the_list_cannot_be_read_again(self):
        self.daemon.refusals["library.list"] = "the disk is gone"
        self.daemon.tell("library", {})
        until(lambda: self.browser.text("notices") == "the disk is gone", "the refusal")
        self.assertEqual(self.shown(), ["tune"])
        field = self.browser.labelled("Save as")
        field.clear()
        field.send_keys("tune", Keys.ENTER)
        until(lambda: "Replace?" in [each.text for each in self.browser.all(".primary")], "the question")
        self.assertEqual(self.calls("library.save"), [])

    def test_a_click_that_takes_the_focus_is_not_lost(self):
        self.browser.labelled("Save as").click()
        joined = lambda: self.calls("subscribe").count({"topics": ["labels"]})
        self.daemon.cut()
        until(lambda: joined() == 2, "the connection")
        self.wait_taken_in()
        next(tab for tab in self.browser.all("#tabs button") if tab.text == "Mixer").click()
        until(lambda: self.browser.all(".strips"), "the mixer")

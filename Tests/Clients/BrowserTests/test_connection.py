"""Lost connections: the picture is dimmed, a line gives the reason, and everything comes back by itself."""

from case import PageTestCase
from stage import until


class Connection(PageTestCase):
    def lost(self):
        return "live" not in self.browser.body_classes() and self.browser.find("line").is_displayed()

    def test_a_killed_daemon_and_its_return(self):
        self.browser.tap(4, 7)
        until(lambda: self.daemon.notes("melody"), "the note")
        self.stage.kill("process")
        until(self.lost, "the loss")
        self.assertIn("Trying again", self.browser.text("line"))
        opacity = lambda: float(self.browser.run("return getComputedStyle(document.getElementById('grid')).opacity"))
        until(lambda: opacity() < 0.5, "the dimmed picture")
        self.stage.daemon.close()
        self.stage.start_daemon()
        self.browser.wait_live()
        self.browser.wait_picture(self.stage.daemon)
        self.browser.tap(6, 7)
        # The first one may have been too young to be on disk.
        until(lambda: 6 in [column for column, *_ in self.stage.daemon.notes("melody")], "a note after the return")
        self.browser.complaints()

    def test_a_gateway_that_is_restarted(self):
        self.browser.touch([("down", 4, 7), ("move", 8, 7)])
        self.stage.kill("gateway")
        until(self.lost, "the loss")
        self.stage.start_gateway()
        self.browser.wait_live()
        self.browser.touch([("down", 8, 7), ("up",)])
        self.browser.wait_picture(self.daemon)
        self.assertEqual(self.daemon.notes("melody"), [], "what a vanished page touched is dropped")
        self.browser.complaints()

    def test_the_name_of_a_drag_goes_with_the_connection(self):
        self.browser.touch([("down", 4, 7), *[("move", column, 7) for column in range(5, 9)]])
        until(lambda: self.browser.text("tooltip") == "ARPEGGIO", "the gesture's name")
        self.stage.kill("gateway")
        until(self.lost, "the loss")
        self.stage.start_gateway()
        self.browser.wait_live()
        self.assertFalse(self.browser.find("tooltip").is_displayed())
        self.browser.complaints()

    def test_a_page_that_is_opened_before_the_daemon(self):
        self.stage.kill("process")
        self.stage.daemon.close()
        self.browser.open(self.stage.address)
        until(self.lost, "the line")
        self.stage.start_daemon()
        self.browser.wait_live()
        self.browser.complaints()

    def test_the_bar_tells_what_jack_does(self):
        health = lambda: self.browser.find("health").get_attribute("title").split(":")[0].split(".")[0]
        until(lambda: health() == "JACK", "JACK in the bar")
        self.stage.kill("jack")
        until(lambda: health() in ("JACK has gone", "No JACK server"), "the loss in the bar")
        self.browser.find("health").click()
        self.assertIn(health(), self.browser.text("notices"))
        self.stage.start_jack()
        until(lambda: health() == "JACK", "its return")

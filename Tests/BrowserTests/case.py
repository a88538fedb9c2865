"""What the suites share: one browser for all of them, one stage each."""

import atexit
import unittest

from browser import Browser
from stage import Stage

_browser = None


def shared_browser():
    global _browser
    if _browser is None:
        _browser = Browser()
        atexit.register(_browser.quit)
    return _browser


class PageTestCase(unittest.TestCase):
    """A page on a daemon, opened anew for each test on an empty grid in C major."""

    size, scale = (1024, 768), 1

    @classmethod
    def setUpClass(cls):
        cls.stage = Stage()
        cls.addClassCleanup(cls.stage.stop)
        cls.stage.start()

    def setUp(self):
        self.browser = shared_browser()
        self.daemon = self.stage.daemon
        self.daemon.call("transport.stop")
        self.daemon.call("pattern.set", pattern={"version": 1, "tracks": {}})
        self.browser.open_live(self.stage.address, size=self.size, scale=self.scale)

    def tearDown(self):
        self.browser.lift_all()
        complaints = self.browser.complaints()
        self.browser.run("localStorage.clear()")
        self.browser.driver.get("about:blank")
        self.assertEqual(complaints, [])

"""Shared by all suites: one browser and one stage."""

import atexit
import functools
import unittest

from browser import Browser
from stage import Stage


@functools.cache
def shared_browser():
    browser = Browser()
    atexit.register(browser.quit)
    return browser


@functools.cache
def shared_stage():
    stage = Stage()
    atexit.register(stage.stop)
    return stage.start()


class PageTestCase(unittest.TestCase):
    """A page on a daemon, opened again for each test on an empty grid in C major."""

    size, scale = (1024, 768), 1
    browser_of = staticmethod(shared_browser)

    def setUp(self):
        self.stage = shared_stage()
        self.browser = self.browser_of()
        self.daemon = self.stage.daemon
        self.daemon.call("transport.stop")
        self.daemon.call("pattern.set", pattern={"version": 1, "tracks": {}})
        self.browser.open_live(self.stage.address, size=self.size, scale=self.scale)

    def tearDown(self):
        self.browser.lift_all()
        complaints = self.browser.complaints()
        self.browser.leave()
        self.assertEqual(complaints, [])

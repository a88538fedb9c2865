"""A random session: fingers on three pages at once while jackd is killed and the gateway restarted. In the end each
page must show exactly the daemon's picture.

usage: session.py SECONDS [SEED]
"""

import random
import sys
import time

from browser import Browser
from stage import Stage, until

FINGERS = 4  # per page
DISPLAYS = ((1024, 768, 1), (390, 844, 2), (1440, 789, 1))
BETWEEN_JACK_KILLS = (3, 8)  # s
BETWEEN_GATEWAY_RESTARTS = (4, 10)


class Page:
    """A window with random fingers on it."""

    def __init__(self, browser, window, display, random):
        self.browser, self.window, self.random = browser, window, random
        self.down = {}
        self.show()
        self.browser.resize(*display[:2], scale=display[2])

    def show(self):
        self.browser.driver.switch_to.window(self.window)

    def dispatch(self, kind):
        self.browser.dispatch_touch(kind, *self.down.items())

    def anywhere(self):
        """A place on the grid except "clear all", which would make a dull session."""
        column, row = self.random.randrange(44), self.random.randrange(24)
        return self.browser.place_of(min(column, 39) if row == 0 else column, row)

    def play(self):
        """One thing that a hand may do: another finger comes down, all move, one is lifted, or all are cancelled."""
        self.show()
        free = set(range(FINGERS)) - self.down.keys()
        act = self.random.choice(["down", "down", "move", "move", "move", "up", "up", "cancel"])
        if act == "down" and free:
            self.down[min(free)] = self.anywhere()
            self.dispatch("touchStart")
        elif act == "move" and self.down:
            for finger, (x, y) in self.down.items():
                self.down[finger] = x + self.random.randint(-60, 60), y + self.random.randint(-30, 30)
            self.dispatch("touchMove")
        elif act == "up" and self.down:
            del self.down[self.random.choice(list(self.down))]
            # A missing finger counts as lifted.
            self.dispatch("touchMove" if self.down else "touchEnd")
        elif act == "cancel" and self.random.random() < 0.1:
            self.lift()

    def lift(self):
        if self.down:
            self.down.clear()
            self.dispatch("touchCancel")


def open_pages(browser, address, displays, random):
    """A page for each display, in its own window, showing the grid."""
    windows = [browser.driver.current_window_handle]
    for _ in displays[1:]:
        browser.driver.switch_to.new_window("window")
        windows.append(browser.driver.current_window_handle)
    pages = [Page(browser, window, display, random) for window, display in zip(windows, displays)]
    for page in pages:
        page.show()
        browser.driver.get(address)
        browser.wait_live()
    return pages


def lift_all(pages):
    for page in pages:
        page.show()
        page.lift()


def compare(pages, daemon):
    """Compares each page with a daemon's picture."""
    for page in pages:
        page.show()
        page.browser.wait_live()
        page.browser.wait_picture(daemon)


class Session:
    def __init__(self, seconds, seed):
        self.random = random.Random(seed)
        self.end = time.monotonic() + seconds
        self.stage = Stage().start()
        self.browser = Browser()
        self.touches = self.jack_kills = self.gateway_restarts = 0
        self.pages = open_pages(self.browser, self.stage.address, DISPLAYS, self.random)

    def later(self, bounds):
        return time.monotonic() + self.random.uniform(*bounds)

    def play(self):
        next_jack, next_gateway = self.later(BETWEEN_JACK_KILLS), self.later(BETWEEN_GATEWAY_RESTARTS)
        while time.monotonic() < self.end:
            self.random.choice(self.pages).play()
            self.touches += 1
            if time.monotonic() > next_jack:
                self.stage.kill("jack")
                self.stage.start_jack()
                self.jack_kills += 1
                next_jack = self.later(BETWEEN_JACK_KILLS)
            if time.monotonic() > next_gateway:
                self.stage.kill("gateway")
                self.stage.start_gateway()
                self.gateway_restarts += 1
                next_gateway = self.later(BETWEEN_GATEWAY_RESTARTS)

    def judge(self):
        """Stops the music, then compares every page with the daemon."""
        lift_all(self.pages)
        until(lambda: self.stage.daemon.call("state.get")["audio"]["status"] == "running", "JACK")
        self.stage.daemon.call("transport.stop")
        compare(self.pages, self.stage.daemon)

    def close(self):
        self.browser.quit()
        self.stage.stop()


def main():
    session = Session(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    try:
        session.play()
        session.judge()
    finally:
        session.close()
    print(f"{len(DISPLAYS)} pages equal to the daemon's picture after {session.touches} touches, "
          f"{session.jack_kills} kills of jackd and {session.gateway_restarts} restarts of the gateway")


if __name__ == "__main__":
    main()

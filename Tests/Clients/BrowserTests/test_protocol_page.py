"""The page of thirty lines in docs/protocol.md does what it says: served elsewhere, it shows and plays the grid."""

import functools
import http.server
import pathlib
import re
import tempfile
import threading
import unittest

from case import shared_browser
from stage import Stage, until

DOCUMENT = pathlib.Path(__file__).parents[3] / "docs/protocol.md"

READ_CANVAS = """
const canvas = document.querySelector("canvas");
const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
return Array.from({ length: 44 * 24 }, (_, i) => (data[4 * i] << 16) | (data[4 * i + 1] << 8) | data[4 * i + 2]);
"""


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class ProtocolPage(unittest.TestCase):
    def serve(self):
        """Serves a folder, and returns it with its address."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(QuietHandler, directory=folder.name))
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return pathlib.Path(folder.name), f"http://localhost:{server.server_port}"

    def test_it_shows_the_grid_and_plays_it(self):
        page = re.search(r"```html\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]
        stage = Stage()
        self.addCleanup(stage.stop)
        self.assertIn("localhost:8044", page)
        folder, origin = self.serve()
        stage.start_daemon()
        stage.start_gateway("--origin", origin)
        (folder / "index.html").write_text(page.replace("localhost:8044", f"localhost:{stage.port}"))
        browser = shared_browser()
        # The thirty lines have no icon, which the browser complains of.
        self.addCleanup(browser.complaints)
        self.addCleanup(browser.driver.get, "about:blank")
        browser.open(f"{origin}/#{(stage.place / 'token').read_text().strip()}")
        self.wait_picture(browser, stage.daemon)

        box = browser.run("return document.querySelector('canvas').getBoundingClientRect().toJSON()")
        place = [box["left"] + 4.5 / 44 * box["width"], box["top"] + 7.5 / 24 * box["height"]]
        browser.dispatch_touch("touchStart", (0, place))
        browser.dispatch_touch("touchEnd")
        until(lambda: stage.daemon.notes("melody"), "the note")
        self.wait_picture(browser, stage.daemon)

    def wait_picture(self, browser, daemon):
        until(lambda: browser.run(READ_CANVAS) == daemon.call("frame.get")["rgb"], "the daemon's picture")

"""A headless Firefox with the page in it, over its own protocol, Marionette: Debian has no driver for it."""

import itertools
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

from stage import DEADLINE, scrolling, until

SETTINGS = {
    "marionette.port": 0, "dom.w3c_touch_events.enabled": 1, "media.autoplay.default": 1, "ui.prefersReducedMotion": 1, "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False, "browser.aboutwelcome.enabled": False, "app.update.auto": False,
}


class Firefox:
    """What tests of Chromium's `Browser` use, for one window."""

    def __init__(self, size=(1024, 768)):
        self.profile = pathlib.Path(tempfile.mkdtemp(prefix="firefox."))
        settings = (f'user_pref("{name}", {json.dumps(value)});\n' for name, value in SETTINGS.items())
        (self.profile / "user.js").write_text("".join(settings))
        environment = {**os.environ, "HOME": str(self.profile), "MOZ_HEADLESS_WIDTH": "1600", "MOZ_HEADLESS_HEIGHT": "1200"}
        self.log = open(self.profile / "log", "w")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(self.profile)],
            stdout=self.log, stderr=self.log, env=environment)
        self.numbers = itertools.count(1)
        self.socket = until(self.connect, "Firefox")
        self.socket.settimeout(3 * DEADLINE)
        self.lines = self.socket.makefile("rb")
        self.receive()  # Its greeting.
        self.command("WebDriver:NewSession", capabilities={"alwaysMatch": {"timeouts": {"script": 10_000}}})
        self.fingers = {}

    def connect(self):
        try:
            port = int((self.profile / "MarionetteActivePort").read_text())
            return socket.create_connection(("127.0.0.1", port))
        except (OSError, ValueError):
            return None

    def quit(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    # The protocol: a length, a colon, and JSON.

    def receive(self):
        length = b""
        while (digit := self.lines.read(1)) != b":":
            assert digit, "Firefox has gone"
            length += digit
        return json.loads(self.lines.read(int(length)))

    def command(self, name, **parameters):
        number = next(self.numbers)
        message = json.dumps([0, number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, answered, error, result = self.receive()
        assert answered == number
        if error:
            raise RuntimeError(f"{name}: {error['error']}: {error['message']}")
        return result

    # The page.

    def renew_tab(self):
        """Does nothing: unlike Chromium's, its tabs take any number of fingers."""

    def run(self, script, *arguments):
        return self.command("WebDriver:ExecuteScript", script=script, args=list(arguments), sandbox=None,
                            newSandbox=False)["value"]

    def resize(self, width, height):
        """Gives the page a size: the window has a frame."""
        outer = self.command("WebDriver:SetWindowRect", width=width, height=height)
        inner = self.run("return [innerWidth, innerHeight]")
        self.command("WebDriver:SetWindowRect", width=outer["width"] + width - inner[0],
                     height=outer["height"] + height - inner[1])
        until(lambda: self.run("return [innerWidth, innerHeight]") == [width, height], "the page's size")

    def open_live(self, address, size=(1024, 768), scale=1):
        self.resize(*size)
        self.command("WebDriver:Navigate", url=address)
        self.wait_live()

    def visit_first(self, address, size=(1024, 768), scale=1):
        self.open_live(address, size)
        self.run("localStorage.clear()")
        self.command("WebDriver:Refresh")
        self.wait_live()

    def wait_live(self):
        until(lambda: self.run("return document.body.classList.contains('live')"
                               " && !document.getElementById('open-sheet').disabled"), "what the daemon can do")

    def leave(self):
        self.run("localStorage.clear(); sessionStorage.clear()")
        self.command("WebDriver:Navigate", url="about:blank")

    def complaints(self):
        """Marionette does not tell them."""
        return []

    # Fingers, as Chromium's debugger takes them.

    def dispatch_touch(self, kind, *fingers):
        if kind == "touchEnd":
            moves = {finger: [{"type": "pointerUp", "button": 0}] for finger in self.fingers}
            self.fingers = {}
        else:
            moves = {}
            for finger, (x, y) in fingers:
                moves[finger] = [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y), "origin": "viewport"}]
                if finger not in self.fingers:
                    moves[finger].append({"type": "pointerDown", "button": 0})
                self.fingers[finger] = True
        self.command("WebDriver:PerformActions", actions=[
            {"type": "pointer", "id": f"finger{finger}", "parameters": {"pointerType": "touch"}, "actions": actions}
            for finger, actions in moves.items()])

    def scroll_up(self, x, y):
        """Turns the wheel, and waits until the page has scrolled, which it does at once. Marionette's fingers scroll no page at
        all, not even one without styles."""
        with scrolling(self):
            self.command("WebDriver:PerformActions", actions=[{"type": "wheel", "id": "wheel", "actions": [
                {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": 275, "duration": 0,
                 "origin": "viewport"}]}])

    def lift_all(self):
        self.fingers = {}
        self.command("WebDriver:ReleaseActions")

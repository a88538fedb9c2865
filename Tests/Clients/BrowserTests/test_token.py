"""A gateway that asks everyone for its token."""

import unittest

from selenium.webdriver.common.keys import Keys

from case import shared_browser
from stage import Stage, until

WRONG = "A" * 22


class Token(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stage = Stage()
        cls.addClassCleanup(cls.stage.stop)
        cls.stage.start_daemon()
        cls.stage.start_gateway("--token")
        cls.token = (cls.stage.place / "token").read_text().strip()

    def setUp(self):
        self.browser = shared_browser()
        self.addCleanup(self.browser.driver.get, "about:blank")
        self.addCleanup(self.browser.run, "localStorage.clear()")

    def asks(self):
        return self.browser.find("token-form").is_displayed()

    def test_in_the_address_it_lets_in_and_is_kept(self):
        self.browser.open_live(f"{self.stage.address}#{self.token}")
        self.assertTrue(self.browser.run("return location.hash").endswith(self.token))
        self.browser.driver.get("about:blank")
        self.browser.open_live(self.stage.address)

    def test_a_wrong_one_is_told_and_another_asked_for(self):
        self.browser.open(f"{self.stage.address}#{WRONG}")
        until(self.asks, "the question")
        self.assertEqual(self.browser.text("line"), "wrong token")
        self.browser.find("token").send_keys("what?", Keys.ENTER)
        until(lambda: "the part after #" in self.browser.text("notices"), "the hint")
        self.browser.find("token").clear()
        self.browser.find("token").send_keys(f"{self.stage.address}#{self.token}", Keys.ENTER)
        self.browser.wait_live()
        self.assertFalse(self.asks())

    def test_without_one_it_is_asked_for(self):
        self.browser.open(self.stage.address)
        until(self.asks, "the question")

    def test_another_address_opened_on_the_same_page_is_tried(self):
        self.browser.open(f"{self.stage.address}#{WRONG}")
        until(self.asks, "the question")
        self.browser.driver.get(f"{self.stage.address}#{self.token}")
        self.browser.wait_live()


class Sharing(unittest.TestCase):
    def open_settings(self, *options, name="localhost"):
        stage = Stage()
        self.addCleanup(stage.stop)
        stage.start_daemon()
        stage.start_gateway(*options)
        self.browser = shared_browser()
        self.addCleanup(self.browser.driver.get, "about:blank")
        self.addCleanup(self.browser.run, "localStorage.clear()")
        address = f"http://{name}:{stage.port}/#{(stage.place / 'token').read_text().strip()}"
        self.browser.open_live(address)
        self.browser.open_section("Settings")
        return address

    def test_another_device_is_shown_where_this_page_was_opened(self):
        # Browsers resolve every name below localhost to this machine.
        address = self.open_settings("--host", "studio.localhost", name="studio.localhost")
        self.assertEqual(self.browser.all(".address p")[0].text, address)
        rows = self.browser.run("""
            const { width, height } = document.querySelector(".address canvas");
            const { data } = document.querySelector(".address canvas").getContext("2d").getImageData(0, 0, width, height);
            return Array.from({ length: height }, (_, y) =>
              Array.from({ length: width }, (_, x) => (data[4 * (y * width + x)] ? " " : "#")).join(""));""")
        mark = ["#######", "#     #", "# ### #", "# ### #", "# ### #", "#     #", "#######"]
        for left, top in ((4, 4), (-11, 4), (4, -11)):
            self.assertEqual([row[left:][:7] for row in rows[top:][:7]], mark)
        self.assertEqual("".join(rows[:4] + rows[-4:]).strip(), "")

    def test_what_only_this_machine_can_open_has_no_code(self):
        self.open_settings()
        self.assertIn("Only this machine", self.browser.find("section").text)
        self.assertEqual(self.browser.all(".address"), [])


class ManyWrong(unittest.TestCase):
    def test_many_wrong_tokens_lock_nobody_out(self):
        stage = Stage()
        self.addCleanup(stage.stop)
        stage.start_daemon()
        stage.start_gateway("--token")
        browser = shared_browser()
        self.addCleanup(browser.driver.get, "about:blank")
        self.addCleanup(browser.run, "localStorage.clear()")
        browser.open(f"{stage.address}#{WRONG}")
        until(lambda: browser.find("token-form").is_displayed(), "the question")
        browser.run("""
            const wrong = () => new Promise((done) => {
              const socket = new WebSocket(location.origin.replace("http", "ws") + "/socket", "pixelboop.v1");
              socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: "2.0", method: "authenticate",
                params: { token: "B".repeat(22) } }));
              socket.onclose = done;
            });
            window.tried = (async () => { for (let i = 0; i < 20; i++) await wrong(); window.isTried = true; })();""")
        until(lambda: browser.run("return window.isTried"), "twenty wrong tokens")
        token = (stage.place / "token").read_text().strip()
        browser.find("token").send_keys(token, Keys.ENTER)
        browser.wait_live()

"""Fingers on the grid: W3C pointer actions of type touch, up to the pattern."""

from case import PageTestCase, shared_browser
from stage import until


class Fingers(PageTestCase):
    def setUp(self):
        shared_browser().renew_tab()
        super().setUp()

    def test_a_tap_writes_a_note(self):
        self.browser.tap(4, 7)
        until(lambda: self.daemon.notes("melody") == [(4, 60, "normal")], "the note")
        self.browser.wait_picture(self.daemon)

    def test_in_portrait_the_same_cell_is_meant(self):
        self.browser.resize(390, 844, scale=3)
        self.browser.wait_picture(self.daemon)
        self.browser.tap(22, 21)
        until(lambda: self.daemon.notes("rhythm") == [(22, 36, "normal")], "the kick")

    def test_the_mouse_plays_too(self):
        self.browser.tap(4, 7, kind="mouse")
        until(lambda: self.daemon.notes("melody") == [(4, 60, "normal")], "the note")

    def test_ten_at_once(self):
        columns = [4, 6, 8, 10, 13, 15, 17, 19, 22, 24]
        self.browser.run("""
            const down = new Set();
            window.mostAtOnce = 0;
            addEventListener("pointerdown", ({ pointerId }) => {
              mostAtOnce = Math.max(mostAtOnce, down.add(pointerId).size);
            });
            addEventListener("pointerup", ({ pointerId }) => down.delete(pointerId));
            """)
        self.browser.touch(*[[("down", column, 21), ("up",)] for column in columns])
        self.assertEqual(self.browser.run("return mostAtOnce"), 10)
        until(lambda: [note[0] for note in self.daemon.notes("rhythm")] == columns, "ten notes")

    def test_a_drag_is_seen_before_it_is_written(self):
        self.browser.wait_picture(self.daemon)
        before = self.browser.canvas()["cells"]
        self.browser.touch([("down", 4, 7), *[("move", column, 7) for column in range(5, 9)]])
        until(lambda: self.browser.text("tooltip") == "ARPEGGIO", "the gesture's name")
        self.browser.wait_picture(self.daemon)
        preview = self.browser.canvas()["cells"]
        first_row = [preview[row * 44 + column] for row, column in ((7, 4), (6, 5), (5, 6))]
        self.assertTrue(all(cell not in before for cell in first_row), first_row)
        self.assertEqual(self.daemon.notes("melody"), [])
        self.browser.touch([("down", 8, 7), ("up",)])
        until(lambda: [pitch for _, pitch, _ in self.daemon.notes("melody")] == [60, 62, 64, 65, 67], "the arpeggio")

    def test_a_hold_is_an_accent(self):
        self.browser.touch([("down", 4, 21)])
        until(lambda: self.browser.text("tooltip") == "ACCENT!", "the accent")
        self.browser.touch([("down", 4, 21), ("up",)])
        until(lambda: self.daemon.notes("rhythm") == [(4, 36, "accent")], "the note")

    def test_a_window_that_loses_the_focus_cancels(self):
        self.browser.touch([("down", 4, 7), ("move", 7, 7), ("move", 8, 7)])
        until(lambda: self.browser.text("tooltip") == "ARPEGGIO", "the gesture's name")
        self.browser.run("window.dispatchEvent(new Event('blur'))")
        until(lambda: not self.browser.find("tooltip").is_displayed(), "the name to go")
        self.browser.touch([("down", 12, 7), ("up",)])
        self.browser.wait_picture(self.daemon)
        self.assertEqual(self.daemon.notes("melody"), [])

    def test_the_browser_neither_scrolls_nor_zooms_nor_selects(self):
        for _ in range(2):
            self.browser.tap(20, 10)
        self.browser.touch([("down", 10, 20), ("move", 10, 10), ("move", 10, 2), ("up",)])
        self.browser.dispatch_touch("touchStart", (0, (400, 400)), (1, (500, 400)))
        for spread in range(20, 300, 20):
            self.browser.dispatch_touch("touchMove", (0, (400 - spread, 400)), (1, (500 + spread, 400)))
        self.browser.dispatch_touch("touchEnd")
        seen = self.browser.run("return [visualViewport.scale, scrollX, scrollY, String(getSelection())]")
        self.assertEqual(seen, [1, 0, 0, ""])

"""A pattern that is dragged out of the library: where it may land, and that this is shown before it is dropped."""

from case import PageTestCase
from stage import until


class Drops(PageTestCase):
    size = (1280, 800)

    def setUp(self):
        super().setUp()
        self.daemon.call("scene.launch", scene=1)
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.daemon.call("library.save", name="tune")
        self.addCleanup(self.daemon.call, "library.delete", name="tune")
        self.daemon.call("pattern.set", pattern={"version": 1, "tracks": {}})
        self.browser.open_section("Library")
        until(lambda: self.browser.all(".load"), "the row")

    def filled(self):
        return self.daemon.call("state.get")["slots"]["bass"]["filled"]

    def drag(self, *places):
        """Drags the row with the mouse over some places, in CSS pixels."""
        x, y = self.middle(self.browser.all(".load")[0])
        self.mouse("mousePressed", x, y)
        self.move(x + 12, y + 12)
        for place in places:
            self.move(*place)

    def mouse(self, kind, x, y):
        self.place = x, y
        self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1})

    def move(self, x, y):
        # Two moves, because the first only enters the element there.
        for offset in (3, 0):
            self.mouse("mouseMoved", x + offset, y)

    def drop(self):
        self.mouse("mouseReleased", *self.place)

    def middle(self, element):
        box = element.rect
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def landing(self):
        """The middle of the frame that shows where it would land; None if there is none."""
        return self.browser.run("""
            const landing = document.getElementById("landing");
            const { left, top, width, height } = landing.getBoundingClientRect();
            return landing.hidden ? null : [left + width / 2, top + height / 2];""")

    def expect_landing_at(self, place):
        def is_there():
            seen = self.landing()
            return seen and all(abs(each - wanted) <= 3 for each, wanted in zip(seen, place))
        until(is_there, f"the frame at {place}, not {self.landing()}")

    def test_onto_a_scenes_pad_on_the_grid(self):
        place = self.browser.place_of(42, 23)
        self.drag(place)
        self.expect_landing_at(place)
        self.assertEqual(self.browser.text("cell-name"), "Into scene 7")
        self.drop()
        until(lambda: self.filled() == [7], "the seventh scene")
        self.assertIsNone(self.landing())

    def test_onto_a_scenes_pad_in_the_sheet_which_opens_under_it(self):
        tab = next(tab for tab in self.browser.all("#tabs button") if tab.text == "Scenes")
        self.drag(self.middle(tab))
        pads = until(lambda: self.browser.all(".scene-pads .pad"), "the scenes")
        self.move(*self.middle(pads[4]))
        self.expect_landing_at(self.middle(pads[4]))
        self.drop()
        until(lambda: self.filled() == [5], "the fifth scene")

    def test_onto_the_grid_it_takes_the_place_of_what_plays(self):
        self.drag(self.browser.place_of(20, 10))
        until(lambda: "replace what is playing" in self.browser.find("landing").text, "where it would land")
        self.drop()
        until(lambda: self.daemon.notes("bass"), "the pattern")

    def test_back_over_the_library_it_lands_nowhere(self):
        undos = self.daemon.call("state.get")["history"]["undo"]
        self.drag(self.browser.place_of(20, 10), self.middle(self.browser.find("section")))
        until(lambda: self.landing() is None, "nothing to land on")
        self.drop()
        self.daemon.call("ping")
        self.assertEqual(self.daemon.call("state.get")["history"]["undo"], undos)

"""Names on notes: chosen by a key or in the sheet, on by default with the safe colours, where there is room."""

from browser import GEOMETRY
from case import PageTestCase
from stage import until

EDGE = 18  # CSS pixels beside the grid for the tracks' names

# How many colours a cell has: one, or more with a name.
COLOURS = GEOMETRY + """
const [left, top] = cornerOf(...arguments);
const { data } = canvas.getContext("2d").getImageData(left, top, pitch - 1, pitch - 1);
return new Set(new Uint32Array(data.buffer)).size;
"""


class Names(PageTestCase):
    def setUp(self):
        super().setUp()
        self.daemon.call("colors.set", mode="chromatic")
        self.addCleanup(self.daemon.call, "colors.set", mode="chromatic")
        self.daemon.call("note.set", track="melody", step=0, note=4, velocity="normal")

    def cell(self):
        """The cell of an E, two rows above the melody's lowest."""
        return 4, 5

    def has_name(self):
        return self.browser.run(COLOURS, *self.cell()) > 2

    def test_n_shows_and_hides_them(self):
        for shown in (True, False):
            self.browser.press("n")
            until(lambda: self.has_name() == shown, f"names: {shown}")

    def test_the_switch_is_remembered(self):
        self.browser.open_section("Settings")
        self.browser.click("Names on notes")
        self.browser.find("close-sheet").click()
        until(self.has_name, "the name")
        self.browser.driver.refresh()
        self.browser.wait_live()
        until(self.has_name, "the name")

    def test_in_the_safe_colours_they_are_there_by_themselves(self):
        self.daemon.call("colors.set", mode="safe")
        until(self.has_name, "the name")
        self.daemon.call("colors.set", mode="chromatic")
        until(lambda: not self.has_name(), "the colour alone")

    def test_cells_under_18_pixels_have_none(self):
        self.browser.press("n")
        until(self.has_name, "the name")
        for width, named in ((44 * 18 - 1 + EDGE, True), (44 * 18 - 2 + EDGE, False)):
            self.browser.resize(width, 700)
            until(lambda: self.has_name() == named, f"{width}: {named}")

    def test_what_the_cell_under_the_mouse_stands_for_is_said(self):
        def said():
            """A move says what the page knows by then; the note may still be on its way."""
            column, row = self.cell()
            self.browser.touch([("move", column, row + 1), ("move", column, row)], kind="mouse")
            return self.browser.text("cell-name")

        until(lambda: said() == "Melody, E, step 1", "the note itself")

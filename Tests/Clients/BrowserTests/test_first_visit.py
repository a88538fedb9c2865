"""What a stranger sees: labels over the grid, help on every display, one track at a time on a phone."""

from selenium.webdriver.common.keys import Keys

from case import PageTestCase, shared_browser
from stage import until

PHONE, LYING = (390, 844), (844, 390)

# The labels of the guide, each with its box.
LABELS = """
return [...document.querySelectorAll("#guide .part")].map((part) => {
  const { left, top, right, bottom } = part.getBoundingClientRect();
  return [part.getAttribute("aria-label"), left, top, right, bottom];
});
"""

# The visible controls of the bar that are cut off or overlap.
CUT = """
const shown = [...document.querySelectorAll("#bar > *")].filter((each) =>
  each.checkVisibility({ visibilityProperty: true }) && each.textContent + each.id);
const boxes = shown.map((each) => each.getBoundingClientRect());
const cut = shown.filter((each, i) => boxes[i].right > innerWidth + 1 || boxes[i].bottom > innerHeight + 1
  || each.scrollWidth > each.clientWidth + 1 && !each.matches("#words, #scene"));
const over = shown.filter((_, i) => boxes.some((other, j) => j > i && boxes[i].width && other.width
  && other.left < boxes[i].right - 1 && boxes[i].left < other.right - 1
  && other.top < boxes[i].bottom - 1 && boxes[i].top < other.bottom - 1));
return [...cut, ...over].map((each) => `${each.id}: ${each.textContent}`);
"""


# Where the first visit's card, what it points to, and the controls of the bar are.
CARD = """
const boxOf = (each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return [left, top, right, bottom];
};
return [boxOf(document.getElementById("visit")),
  ...[...document.querySelectorAll("#bar > :is(button, #tempo)")].filter((each) => each.checkVisibility()).map(boxOf)];
"""
DISPLAYS = (PHONE, LYING, (1024, 768), (1366, 768), (2560, 1440))


def overlap(one, other):
    return one[0] < other[2] - 1 and other[0] < one[2] - 1 and one[1] < other[3] - 1 and other[1] < one[3] - 1


class FirstVisit(PageTestCase):
    def title(self):
        card = self.browser.find("visit")
        return card.is_displayed() and card.find_element("tag name", "strong").text

    def visit(self, size=(1024, 768), **how):
        self.browser.visit_first(self.stage.address, size=size, **how)
        until(lambda: self.title() == "1. Hear", "the first step")

    def test_three_steps_one_after_another_over_the_free_grid(self):
        self.visit()
        self.assertFalse(self.browser.find("guide").is_displayed(), "the map is behind the question mark")
        self.browser.labelled("1. Hear").find_element("class name", "primary").click()
        until(lambda: self.daemon.call("state.get")["transport"]["state"] == "playing", "the music")
        until(lambda: self.title() == "2. Tap", "the second step")
        self.browser.tap(4, 7)
        until(lambda: self.daemon.notes("melody") == [(4, 60, "normal")], "the note")
        until(lambda: self.title() == "3. Change the sound", "the third step")
        self.browser.find("open-sheet").click()
        until(lambda: not self.title(), "the end")
        self.browser.driver.refresh()
        self.browser.wait_live()
        until(lambda: self.browser.find("open-sheet").is_enabled(), "what the daemon can do")
        self.assertFalse(self.title(), "once is enough")

    def test_what_skips_a_step_plays_nothing(self):
        self.visit()
        self.browser.tap(20, 10)
        until(lambda: self.title() == "2. Tap", "the second step")
        self.daemon.call("ping")
        self.assertEqual(self.daemon.notes("chords"), [])
        for title in ("3. Change the sound", False):
            self.browser.press(Keys.ESCAPE)
            until(lambda: self.title() == title, "the next step")
        self.browser.tap(20, 10)
        until(lambda: self.daemon.notes("chords"), "the free grid")

    def test_on_no_display_does_a_step_cover_the_bar_or_leave_the_display(self):
        for size in DISPLAYS:
            with self.subTest(size=size):
                self.visit(size)
                for step in range(3):
                    card, *controls = self.browser.run(CARD)
                    self.assertTrue(card[0] >= 0 and card[1] >= 0 and card[2] <= size[0] and card[3] <= size[1], card)
                    self.assertEqual([each for each in controls if overlap(card, each)], [])
                    framed = [each.get_attribute("id") for each in self.browser.all(".pointed")]
                    self.assertEqual(framed, [["play"], [], ["open-sheet"]][step], "what it points to")
                    self.browser.press(Keys.ESCAPE)

    def test_type_grows_with_the_display(self):
        sizes = """
            return [...document.querySelectorAll("#app *")].filter((each) => each.checkVisibility()
              && [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
              .map((each) => parseFloat(getComputedStyle(each).fontSize));"""
        for size in DISPLAYS:
            with self.subTest(size=size):
                self.browser.resize(*size)
                for section in ("Library", "Mixer"):
                    self.browser.open_section(section)
                    self.assertGreaterEqual(min(self.browser.run(sizes)), max(13, 0.012 * min(size)) - 0.01)
                self.browser.find("close-sheet").click()

    def test_the_map_names_the_parts_and_goes_without_playing(self):
        self.browser.find("show-help").click()
        self.browser.find("show-guide").click()
        labels = {name: box for name, *box in self.browser.run(LABELS)}
        for name in ("Play", "Undo", "Key", "Tempo", "Length", "Clear: hold", "Melody", "Chords", "Bass", "Rhythm",
                     "Slots", "Scenes", "Mute, solo, sound"):
            self.assertIn(name, labels)
        left, top, right, bottom = labels["Bass"]
        for column, row in ((4, 14), (38, 17)):
            x, y = self.browser.place_of(column, row)
            self.assertTrue(left <= x <= right and top <= y <= bottom, "the label is over the bass")
        self.browser.tap(20, 10)
        self.assertFalse(self.browser.find("guide").is_displayed())
        self.assertEqual(self.daemon.notes("chords"), [], "what takes the labels away plays nothing")

    def test_help_is_there_on_every_display_and_shows_the_labels_again(self):
        for size in (PHONE, LYING, (1024, 768), (1440, 810)):
            with self.subTest(size=size):
                self.browser.resize(*size)
                self.browser.find("show-help").click()
                self.assertEqual(len(self.browser.all("#gestures li svg")), 15)
                self.browser.find("show-guide").click()
                self.assertTrue(self.browser.find("guide").is_displayed())
                self.browser.run("document.getElementById('guide').dispatchEvent(new PointerEvent('pointerdown'))")

    def test_nothing_in_the_bar_is_cut(self):
        self.daemon.call("tempo.set", bpm=112.25)
        until(lambda: self.browser.tempo() == "112.25 BPM", "the tempo")
        for size in (PHONE, LYING, (360, 640), (1024, 768), (1440, 810)):
            with self.subTest(size=size):
                self.browser.resize(*size)
                self.assertEqual(self.browser.run(CUT), [])
        self.browser.resize(1440, 810)
        self.browser.open_section("Mixer")
        self.assertEqual(self.browser.run(CUT), [])
        self.daemon.call("tempo.set", bpm=120)

    def test_at_200_percent_nothing_in_the_bar_is_cut(self):
        for width, height in ((1024, 768), (1440, 810)):
            with self.subTest(size=(width, height)):
                self.browser.resize(width // 2, height // 2, scale=2)
                self.assertEqual(self.browser.run(CUT), [])

    def test_a_gestures_name_is_upright_and_over_no_note(self):
        for size in (PHONE, LYING, (1024, 768)):
            with self.subTest(size=size):
                self.browser.resize(*size)
                self.browser.wait_picture(self.daemon)
                self.browser.touch([("down", 4, 7), *[("move", column, 7) for column in range(5, 9)]])
                until(lambda: self.browser.text("tooltip") == "ARPEGGIO", "the gesture's name")
                word, grid = self.browser.run("""
                    return ["tooltip", "grid"].map((id) => {
                      const each = document.getElementById(id);
                      const { left, top, right, bottom } = each.getBoundingClientRect();
                      const { writingMode, rotate, transform } = getComputedStyle(each);
                      return { left, top, right, bottom, how: [writingMode, rotate, transform].join() };
                    });""")
                self.assertEqual(word["how"], "horizontal-tb,none,none")
                # It may cover the grid's first two rows and columns, which hold no notes.
                cell = self.browser.canvas()["pitch"]
                is_above, is_left = word["bottom"] <= grid["top"] + 2 * cell, word["right"] <= grid["left"] + 2 * cell
                self.assertTrue(is_above or is_left, f"{word} over {grid}")
                self.browser.lift_all()
                self.browser.run("window.dispatchEvent(new Event('blur'))")
                until(lambda: not self.browser.find("tooltip").is_displayed(), "the name to go")

    def test_the_cell_under_the_mouse_is_named(self):
        self.browser.touch([("move", 0, 5)], kind="mouse")
        until(lambda: self.browser.text("cell-name") == "Melody, mute", "the name")
        self.browser.touch([("move", 41, 0)], kind="mouse")
        until(lambda: self.browser.text("cell-name") == "Clear: hold", "the name")

    def test_keys_get_words(self):
        word = lambda: self.browser.find("tooltip").is_displayed() and self.browser.text("tooltip")
        self.daemon.call("tempo.set", bpm=112)
        until(lambda: self.browser.tempo() == "112 BPM", "the tempo")
        for key, text in ((Keys.ARROW_UP, "117 BPM"), ("5", "SCENE 5"), ("1", "SCENE 1")):
            self.browser.press(key)
            until(lambda: word() == text, text)
        self.daemon.call("tempo.set", bpm=132.92)
        until(lambda: self.browser.tempo() == "132.92 BPM", "the tempo")
        self.browser.press(Keys.ARROW_DOWN)
        until(lambda: word() == "127.92 BPM", "a tempo of two decimals")
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.browser.press(Keys.CONTROL, "z")
        until(lambda: word() == "Undid the notes of Bass", "what was undone")
        self.daemon.call("tempo.set", bpm=120)


class Focus(PageTestCase):
    size, scale = PHONE, 2

    def setUp(self):
        shared_browser().renew_tab()
        super().setUp()
        self.browser.visit_first(self.stage.address, size=PHONE, scale=2)
        until(lambda: self.browser.find("visit").is_displayed(), "the first step")
        for _ in range(3):
            self.browser.press(Keys.ESCAPE)

    def box(self, column, row):
        """The middle of a cell, in CSS pixels, by the page's own geometry, which node tests compare with the inverse."""
        return self.browser.run("""
            return import("./grid.js").then(({ placeFocus, boxOf }) => {
              const [column, row, track, half] = arguments;
              const canvas = document.getElementById("grid").getBoundingClientRect();
              const scale = devicePixelRatio;
              const area = Object.fromEntries(["left", "top", "width", "height"].map((side) => [side, canvas[side] * scale]));
              const turns = innerHeight > innerWidth ? 1 : 0;
              const view = placeFocus(area, { turns, track, half }, scale);
              const region = view.regions.find((each) => column >= each.column && column < each.column + each.cols
                && row >= each.row && row < each.row + each.rows);
              const box = boxOf(region, column, row);
              return [(view.left + box.left + box.width / 2) / scale, (view.top + box.top + box.height / 2) / scale];
            });""", column, row, self.track, self.half)

    track = half = 0

    def tap(self, column, row):
        place = self.box(column, row)
        self.browser.dispatch_touch("touchStart", (0, place))
        self.browser.dispatch_touch("touchEnd")

    def choose(self, name):
        next(tab for tab in self.browser.all(".track-tab") if tab.text == name).click()
        self.track = ["Melody", "Chords", "Bass", "Rhythm"].index(name)

    def test_a_phone_begins_with_one_track(self):
        self.assertTrue(self.browser.find("tracks").is_displayed())
        self.tap(4, 7)
        until(lambda: self.daemon.notes("melody") == [(4, 60, "normal")], "the note")

    def test_a_tab_or_a_flick_changes_the_track(self):
        self.choose("Bass")
        self.tap(6, 17)
        until(lambda: self.daemon.notes("bass"), "the bass note")
        tabs = self.browser.run("""const { left, top, width, height } = document.getElementById("tracks")
            .getBoundingClientRect(); return [left + width / 2, top + height / 2]""")
        self.browser.dispatch_touch("touchStart", (0, tabs))
        for distance in (20, 40, 60):
            self.browser.dispatch_touch("touchMove", (0, (tabs[0], tabs[1] - distance)))
        self.browser.dispatch_touch("touchEnd")
        pressed = lambda: [tab.text for tab in self.browser.all(".track-tab[aria-pressed=true]")]
        until(lambda: pressed() == ["Rhythm"], "the next track")

    def test_arrows_turn_to_the_other_half(self):
        self.browser.labelled("Steps 17 to 32").click()
        self.half = 1
        self.tap(22, 7)
        until(lambda: self.daemon.notes("melody") == [(22, 60, "normal")], "the note")

    def test_strips_are_the_controls(self):
        self.tap(32, 0)  # In portrait less and more change places.
        until(lambda: self.daemon.call("state.get")["length"] == 28, "the length")
        self.daemon.call("length.set", length=32)
        self.tap(41, 22)
        until(lambda: self.daemon.call("state.get")["slots"]["bass"]["playing"] == 2, "the scene")
        self.daemon.call("scene.launch", scene=1)

    def test_a_drag_ends_at_the_shown_half(self):
        start, end = self.box(18, 7), self.box(20, 7)
        self.browser.dispatch_touch("touchStart", (0, start))
        for part in range(1, 9):
            self.browser.dispatch_touch("touchMove", (0, (end[0], end[1] + 30 * part)))
        self.browser.dispatch_touch("touchEnd")
        until(lambda: [column for column, *_ in self.daemon.notes("melody")] == [18, 19, 20], "the run")

    def test_the_lock_follows_the_music_but_not_under_a_finger(self):
        self.browser.labelled("Follow the playing step").click()
        self.daemon.call("transport.play")
        shown = lambda: not self.browser.labelled("Steps 17 to 32").is_enabled()
        until(shown, "the second half")
        until(lambda: not shown(), "the first half")
        self.daemon.call("transport.stop")

    def test_the_button_shows_the_whole_grid_and_back(self):
        for shown in (False, True):
            self.browser.find("focus").click()
            until(lambda: self.browser.find("tracks").is_displayed() == shown, "the other view")

    def test_turning_the_device_writes_nothing(self):
        self.browser.dispatch_touch("touchStart", (0, self.box(4, 7)))
        until(lambda: self.browser.all(".ring"), "the ring under the finger")
        self.browser.resize(*LYING, scale=2)
        until(lambda: not self.browser.all(".ring"), "the finger to be let go of")
        self.browser.dispatch_touch("touchEnd")
        self.daemon.call("ping")
        self.assertEqual(self.daemon.notes("melody"), [])

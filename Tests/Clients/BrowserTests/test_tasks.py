"""Five first tasks, done by a first-time visitor who sees only what is labelled: no selectors, no known places."""

from case import PageTestCase
from stage import until

# What can be read on the display, each with its box: names and texts. Covered elements are not seen.
LOOK = """
return [...document.querySelectorAll("body *")].flatMap((each) => {
  const own = [...each.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent).join("").trim();
  const labels = [...new Set([each.getAttribute("aria-label"), own])].filter(Boolean);
  if (!labels.length || !each.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
  const { left, top, right, bottom } = each.getBoundingClientRect();
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  const above = document.elementFromPoint(x, y);
  const isOver = getComputedStyle(each).pointerEvents === "none"; // It is seen, and touches go through.
  if (!isOver && !(above && (each.contains(above) || above.contains(each)))) return [];
  return labels.map((label) => [label, left, top, right, bottom]);
});
"""

MOST_TOUCHES = 12


class Stranger:
    """Reads labels, touches boxes, and remembers where things were."""

    def __init__(self, browser):
        self.browser = browser
        self.touches = 0
        self.memory = {}

    def look(self):
        seen = self.browser.run(LOOK)
        for label, *box in seen:
            self.memory[label] = box
        return seen

    def sees(self, word):
        seen = self.look()
        return ([box for label, *box in seen if label == word]
                or [box for label, *box in seen if label.startswith((f"{word} (", f"{word},"))])

    def tap(self, box, across=0.5, down=0.5):
        left, top, right, bottom = box
        place = (left + across * (right - left), top + down * (bottom - top))
        self.browser.dispatch_touch("touchStart", (0, place))
        self.browser.dispatch_touch("touchEnd")
        self.touches += 1

    def tap_on(self, word):
        self.tap(until(lambda: self.sees(word), word)[0])

    def drag(self, places):
        self.browser.dispatch_touch("touchStart", (0, places[0]))
        for place in places[1:]:
            self.browser.dispatch_touch("touchMove", (0, place))
        self.browser.dispatch_touch("touchEnd")
        self.touches += 1

    def scroll_to(self, word, below=None):
        """Swipes up until a word is seen, below another one if that is given."""
        heading_was_seen = False
        while True:
            headings = self.sees(below) if below else []
            heading_was_seen = heading_was_seen or not below or bool(headings)
            for box in self.sees(word) if heading_was_seen else []:
                if not headings or box[1] > headings[-1][1]:
                    return box
            assert self.touches < MOST_TOUCHES, f"{word} was not found"
            sheet = self.memory["Close (Escape)"]
            self.browser.scroll_up(sheet[0] - 40, 0.9 * self.browser.run("return innerHeight"))
            self.touches += 1


class Tasks:
    def setUp(self):
        self.browser_of().renew_tab()
        super().setUp()
        for entry in self.daemon.call("library.list"):
            self.daemon.call("library.delete", name=entry["name"])
        self.daemon.call("scene.launch", scene=1)
        self.browser.visit_first(self.stage.address, size=self.size, scale=self.scale)
        self.stranger = Stranger(self.browser)

    def task(self, what, act):
        before = self.stranger.touches
        act()
        count = self.stranger.touches - before
        print(f"{what}: {count} touches", end="; ", flush=True)
        self.assertLessEqual(count, MOST_TOUCHES, what)

    def test_five_first_tasks(self):
        for what in ("write a bass line", "undo", "change its sound", "launch a scene", "save"):
            with self.subTest(what):
                self.task(what, getattr(self, what.replace(" ", "_")))

    def write_a_bass_line(self):
        stranger = self.stranger
        until(lambda: stranger.sees("Start playing"), "the labels")
        stranger.tap_on("Start playing")
        where = self.find_the_bass()
        self.assertLessEqual(stranger.touches, 2, "the third touch writes the first note")
        for place in (0.02, 0.26, 0.5, 0.74):
            stranger.tap(where, *((0.8, place) if self.is_turned() else (place, 0.8)))
        until(lambda: len({column for column, *_ in self.daemon.notes("bass")}) == 4, "four bass notes")

    def is_turned(self):
        return self.size[1] > self.size[0]

    def undo(self):
        before = self.daemon.notes("bass")
        self.stranger.tap_on("Undo")
        until(lambda: len(self.daemon.notes("bass")) < len(before), "one note less")

    def change_its_sound(self):
        self.stranger.tap_on("Library, mixer, settings")
        self.stranger.tap_on("Sounds")
        self.stranger.tap(self.stranger.scroll_to("Acid", below="Bass"))
        until(lambda: self.daemon.call("state.get")["tracks"]["bass"]["preset"] == "Acid", "the sound")

    def launch_a_scene(self):
        self.stranger.tap_on("Scenes")
        self.stranger.tap_on("Scene 2")
        until(lambda: self.daemon.call("state.get")["slots"]["bass"]["playing"] == 2, "the scene")

    def save(self):
        self.stranger.tap_on("Library")
        self.stranger.tap_on("Save")
        until(lambda: len(self.daemon.call("library.list")) == 1, "the pattern")
        until(lambda: [label for label, *_ in self.stranger.look() if label.startswith("Saved")], "the answer")

    def tearDown(self):
        self.daemon.call("scene.launch", scene=1)
        self.daemon.call("track.set", track="bass", preset="Saw")
        super().tearDown()


def beside_the_name(tasks):
    """The bass's steps: its name stands beside its four rows, and the steps follow after four columns."""
    _, top, right, bottom = tasks.stranger.memory["Bass"]
    cell = (bottom - top) / 4
    return [right + 4 * cell, top, right + 39 * cell, bottom]


def between_the_names(tasks):
    """One track fills the display between the bar and the tracks' names: the chosen one is where the other was."""
    tasks.stranger.tap_on("Bass")
    bar, width, height = tasks.stranger.memory["Drums"], *tasks.browser.run("return [innerWidth, innerHeight]")
    top, depth = bar[3], height - bar[3]
    return [0.42 * width, top + 0.42 * depth, 0.7 * width, top + 0.84 * depth]  # The middle, below the card.


class OnALaptop(Tasks, PageTestCase):
    size, scale = (1440, 810), 1
    find_the_bass = beside_the_name


class OnAPhone(Tasks, PageTestCase):
    size, scale = (390, 844), 3
    find_the_bass = between_the_names


class OnATablet(Tasks, PageTestCase):
    size, scale = (1024, 768), 2
    find_the_bass = beside_the_name

"""What can be seen, hit and heard: contrast (WCAG AA), sizes of touch targets, names."""

from case import PageTestCase
from stage import until

# Every visible text whose contrast with its background is too low. Text over the grid is not compared with its colours.
CONTRAST = """
const parse = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
const linear = (value) => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
const behind = (element) => {
  for (let each = element; each; each = each.parentElement) {
    const colour = parse(getComputedStyle(each).backgroundColor);
    if (colour.length === 3 || colour[3] > 0.99) return colour;
  }
  return [0, 0, 0];
};
const poor = [];
for (const element of document.querySelectorAll("body *")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const placeholder = element.matches("input[type=text]");
  if (!(own || placeholder) || !element.checkVisibility({ visibilityProperty: true })) continue;
  if (element.closest(":disabled, #announcer")) continue;
  const both = [parse(getComputedStyle(element).color), behind(element)].map(luminance);
  const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
  const what = `${element.tagName} ${element.className} "${element.textContent}"`;
  if (contrast < 4.5) poor.push(`${what}: ${contrast.toFixed(2)}`);
}
return poor;
"""

# Every visible control that is smaller than 44 pixels, or 40 in the bar, and every one without a name.
TARGETS = """
return [...document.querySelectorAll("button, input, [role=switch]")].flatMap((control) => {
  if (!control.checkVisibility({ visibilityProperty: true }) || control.type === "file") return [];
  const { width, height } = control.getBoundingClientRect();
  const name = control.getAttribute("aria-label") || control.textContent.trim() || control.labels?.[0]?.textContent;
  const what = `${control.tagName} ${control.id || control.className} "${name}"`;
  return [...(name ? [] : [`${what} has no name`]),
    ...(Math.min(width, height) >= (control.closest("#bar") ? 40 : 43.5) ? [] : [`${what} is ${width} by ${height}`])];
});
"""

# By how much what is in the sheet is wider than the sheet.
OVERHANG = """
const { scrollWidth, clientWidth } = document.getElementById("section");
return scrollWidth - clientWidth;
"""


class Accessibility(PageTestCase):
    maxDiff = None

    def look(self, where):
        with self.subTest(where):
            self.assertEqual(self.browser.run(CONTRAST) + self.browser.run(TARGETS), [])

    def test_contrast_and_sizes(self):
        self.daemon.call("library.save", name="tune")
        for size in ((1024, 768), (390, 844), (844, 390)):
            self.browser.resize(*size)
            self.look(f"{size}: the page")
            for section in ("Library", "Scenes", "Mixer", "Sounds", "MIDI", "Sync", "Settings"):
                self.browser.open_section(section)
                self.look(f"{size}: {section}")
            self.browser.find("learn").click()
            for section in ("Mixer", "Sounds", "Settings"):
                self.browser.open_section(section)
                self.look(f"{size}: {section}, learning")
                self.assertEqual(self.browser.run(OVERHANG), 0, f"{size}: {section}, learning")
            self.browser.find("learn").click()
            self.browser.find("close-sheet").click()

    def test_nothing_moves_for_those_who_want_it_so(self):
        for preference, is_moving in (("no-preference", True), ("reduce", False)):
            self.browser.driver.execute_cdp_cmd(
                "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": preference}]})
            count = self.browser.run("""
                document.getElementById("open-sheet").click();
                const count = document.getAnimations().length;
                document.getElementById("close-sheet").click();
                return count;""")
            self.assertEqual(count > 0, is_moving, preference)

    def test_music_is_not_read_out(self):
        """Only the user's actions are announced: neither steps nor what they change."""
        self.daemon.call("note.set", track="bass", step=0, note=0, velocity="normal")
        self.browser.open_section("Scenes")
        self.browser.run("""
            window.spoken = [];
            for (const each of document.querySelectorAll("output, [aria-live], [role=status], [role=alert]")) {
              new MutationObserver(() => spoken.push(each.textContent))
                .observe(each, { childList: true, characterData: true, subtree: true });
            }""")
        self.daemon.call("transport.play")
        for step in (20, 4):
            until(lambda: self.daemon.call("state.get")["transport"]["step"] == step, f"step {step}")
        self.daemon.call("transport.stop")
        self.assertEqual(self.browser.run("return spoken"), [])

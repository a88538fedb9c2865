// A view of one track instead of the grid, for displays on which cells are small: its tabs, track and half.

import { button, byID, element, icon, relabel } from "./dom.js";
import { recall, remember } from "./memory.js";
import { trackColours } from "./parameters.js";
import { titled } from "./controls.js";

const SMALL = 24; // CSS pixels of a cell, below which a track may fill the display
const REST = 1000; // ms after the last finger, before the half follows the music
const FLICK = 40; // CSS pixels
const TITLES = Object.keys(trackColours);
const HALF = 16; // steps

/** `changed` is called when the view changes. */
export function makeFocus(stepFeed, changed) {
  let track = recall("focus.track", 0);
  let half = 0;
  let settings = { length: HALF };
  let lastFinger = -REST;
  const down = { pointers: 0, cursor: 0 };
  let stop = null;

  const tabs = TITLES.map((name, index) =>
    element("button", { className: "track-tab", onclick: () => choose(index) }, titled(name)));
  tabs.forEach((tab, index) => tab.style.setProperty("--track", trackColours[TITLES[index]]));
  const before = button("icon-button", "Steps 1 to 16", () => show(track, 0), icon("before"));
  const after = button("icon-button", "Steps 17 to 32", () => show(track, 1), icon("after"));
  const lock = button("icon-button", "Follow the playing step", toggleLock, icon("follow"));
  byID("tracks").append(before, ...tabs, after, lock);

  /** Shows a half of a track, the first if its slot has no other; the length lens uses all steps. */
  function show(newTrack, newHalf) {
    const shown = [track, half].join();
    track = newTrack;
    const name = TITLES[track];
    const { playing, slots } = settings.slots?.[name] ?? {};
    const length = settings.lenses?.[name] === "length" ? 2 * HALF : slots?.[playing]?.length ?? settings.length;
    half = length > HALF ? newHalf : 0;
    tabs.forEach((tab, index) => tab.setAttribute("aria-pressed", index === track));
    before.hidden = after.hidden = lock.hidden = length <= HALF;
    before.disabled = half === 0;
    after.disabled = half === 1;
    lock.setAttribute("aria-pressed", Boolean(stop));
    if ([track, half].join() !== shown) changed();
  }

  function choose(index) {
    show(Math.min(Math.max(index, 0), TITLES.length - 1), half);
    remember("focus.track", track);
  }

  function follow({ step, tracks }) {
    if (down.pointers || down.cursor || performance.now() - lastFinger < REST) return;
    show(track, (tracks?.[TITLES[track]] ?? step) < HALF ? 0 : 1);
  }

  function toggleLock() {
    stop = stop ? void stop() ?? null : stepFeed.listen(follow);
    show(track, half);
  }

  // A flick along the tabs switches to the next track.
  let start = null;
  byID("tracks").addEventListener("pointerdown", (event) => (start = event));
  addEventListener("pointerup", (event) => {
    if (event.pointerId !== start?.pointerId) return;
    const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
    const along = byID("tracks").classList.contains("upright") ? dy : dx;
    start = null;
    if (Math.abs(along) > FLICK) choose(track + (along < 0 ? 1 : -1));
  });
  show(track, 0);

  return {
    get shown() {
      return { track, half };
    },

    /** Whether one track fills the display, where the whole grid's cells would be this wide. */
    isOn(cellPixels) {
      const isSmall = cellPixels < SMALL;
      byID("focus").hidden = !isSmall;
      // A phone's first visit begins with it.
      const isOn = isSmall && recall("focus", Math.min(innerWidth, innerHeight) < 600);
      relabel(byID("focus"), isOn ? "The whole grid" : "One track, larger", isOn);
      return isOn;
    },

    toggle() {
      remember("focus", !this.isOn(0));
      changed();
    },

    touched(count, by = "pointers") {
      down[by] = count;
      lastFinger = performance.now();
    },

    showState(state) {
      settings = state;
      show(track, half);
    },
  };
}

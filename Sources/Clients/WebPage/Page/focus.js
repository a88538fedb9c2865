// One track instead of the grid, where cells would be small: its tabs, track and half.

import { button, byID, icon, relabel } from "./dom.js";
import { recall, remember } from "./memory.js";
import { makeTrackTabs, TRACK_NAMES } from "./tracks.js";

const SMALL = 24; // CSS pixels of a cell, below which a track may fill the display
const REST = 1000; // ms after the last finger, before the half follows the music
const FLICK = 40; // CSS pixels
const HALF = 16; // steps

export function makeFocus(stepFeed, closeLens, changed) {
  let track = recall("focus.track", 0);
  let half = 0;
  let settings = { length: HALF };
  let lastFinger = -REST;
  const down = { pointers: 0, cursor: 0 };
  let stop = null;

  const tabs = makeTrackTabs((index) => choose(index), closeLens);
  const before = button("icon-button", "Steps 1 to 16", () => show(track, 0), icon("before"));
  const after = button("icon-button", "Steps 17 to 32", () => show(track, 1), icon("after"));
  const lock = button("icon-button", "Follow the playing step", toggleLock, icon("follow"));
  byID("tracks").append(before, ...tabs.elements, after, lock);

  /** Shows a half of a track, the first if its slot has no other; the length lens uses all steps. */
  function show(newTrack, newHalf) {
    const shown = [track, half].join();
    track = newTrack;
    const name = TRACK_NAMES[track];
    const { playing, slots } = settings.slots?.[name] ?? {};
    const length = settings.lenses?.[name] === "length" ? 2 * HALF : slots?.[playing]?.length ?? settings.length;
    half = length > HALF ? newHalf : 0;
    tabs.show(track, settings.lenses);
    before.hidden = after.hidden = lock.hidden = length <= HALF;
    before.disabled = half === 0;
    after.disabled = half === 1;
    lock.setAttribute("aria-pressed", Boolean(stop));
    if ([track, half].join() !== shown) changed();
  }

  function choose(index) {
    show(Math.min(Math.max(index, 0), TRACK_NAMES.length - 1), half);
    remember("focus.track", track);
  }

  function follow({ step, tracks }) {
    if (down.pointers || down.cursor || performance.now() - lastFinger < REST) return;
    show(track, (tracks?.[TRACK_NAMES[track]] ?? step) < HALF ? 0 : 1);
  }

  function toggleLock() {
    stop = stop ? void stop() ?? null : stepFeed.listen(follow);
    show(track, half);
  }

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

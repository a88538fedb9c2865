// The tracks' names, as tabs and at the edge of the grid, a chip there and in the bar for each open lens, and the effects'
// names on the overview.

import { EFFECTS } from "./cells.js";
import { titled } from "./controls.js";
import { byID, element, place } from "./dom.js";
import { edgesOf } from "./layout.js";
import { trackColours } from "./parameters.js";
import { OVERVIEW, STEPS } from "./places.js";

export const TRACK_NAMES = Object.keys(trackColours);

export function makeTrackTabs(choose, close) {
  const tabs = TRACK_NAMES.map((name, index) => {
    const tab = element("button", { className: "track-tab", onclick: () => choose(index) }, titled(name));
    tab.style.setProperty("--track", trackColours[name]);
    return tab;
  });
  const elements = tabs.map((tab) => element("div", { className: "track-place" }, tab));
  const shown = {};
  return {
    elements,

    show(chosen, lenses = {}) {
      TRACK_NAMES.forEach((track, index) => {
        tabs[index].setAttribute("aria-pressed", index === chosen);
        const lens = lenses[track];
        if (shown[track] === lens) return;
        shown[track] = lens;
        const chip = lens ? [makeChip(track, lens, close, `${lens} \u00d7`)] : [];
        elements[index].replaceChildren(tabs[index], ...chip);
      });
    },
  };
}

export function makeEdges(close) {
  const names = TRACK_NAMES.map((track) => {
    const name = element("span", { className: "edge" });
    name.style.setProperty("--track", trackColours[track]);
    return name;
  });
  byID("edges").append(...names);
  let shown = "";

  return {
    show({ lenses = {} }) {
      if (shown === JSON.stringify([lenses])) return;
      shown = JSON.stringify([lenses]);
      TRACK_NAMES.forEach((track, index) => {
        const lens = lenses[track];
        // Keys and screen readers have the bar's.
        names[index].replaceChildren(lens ? makeChip(track, lens, close, `${titled(lens)} \u00d7`) : titled(track));
        if (lens) names[index].firstChild.tabIndex = -1;
      });
    },

    arrange(view) {
      byID("edges").hidden = !view.isWhole;
      if (!view.isWhole) return;
      byID("edges").classList.toggle("upright", view.turns % 2 === 0);
      edgesOf(view).forEach((rectangle, index) => place(names[index], rectangle));
    },
  };
}

/** Returns a function that places the effects' names where one track fills the display. */
export function makeZones(grid) {
  const names = EFFECTS.map((name) => element("span", { className: "zone" }, titled(name)));
  byID("zones").append(...names);
  return () => {
    byID("zones").hidden = byID("tracks").hidden;
    if (byID("zones").hidden) return;
    names.forEach((name, zone) => {
      const first = STEPS.first + zone * (STEPS.perBar + 1);
      place(name, grid.rectangleOf(first, OVERVIEW.top, first + STEPS.perBar - 1, OVERVIEW.bottom));
    });
  };
}

const COLOURS = {
  level: "#ffffff", chance: "#ffaa00", cycle: "#00ffaa", ratchet: "#ff0088", nudge: "#00aaff", length: "#888888",
  speed: "#8844ff",
};

export function makeChip(track, lens, close, ...content) {
  const label = `Close the lens on ${track}: ${lens}`;
  const chip = element("button", { className: "chip", title: label, "aria-label": label, onclick: () => close(track) },
    ...content);
  chip.style.setProperty("--lens", COLOURS[lens] ?? trackColours[track]);
  return chip;
}

export function makeChips(close) {
  let shown = "";
  return {
    show({ lenses = {} }) {
      if (shown === JSON.stringify(lenses)) return;
      shown = JSON.stringify(lenses);
      byID("lenses").replaceChildren(...Object.entries(lenses).map(([track, lens]) => makeChip(track, lens, close,
        element("span", { className: "chip-colour" }),
        element("span", { className: "chip-name" }, `${titled(track)}: ${lens}`), "\u00d7")));
    },
  };
}

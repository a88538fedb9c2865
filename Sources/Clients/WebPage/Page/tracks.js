// The tracks' names, as tabs and at the edge of the grid, with a chip where a lens is open.

import { titled } from "./controls.js";
import { byID, element, place } from "./dom.js";
import { edgesOf } from "./layout.js";
import { makeChip } from "./lenses.js";
import { trackColours } from "./parameters.js";

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

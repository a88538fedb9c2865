// The open lenses: a chip for each in the bar and at its track, with the lens's colour, its name and a cross.

import { titled } from "./controls.js";
import { byID, element } from "./dom.js";
import { trackColours } from "./parameters.js";

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

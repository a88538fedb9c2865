// The open lenses: a chip for each in the bar and at its track, with the lens's colour, its name and a cross.

import { titled } from "./controls.js";
import { byID, element } from "./dom.js";
import { trackColours } from "./parameters.js";

/** Colours as on the grid; motions have their track's. */
const COLOURS = {
  level: "#ffffff", chance: "#ffaa00", cycle: "#00ffaa", ratchet: "#ff0088", nudge: "#00aaff", length: "#888888",
  speed: "#8844ff",
};
export const lensColour = (track, lens) => COLOURS[lens] ?? trackColours[track];

/** `close(track)` closes a lens. */
export function makeChips(close) {
  let shown = "";
  return {
    show({ lenses = {} }) {
      if (shown === JSON.stringify(lenses)) return false;
      shown = JSON.stringify(lenses);
      byID("lenses").replaceChildren(...Object.entries(lenses).map(([track, lens]) => {
        const text = `${titled(track)}: ${lens}`;
        const chip = element("button", { className: "chip", title: `Close the lens of ${track}: ${lens}`,
          "aria-label": `${text}, close`, onclick: () => close(track) },
        element("span", { className: "chip-colour" }), `${text} \u00d7`);
        chip.style.setProperty("--lens", lensColour(track, lens));
        return chip;
      }));
      return true;
    },
  };
}

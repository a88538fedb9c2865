// The tracks' names at the edge of the grid; with an open lens its chip instead.

import { titled } from "./controls.js";
import { byID, element, place } from "./dom.js";
import { edgesOf } from "./layout.js";
import { lensColour } from "./lenses.js";
import { trackColours } from "./parameters.js";

/** `close(track)` closes a lens. The bar has the same chips for keys and screen readers. */
export function makeEdges(close) {
  const names = Object.keys(trackColours).map((track) => {
    const name = element("span", { className: "edge", onclick: () => name.classList.contains("chip") && close(track) });
    name.style.setProperty("--track", trackColours[track]);
    return name;
  });
  byID("edges").append(...names);

  return {
    show({ lenses = {} }) {
      Object.keys(trackColours).forEach((track, index) => {
        const lens = lenses[track];
        names[index].textContent = lens ? `${titled(lens)} \u00d7` : titled(track);
        names[index].title = lens ? "Close the lens" : "";
        names[index].classList.toggle("chip", Boolean(lens));
        names[index].style.setProperty("--lens", lens ? lensColour(track, lens) : "");
      });
    },

    /** Only the whole grid has them. */
    arrange(view) {
      byID("edges").hidden = !view.isWhole;
      if (!view.isWhole) return;
      byID("edges").classList.toggle("upright", view.turns % 2 === 0);
      edgesOf(view).forEach((rectangle, index) => place(names[index], rectangle));
    },
  };
}

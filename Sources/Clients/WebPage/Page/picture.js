// The picture: the colour and label of each cell, and which cells have changed since they were drawn.

import { GRID } from "./places.js";

export function makePicture({ cols, rows } = GRID) {
  const rgb = new Uint32Array(cols * rows);
  const labels = Array(cols * rows).fill("");
  let seq = null;
  let changed = new Set(rgb.keys());

  return {
    cols, rows, rgb, labels,
    showsNames: false,

    replace(frame) {
      seq = frame.seq;
      rgb.set(frame.rgb);
      changed = new Set(rgb.keys());
    },

    apply(frame) {
      if (frame.base !== seq) return false;
      seq = frame.seq;
      for (let i = 0; i < frame.cells.length; i += 2) {
        rgb[frame.cells[i]] = frame.cells[i + 1];
        changed.add(frame.cells[i]);
      }
      return true;
    },

    applyLabels({ base, cells }) {
      if (base === undefined) {
        labels.forEach((label, index) => label && changed.add(index));
        labels.fill("");
      }
      for (let i = 0; i < cells.length; i += 2) {
        labels[cells[i]] = cells[i + 1];
        changed.add(cells[i]);
      }
    },

    takeChanges() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
  };
}

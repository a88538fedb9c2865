// The picture: a colour for each cell, and which have changed since they were drawn.

export function makePicture(cols = 44, rows = 24) {
  const rgb = new Uint32Array(cols * rows);
  let seq = null;
  let changed = new Set(rgb.keys());

  return {
    cols, rows, rgb,

    replace(frame) {
      seq = frame.seq;
      rgb.set(frame.rgb);
      changed = new Set(rgb.keys());
    },

    /** Takes a diff; false when it was made against another picture than this one. */
    apply(frame) {
      if (frame.base !== seq) return false;
      seq = frame.seq;
      for (let i = 0; i < frame.cells.length; i += 2) {
        rgb[frame.cells[i]] = frame.cells[i + 1];
        changed.add(frame.cells[i]);
      }
      return true;
    },

    /** The cells that have changed since this was last asked, by index. */
    takeChanges() {
      const taken = changed;
      changed = new Set();
      return taken;
    },
  };
}

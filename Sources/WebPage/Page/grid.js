// The grid on a canvas. What has changed is drawn once for each of the display's own frames.

import { cellsAt, cornerOf } from "./layout.js";
import { oncePerFrame, place } from "./dom.js";

/** How far beside the grid, in cells, a finger still means the cell at the edge. */
const REACH = 1;

export function makeGrid(canvas, picture) {
  const { cols, rows, rgb } = picture;
  const context = canvas.getContext("2d", { alpha: false });
  let layout;

  function drawCell(index) {
    const [left, top] = cornerOf(layout, index % cols, Math.floor(index / cols));
    context.fillStyle = `#${rgb[index].toString(16).padStart(6, "0")}`;
    context.fillRect(left, top, layout.side, layout.side);
  }

  /** Within the grid, with the three decimals that are sent. */
  const within = (value, count) => Math.round(1000 * Math.min(Math.max(value, 0), count - 0.001)) / 1000;

  return {
    /** A cell's width with its gap, in CSS pixels: what the daemon measures fingers by. */
    get cellPixels() {
      return layout.pitch / devicePixelRatio;
    },

    get turns() {
      return layout.turns;
    },

    moveTo(newLayout) {
      layout = newLayout;
      place(canvas, layout);
      canvas.width = layout.width;
      canvas.height = layout.height;
      rgb.forEach((_, index) => drawCell(index));
    },

    update: oncePerFrame(() => picture.takeChanges().forEach(drawCell)),

    /** An event's place in cells. Well beside the grid it is the nearest one if `clamped`, else null. */
    placeOf({ clientX, clientY }, clamped) {
      const [left, top] = [clientX, clientY].map((length) => length * devicePixelRatio);
      const { x, y } = cellsAt(layout, left - layout.left, top - layout.top);
      const isNear = x > -REACH && y > -REACH && x < cols + REACH && y < rows + REACH;
      return clamped || isNear ? { x: within(x, cols), y: within(y, rows) } : null;
    },

    /** The rectangle of a cell, in the device's pixels from the display's corner. */
    rectangleOf(column, row) {
      const [left, top] = cornerOf(layout, column, row);
      return { left: layout.left + left, top: layout.top + top, width: layout.side, height: layout.side };
    },
  };
}

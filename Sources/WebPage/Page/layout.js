// Where things stand on the display: pure geometry, in whole pixels of the device.

const GAP = 1;

/**
 * Makes the cells as large as they can be: the bar stands above or on the left, the scope below.
 *
 * `shape` has the grid's `cols` and `rows`, and `turns`, in quarters clockwise; `bar` is the bar's thickness, `scope`
 * the scope's least and greatest, or null.
 */
export function arrange({ left, top, width, height }, shape, { bar, scope }) {
  const above = [{ left, top, width, height: bar }, { left, top: top + bar, width, height: height - bar }];
  const beside = [{ left, top, width: bar, height }, { left: left + bar, top, width: width - bar, height }];
  const [first, second] = [above, beside].map(([bar, rest]) => ({ bar, ...addScope(rest, shape, scope) }));
  return second.grid.pitch > first.grid.pitch ? second : first;
}

function addScope(area, shape, scope) {
  if (!scope) return { grid: placeGrid(area, shape) };
  const smallest = placeGrid({ ...area, height: area.height - scope.least }, shape);
  const size = Math.max(scope.least, Math.min(scope.greatest, area.height - smallest.height));
  const height = area.height - size;
  return { scope: { ...area, top: area.top + height, height: size }, grid: placeGrid({ ...area, height }, shape) };
}

/** The largest grid of square cells that fits into an area, in its middle; `pitch` is a cell's side with its gap. */
export function placeGrid(area, { cols, rows, turns }) {
  const [across, down] = turns % 2 ? [rows, cols] : [cols, rows];
  const fit = Math.floor(Math.min((area.width + GAP) / across, (area.height + GAP) / down));
  const pitch = Math.max(2, fit);
  const [width, height] = [across * pitch - GAP, down * pitch - GAP];
  const left = area.left + Math.max(0, Math.floor((area.width - width) / 2));
  const top = area.top + Math.max(0, Math.floor((area.height - height) / 2));
  return { left, top, width, height, pitch, side: pitch - GAP, cols, rows, turns };
}

export function cornerOf({ cols, rows, turns, pitch }, column, row) {
  const [right, bottom] = [cols - 1 - column, rows - 1 - row];
  const [across, down] = [[column, row], [bottom, column], [right, bottom], [row, right]][turns];
  return [across * pitch, down * pitch];
}

export function cellsAt({ cols, rows, turns, pitch }, left, top) {
  const [across, down] = [left / pitch, top / pitch];
  const [x, y] = [[across, down], [down, rows - across], [cols - across, rows - down], [cols - down, across]][turns];
  return { x, y };
}

export function stepOnGrid(turns, [across, down]) {
  return [[across, down], [down, -across], [-across, -down], [-down, across]][turns];
}

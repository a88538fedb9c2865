// The signs on the grid's controls, and the gap columns, which are darker than the steps.

import { CONTROLS, GRID, LENS, METER, OVERVIEW, PADS, STEPS, TRACKS } from "./places.js";

const KEYS = ["C", "C\u266f", "D", "D\u266f", "E", "F", "F\u266f", "G", "G\u266f", "A", "A\u266f", "B"];
const PLAY = "\u25b6";
const STOP = "\u25a0";
const CONTROL_SIGNS = {
  musicKey: "\u266b", undo: "\u21b6", redo: "\u21b7", major: "maj", minor: "min", penta: "pen", ghosts: "\u25cc",
  tempoDown: "\u2212", tempoUp: "+", lengthDown: "\u2212", lengthUp: "+", clear: "\u2715",
};
const HEAD_SIGNS = ["M", "S", "\u266a"]; // mute, solo, sound
const BACKGROUND = 0x0a0a0a;

const signs = new Map();
const put = (column, row, sign) => signs.set(row * GRID.cols + column, sign);
for (const [name, sign] of Object.entries(CONTROL_SIGNS)) put(CONTROLS[name][0], 0, sign);
KEYS.forEach((key, index) => put(CONTROLS.root[0] + index, 0, key));
TRACKS.forEach(({ top }) => HEAD_SIGNS.forEach((sign, column) => put(column, top, sign)));
for (const row of [OVERVIEW.top, OVERVIEW.bottom]) {
  for (let column = PADS.first; column <= PADS.last; column++) {
    put(column, row, String(column - PADS.first + 1 + (row === OVERVIEW.top ? 0 : 4)));
  }
}
const playCell = CONTROLS.playStop[0];

export const signOf = (index, isPlaying) => (index === playCell ? (isPlaying ? STOP : PLAY) : signs.get(index));

function isGap(column) {
  if (column === LENS || column === PADS.first - 1) return true;
  return column > METER && column <= STEPS.last && (column - STEPS.first) % (STEPS.perBar + 1) === STEPS.perBar;
}

const GAPS = Uint8Array.from({ length: GRID.cols * GRID.rows }, (_, index) =>
  isGap(index % GRID.cols) && index >= TRACKS[0].top * GRID.cols && index < OVERVIEW.top * GRID.cols);

/** The colour that a cell is drawn in: gap columns are black unless the daemon shows something there. */
export const darkened = (index, rgb) => (GAPS[index] && rgb === BACKGROUND ? 0 : rgb);

// Where things are on the grid, made from Sources/Music/Grid by scripts/reference.

export const GRID = { cols: 44, rows: 24 };

export const TRACKS = [
  { name: "melody", top: 2, height: 6 },
  { name: "chords", top: 8, height: 6 },
  { name: "bass", top: 14, height: 4 },
  { name: "rhythm", top: 18, height: 4 },
];

/** The first and the last column of each control in row 0. */
export const CONTROLS = {
  musicKey: [0, 0],
  playStop: [1, 2],
  undo: [4, 4],
  redo: [5, 5],
  major: [7, 7],
  minor: [8, 8],
  penta: [9, 9],
  root: [11, 22],
  ghosts: [24, 24],
  tempoDown: [26, 26],
  tempo: [27, 27],
  tempoUp: [28, 28],
  lengthDown: [30, 30],
  length: [31, 31],
  lengthUp: [32, 32],
  scrub: [34, 37],
  clear: [40, 43],
};

export const METER = 2;
export const LENS = 3;
export const STEPS = { first: 4, last: 38, perBar: 8 };
export const PADS = { first: 40, last: 43 };
export const OVERVIEW = { top: 22, bottom: 23 };

/** Beats a minute. */
export const TEMPO = { least: 20, most: 300 };

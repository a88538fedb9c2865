// What a cell is called, for those who hear the grid instead of seeing it.

const PITCHES = ["C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B"];
const DRUMS = [
  "kick", "kick 2", "low tom", "snare", "snare 2", "rimshot", "clap", "closed hat", "open hat", "crash",
  "ride", "cowbell",
];
const TRACKS = [
  { name: "melody", top: 2, height: 6, notes: PITCHES },
  { name: "chords", top: 8, height: 6, notes: PITCHES },
  { name: "bass", top: 14, height: 4, notes: PITCHES },
  { name: "rhythm", top: 18, height: 4, notes: DRUMS },
];
const PADS = 40;
const HEAD = ["mute", "solo", "level", ""];
const OVERVIEW = 22;

/** Row 0, by first column; each control reaches to the next. */
const CONTROLS = [
  [0, "music key"], [1, "play or stop"], [3], [4, "undo"], [5, "redo"], [6], [7, "major"], [8, "minor"],
  [9, "pentatonic"], [10], ...PITCHES.map((pitch, index) => [11 + index, `root ${pitch}`]), [23], [24, "ghosts"],
  [25], [26, "slower"], [27, "tempo"], [28, "faster"], [29], [30, "shorter"], [31, "length"], [32, "longer"], [33],
  [34, "scrub indicator"], [38], [40, "clear all"],
];

/** A cell in words: "melody, C or C sharp, step 5"; "nothing" where nothing is. */
export function nameOfCell(column, row) {
  const step = stepOf(column);
  if (row === 0) return CONTROLS.filter(([first]) => first <= column).at(-1)[1] ?? "nothing";
  if (row === 1) return step ? `step ${step}` : "nothing";
  if (row >= OVERVIEW && column >= PADS) return `scene ${padOf(column, row - OVERVIEW, 1)}`;
  if (row >= OVERVIEW) return step ? `overview, step ${step}` : "nothing";
  const track = TRACKS.find(({ top, height }) => row < top + height);
  if (column >= PADS) return `${track.name} slot ${padOf(column, row - track.top, track.height / 2)}`;
  if (HEAD[column]) return `${HEAD[column]} ${track.name}`;
  return step ? `${track.name}, ${notesOf(track, row).join(" or ")}, step ${step}` : "nothing";
}

function stepOf(column) {
  const offset = column - HEAD.length;
  return offset < 0 || offset > 34 || offset % 9 === 8 ? null : offset - Math.floor(offset / 9) + 1;
}

/** Two rows of four pads. */
const padOf = (column, row, height) => column - PADS + 1 + (row < height ? 0 : 4);

function notesOf({ top, height, notes }, row) {
  const count = notes.length / height;
  const lowest = (top + height - 1 - row) * count;
  return notes.slice(lowest, lowest + count);
}

/** Whether a colour is bright enough for a note or a switch that is on. */
export const isLit = (rgb) => Math.max(rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff) >= 0x60;

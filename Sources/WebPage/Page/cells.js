// What a cell is called, for those who hear the grid, and for the bar.

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
const HEAD = ["mute", "solo", "sound and level; hold: lens", ""];
const OVERVIEW = 22;

/** Row 0, by first column; each control reaches to the next. */
const CONTROLS = [
  [0, "play or stop; hold: colours"], [1, "play or stop; hold: record"], [3], [4, "undo"], [5, "redo"], [6], [7, "major"],
  [8, "minor"], [9, "pentatonic"], [10], ...PITCHES.map((pitch, index) => [11 + index, `key of ${pitch}`]), [23],
  [24, "ghosts of other tracks"], [25], [26, "slower"], [27, "tempo; hold: sync"], [28, "faster"], [29], [30, "shorter"],
  [31, "length"], [32, "longer"], [33], [34, "scrub indicator"], [38], [40, "clear: hold"],
];

/**
 * A cell in words: "Melody, C or C sharp, step 5", or with the `label` that it has "Melody, C, step 5"; "nothing" where
 * nothing is. Under a lens it is "Melody, C or C sharp, step 5, chance 50 percent".
 */
export function nameOfCell(column, row, label = "", lenses = {}) {
  const name = lowerNameOf(column, row, label, lenses);
  return name === "nothing" ? name : name[0].toUpperCase() + name.slice(1);
}

function lowerNameOf(column, row, label, lenses) {
  const step = stepOf(column);
  if (row === 0) return CONTROLS.filter(([first]) => first <= column).at(-1)[1] ?? "nothing";
  if (row === 1) return step ? `step ${step}; hold: fill` : "nothing";
  const scene = sceneOfCell(column, row);
  if (scene) return `scene ${scene}`;
  if (row >= OVERVIEW) return step ? `overview, step ${step}` : "nothing";
  const track = TRACKS.find(({ top, height }) => row < top + height);
  if (column >= PADS) return `${track.name}, slot ${padOf(column, row - track.top, track.height / 2)}`;
  if (HEAD[column]) return `${track.name}, ${HEAD[column]}`;
  const lens = lenses?.[track.name];
  const notes = notesOf(track, row);
  if (lens && column === HEAD.length - 1) return `${track.name}, lens: ${lens}`;
  if (lens && step) {
    const value = label && `, ${lens} ${LENS_WORDS[lens]?.(label) ?? label}`;
    return `${track.name}, ${notes.join(" or ")}, step ${step}${value}`;
  }
  return step ? `${track.name}, ${wordOf(label, track) ?? notes.join(" or ")}, step ${step}` : "nothing";
}

/** The scene whose pad a cell is; null for other cells. */
export const sceneOfCell = (column, row) =>
  (row >= OVERVIEW && column >= PADS ? padOf(column, row - OVERVIEW, 1) : null);

const CYCLES = { "1F": "first", N1: "not first", F: "fill", NF: "not fill" };

/** What a label says, by lens. */
const LENS_WORDS = {
  level: (label) => `minus ${label.replace("-", "")} decibels`,
  chance: (label) => `${label} percent`,
  cycle: (label) => CYCLES[label] ?? [...label].join(" of "),
  ratchet: (label) => `${label[1]} times`,
  nudge: (label) => `${label}0 percent`,
};

const SHORT_DRUMS = ["BD", "B2", "LT", "SD", "S2", "RS", "CP", "CH", "OH", "CR", "RD", "CB"];

/** A label as it is said; undefined for none, and for one that is no note's name. */
function wordOf(label, { notes }) {
  const names = notes === DRUMS ? SHORT_DRUMS : PITCHES.map((pitch) => pitch.replace(" sharp", "#"));
  return notes[names.indexOf(label)];
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

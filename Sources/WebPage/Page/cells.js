// The names of cells, for screen readers and for the bar.

import { CONTROLS, LENS, OVERVIEW, PADS, STEPS, TRACKS } from "./places.js";

const PITCHES = ["C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B"];
const DRUMS = [
  "kick", "kick 2", "low tom", "snare", "snare 2", "rimshot", "clap", "closed hat", "open hat", "crash",
  "ride", "cowbell",
];
const HEAD = ["mute", "solo", "sound and level; hold: lens"];

/** The functions of the controls in row 0. */
const ACTIONS = {
  musicKey: "play or stop; hold: colours", playStop: "play or stop; hold: record", undo: "undo", redo: "redo",
  major: "major", minor: "minor", penta: "pentatonic", ghosts: "ghosts of other tracks", tempoDown: "slower",
  tempo: "tempo; hold: sync", tempoUp: "faster", lengthDown: "shorter", length: "length", lengthUp: "longer",
  scrub: "scrub indicator", clear: "clear: hold",
};

/**
 * The name of a cell: "Melody, C or C sharp, step 5", or with its `label`, or the `key`'s root and scale, "Melody, C, step
 * 5"; "nothing" for an unused cell. With a lens: "Melody, C, step 5, chance 50 percent", "Bass, tone -8, step 32". */
export function nameOfCell(column, row, label = "", lenses = {}, key = null) {
  const name = lowerNameOf(column, row, label, lenses, key);
  return name === "nothing" ? name : name[0].toUpperCase() + name.slice(1);
}

function lowerNameOf(column, row, label, lenses, key) {
  const step = stepOf(column);
  if (row === 0) return actionOf(column) ?? "nothing";
  if (row === 1) return step ? `step ${step}; hold: fill` : "nothing";
  const scene = sceneOfCell(column, row);
  if (scene) return `scene ${scene}`;
  if (row >= OVERVIEW.top) return step ? `overview, step ${step}` : "nothing";
  const track = trackAt(row);
  if (column >= PADS.first) return `${track.name}, slot ${padOf(column, row - track.top, track.height / 2)}`;
  if (HEAD[column]) return `${track.name}, ${HEAD[column]}`;
  const lens = lenses?.[track.name];
  const notes = notesOf(track, row, key);
  if (lens && column === LENS) return `${track.name}, lens: ${lens}`;
  if (lens && step && lens in MOTIONS) return `${track.name}, ${lens} ${motionAt(track, row, lens)}, step ${step}`;
  if (lens && step && lens === "speed") return `${track.name}, speed ${speedAt(track, row)}`;
  if (lens && step && lens === "length") return `${track.name}, length ${step} steps`;
  if (lens && step) {
    const value = label && `, ${lens} ${LENS_WORDS[lens]?.(label) ?? label}`;
    return `${track.name}, ${notes.join(" or ")}, step ${step}${value}`;
  }
  return step ? `${track.name}, ${wordOf(label, track) ?? notes.join(" or ")}, step ${step}` : "nothing";
}

function actionOf(column) {
  const control = Object.keys(CONTROLS).find((name) => CONTROLS[name][0] <= column && column <= CONTROLS[name][1]);
  return control === "root" ? `key of ${PITCHES[column - CONTROLS.root[0]]}` : ACTIONS[control];
}

/** The scene of a cell that is a scene's pad, else null. */
export const sceneOfCell = (column, row) =>
  (row >= OVERVIEW.top && column >= PADS.first ? padOf(column, row - OVERVIEW.top, 1) : null);

/** The percentages of nudges, by the tens that a label has. */
const NUDGES = { 1: 12, 2: 25, 3: 37, 5: 50 };

const CYCLES = { "1F": "first", N1: "not first", F: "fill", NF: "not fill" };

/** The words of a label, by lens. */
const LENS_WORDS = {
  level: (label) => `minus ${label.replace("-", "")} decibels`,
  chance: (label) => `${label} percent`,
  cycle: (label) => CYCLES[label] ?? [...label].join(" of "),
  ratchet: (label) => `${label[1]} times`,
  nudge: (label) => `${label[0]}${NUDGES[label[1]]} percent`,
};

/** The ranges of motions on the grid, and how many decimals their values have. */
const MOTIONS = { gain: [-24, 6, 0], pan: [-1, 1, 2], tone: [-24, 24, 0], reverb: [-36, 0, 0], delay: [-36, 0, 0] };

const ROOTS = PITCHES.map((pitch) => pitch.replace(" sharp", "#"));
const SCALES = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10], penta: [0, 2, 4, 7, 9] };

const SHORT_DRUMS = ["BD", "B2", "LT", "SD", "S2", "RS", "CP", "CH", "OH", "CR", "RD", "CB"];

/** A label in words; undefined unless it is a note's name. */
function wordOf(label, track) {
  const notes = notesOfTrack(track);
  const names = notes === DRUMS ? SHORT_DRUMS : PITCHES.map((pitch) => pitch.replace(" sharp", "#"));
  return notes[names.indexOf(label)];
}

function stepOf(column) {
  if (column < STEPS.first || column > STEPS.last) return null;
  const [bar, place] = [Math.floor((column - STEPS.first) / (STEPS.perBar + 1)), (column - STEPS.first) % (STEPS.perBar + 1)];
  return place === STEPS.perBar ? null : bar * STEPS.perBar + place + 1;
}

const trackAt = (row) => TRACKS.find(({ top, height }) => row >= top && row < top + height);

/** Two rows of four pads. */
const padOf = (column, row, height) => column - PADS.first + 1 + (row < height ? 0 : 4);

const notesOfTrack = ({ name }) => (name === "rhythm" ? DRUMS : PITCHES);

/** The notes of a row; with a key those in it, if there are any. */
function notesOf(track, row, key) {
  const [{ top, height }, notes] = [track, notesOfTrack(track)];
  const count = notes.length / height;
  const lowest = (top + height - 1 - row) * count;
  const all = notes.slice(lowest, lowest + count);
  if (!key || notes === DRUMS) return all;
  const root = ROOTS.indexOf(key.root);
  const inKey = all.filter((_, index) => SCALES[key.scale]?.includes((lowest + index - root + 12) % 12));
  return inKey.length ? inKey : all;
}

/** What a row stands for under the lens of a motion: the rows divide its range evenly. */
function motionAt({ top, height }, row, lens) {
  const [low, high, decimals] = MOTIONS[lens];
  const value = low + ((top + height - 1 - row) / (height - 1)) * (high - low);
  return String(Number(value.toFixed(decimals)));
}

/** The rows of the speed lens, from the lowest. */
const speedAt = ({ top, height }, row) =>
  (height === 4 ? ["1/4", "1/2", "1", "2"] : ["1/4", "1/2", "2/3", "1", "3/2", "2"])[top + height - 1 - row];

/** Brighter than ghosts on the playing step, and darker than all pitches, safe ones too. */
const LIT = 0x5b;
/** The colours of step cells without a note or a ghost, and the same on the playing step. */
const EMPTY = [0x060606, 0x0a0a0a, 0x111111, 0x383838, 0x3b3b3b, 0x414141];

/** Whether a cell has a note, or a switch that is on. Notes may be dark: muted, sustained, or default under a lens. */
export function isLit(column, row, rgb, label = "", lenses = {}) {
  if (label || Math.max(rgb >> 16, (rgb >> 8) & 0xff, rgb & 0xff) >= LIT) return true;
  const lens = lenses?.[trackAt(row)?.name];
  return lens in LENS_WORDS && stepOf(column) !== null && !EMPTY.includes(rgb);
}

// How notes are called, what each cell of the grid is, and which sign it carries.

import { CONTROLS, GRID, LENS, METER, OVERVIEW, PADS, STEPS, TRACKS } from "./places.js";

const PITCHES = ["C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B"];
const DRUMS = [
	"kick", "kick 2", "low tom", "snare", "snare 2", "rimshot", "clap", "closed hat", "open hat", "crash",
	"ride", "cowbell",
];
const SHORT_PITCHES = PITCHES.map((pitch) => pitch.replace(" sharp", "#"));
const SHORT_DRUMS = ["BD", "B2", "LT", "SD", "S2", "RS", "CP", "CH", "OH", "CR", "RD", "CB"];
const DRUM_KEYS = [36, 35, 45, 38, 40, 37, 39, 42, 46, 49, 51, 56];
const LOWEST = { melody: 60, chords: 48, bass: 36 };
const SCALES = { major: [0, 2, 4, 5, 7, 9, 11], minor: [0, 2, 3, 5, 7, 8, 10], penta: [0, 2, 4, 7, 9] };

export const ALL = Array.from({ length: 12 }, (_, note) => note);
export const namesOf = (track) => (track === "rhythm" ? DRUMS : PITCHES);
export const capital = (text) => text[0].toUpperCase() + text.slice(1);
export const rootOf = ({ root }) => SHORT_PITCHES.indexOf(root);

/** Whether a note is in the key of `root` and `scale`. */
export const isInKey = (note, key) => Boolean(SCALES[key.scale]?.includes((note - rootOf(key) + 12) % 12));

/** What a track can play: drums, or the notes of the key, from the lowest. */
export const playable = (track, key) => (track === "rhythm" ? ALL : ALL.filter((note) => isInKey(note, key)));

export const written = (track, note) => capital(namesOf(track)[note]).replace(" sharp", "♯");

/** The note of a MIDI key in a pattern file; -1 if there is none. */
export const noteOfKey = (track, key) => (track === "rhythm" ? DRUM_KEYS.indexOf(key) : (key - LOWEST[track] + 120) % 12);

/** What lets a sound be heard: the root, with chords its triad; with drums the snare. */
export function sampleOf(track, key) {
	if (track === "rhythm") return [DRUMS.indexOf("snare")];
	const [root, notes] = [rootOf(key), playable(track, key)];
	if (track !== "chords") return [root];
	const from = notes.indexOf(root);
	const steps = key.scale === "penta" ? [0, 2, 3] : [0, 2, 4];
	return steps.map((step) => notes[(from + step) % notes.length]);
}

const REST = 400; // ms between two questions; pictures come with every step

export const stepOfColumn = (column) => column - STEPS.first - Math.floor((column - STEPS.first) / (STEPS.perBar + 1));
const nameOf = (note, step) => `${note} ${step}`;

export function makeSlotNotes({ connection, state, pictured }, changed) {
	let cells = {}; // by track: velocities by note and step
	let timer = null;
	let isOld = false;
	let isOpen = true;

	async function read() {
		isOld = false;
		timer = setTimeout(rest, REST);
		const pattern = await connection.call("pattern.get").catch(() => null);
		if (!pattern || !isOpen || isOld) return;
		cells = Object.fromEntries(Object.entries(pattern.tracks).map(([track, { notes }]) => [track,
			Object.fromEntries(notes.map(({ col, pitch, velocity }) =>
				[nameOf(noteOfKey(track, pitch), stepOfColumn(col)), velocity]))]));
		changed();
	}

	function rest() {
		timer = null;
		if (isOld && isOpen) read();
	}

	function refresh() {
		isOld = true;
		if (timer === null) read();
	}

	const endings = [state.watch(refresh), pictured(refresh)];
	return {
		velocity: (track, note, step) => cells[track]?.[nameOf(note, step)] ?? "off",

		async set(track, note, step, velocity) {
			const row = (cells[track] ??= {});
			if (track === "melody" && velocity !== "off") {
				for (const name of Object.keys(row)) if (name.endsWith(` ${step}`)) delete row[name];
			}
			if (velocity === "off") delete row[nameOf(note, step)];
			else row[nameOf(note, step)] = velocity;
			isOld = true; // An answer that is on its way does not have it yet.
			changed();
			timer ??= setTimeout(rest, REST);
			return connection.call("note.set", { track, step, note, velocity });
		},

		close() {
			isOpen = false;
			clearTimeout(timer);
			endings.forEach((end) => end());
		},
	};
}

/** The effects that fingers hold on the overview, by bar. */
export const EFFECTS = ["stutter", "filter", "brake", "throw"];

const HEAD = ["mute", "solo", "sound and level; hold: lens"];

const ACTIONS = {
	musicKey: "play or stop; hold: colours", playStop: "play or stop; hold: record", undo: "undo", redo: "redo",
	major: "major", minor: "minor", penta: "pentatonic", ghosts: "ghosts of other tracks", tempoDown: "slower",
	tempo: "tempo; hold: sync", tempoUp: "faster", lengthDown: "shorter", length: "length", lengthUp: "longer",
	scrub: "scrub indicator; hold: catch", clear: "clear: hold",
};

/**
 * The name of a cell: "Melody, C or C sharp, step 5", with its `label` or a `key` "Melody, C, step 5", with a lens "Bass,
 * tone -8, step 32"; "nothing" for an unused cell. */
export function nameOfCell(column, row, label = "", lenses = {}, key = null) {
	const name = lowerNameOf(column, row, label, lenses, key);
	return name === "nothing" ? name : capital(name);
}

function lowerNameOf(column, row, label, lenses, key) {
	const step = stepOf(column);
	if (row === 0) return actionOf(column) ?? "nothing";
	if (row === 1) return step ? `step ${step}; hold: fill` : "nothing";
	const scene = sceneOfCell(column, row);
	if (scene) return `scene ${scene}`;
	if (row >= OVERVIEW.top) return step ? `overview, step ${step}; hold: ${effectAt(column, row)}` : "nothing";
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

const effectAt = (column, row) =>
	EFFECTS[Math.floor((column - STEPS.first) / (STEPS.perBar + 1))] + (row === OVERVIEW.top ? "" : " on rhythm");

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

const LENS_WORDS = {
	level: (label) => `minus ${label.replace("-", "")} decibels`,
	chance: (label) => `${label} percent`,
	cycle: (label) => CYCLES[label] ?? [...label].join(" of "),
	ratchet: (label) => `${label[1]} times`,
	nudge: (label) => `${label[0]}${NUDGES[label[1]]} percent`,
};

const MOTIONS = {
	gain: [-24, 6, 0], pan: [-1, 1, 2], tone: [-24, 24, 0], reverb: [-36, 0, 0], delay: [-36, 0, 0],
	width: [0, 1, 2], filter: [-1, 1, 2], drive: [0, 1, 2], lfoDepth: [0, 1, 2],
};

function wordOf(label, track) {
	const notes = namesOf(track.name);
	const names = notes === DRUMS ? SHORT_DRUMS : SHORT_PITCHES;
	return notes[names.indexOf(label)];
}

function stepOf(column) {
	if (column < STEPS.first || column > STEPS.last) return null;
	const [bar, place] = [Math.floor((column - STEPS.first) / (STEPS.perBar + 1)), (column - STEPS.first) % (STEPS.perBar + 1)];
	return place === STEPS.perBar ? null : bar * STEPS.perBar + place + 1;
}

const trackAt = (row) => TRACKS.find(({ top, height }) => row >= top && row < top + height);

const padOf = (column, row, height) => column - PADS.first + 1 + (row < height ? 0 : 4);

function notesOf(track, row, key) {
	const [{ top, height }, notes] = [track, namesOf(track.name)];
	const count = notes.length / height;
	const lowest = (top + height - 1 - row) * count;
	const all = notes.slice(lowest, lowest + count);
	if (!key || notes === DRUMS) return all;
	const inKey = all.filter((_, index) => isInKey(lowest + index, key));
	return inKey.length ? inKey : all;
}

function motionAt({ top, height }, row, lens) {
	const [low, high, decimals] = MOTIONS[lens];
	const value = low + ((top + height - 1 - row) / (height - 1)) * (high - low);
	return String(Number(value.toFixed(decimals)));
}

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

const PLAY = "▶";
const STOP = "■";
const CONTROL_SIGNS = {
	musicKey: "♫", undo: "↶", redo: "↷", major: "maj", minor: "min", penta: "pen", ghosts: "◌",
	tempoDown: "−", tempoUp: "+", lengthDown: "−", lengthUp: "+", clear: "✕",
};
const HEAD_SIGNS = ["M", "S", "♪"]; // mute, solo, sound
const BACKGROUND = 0x0a0a0a;

const signs = new Map();
const put = (column, row, sign) => signs.set(row * GRID.cols + column, sign);
for (const [name, sign] of Object.entries(CONTROL_SIGNS)) put(CONTROLS[name][0], 0, sign);
PITCHES.forEach((pitch, index) => put(CONTROLS.root[0] + index, 0, pitch.replace(" sharp", "♯")));
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

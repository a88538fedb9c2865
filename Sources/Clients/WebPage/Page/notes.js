// Notes: their names, which of them are in the key, and those of the slots that play, while somebody looks.

import { STEPS } from "./places.js";

export const PITCHES = ["C", "C sharp", "D", "D sharp", "E", "F", "F sharp", "G", "G sharp", "A", "A sharp", "B"];
export const DRUMS = [
  "kick", "kick 2", "low tom", "snare", "snare 2", "rimshot", "clap", "closed hat", "open hat", "crash",
  "ride", "cowbell",
];
export const SHORT_PITCHES = PITCHES.map((pitch) => pitch.replace(" sharp", "#"));
export const SHORT_DRUMS = ["BD", "B2", "LT", "SD", "S2", "RS", "CP", "CH", "OH", "CR", "RD", "CB"];
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

export const written = (track, note) => capital(namesOf(track)[note]).replace(" sharp", "\u266f");

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

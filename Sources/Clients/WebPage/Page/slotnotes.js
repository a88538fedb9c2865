// The notes of the slots that play, kept up to date while somebody looks at them.

import { noteOfKey } from "./notes.js";
import { STEPS } from "./places.js";

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

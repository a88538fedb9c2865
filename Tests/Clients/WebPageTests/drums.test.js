// The Drums view: how much of it fits, and the notes that it shows.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { stepsShown } from "../../../Sources/Clients/WebPage/Page/drums.js";
import { makeSlotNotes, stepOfColumn } from "../../../Sources/Clients/WebPage/Page/cells.js";
import { makeState } from "../../../Sources/Clients/WebPage/Page/connection.js";
import { makeClock } from "./support.js";

let pattern, sent, clock, state, notes, pictured, shown;

beforeEach(() => {
  clock = makeClock();
  [pattern, sent, shown] = [{ tracks: { rhythm: { notes: [] } } }, [], 0];
  state = makeState();
  state.replace({});
  const call = async (method, params) => {
    sent.push([method, params]);
    return method === "pattern.get" ? structuredClone(pattern) : {};
  };
  notes = makeSlotNotes({ connection: { call }, state, pictured: (act) => ((pictured = act), () => (pictured = null)) },
    () => shown++);
});
afterEach(() => clock.restore());

/** Lets promises go on. */
const settle = () => new Promise(setImmediate);
const count = (method) => sent.filter(([each]) => each === method).length;

test("as many steps are shown as leave cells for fingers", () => {
  assert.deepEqual([390, 669, 1024, 1366].map((width) => stepsShown(width, 32)), [8, 16, 32, 32]);
  assert.equal(stepsShown(1024, 12), 12);
  assert.equal(stepsShown(200, 32), 8);
});

test("columns of the grid are steps, without the gaps between bars", () => {
  assert.deepEqual([4, 11, 13, 38].map(stepOfColumn), [0, 7, 8, 31]);
});

test("notes are shown by drum and step", async () => {
  pattern.tracks.rhythm.notes = [{ col: 13, pitch: 39, velocity: "accent" }];
  pictured();
  clock.tick(400);
  await settle();
  clock.tick(400);
  await settle();
  assert.equal(notes.velocity("rhythm", 6, 8), "accent");
  assert.equal(notes.velocity("rhythm", 7, 8), "off");
});

test("a note is shown at once, also while an older answer is on its way", async () => {
  notes.set("rhythm", 6, 4, "normal");
  assert.equal(notes.velocity("rhythm", 6, 4), "normal");
  await settle();
  assert.equal(notes.velocity("rhythm", 6, 4), "normal");
  assert.deepEqual(sent.at(-1), ["note.set", { track: "rhythm", step: 4, note: 6, velocity: "normal" }]);
});

test("clap and hat share a step, and notes of the melody do not", () => {
  for (const note of [6, 7]) notes.set("rhythm", note, 4, "normal");
  for (const note of [0, 2]) notes.set("melody", note, 14, "normal");
  assert.deepEqual([notes.velocity("rhythm", 6, 4), notes.velocity("rhythm", 7, 4)], ["normal", "normal"]);
  assert.deepEqual([notes.velocity("melody", 0, 14), notes.velocity("melody", 2, 14)], ["off", "normal"]);
});

test("however many pictures come, the daemon is asked seldom", async () => {
  await settle();
  const before = count("pattern.get");
  for (let picture = 0; picture < 60; picture++) {
    pictured();
    clock.tick(16);
    await settle();
  }
  assert.ok(count("pattern.get") - before <= 3, String(count("pattern.get") - before));
});

test("a closed view asks nothing more", async () => {
  notes.close();
  await settle();
  const before = count("pattern.get");
  clock.tick(2000);
  await settle();
  assert.equal(count("pattern.get"), before);
  assert.equal(pictured, null);
});

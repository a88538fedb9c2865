import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isLit, nameOfCell, sceneOfCell } from "../../../Sources/Clients/WebPage/Page/cells.js";
import { readText } from "./support.js";

// Column, row, label and name: the terminal uses the same names, and its tests the same file.
const cases = JSON.parse(readFileSync(new URL("cell-names.json", import.meta.url)));

for (const [column, row, label, name, lens] of cases) {
  const lenses = Object.fromEntries(["melody", "chords", "bass", "rhythm"].map((track) => [track, lens]));
  test(`cell ${column}, ${row}${label && ` with ${label}`}${lens ? ` under ${lens}` : ""} is called "${name}"`, () =>
    assert.equal(nameOfCell(column, row, label, lenses), name));
}

test("every cell has a name", () => {
  for (let index = 0; index < 1056; index++) assert.match(nameOfCell(index % 44, Math.floor(index / 44)), /^[\w,;: ]+$/);
});

test("notes are lit; the grid's background, ghosts and controls that are off are not", () => {
  for (const rgb of [0xff0000, 0x0055ff, 0x8a2be2, 0x888888]) assert.ok(isLit(4, 2, rgb), rgb.toString(16));
  const ghosts = [0x2a1313, 0x5a4a4a]; // The second one is on the playing step.
  for (const rgb of [0x0a0a0a, 0x111111, 0x333333, 0x442200, ...ghosts]) assert.ok(!isLit(4, 2, rgb), rgb.toString(16));
  assert.ok(!isLit(40, 14, 0x3e3b59), "a safe pad with notes");
});

test("every pitch is lit in safe colours, as a note and as the root", () => {
  const [, table] = readText("Sources/Music/Rendering/Palette.swift").match(/safeHues = \[([^\]]+)\]/);
  const pitches = table.match(/0x\w{6}/g).map(Number);
  assert.equal(pitches.length, 12);
  pitches.forEach((rgb, pitch) => {
    assert.ok(isLit(4, 2, rgb), rgb.toString(16));
    assert.ok(isLit(11 + pitch, 0, rgb), rgb.toString(16));
  });
});

test("a note is lit however dark it is drawn, if it has a name", () => {
  assert.ok(isLit(5, 2, 0x220909, "C"));
});

test("under a lens of notes, every cell with a note is lit, defaults too", () => {
  const isLitUnder = (lens, rgb) => isLit(5, 2, rgb, "", { melody: lens });
  const level = [0x474747, 0x292929, 0x4e4e4e]; // A head, a sustain, and a muted head on the playing step.
  for (const rgb of level) assert.ok(isLitUnder("level", rgb), rgb.toString(16));
  const safeChance = [0x330d08, 0x1e0b09, 0x483c3a];
  for (const rgb of safeChance) assert.ok(isLitUnder("chance", rgb), rgb.toString(16));
  for (const rgb of [0x060606, 0x0a0a0a, 0x111111]) {
    assert.ok(!isLitUnder("chance", rgb));
    const playing = 0x010101 * Math.round(0.8 * (rgb & 0xff) + 0.2 * 0xff);
    assert.ok(!isLitUnder("chance", playing), playing.toString(16));
  }
  assert.ok(!isLitUnder("speed", 0x2a1947), "a speed that is not chosen");
  assert.ok(!isLit(3, 2, 0x474747, "", { melody: "level" }), "left of the steps");
  assert.ok(!isLit(5, 8, 0x474747, "", { melody: "level" }), "another track");
});

test("the scenes' pads are two rows of four at the lower right", () => {
  const scenes = [22, 23].flatMap((row) => [40, 41, 42, 43].map((column) => sceneOfCell(column, row)));
  assert.deepEqual(scenes, [1, 2, 3, 4, 5, 6, 7, 8]);
  for (const [column, row] of [[39, 22], [40, 21], [4, 23]]) assert.equal(sceneOfCell(column, row), null);
});

for (const [column, row, label, lenses, key, name] of [
  [4, 4, "", {}, { root: "C", scale: "major" }, "Melody, G, step 1"],
  [4, 4, "", {}, { root: "F#", scale: "penta" }, "Melody, F sharp, step 1"],
  [4, 5, "", {}, { root: "C", scale: "major" }, "Melody, E or F, step 1"],
  [38, 16, "", { bass: "tone" }, { root: "C", scale: "major" }, "Bass, tone -8, step 32"],
  [4, 14, "", { bass: "gain" }, null, "Bass, gain 6, step 1"],
  [4, 2, "", { melody: "pan" }, null, "Melody, pan 1, step 1"],
  [4, 17, "", { bass: "speed" }, null, "Bass, speed 1/4"],
  [15, 17, "", { bass: "length" }, null, "Bass, length 11 steps"],
]) {
  test(`cell ${column}, ${row} is called "${name}" in its key and under its lens`, () =>
    assert.equal(nameOfCell(column, row, label, lenses, key), name));
}

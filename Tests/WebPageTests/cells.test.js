import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isLit, nameOfCell, sceneOfCell } from "../../Sources/WebPage/Page/cells.js";

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
  for (const rgb of [0xff0000, 0x0055ff, 0x8a2be2, 0x888888]) assert.ok(isLit(rgb), rgb.toString(16));
  for (const rgb of [0x0a0a0a, 0x111111, 0x333333, 0x442200, 0x2a1313]) assert.ok(!isLit(rgb), rgb.toString(16));
});

test("the scenes' pads are two rows of four at the lower right", () => {
  const scenes = [22, 23].flatMap((row) => [40, 41, 42, 43].map((column) => sceneOfCell(column, row)));
  assert.deepEqual(scenes, [1, 2, 3, 4, 5, 6, 7, 8]);
  for (const [column, row] of [[39, 22], [40, 21], [4, 23]]) assert.equal(sceneOfCell(column, row), null);
});

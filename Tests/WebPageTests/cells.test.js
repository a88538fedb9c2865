import assert from "node:assert/strict";
import { test } from "node:test";
import { isLit, nameOfCell } from "../../Sources/WebPage/Page/cells.js";

const cases = [
  [0, 0, "music key"], [2, 0, "play or stop"], [3, 0, "nothing"], [9, 0, "pentatonic"], [11, 0, "root C"],
  [22, 0, "root B"], [23, 0, "nothing"], [27, 0, "tempo"], [37, 0, "scrub indicator"], [43, 0, "clear all"],
  [4, 1, "step 1"], [38, 1, "step 32"], [0, 1, "nothing"],
  [0, 2, "mute melody"], [1, 9, "solo chords"], [2, 17, "level bass"], [3, 2, "nothing"],
  [4, 7, "melody, C or C sharp, step 1"], [11, 2, "melody, A sharp or B, step 8"], [12, 2, "nothing"],
  [13, 13, "chords, C or C sharp, step 9"], [38, 14, "bass, A or A sharp or B, step 32"], [39, 14, "nothing"],
  [4, 21, "rhythm, kick or kick 2 or low tom, step 1"], [4, 18, "rhythm, crash or ride or cowbell, step 1"],
  [5, 22, "overview, step 2"], [39, 22, "nothing"],
  [40, 1, "nothing"], [40, 2, "melody slot 1"], [43, 4, "melody slot 4"], [40, 5, "melody slot 5"], [43, 13, "chords slot 8"],
  [41, 15, "bass slot 2"], [41, 16, "bass slot 6"], [40, 21, "rhythm slot 5"], [42, 22, "scene 3"], [42, 23, "scene 7"],
];

for (const [column, row, name] of cases) {
  test(`cell ${column}, ${row} is called "${name}"`, () => assert.equal(nameOfCell(column, row), name));
}

test("every cell has a name", () => {
  for (let index = 0; index < 1056; index++) assert.match(nameOfCell(index % 44, Math.floor(index / 44)), /^[\w, ]+$/);
});

test("notes are lit; the grid's background, ghosts and controls that are off are not", () => {
  for (const rgb of [0xff0000, 0x0055ff, 0x8a2be2, 0x888888]) assert.ok(isLit(rgb), rgb.toString(16));
  for (const rgb of [0x0a0a0a, 0x111111, 0x333333, 0x442200, 0x2a1313]) assert.ok(!isLit(rgb), rgb.toString(16));
});

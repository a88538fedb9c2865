import assert from "node:assert/strict";
import { test } from "node:test";
import { makePicture } from "../../../Sources/Clients/WebPage/Page/connection.js";

const keyFrame = (seq, colour) => ({ seq, cols: 44, rows: 24, rgb: Array(1056).fill(colour) });

test("a key frame replaces every cell", () => {
  const picture = makePicture();
  picture.replace(keyFrame(7, 0x123456));
  assert.equal(picture.takeChanges().size, 1056);
  assert.ok(picture.rgb.every((rgb) => rgb === 0x123456));
});

test("a diff changes its cells, and only they are drawn", () => {
  const picture = makePicture();
  picture.replace(keyFrame(7, 0));
  picture.takeChanges();
  assert.ok(picture.apply({ seq: 9, base: 7, cells: [180, 0x00ffaa, 181, 0x0a0a0a] }));
  assert.ok(picture.apply({ seq: 12, base: 9, cells: [181, 1] }));
  assert.deepEqual([...picture.takeChanges()], [180, 181]);
  assert.deepEqual([picture.rgb[180], picture.rgb[181]], [0x00ffaa, 1]);
  assert.equal(picture.takeChanges().size, 0);
});

test("a diff against another picture is refused, and changes nothing", () => {
  const picture = makePicture();
  assert.equal(picture.apply({ seq: 2, base: 1, cells: [0, 1] }), false);
  picture.replace(keyFrame(7, 0));
  assert.equal(picture.apply({ seq: 9, base: 6, cells: [0, 1] }), false);
  assert.equal(picture.rgb[0], 0);
});

test("names come completely first, then only those that changed", () => {
  const picture = makePicture();
  picture.applyLabels({ seq: 1, cells: [5, "C#", 7, "BD"] });
  picture.applyLabels({ seq: 2, base: 1, cells: [5, ""] });
  assert.deepEqual([picture.labels[5], picture.labels[7]], ["", "BD"]);
  picture.applyLabels({ seq: 9, cells: [3, "E"] });
  assert.deepEqual([picture.labels[3], picture.labels[7]], ["E", ""]);
});

test("a cell that loses its name is drawn again, when all names come too", () => {
  const picture = makePicture();
  picture.applyLabels({ seq: 1, cells: [5, "C#", 7, "BD"] });
  picture.takeChanges();
  picture.applyLabels({ seq: 2, base: 1, cells: [5, ""] });
  assert.deepEqual([...picture.takeChanges()], [5]);
  picture.applyLabels({ seq: 9, cells: [3, "E"] });
  assert.deepEqual([...picture.takeChanges()], [7, 3]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDark, makeGrid } from "../../../Sources/Clients/WebPage/Page/grid.js";
import { placeGrid } from "../../../Sources/Clients/WebPage/Page/grid.js";
import { makePicture } from "../../../Sources/Clients/WebPage/Page/connection.js";

const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = (rgb) => [0.2126, 0.7152, 0.0722]
  .reduce((sum, weight, index) => sum + weight * linear(((rgb >> (16 - 8 * index)) & 0xff) / 255), 0);

test("a name is black or white, whichever stands out more, with a contrast of at least 4.5", () => {
  for (let rgb = 0; rgb <= 0xffffff; rgb += 4099) {
    const [black, white] = [(luminance(rgb) + 0.05) / 0.05, 1.05 / (luminance(rgb) + 0.05)];
    const [chosen, other] = isDark(rgb) ? [white, black] : [black, white];
    assert.ok(chosen >= 4.5 && chosen >= other - 0.05, `${rgb.toString(16)}: ${chosen}`);
  }
});

test("each cell and name of a picture is drawn once, and all names need only two changes of colour", () => {
  const counts = { fillRect: 0, fillText: 0, fillStyle: 0 };
  const context = {
    fillRect: () => counts.fillRect++,
    fillText: () => counts.fillText++,
    set fillStyle(colour) { counts.fillStyle++; },
  };
  globalThis.devicePixelRatio = 1;
  globalThis.requestAnimationFrame = (callback) => callback();
  const picture = makePicture();
  picture.showsNames = true;
  const grid = makeGrid({ style: {}, getContext: () => context }, picture);
  grid.moveTo(placeGrid({ left: 0, top: 0, width: 900, height: 500 }, { ...picture, turns: 0 }));
  picture.applyLabels({ seq: 1, cells: picture.labels.flatMap((_, index) => [index, "C#"]) });
  picture.replace({ seq: 1, rgb: picture.rgb.map((_, index) => index % 2 * 0xffffff) });
  for (const kind in counts) counts[kind] = 0;
  grid.update();
  assert.deepEqual(counts, { fillRect: 44 * 24, fillText: 44 * 24, fillStyle: 44 * 24 + 2 });
});

test("a canvas whose context was lost is redrawn completely, not only what changes afterwards", () => {
  let drawn = [];
  const context = { fillText() {}, fillRect: (...box) => drawn.push([context.fillStyle, ...box]) };
  const canvas = { style: {}, getContext: () => context };
  globalThis.devicePixelRatio = 1;
  const picture = makePicture();
  picture.replace({ seq: 1, rgb: picture.rgb.map((_, index) => index) });
  makeGrid(canvas, picture).moveTo(placeGrid({ left: 0, top: 0, width: 900, height: 500 }, { ...picture, turns: 0 }));
  const before = drawn;
  assert.equal(before.length, 1 + 44 * 24, "the background and all cells");
  drawn = [];
  canvas.oncontextrestored?.();
  assert.deepEqual(drawn, before);
});

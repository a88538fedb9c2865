import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange, boxOf, edgesOf, placeFocus, placeGrid, placeIn, stepOnGrid } from "../../../Sources/Clients/WebPage/Page/grid.js";
import { seededRandom } from "./support.js";

const shape = (turns) => ({ cols: 44, rows: 24, turns });
const right = ({ left, width }) => left + width;
const bottom = ({ top, height }) => top + height;
const overlap = (a, b) => a.left < right(b) && b.left < right(a) && a.top < bottom(b) && b.top < bottom(a);
const contains = (outer, inner) =>
  inner.left >= outer.left && inner.top >= outer.top && right(inner) <= right(outer) && bottom(inner) <= bottom(outer);

function randomDisplay(random) {
  const between = (low, high) => low + Math.floor(random() * (high - low));
  return { left: between(0, 60), top: between(0, 60), width: between(300, 4000), height: between(300, 4000) };
}

test("bar, grid and scope never overlap, on a thousand displays", () => {
  const random = seededRandom(1);
  for (let i = 0; i < 1000; i++) {
    const display = randomDisplay(random);
    const scope = i % 2 ? { least: 88, greatest: 160 } : null;
    const places = arrange(display, shape(i % 4), { bar: 48, scope });
    const rectangles = [places.bar, places.grid, ...(scope ? [places.scope] : [])];
    for (const rectangle of rectangles) {
      assert.ok(contains(display, rectangle), JSON.stringify({ display, rectangle }));
      const others = rectangles.filter((other) => other !== rectangle);
      assert.ok(!others.some((other) => overlap(rectangle, other)), JSON.stringify(places));
    }
    if (scope) assert.ok(places.scope.height >= 88 && places.scope.height <= 160);
  }
});

test("the grid is as large as fits, in the middle, on a thousand areas", () => {
  const random = seededRandom(2);
  for (let i = 0; i < 1000; i++) {
    const area = randomDisplay(random);
    const grid = placeGrid(area, shape(i % 4));
    // Tracks are set apart by 6 pixels, and there is room for their names beside the first column.
    const [long, high] = [44 * grid.pitch - 1, 24 * grid.pitch + 5 * 6 - 1];
    assert.deepEqual([grid.width, grid.height], i % 2 ? [high, long] : [long, high]);
    const [length, thickness] = i % 2 ? [area.height, area.width] : [area.width, area.height];
    assert.ok(44 * (grid.pitch + 1) - 1 + 18 > length || 24 * (grid.pitch + 1) - 1 + 30 > thickness);
    for (const edge of edgesOf(grid)) assert.ok(contains(area, edge), JSON.stringify({ area, grid, edge }));
    const off = [grid.left - area.left - (right(area) - right(grid)), grid.top - area.top - (bottom(area) - bottom(grid))];
    assert.ok(Math.abs(off[i % 2 ? 0 : 1]) <= 1 && Math.abs(off[i % 2 ? 1 : 0]) <= 2 * 18 + 1, String(off));
  }
});

test("the bar goes where it costs less: above on a tablet, on the left of a phone in landscape", () => {
  const tablet = arrange({ left: 0, top: 0, width: 1024, height: 768 }, shape(0), { bar: 48, scope: null });
  const phone = arrange({ left: 0, top: 0, width: 844, height: 390 }, shape(0), { bar: 48, scope: null });
  assert.deepEqual(tablet.bar, { left: 0, top: 0, width: 1024, height: 48 });
  assert.equal(phone.grid.pitch, 15);
  // The bar gets the room that the grid and the tracks' names leave beside it.
  assert.deepEqual(phone.bar, { left: 0, top: 0, width: 844 - (44 * 15 - 1) - 18, height: 390 });
});

const regionOf = (grid, row) => grid.regions.findLast((region) => region.row <= row);

for (const turns of [0, 1, 2, 3]) {
  test(`after ${turns} quarter turns the middle of each cell is that cell`, () => {
    const grid = placeGrid({ left: 0, top: 0, width: 1300, height: 1300 }, shape(turns));
    for (let column = 0; column < 44; column++) {
      for (let row = 0; row < 24; row++) {
        const region = regionOf(grid, row);
        const { left, top, width, height } = boxOf(region, column, row);
        const { x, y } = placeIn(region, left + (width + 1) / 2, top + (height + 1) / 2);
        assert.ok(Math.abs(x - column - 0.5) < 1e-9 && Math.abs(y - row - 0.5) < 1e-9);
      }
    }
  });

  test(`after ${turns} quarter turns an arrow moves to the cell that lies in its direction`, () => {
    const grid = placeGrid({ left: 0, top: 0, width: 1300, height: 1300 }, shape(turns));
    for (const direction of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
      const [across, down] = stepOnGrid(turns, direction);
      const from = boxOf(regionOf(grid, 10), 10, 10);
      const to = boxOf(regionOf(grid, 10), 10 + across, 10 + down);
      assert.deepEqual([to.left - from.left, to.top - from.top], direction.map((value) => value * grid.pitch));
    }
  });
}

test("turned by a quarter, row 0 stands on the right and column 0 above", () => {
  const grid = placeGrid({ left: 0, top: 0, width: 1300, height: 1300 }, shape(1));
  const cornerOf = (column, row) => {
    const { left, top } = boxOf(regionOf(grid, row), column, row);
    return [left, top];
  };
  assert.deepEqual(cornerOf(0, 0), [23 * grid.pitch + 5 * 6, 0]);
  assert.deepEqual(cornerOf(43, 23), [0, 43 * grid.pitch]);
});

const DISPLAYS = [[390, 796, 1], [844, 390, 0], [1024, 720, 0], [320, 500, 3], [600, 300, 2]];

for (const [width, height, turns] of DISPLAYS) {
  test(`one track fills ${width} by ${height} after ${turns} quarter turns, and nothing overlaps`, () => {
    for (const track of [0, 1, 2, 3]) {
      for (const half of [0, 1]) {
        const area = { left: 10, top: 20, width, height };
        const view = placeFocus(area, { turns, track, half }, 1);
        const whole = placeGrid(area, shape(turns));
        assert.ok(view.pitch >= 1.5 * whole.pitch, `${view.pitch} against ${whole.pitch}`);
        const inView = { left: 0, top: 0, width, height };
        const tabs = { ...view.tabs, left: view.tabs.left - 10, top: view.tabs.top - 20 };
        const all = [...view.regions, tabs];
        for (const region of all) {
          assert.ok(contains(inView, region), JSON.stringify(region));
          assert.ok(!all.some((other) => other !== region && overlap(other, region)), JSON.stringify(region));
        }
      }
    }
  });
}

test("in one track's view the middle of each box is its cell", () => {
  for (const turns of [0, 1, 2, 3]) {
    const view = placeFocus({ left: 0, top: 0, width: 800, height: 800 }, { turns, track: 2, half: 1 }, 2);
    for (const region of view.regions) {
      for (let row = region.row; row < region.row + region.rows; row++) {
        for (let column = region.column; column < region.column + region.cols; column++) {
          const box = boxOf(region, column, row);
          const { x, y } = placeIn(region, box.left + box.width / 2, box.top + box.height / 2);
          assert.deepEqual([Math.floor(x), Math.floor(y)], [column, row]);
        }
      }
    }
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { progressOf } from "../../../Sources/Clients/WebPage/Page/mixer.js";

const queued = { bass: { playing: 1, queued: 2, chain: [] } };
const chained = { bass: { playing: 1, chain: [1, 2] } };

/** How near the next launch is with each step of the song, from one on. */
const ways = (first, count, length, quantum, slots) => Array.from({ length: count }, (_, index) =>
  progressOf({ step: (first + index) % length, songStep: first + index }, { length, launch: { quantum }, slots }));
const once = (total) => Array.from({ length: total }, (_, step) => (step + 1) / total);

for (const length of [6, 8, 24]) {
  test(`with a loop of ${length} steps, what is queued waits for a bar or beat of the song`, () => {
    assert.deepEqual(ways(0, 48, length, "bar", queued), [once(16), once(16), once(16)].flat());
    assert.deepEqual(ways(32, 12, length, "beat", queued), [once(4), once(4), once(4)].flat());
    assert.deepEqual(ways(5, 2, length, "step", queued), [1, 1]);
    assert.deepEqual(ways(48, 2 * length, length, "loop", queued), [once(length), once(length)].flat());
  });

  test(`with a loop of ${length} steps, the next link of a chain waits for the loop`, () => {
    for (const quantum of ["bar", "beat", "step", "loop"]) {
      assert.deepEqual(ways(48, length, length, quantum, chained), once(length));
    }
  });
}

test("before the song's start bars are counted as after it", () => {
  const settings = { length: 32, launch: { quantum: "bar" }, slots: queued };
  assert.equal(progressOf({ step: 31, songStep: -1 }, settings), 1);
  assert.equal(progressOf({ step: 16, songStep: -16 }, settings), 1 / 16);
});

test("a daemon that does not count the song's steps is taken to play its first loop", () => {
  assert.equal(progressOf({ step: 3 }, { length: 32, launch: { quantum: "bar" }, slots: queued }), 1 / 4);
  assert.equal(progressOf({ step: 3 }, { length: 8 }), 1 / 2);
});

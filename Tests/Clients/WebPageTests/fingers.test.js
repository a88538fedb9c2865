import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { listenToFingers } from "../../../Sources/Clients/WebPage/Page/fingers.js";
import { makeClock } from "./support.js";

let surface, sent, times, counts, cancelAll, clock;

/** Positions are places; negative ones are outside the grid. */
const placeOf = ({ at: [x, y] }, clamped) => (x < 0 && !clamped ? null : { x: Math.max(x, 0), y });

const pointer = (type, pointerId, at, more = {}) =>
  surface.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), { pointerId, at, button: 0, ...more }));

beforeEach(() => {
  const page = new EventTarget();
  globalThis.addEventListener = page.addEventListener.bind(page);
  globalThis.dispatchEvent = page.dispatchEvent.bind(page);
  globalThis.document = Object.assign(new EventTarget(), { hidden: false });
  surface = Object.assign(new EventTarget(), { setPointerCapture() {} });
  [sent, times, counts] = [[], [], []];
  clock = makeClock();
  const send = (phase, touch, { x, y, ms }) => {
    sent.push([phase, touch, ...(x === undefined ? [] : [x, y])]);
    times.push(ms);
  };
  cancelAll = listenToFingers(surface, { placeOf, send, changed: (count) => counts.push(count) });
});

afterEach(() => {
  cancelAll();
  clock.restore();
});

test("ten fingers are ten touches, each with its own id", () => {
  for (let finger = 0; finger < 10; finger++) pointer("pointerdown", 100 + finger, [finger, 2]);
  for (let finger = 9; finger >= 0; finger--) pointer("pointerup", 100 + finger, [finger, 3]);
  assert.deepEqual(sent.slice(0, 10), Array.from({ length: 10 }, (_, i) => ["down", i + 1, i, 2]));
  assert.deepEqual(sent.slice(10), Array.from({ length: 10 }, (_, i) => ["up", 10 - i, 9 - i, 3]));
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
});

test("all positions that the browser coalesced are sent, in order, each place once", () => {
  pointer("pointerdown", 1, [4, 4]);
  const getCoalescedEvents = () => [[4, 4], [5, 4], [5, 4], [6, 5]].map((at) => ({ at }));
  pointer("pointermove", 1, [6, 5], { getCoalescedEvents });
  pointer("pointermove", 1, [7, 5]);
  pointer("pointermove", 1, [8, 5], { getCoalescedEvents: () => [] });
  assert.deepEqual(sent.slice(1), [["move", 1, 5, 4], ["move", 1, 6, 5], ["move", 1, 7, 5], ["move", 1, 8, 5]]);
});

test("a finger that leaves the grid continues at its edge; one that comes down outside does nothing", () => {
  pointer("pointerdown", 1, [-3, 4]);
  pointer("pointermove", 1, [5, 4]);
  assert.deepEqual(sent, []);
  pointer("pointerdown", 1, [5, 4]);
  pointer("pointermove", 1, [-3, 4]);
  pointer("pointerup", 1, [-3, 4]);
  assert.deepEqual(sent, [["down", 1, 5, 4], ["move", 1, 0, 4], ["up", 1, 0, 4]]);
});

test("other buttons of a mouse do nothing", () => {
  pointer("pointerdown", 1, [5, 4], { button: 2 });
  assert.deepEqual(sent, []);
});

const losses = {
  "the browser's cancel": () => pointer("pointercancel", 1, [4, 4]),
  "a lost capture": () => pointer("lostpointercapture", 1, [4, 4]),
  "a window that lost the focus": () => dispatchEvent(new Event("blur")),
  "a page that is left": () => dispatchEvent(new Event("pagehide")),
  "a page that is hidden": () => {
    document.hidden = true;
    document.dispatchEvent(new Event("visibilitychange"));
  },
  "a lost connection": () => cancelAll(),
};

for (const [name, lose] of Object.entries(losses)) {
  test(`${name} cancels the touch, and nothing more of it is sent`, () => {
    pointer("pointerdown", 1, [4, 4]);
    lose();
    pointer("pointermove", 1, [6, 4]);
    pointer("pointerup", 1, [6, 4]);
    assert.deepEqual(sent, [["down", 1, 4, 4], ["cancel", 1]]);
    assert.equal(counts.at(-1), 0);
  });
}

test("a page that is shown cancels nothing", () => {
  pointer("pointerdown", 1, [4, 4]);
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(sent.length, 1);
});

test("each touch has the time of the event, which never goes back", () => {
  pointer("pointerdown", 1, [4, 4]);
  pointer("pointermove", 1, [5, 4], { getCoalescedEvents: () => [{ at: [5, 4], timeStamp: 1 }] });
  pointer("pointerup", 1, [5, 4]);
  assert.equal(times.length, 3);
  assert.ok(times.every((time, i) => Number.isFinite(time) && time >= (times[i - 1] ?? 0)), times);
  assert.ok(Math.abs(times[2] - performance.now()) < 1000);
});

test("a finger that rests is reported every 100 ms, until it is lifted", (context) => {
  let now = performance.now();
  context.mock.method(performance, "now", () => now);
  pointer("pointerdown", 1, [4, 4]);
  sent = [];
  for (let i = 0; i < 50; i++) {
    now += 10;
    clock.tick(10);
  }
  assert.ok(sent.length >= 3 && sent.length <= 5, sent.length);
  assert.ok(sent.every(([phase, touch, x, y]) => phase === "move" && touch === 1 && x === 4 && y === 4));
  pointer("pointerup", 1, [4, 4]);
  sent = [];
  now += 1000;
  clock.tick(1000);
  assert.deepEqual(sent, []);
});

test("a ring is shown where each finger is, and goes with it", () => {
  cancelAll();
  const shown = [];
  listenToFingers(surface, { placeOf, send() {}, changed() {}, shown: (id, event) => shown.push([id, event?.at ?? null]) });
  pointer("pointerdown", 1, [4, 4]);
  pointer("pointermove", 1, [5, 4]);
  pointer("pointercancel", 1, [5, 4]);
  assert.deepEqual(shown, [[1, [4, 4]], [1, [5, 4]], [1, null]]);
});

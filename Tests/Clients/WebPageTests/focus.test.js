import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeFocus } from "../../../Sources/Clients/WebPage/Page/arrangement.js";

let focus, controls, step, changes;

/** The parts of an element that the tabs use. */
class FakeElement {
  style = { setProperty() {} };
  onclick = null;
  children = [];

  setAttribute() {}

  append(...children) {
    this.replaceChildren(...children);
    if (children.length > 4) controls = children;
  }

  replaceChildren(...children) {
    this.children = children;
  }

  addEventListener() {}
}

beforeEach(() => {
  const make = () => new FakeElement();
  globalThis.document = { createElement: make, createElementNS: make, getElementById: make };
  globalThis.addEventListener = () => {};
  globalThis.localStorage = { getItem: () => null, setItem() {} };
  changes = 0;
  const feed = { listen: (listener) => ((step = listener), () => (step = null)) };
  focus = makeFocus(feed, () => {}, () => changes++);
});

const choose = (track) => controls[1 + track].children[0].onclick();
const [turnBack, turnOn, lock] = [0, -2, -1].map((at) => () => controls.at(at));

/** The daemon's state with a length of the pattern and, if given, one of the bass's playing slot. */
const stateOf = (length, own, more) => ({
  length, slots: { bass: { playing: 2, slots: own && { 2: { length: own } } } }, lenses: {}, ...more,
});

test("a slot that is longer than a short pattern has a second half", () => {
  focus.showState(stateOf(16, 24));
  assert.ok(turnOn().hidden, "melody has the pattern's 16");
  choose(2);
  assert.ok(!turnBack().hidden && !turnOn().hidden && !lock().hidden);
  turnOn().onclick();
  assert.deepEqual(focus.shown, { track: 2, half: 1 });
});

test("a slot of up to 16 steps in a long pattern has one half, which is shown at once", () => {
  focus.showState(stateOf(32));
  choose(2);
  turnOn().onclick();
  changes = 0;
  focus.showState(stateOf(32, 12));
  assert.deepEqual([focus.shown.half, turnOn().hidden, changes], [0, true, 1]);
  focus.showState(stateOf(32));
  turnOn().onclick();
  focus.showState(stateOf(16));
  assert.equal(focus.shown.half, 0);
});

test("changing to a track without a second half shows its first", () => {
  focus.showState(stateOf(16, 32));
  choose(2);
  turnOn().onclick();
  choose(0);
  assert.deepEqual(focus.shown, { track: 0, half: 0 });
});

test("under the length lens all steps can be reached, so that a slot can be made longer", () => {
  focus.showState(stateOf(16, undefined, { lenses: { bass: "length" } }));
  choose(2);
  assert.ok(!turnOn().hidden);
});

test("the lock follows the track's own step", () => {
  focus.showState(stateOf(32, 24));
  choose(2);
  lock().onclick();
  step({ step: 3, tracks: { bass: 20 } });
  assert.equal(focus.shown.half, 1);
  step({ step: 20, tracks: { bass: 3 } });
  assert.equal(focus.shown.half, 0);
  choose(0);
  step({ step: 20, tracks: { bass: 3 } });
  assert.equal(focus.shown.half, 1);
});

test("state without slots, as an older daemon sends it, has the pattern's length", () => {
  focus.showState({ length: 32 });
  assert.ok(!turnOn().hidden);
});

for (const by of ["pointers", "cursor"]) {
  test(`the lock turns nothing under a finger of ${by}, nor just after it`, (context) => {
    let now = 5000;
    context.mock.method(performance, "now", () => now);
    focus.showState(stateOf(32));
    lock().onclick();
    focus.touched(1, by);
    now += 2000;
    step({ step: 20 });
    assert.equal(focus.shown.half, 0);
    focus.touched(0, by);
    now += 999;
    step({ step: 20 });
    assert.equal(focus.shown.half, 0);
    now += 1;
    step({ step: 20 });
    assert.equal(focus.shown.half, 1);
  });
}

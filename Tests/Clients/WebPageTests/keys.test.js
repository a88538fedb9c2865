// Keys: what is held is told to the daemon, and released.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { makeHeldKeys, makePunchKeys } from "../../../Sources/Clients/WebPage/Page/keyboard.js";
import { codesOf, padOfCode } from "../../../Sources/Clients/WebPage/Page/keys.js";
import { noteOfKey, playable, sampleOf, written } from "../../../Sources/Clients/WebPage/Page/cells.js";
import { makeClock } from "./support.js";

let sent, handlers, listeners, keys, clock;

beforeEach(() => {
  [sent, handlers, listeners] = [[], {}, {}];
  clock = makeClock();
  globalThis.document = { hidden: false, addEventListener: (name, act) => (listeners[name] = act) };
  globalThis.addEventListener = (name, act) => (listeners[name] = act);
  const connection = {
    on: (name, act) => (handlers[name] = act),
    call: async (method, params) => void sent.push([method, params]),
    notify: (method, params) => sent.push([method, params]),
  };
  keys = makeHeldKeys(connection, () => {});
});
afterEach(() => clock.restore());

const methods = () => sent.splice(0).map(([method]) => method);

test("a key is pressed with its velocity, and released", () => {
  keys.press("finger", "bass", 7, 112);
  keys.release("finger");
  assert.deepEqual(sent, [["keys.press", { track: "bass", note: 7, velocity: 112 }],
    ["keys.release", { track: "bass", note: 7 }]]);
});

test("of two fingers on one key the last releases it", () => {
  keys.press("left", "bass", 7, 64);
  keys.press("right", "bass", 7, 64);
  assert.deepEqual(methods(), ["keys.press", "keys.press"]);
  keys.release("left");
  assert.deepEqual(methods(), []);
  keys.release("right");
  assert.deepEqual(methods(), ["keys.release"]);
});

test("what holds a key lets go of it before it holds another", () => {
  keys.press("finger", "melody", 0, 64);
  keys.press("finger", "melody", 2, 64);
  assert.deepEqual(methods(), ["keys.press", "keys.release", "keys.press"]);
});

test("ten fingers hold ten keys", () => {
  for (let note = 0; note < 10; note++) keys.press(note, "rhythm", note, 64);
  keys.releaseAll();
  assert.deepEqual(sent.slice(10).map(([method, { note }]) => [method, note]),
    Array.from({ length: 10 }, (_, note) => ["keys.release", note]));
});

test("while a key is held the page is heard of every half second", () => {
  keys.press("finger", "bass", 7, 64);
  clock.tick(1600);
  assert.deepEqual(methods(), ["keys.press", "ping", "ping", "ping"]);
  keys.release("finger");
  clock.tick(2000);
  assert.deepEqual(methods(), ["keys.release"]);
});

for (const [why, act] of [
  ["unfocused", () => listeners.blur()], ["left", () => listeners.pagehide()],
  ["hidden", () => ((document.hidden = true), listeners.visibilitychange())],
]) {
  test(`a page that is ${why} releases its keys`, () => {
    keys.press("finger", "bass", 7, 64);
    act();
    assert.deepEqual(methods(), ["keys.press", "keys.release"]);
    assert.ok(!keys.isHeld({ track: "bass", note: 7 }));
  });
}

test("with a lost connection no key is held, and none is released", () => {
  keys.press("finger", "bass", 7, 64);
  handlers.status({ phase: "lost" });
  keys.release("finger");
  clock.tick(1000);
  assert.deepEqual(methods(), ["keys.press"]);
});

test("a sample ends by itself", () => {
  keys.sample("chords", [0, 4, 7]);
  clock.tick(1000);
  assert.deepEqual(methods(), [...Array(3).fill("keys.press"), ...Array(3).fill("keys.release")]);
});

test("the home row plays the notes of the key, and the first six drums", () => {
  assert.deepEqual(codesOf(5), ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG"]);
  assert.equal(padOfCode("KeyJ", 7), 6);
  assert.equal(padOfCode("KeyH", 12), 5);
});

test("the row above plays the other six drums", () => {
  assert.deepEqual(["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyY"].map((code) => padOfCode(code, 12)), [6, 7, 8, 9, 10, 11]);
});

test("a key of these rows without a pad does nothing, and others keep their meaning", () => {
  assert.equal(padOfCode("KeyR", 7), null);
  assert.equal(padOfCode("KeyJ", 5), null);
  for (const code of ["Space", "Digit1", "Slash", "Tab", "Escape", "KeyN"]) assert.equal(padOfCode(code, 12), -1);
});

test("a track plays the notes of its key, rhythm all drums", () => {
  assert.deepEqual(playable("bass", { root: "G", scale: "major" }).map((note) => written("bass", note)),
    ["C", "D", "E", "F\u266f", "G", "A", "B"]);
  assert.equal(playable("melody", { root: "C", scale: "penta" }).length, 5);
  assert.equal(playable("rhythm", { root: "C", scale: "penta" }).length, 12);
  assert.equal(written("rhythm", 7), "Closed hat");
});

test("a sound is heard by its root, chords by their triad, a kit by its snare", () => {
  assert.deepEqual(sampleOf("bass", { root: "D", scale: "minor" }), [2]);
  assert.deepEqual(sampleOf("chords", { root: "A", scale: "minor" }), [9, 0, 4]);
  assert.deepEqual(sampleOf("rhythm", { root: "D", scale: "minor" }), [3]);
});

test("keys of pattern files are notes of their tracks", () => {
  assert.deepEqual([noteOfKey("melody", 67), noteOfKey("chords", 48), noteOfKey("bass", 47)], [7, 0, 11]);
  assert.deepEqual([noteOfKey("rhythm", 36), noteOfKey("rhythm", 39), noteOfKey("rhythm", 56)], [0, 6, 11]);
});

const press = (code, more = {}) => ({ type: "keydown", code, ...more });
const touches = () => sent.splice(0).map(([phase, touch, { x, y }]) => [phase, touch, x, y].join(" "));
const makePunches = () => makePunchKeys((...what) => sent.push(what));

test("a key is a finger on its zone of the overview, and holds at once until it is released", () => {
  const holds = makePunches();
  for (const [code, from, to, touch] of [
    ["KeyX", 5.5, 8.5, -1], ["KeyC", 17.5, 14.5, -2], ["KeyV", 23.5, 26.5, -3], ["KeyB", 35.5, 38.5, -4],
  ]) {
    assert.ok(holds(press(code)));
    assert.deepEqual(touches(), [`down ${touch} ${from} 22.5`, `move ${touch} ${to} 22.5`]);
    assert.ok(holds(press(code, { repeat: true })));
    clock.tick(250);
    assert.deepEqual(touches(), Array(2).fill(`move ${touch} ${to} 22.5`));
    assert.ok(holds({ type: "keyup", code }));
    clock.tick(250);
    assert.deepEqual(touches(), [`up ${touch} ${to} 22.5`]);
  }
});

test("with Shift it acts on rhythm alone, and shortcuts and other keys are left to others", () => {
  const holds = makePunches();
  assert.ok(holds(press("KeyC", { shiftKey: true })));
  assert.deepEqual(touches(), ["down -2 17.5 23.5", "move -2 14.5 23.5"]);
  for (const event of [press("KeyV", { ctrlKey: true }), press("KeyB", { altKey: true }), press("KeyN"), press("Space")]) {
    assert.ok(!holds(event));
  }
  assert.deepEqual(touches(), []);
  // Shift may be released first, and Control pressed meanwhile.
  holds({ type: "keyup", code: "KeyC", ctrlKey: true });
  assert.deepEqual(touches(), ["up -2 14.5 23.5"]);
});

test("a page that is left lets go of its punch-ins", () => {
  const holds = makePunches();
  holds(press("KeyX"));
  holds(press("KeyB"));
  touches();
  listeners.blur();
  assert.deepEqual(touches(), ["up -1 8.5 22.5", "up -4 38.5 22.5"]);
  clock.tick(500);
  assert.deepEqual(touches(), []);
});

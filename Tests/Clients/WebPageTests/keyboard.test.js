import assert from "node:assert/strict";
import { test } from "node:test";
import { actionOf, listenToKeys, makeCursor } from "../../../Sources/Clients/WebPage/Page/keyboard.js";
import { makeClock } from "./support.js";

const clock = makeClock(); // By which fingers are reported again only in the test that advances it.

const cases = [
  [{ key: " " }, ["play"]],
  [{ key: "z", ctrlKey: true }, ["undo"]],
  [{ key: "z", metaKey: true }, ["undo"]],
  [{ key: "y", ctrlKey: true }, ["redo"]],
  [{ key: "Z", ctrlKey: true, shiftKey: true }, ["redo"]],
  [{ key: "ArrowUp" }, ["tempo", 5]],
  [{ key: "ArrowDown" }, ["tempo", -5]],
  [{ key: "1" }, ["scene", 1]],
  [{ key: "8" }, ["scene", 8]],
  [{ key: "9" }, null],
  [{ key: "R", shiftKey: true }, ["record"]],
  [{ key: "r", ctrlKey: true }, null],
  [{ key: "f" }, ["fullScreen"]],
  [{ key: "n" }, ["names"]],
  [{ key: "?", shiftKey: true }, ["help"]],
  [{ key: " ", altKey: true }, null],
  [{ key: "Tab" }, null],
  // Russian, Greek, Hebrew, Thai and Persian layouts.
  [{ key: "\u044f", code: "KeyZ", ctrlKey: true }, ["undo"]],
  [{ key: "\u042f", code: "KeyZ", ctrlKey: true, shiftKey: true }, ["redo"]],
  [{ key: "\u03c5", code: "KeyY", ctrlKey: true }, ["redo"]],
  [{ key: "\u05e8", code: "KeyR" }, ["record"]],
  [{ key: "\u0e37", code: "KeyN" }, ["names"]],
  [{ key: "\u06f3", code: "Digit3" }, ["scene", 3]],
  [{ key: "\u0436", code: "Semicolon" }, null],
  // On Latin layouts the printed letter counts: AZERTY, QWERTZ, Dvorak, Turkish.
  [{ key: "z", code: "KeyW", ctrlKey: true }, ["undo"]],
  [{ key: "w", code: "KeyZ", ctrlKey: true }, null],
  [{ key: "y", code: "KeyZ", ctrlKey: true }, ["redo"]],
  // French and Czech digits need Shift; an American digit with Shift is a sign.
  [{ key: "\u00e9", code: "Digit2" }, ["scene", 2]],
  [{ key: "2", code: "Digit2", shiftKey: true }, ["scene", 2]],
  [{ key: "\u011b", code: "Digit2" }, ["scene", 2]],
  [{ key: "\u00e7", code: "Digit9" }, null],
  [{ key: "@", code: "Digit2", shiftKey: true }, null],
  [{ key: ";", code: "KeyZ", ctrlKey: true }, null],
  [{ key: "p", code: "KeyR" }, null],
  [{ key: "\u0131", code: "KeyI" }, null],
  [{ key: "\u00b6", code: "KeyR" }, null],
];

for (const [event, action] of cases) {
  test(`${JSON.stringify(event)} means ${action ? action.join(" ") : "nothing"}`, () => {
    assert.deepEqual(actionOf(event), action);
  });
}

/** The element that has the focus, by the selectors that match it; `did` has the actions that its keys caused. */
function focusOn(...selectors) {
  const page = (globalThis.document = new EventTarget());
  const did = [];
  const matches = (selector) => selector.split(", ").some((each) => selectors.includes(each));
  const focused = (page.activeElement = { matches, closest: matches, blur: () => (page.activeElement = null) });
  const action = (name) => [name, () => did.push(name)];
  listenToKeys(Object.fromEntries(["play", "tempo", "record", "scene"].map(action)));
  return {
    did,
    hasFocus: () => page.activeElement === focused,

    /** Dispatches an event to it, or elsewhere; false if the browser's own answer was prevented. */
    dispatch(type, more, target = focused) {
      const event = Object.assign(new Event(type, { cancelable: true }), more);
      Object.defineProperty(event, "target", { value: target });
      return page.dispatchEvent(event);
    },
  };
}

for (const key of [" ", "ArrowUp", "ArrowDown", "r", "1"]) {
  test(`in a menu ${JSON.stringify(key)} is the menu's, elsewhere the instrument's`, () => {
    const menu = focusOn("select");
    assert.ok(menu.dispatch("keydown", { key }));
    assert.deepEqual(menu.did, []);
    const elsewhere = focusOn();
    assert.ok(!elsewhere.dispatch("keydown", { key }));
    assert.equal(elsewhere.did.length, 1);
  });
}

test("the click that opens a menu leaves it the keys, the choice gives them back", () => {
  const menu = focusOn("select", "select:not(:focus-visible)");
  menu.dispatch("click", { detail: 1 });
  assert.ok(menu.hasFocus());
  menu.dispatch("change");
  assert.ok(!menu.hasFocus());
});

test("a menu that was reached by keys keeps them after a choice", () => {
  const menu = focusOn("select", ":focus-visible");
  menu.dispatch("change");
  assert.ok(menu.hasFocus());
});

test("a click on anything else gives the keys to the instrument", () => {
  const button = focusOn("button");
  button.dispatch("click", { detail: 1 });
  assert.ok(!button.hasFocus());
});

test("a field to which a button's click gave the focus keeps it", () => {
  const field = focusOn("input[type=text]");
  field.dispatch("click", { detail: 1 }, { closest: () => null });
  assert.ok(field.hasFocus());
});

/** A cursor on a grid that shows some cells; what it has sent, and how many fingers it said that it is. */
function makeCursorOn(isShown) {
  globalThis.devicePixelRatio = 1;
  const canvas = Object.assign(new EventTarget(), { matches: () => true });
  const [sent, held] = [[], []];
  makeCursor(canvas, { style: {} }, {
    grid: { turns: 0, rectangleOf: (...cell) => (isShown(...cell) ? { left: 0, top: 0, width: 9, height: 9 } : null) },
    picture: { cols: 44, rows: 24, rgb: [], labels: [] },
    send: (phase, _, { x, y }) => sent.push([phase, x, y]), held: (count) => held.push(count),
    announce() {}, named() {}, lenses() {},
  });
  const press = (type, key) => canvas.dispatchEvent(Object.assign(new Event(type), { key }));
  return { sent, held, press, blur: () => canvas.dispatchEvent(new Event("blur")) };
}

test("where the cursor's cell is not shown, Enter touches nothing", () => {
  const { sent, held, press } = makeCursorOn((_, row) => row === 15);
  press("keydown", "Enter");
  press("keyup", "Enter");
  assert.deepEqual([sent, held], [[], []]);
  press("keydown", "ArrowDown");
  press("keydown", "Enter");
  press("keyup", "Enter");
  assert.deepEqual(sent, [["down", 4.5, 15.5], ["up", 4.5, 15.5]]);
});

test("a second Enter key is no second finger, and nothing is reported after the first is lifted", () => {
  const { sent, held, press } = makeCursorOn(() => true);
  press("keydown", "Enter");
  press("keydown", "Enter");
  clock.tick(100);
  press("keyup", "Enter");
  press("keyup", "Enter");
  clock.tick(1000);
  assert.deepEqual(sent.map(([phase]) => phase), ["down", "move", "up"]);
  assert.deepEqual(held, [1, 0]);
});

test("a drag of the cursor ends at the shown half; released, the cursor goes on to the pads", () => {
  const { sent, press } = makeCursorOn((column) => column <= 20 || column >= 40);
  for (let column = 4; column < 20; column++) press("keydown", "ArrowRight");
  press("keydown", "Enter");
  press("keydown", "ArrowRight");
  press("keydown", "ArrowLeft");
  press("keydown", "ArrowRight");
  press("keyup", "Enter");
  assert.deepEqual(new Set(sent.map(([, x]) => x)), new Set([20.5, 19.5]));
  assert.deepEqual(sent.at(-1), ["up", 20.5, 7.5]);
  press("keydown", "ArrowRight");
  press("keydown", "Enter");
  assert.deepEqual(sent.at(-1), ["down", 40.5, 7.5]);
});

test("the cursor is a finger while Enter is held, and only then", () => {
  const { held, press, blur } = makeCursorOn((_, row) => row === 7);
  press("keydown", "Enter");
  assert.deepEqual(held, [1]);
  press("keyup", "Enter");
  assert.deepEqual(held, [1, 0]);
  press("keydown", "Enter");
  blur();
  blur();
  assert.deepEqual(held, [1, 0, 1, 0]);
});

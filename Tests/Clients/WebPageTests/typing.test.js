import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { afterTyping } from "../../../Sources/Clients/WebPage/Page/dom.js";

let form, area, isPressed, count, frames;

const focus = (focused) => (document.activeElement = { closest: () => focused });

function showFrame() {
  for (const act of frames.splice(0)) act();
}

function leave(focused) {
  focus(focused);
  form.dispatchEvent(new Event("focusout"));
  showFrame();
}

beforeEach(() => {
  form = new EventTarget();
  area = { contains: (element) => element === form, matches: () => isPressed };
  [isPressed, count, frames] = [false, 0, []];
  globalThis.document = {};
  globalThis.requestAnimationFrame = (act) => frames.push(act);
});

const act = () => count++;

test("while nobody types it is done at once", () => {
  for (const focused of [null, new EventTarget()]) {
    focus(focused);
    afterTyping(area, act);
  }
  assert.equal(count, 2);
});

test("while somebody types it waits until the form has lost the focus", () => {
  focus(form);
  afterTyping(area, act);
  // From the field to its button, or to another window and back.
  leave(form);
  assert.equal(count, 0);
  leave(null);
  assert.equal(count, 1);
});

test("a press that takes the focus becomes a click first", () => {
  focus(form);
  afterTyping(area, act);
  isPressed = true;
  leave(null);
  showFrame();
  assert.equal(count, 0);
  isPressed = false;
  showFrame();
  assert.equal(count, 1);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { listenToSlide } from "../../../Sources/Clients/WebPage/Page/controls.js";

const HEIGHT = 44;
let surface, captured, seen;

/** A pointer's event at a place, which the slider gets if it has captured the pointer, or if it is under it. */
function pointer(type, clientX, clientY) {
  const isOver = clientY >= 0 && clientY < HEIGHT;
  if (isOver || captured) {
    surface.dispatchEvent(Object.assign(new Event(type), { pointerId: 1, button: 0, clientX, clientY }));
  }
  if (type === "pointerup") captured = false;
}

beforeEach(() => {
  captured = false;
  seen = [];
  surface = Object.assign(new EventTarget(), { clientWidth: 100, setPointerCapture: () => (captured = true) });
  listenToSlide(surface, {
    begin: () => seen.push("begin"), move: (share) => seen.push(share), end: () => seen.push("end"),
    reset: () => seen.push("reset"),
  });
});

test("a mouse that is released beside the slider before sliding moves nothing when it comes back", () => {
  pointer("pointerdown", 50, 40);
  pointer("pointermove", 50, 60);
  pointer("pointerup", 50, 60);
  pointer("pointermove", 20, 20);
  pointer("pointermove", 80, 20);
  assert.deepEqual(seen, []);
});

test("a slide continues beside the slider until the mouse is released there", () => {
  pointer("pointerdown", 50, 40);
  pointer("pointermove", 60, 40);
  pointer("pointermove", 70, 60);
  pointer("pointerup", 70, 60);
  pointer("pointermove", 20, 20);
  assert.deepEqual(seen, ["begin", 0.1, "end"]);
});

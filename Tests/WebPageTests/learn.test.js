import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeLearning } from "../../Sources/WebPage/Page/learn.js";

const PAN = { method: "track.set", name: "pan", label: "Pan" };
const KNOB = { type: "cc", channel: 1, number: 7 };
let handlers, sent, learning, bound, button;

/** Reports an event of the connection, as if the daemon had sent it. */
const report = (name, params) => handlers.filter(([each]) => each === name).forEach(([, handler]) => handler(params));
const sentTo = (method) => sent.filter(([each]) => each === method).map(([, params]) => params);

/** The parts of an element that the controls use. */
class FakeElement {
  children = [];
  onclick = null;

  setAttribute() {}

  append(...children) {
    this.children.push(...children);
    this.textContent = children.filter((child) => typeof child === "string").join("");
  }

  querySelector() {
    return null;
  }
}

beforeEach(() => {
  globalThis.document = { createElement: () => new FakeElement(), getElementById: () => new FakeElement() };
  [handlers, sent] = [[], []];
  learning = makeLearning({
    on: (name, handler) => handlers.push([name, handler]),
    notify: (method, params) => sent.push([method, params]),
    call: async (method, params) => (sent.push([method, params]), {}),
  });
  [bound, button] = learning.makeCorner(PAN, "melody").children;
});

function reconnect() {
  report("status", { phase: "lost" });
  report("status", { phase: "joined" });
  report("welcome", {});
}

test("a learned binding is shown, or removed if the lesson was cancelled", () => {
  button.onclick();
  report("midi", { learned: { on: KNOB } });
  assert.equal(bound.textContent, "cc 7, channel 1");
  button.onclick();
  button.onclick();
  report("midi", { learned: { on: KNOB } });
  assert.deepEqual(sentTo("midi.unbind"), [{ on: KNOB }]);
});

test("all lessons can be cancelled, whoever began them", () => {
  const [, other] = learning.makeCorner(PAN, "bass").children;
  button.onclick();
  other.onclick();
  learning.cancelAll();
  assert.deepEqual([button.textContent, other.textContent], ["Learn", "Learn"]);
  report("midi", { learned: { on: KNOB } });
  report("midi", { learned: {} });
  assert.equal(bound.textContent, "");
  assert.deepEqual(sentTo("midi.unbind"), [{ on: KNOB }]);
});

test("a lost connection ends a lesson", () => {
  button.onclick();
  assert.equal(button.textContent, "Cancel");
  reconnect();
  assert.deepEqual([bound.textContent, button.textContent], ["Nothing received", "Learn"]);
  assert.deepEqual(sentTo("subscribe"), [{ topics: ["midi"] }], "nobody listens after that");
});

test("a lesson that was cancelled before the connection was lost unbinds nothing after its return", () => {
  button.onclick();
  button.onclick();
  reconnect();
  button.onclick();
  report("midi", { learned: { on: KNOB } });
  assert.equal(bound.textContent, "cc 7, channel 1");
  assert.deepEqual(sentTo("midi.unbind"), []);
});

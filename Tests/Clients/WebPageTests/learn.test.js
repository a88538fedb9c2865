import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeLearning } from "../../../Sources/Clients/WebPage/Page/controls.js";

const PAN = { method: "track.set", name: "pan", label: "Pan" };
const KNOB = { type: "cc", channel: 1, number: 7 };
const panOf = (track) => ({ method: "track.set", params: { track }, value: "pan" });
let handlers, sent, ports, learning, bound, button;

/** Reports an event of the connection, as if the daemon had sent it. */
const report = (name, params) => handlers.filter(([each]) => each === name).forEach(([, handler]) => handler(params));
const reportLearned = (track) => report("midi", { learned: { on: KNOB, to: panOf(track) } });
/** What was sent, in order. */
const methods = () => sent.splice(0).map(([method]) => method);

/** The parts of an element that the controls use. */
class FakeElement {
  children = [];
  onclick = null;

  setAttribute() {}

  replaceChildren() {}

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
  [handlers, sent, ports] = [[], [], [{ name: "midi_in", connections: ["keys:out"] }]];
  learning = makeLearning({
    on: (name, handler) => handlers.push([name, handler]),
    notify: (method, params) => sent.push([method, params]),
    async call(method, params) {
      if (method === "midi.ports") return ports;
      sent.push([method, params]);
      return {};
    },
  });
  [bound, button] = learning.makeCorner(PAN, "melody").children;
});

function reconnect() {
  report("status", { phase: "lost" });
  report("status", { phase: "joined" });
  report("welcome", {});
}

test("what is learned is shown, and the page listens only until then", () => {
  button.onclick();
  assert.deepEqual(methods(), ["subscribe", "midi.learn"]);
  reportLearned("melody");
  assert.deepEqual([bound.textContent, button.textContent], ["cc 7, channel 1", "Learn"]);
  assert.deepEqual(methods(), ["unsubscribe"]);
});

test("a cancelled lesson ends in the daemon too, and nothing is unbound", () => {
  button.onclick();
  methods();
  button.onclick();
  assert.deepEqual([bound.textContent, button.textContent], ["", "Learn"]);
  assert.deepEqual(methods(), ["unsubscribe"]);
});

test("a lesson right after a cancelled one waits for its own controller", () => {
  const [otherBound, other] = learning.makeCorner(PAN, "bass").children;
  button.onclick();
  button.onclick();
  other.onclick();
  assert.deepEqual(methods(), ["subscribe", "midi.learn", "unsubscribe", "subscribe", "midi.learn"]);
  // The daemon had learned this before it was asked to stop.
  reportLearned("melody");
  assert.deepEqual([bound.textContent, other.textContent], ["cc 7, channel 1", "Cancel"]);
  reportLearned("bass");
  assert.deepEqual([bound.textContent, otherBound.textContent], ["", "cc 7, channel 1"]);
});

test("a second lesson cancels the first", () => {
  const [, other] = learning.makeCorner(PAN, "bass").children;
  button.onclick();
  other.onclick();
  assert.deepEqual([button.textContent, other.textContent], ["Learn", "Cancel"]);
  assert.deepEqual(methods(), ["subscribe", "midi.learn", "unsubscribe", "subscribe", "midi.learn"]);
});

test("all lessons can be cancelled, whoever began them", () => {
  button.onclick();
  learning.cancelAll();
  assert.equal(button.textContent, "Learn");
  assert.equal(methods().at(-1), "unsubscribe");
});

test("a lost connection ends a lesson", () => {
  button.onclick();
  assert.equal(button.textContent, "Cancel");
  reconnect();
  assert.deepEqual([bound.textContent, button.textContent], ["", "Learn"]);
  assert.equal(methods().filter((each) => each === "subscribe").length, 1, "nobody listens after that");
});

test("without a MIDI port a lesson ends at once", async () => {
  ports = [];
  button.onclick();
  assert.equal(button.textContent, "Cancel");
  await new Promise(setImmediate);
  assert.equal(button.textContent, "Learn");
  assert.deepEqual(methods(), ["subscribe", "midi.learn", "unsubscribe"]);
});

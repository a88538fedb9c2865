import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { makeListening } from "../../../Sources/Clients/WebPage/Page/loudspeaker.js";
import { makeClock } from "./support.js";

let socket, clock, failures, listening;

class FakeWebSocket {
  sent = [];

  constructor() {
    socket = this;
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {}
}

/** The parts of an audio context that exist without worklets. */
class FakeAudioContext {
  sampleRate = 48000;
  state = "running";
  createGain = () => ({ gain: {}, connect() {} });
  createScriptProcessor = () => ({ connect() {} });
  close() {}
}

beforeEach(async () => {
  Object.assign(globalThis, { WebSocket: FakeWebSocket, AudioContext: FakeAudioContext });
  clock = makeClock();
  failures = [];
  const how = { token: null, rate: 48000, volume: 1, options: {}, show() {}, failed: (reason) => failures.push(reason) };
  listening = makeListening("ws://host/socket?audio", how);
  while (!socket) await Promise.resolve();
  socket.onopen();
});

afterEach(() => {
  listening.close();
  clock.restore();
  socket = null;
});

test("without a token, a daemon that greets late ends nothing", () => {
  clock.tick(3000);
  assert.deepEqual(failures, []);
  socket.onmessage({ data: JSON.stringify({ method: "welcome", params: {} }) });
  assert.deepEqual(socket.sent[0].params, { topics: ["audio"] });
});

test("a lost connection is tried again at once when it is hurried", () => {
  const lost = socket;
  lost.onclose({ code: 1006, reason: "" });
  assert.equal(socket, lost);
  listening.hurry();
  assert.notEqual(socket, lost);
  assert.deepEqual(failures, []);
});

test("a gateway that requires a token ends it, and why is told", () => {
  clock.tick(1000);
  socket.onclose({ code: 4401, reason: "no token came in time" });
  assert.deepEqual(failures, ["A token is needed"]);
});

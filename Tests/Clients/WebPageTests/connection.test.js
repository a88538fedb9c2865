import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { makeConnection, makeFeed, TOKEN_NEEDED } from "../../../Sources/Clients/WebPage/Page/connection.js";
import { makeClock, readText } from "./support.js";

const closes = readText("Sources/Clients/WebGateway/Relay/PageClose.swift");
/** The gateway's reason for a close. */
const reasonOf = (name) => closes.match(new RegExp(`${name} = PageClose\\(code: \\d+, reason: "(.+)"\\)`))[1];

const WELCOME = { method: "welcome", params: { server: "pixelboopd" } };
let sockets, clock;

/** A WebSocket whose other end is the test. */
class FakeWebSocket {
  sent = [];

  constructor(url, protocol) {
    Object.assign(this, { url, protocol });
    sockets.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.isClosed = true;
  }

  say(message) {
    this.onmessage({ data: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  }

  get last() {
    return this.sent.at(-1);
  }
}

function connect(options = {}) {
  const connection = makeConnection("ws://host/socket", { WebSocket: FakeWebSocket, ...options });
  const phases = [];
  connection.on("status", ({ phase, reason }) => phases.push(reason ? `${phase}: ${reason}` : phase));
  connection.connect();
  return { connection, phases };
}

function join(socket = sockets.at(-1)) {
  socket.onopen();
  socket.say(WELCOME);
  return socket;
}

beforeEach(() => {
  sockets = [];
  clock = makeClock();
});
afterEach(() => clock.restore());

test("the token is sent first, and nothing without one", () => {
  connect({ token: "secret" });
  sockets[0].onopen();
  assert.equal(sockets[0].protocol, "pixelboop.v1");
  assert.deepEqual(sockets[0].sent, [{ jsonrpc: "2.0", method: "authenticate", params: { token: "secret" } }]);
  connect();
  sockets[1].onopen();
  assert.deepEqual(sockets[1].sent, []);
});

test("calls get their answers, and errors with the daemon's message", async () => {
  const { connection } = connect();
  const socket = join();
  const [first, second] = [connection.call("frame.get"), connection.call("tempo.set", { bpm: 1 })];
  socket.say({ id: 2, error: { code: -32602, message: "bpm: expected a number from 20 to 300, got 1" } });
  socket.say({ id: 1, result: { seq: 1 } });
  assert.deepEqual(await first, { seq: 1 });
  await assert.rejects(second, { code: -32602, message: "bpm: expected a number from 20 to 300, got 1" });
});

test("before the daemon's greeting nothing is sent, and calls are refused", async () => {
  const { connection } = connect();
  sockets[0].onopen();
  connection.notify("touch", {});
  await assert.rejects(connection.call("ping"));
  assert.deepEqual(sockets[0].sent, []);
});

test("a lost connection is retried after 0.25 s, doubling to 4 s", () => {
  const { phases } = connect();
  for (const delay of [250, 500, 1000, 2000, 4000, 4000]) {
    const count = sockets.length;
    sockets.at(-1).onclose({ code: 1013, reason: "pixelboopd does not answer" });
    clock.tick(delay - 1);
    assert.equal(sockets.length, count);
    clock.tick(1);
    assert.equal(sockets.length, count + 1);
  }
  assert.equal(phases[0], "lost: pixelboopd does not answer");
  join().onclose({ code: 1006, reason: "" });
  clock.tick(250);
  assert.equal(sockets.length, 8, "a greeting makes the delay short again");
});

test("a page that is shown again tries at once, and never twice", () => {
  const { connection } = connect();
  connection.hurry();
  assert.equal(sockets.length, 1);
  sockets[0].onclose({ code: 1006, reason: "" });
  connection.hurry();
  connection.hurry();
  clock.tick(4000);
  assert.equal(sockets.length, 2);
});

test("pending calls fail when the connection is lost", async () => {
  const { connection } = connect();
  const call = (join(), connection.call("ping"));
  sockets[0].onclose({ code: 1006, reason: "" });
  await assert.rejects(call, /lost/);
});

test("a wrong token is not tried again; another one is", () => {
  const { connection, phases } = connect({ token: "old" });
  sockets[0].onclose({ code: 4401, reason: "wrong token" });
  clock.tick(10_000);
  assert.equal(sockets.length, 1);
  connection.authenticate("new");
  sockets[1].onopen();
  assert.equal(sockets[1].last.params.token, "new");
  assert.deepEqual(phases, ["refused: wrong token", "connecting"]);
});

test("a token that came too late is tried again; without one the user is asked", () => {
  const reason = reasonOf("tokenLate");
  const { phases } = connect({ token: "secret" });
  sockets[0].onclose({ code: 4401, reason });
  clock.tick(250);
  sockets[1].onopen();
  assert.equal(sockets[1].last.params.token, "secret");
  assert.deepEqual(phases, [`lost: ${reason}`]);
  const { phases: others } = connect();
  sockets[2].onclose({ code: 4401, reason });
  assert.deepEqual(others, [`refused: ${TOKEN_NEEDED}`]);
});

test("without a token and a prompt greeting the user is asked for one, which is tried on a new connection", () => {
  const { connection, phases } = connect();
  sockets[0].onopen();
  clock.tick(699);
  assert.deepEqual(phases, []);
  clock.tick(1);
  assert.deepEqual(phases, ["refused"]);
  connection.authenticate("new");
  assert.ok(sockets[0].isClosed);
  sockets[1].onopen();
  assert.equal(sockets[1].last.params.token, "new");
  assert.deepEqual(phases, ["refused", "connecting"]);
});

test("a page that was let in without a token is asked for none when the daemon does not answer", () => {
  const { phases } = connect();
  join().onclose({ code: 1006, reason: "" });
  clock.tick(250);
  sockets[1].onopen();
  clock.tick(5000);
  assert.deepEqual(phases, ["joined", "lost"]);
});

test("a page that needs no token is asked for none after the gateway has told of the daemon", () => {
  const reason = reasonOf("daemonSilent");
  const { phases } = connect();
  sockets[0].onopen();
  clock.tick(700);
  sockets[0].onclose({ code: 1013, reason });
  clock.tick(250);
  sockets[1].onopen();
  clock.tick(5000);
  assert.deepEqual(phases, ["refused", `lost: ${reason}`]);
});

test("a late greeting still joins", () => {
  const { phases } = connect();
  sockets[0].onopen();
  clock.tick(1000);
  sockets[0].say(WELCOME);
  connect();
  join(sockets[1]);
  clock.tick(1000);
  assert.deepEqual(phases, ["refused", "joined"]);
});

test("the daemon's farewell is shown as the reason", () => {
  const { phases } = connect();
  const socket = join();
  socket.say({ method: "bye", params: { reason: "shutting down" } });
  socket.onclose({ code: 1000, reason: "" });
  clock.tick(250);
  sockets[1].onopen();
  sockets[1].say({ id: null, error: { code: -32004, message: "64 clients are connected" } });
  sockets[1].onclose({ code: 1000, reason: "" });
  assert.deepEqual(phases, ["joined", "lost: shutting down", "lost: 64 clients are connected"]);
});

test("a silent network is pinged after 3 s and given up after 3 more", () => {
  const { phases } = connect();
  const socket = join();
  const pings = () => socket.sent.filter(({ method }) => method === "ping").length;
  clock.tick(2900);
  socket.say({ method: "frame", params: {} });
  clock.tick(2990);
  assert.equal(pings(), 0);
  clock.tick(10);
  assert.equal(pings(), 1);
  clock.tick(2990);
  socket.say({ id: 0, result: {} });
  clock.tick(3000);
  assert.equal(pings(), 2);
  clock.tick(2990);
  assert.deepEqual(phases, ["joined"]);
  clock.tick(10);
  assert.deepEqual(phases, ["joined", "lost"]);
  assert.ok(socket.isClosed);
});

for (const [name, proceed] of [["opens", () => {}], ["greets", (socket) => socket.onopen()]]) {
  test(`a connection that never ${name} is given up after 8 s, and a new one is tried`, () => {
    const { phases } = connect({ token: "secret" });
    proceed(sockets[0]);
    clock.tick(7999);
    assert.deepEqual(phases, []);
    clock.tick(1);
    assert.deepEqual(phases, ["lost"]);
    assert.ok(sockets[0].isClosed);
    clock.tick(250);
    assert.equal(sockets.length, 2);
    join();
    clock.tick(2999);
    assert.deepEqual(phases, ["lost", "joined"]);
  });
}

test("a feed is subscribed to while somebody listens, and again after a loss", () => {
  const { connection } = connect();
  const feed = makeFeed(connection, "scope");
  const heard = [];
  let socket = join();
  const ends = [feed.listen((params) => heard.push(params)), feed.listen(() => {})];
  assert.deepEqual(socket.sent.map(({ method }) => method), ["subscribe"]);
  assert.deepEqual(socket.last.params, { topics: ["scope"] });
  socket.onclose({ code: 1006, reason: "" });
  clock.tick(250);
  socket = join();
  assert.equal(socket.last.method, "subscribe");
  socket.say({ method: "scope", params: { main: [] } });
  ends.forEach((end) => end());
  assert.equal(socket.last.method, "unsubscribe");
  assert.deepEqual(heard, [{ main: [] }]);
});

#!/usr/bin/env node
// Writes a beat, plays it once around, and prints the grid. Needs nothing but node.
"use strict";
const net = require("node:net");
const readline = require("node:readline");

const beat = { 0: "x...x...x...x...", 3: "....x.......x...", 7: "..x...x...x...x." };

const connected = (path) =>
  new Promise((resolve, reject) => {
    const socket = net.connect(path, () => resolve(socket));
    socket.once("error", reject);
  });

/// Where the socket is: docs/protocol.md.
async function connect() {
  const named = process.env.PIXELBOOP_SOCKET;
  if (named) return connected(named);
  const folder = process.env.XDG_RUNTIME_DIR || `/run/user/${process.getuid()}`;
  const own = `${folder}/pixelboop/control.sock`;
  return connected(own).catch((error) => connected("/run/pixelboop/control.sock").catch(() => Promise.reject(error)));
}

async function play(socket) {
  const answers = new Map();
  let onStep = () => {};
  readline.createInterface({ input: socket }).on("line", (line) => {
    const { id, method, params, result, error } = JSON.parse(line);
    if (method === "step") onStep(params.step);
    const answer = answers.get(id);
    answers.delete(id);
    if (answer) error ? answer.reject(new Error(error.message)) : answer.resolve(result);
  });
  let lastID = 0;
  const call = (method, params = {}) =>
    new Promise((resolve, reject) => {
      answers.set(++lastID, { resolve, reject });
      socket.write(JSON.stringify({ jsonrpc: "2.0", method, params, id: lastID }) + "\n");
    });

  const length = Math.min(16, (await call("state.get")).length);
  for (const [note, pattern] of Object.entries(beat))
    for (let step = 0; step < length; step++)
      if (pattern[step] === "x")
        await call("note.set", { track: "rhythm", step, note: Number(note), velocity: "normal" });

  const played = new Promise((resolve) => {
    onStep = (step) => {
      console.log("step", step);
      if (step === length - 1) resolve();
    };
  });
  await call("subscribe", { topics: ["step"] });
  await call("transport.play");
  await played;
  await call("transport.stop");

  const { cols, rgb } = await call("frame.get");
  const brightness = (colour) => Math.floor((Math.max(colour >> 16, (colour >> 8) & 255, colour & 255) * 4) / 255);
  for (let cell = 0; cell < rgb.length; cell += cols)
    console.log(rgb.slice(cell, cell + cols).map((colour) => " .:*#"[brightness(colour)]).join(""));
}

async function main() {
  const socket = await connect();
  const ended = new Promise((_, reject) => socket.once("close", () => reject(new Error("the daemon has ended"))));
  await Promise.race([play(socket), ended]);
  socket.end();
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});

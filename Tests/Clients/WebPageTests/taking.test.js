// Take it home: recordings as WAV files, and what can be exported as MIDI.

import assert from "node:assert/strict";
import { test } from "node:test";
import { exportsOf } from "../../../Sources/Clients/WebPage/Page/exports.js";
import { makeRecording } from "../../../Sources/Clients/WebPage/Page/takes.js";

const RATE = 400; // so that a block has 8 frames
const pcm = (value) => Buffer.from(Int16Array.from({ length: 16 }, () => value).buffer).toString("base64");
const samplesOf = (file) => [...new Int16Array(file.buffer.slice(44))];

test("a recording is a WAV file with exactly the samples that came", () => {
  const recording = makeRecording();
  assert.ok(recording.take({ frame: 80, rate: RATE, pcm: pcm(1000) }));
  assert.ok(recording.take({ frame: 88, rate: RATE, pcm: pcm(-2) }));
  const { file, seconds } = recording;
  const view = new DataView(file.buffer);
  const text = (at) => String.fromCharCode(...file.slice(at, at + 4));
  assert.deepEqual([text(0), text(8), text(12), text(36)], ["RIFF", "WAVE", "fmt ", "data"]);
  assert.deepEqual([view.getUint32(4, true), view.getUint32(40, true)], [file.length - 8, file.length - 44]);
  assert.deepEqual([view.getUint32(16, true), view.getUint16(20, true), view.getUint16(22, true)], [16, 1, 2]);
  assert.deepEqual([view.getUint32(24, true), view.getUint32(28, true)], [RATE, 4 * RATE]);
  assert.deepEqual([view.getUint16(32, true), view.getUint16(34, true)], [4, 16]);
  assert.deepEqual(samplesOf(file), [...Array(16).fill(1000), ...Array(16).fill(-2)]);
  assert.equal(seconds, 16 / RATE);
});

test("silence and missing blocks are silent in it", () => {
  const recording = makeRecording();
  recording.take({ frame: 0, rate: RATE, pcm: pcm(5) });
  recording.take({ frame: 8, rate: RATE, pcm: null });
  recording.take({ frame: 24, rate: RATE, pcm: pcm(7) });
  assert.deepEqual(samplesOf(recording.file), [...Array(16).fill(5), ...Array(32).fill(0), ...Array(16).fill(7)]);
});

test("another rate and another time do not belong to it", () => {
  const recording = makeRecording();
  assert.equal(recording.file, null);
  recording.take({ frame: 800, rate: RATE, pcm: pcm(5) });
  assert.ok(!recording.take({ frame: 808, rate: 500, pcm: pcm(5) }));
  assert.ok(!recording.take({ frame: 0, rate: RATE, pcm: pcm(5) }));
  assert.ok(!recording.take({ frame: 8000, rate: RATE, pcm: pcm(5) }));
  assert.equal(samplesOf(recording.file).length, 16);
});

const api = (...names) => ({ parameters: () => names.map((name) => ({ name })) });
const track = (filled, chain = []) => ({ filled, chain });

test("what plays, each filled scene, all of them, and the chain can be exported", () => {
  const state = { slots: { melody: track([1, 3]), bass: track([3], [3, 1]) }, scenes: { chain: [] } };
  assert.deepEqual(exportsOf(state, api("scenes", "chain")).map(({ text, params }) => [text, params]), [
    ["What is playing", {}], ["Scene 1", { scenes: [1] }], ["Scene 3", { scenes: [3] }],
    ["All filled scenes: 1, 3", { scenes: [1, 3] }], ["The chain", { chain: true }],
  ]);
});

test("what does not exist is not offered", () => {
  const state = { slots: { melody: track([2]) }, scenes: { chain: [] } };
  assert.deepEqual(exportsOf(state, api("scenes", "chain")).map(({ text }) => text), ["What is playing", "Scene 2"]);
  assert.deepEqual(exportsOf(state, api()).map(({ text }) => text), ["What is playing"]);
});

// "The first evening": small pieces of the page without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isLed } from "../../../Sources/Clients/WebPage/Page/loudspeaker.js";
import { valueAt } from "../../../Sources/Clients/WebPage/Page/mixer.js";
import { darkened, signOf } from "../../../Sources/Clients/WebPage/Page/cells.js";
import { tempoIn } from "../../../Sources/Clients/WebPage/Page/bar.js";
import { pageFiles } from "./support.js";
import { readFileSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";

for (const [text, bpm] of [
  ["112", 112], [" 112.5 ", 112.5], ["112,5", 112.5], ["112 BPM", 112], ["20", 20], ["300", 300], ["133.337", 133.34],
  ["19", null], ["301", null], ["", null], ["fast", null],
]) {
  test(`"${text}" is the tempo ${bpm}`, () => assert.equal(tempoIn(text), bpm));
}

for (const [step, value] of [[0, -12], [8, -4.5], [16, 3], [24, -4.5], [31, -11.0625]]) {
  test(`a motion from -12 at step 0 to 3 at step 16 of 32 is ${value} at step ${step}`, () =>
    assert.equal(valueAt([[0, -12], [16, 3]], step, 32), value));
}

test("a motion with one point stands, hidden points do not count, and without points there is none", () => {
  assert.equal(valueAt([[5, 2]], 0, 16), 2);
  assert.equal(valueAt([[5, 2], [20, 9]], 10, 16), 2);
  assert.equal(valueAt([[20, 9]], 10, 16), undefined);
});

test("the daemon is heard when a main port leads somewhere", () => {
  const port = (name, ...connections) => ({ name, connections });
  assert.ok(isLed([port("main_L", "system:playback_1"), port("main_R")]));
  assert.ok(!isLed([port("main_L"), port("main_R"), port("melody", "recorder:in")]));
  assert.ok(!isLed([]));
});

test("controls have signs, and play's is a square while the music plays", () => {
  const at = (column, row, plays) => signOf(row * 44 + column, plays);
  assert.deepEqual([at(0, 2), at(1, 8), at(2, 14)], ["M", "S", "\u266a"]);
  assert.deepEqual([at(26, 0), at(28, 0), at(40, 0), at(11, 0)], ["\u2212", "+", "\u2715", "C"]);
  assert.deepEqual([at(1, 0, false), at(1, 0, true)], ["\u25b6", "\u25a0"]);
  assert.equal(at(4, 7), undefined);
});

test("gap columns are black, unless something is shown there", () => {
  assert.equal(darkened(5 * 44 + 12, 0x0a0a0a), 0);
  assert.equal(darkened(5 * 44 + 3, 0x45b7d1), 0x45b7d1);
  assert.equal(darkened(5 * 44 + 13, 0x0a0a0a), 0x0a0a0a);
});

test("the page stays within 230 KB", () => {
  const folder = new URL("../../../Sources/Clients/WebPage/Page/", import.meta.url);
  const size = pageFiles.reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0);
  assert.ok(size < 230_000, String(size));
});

test("compressed, it stays within 85 KB", () => {
  const folder = new URL("../../../Sources/Clients/WebPage/Page/", import.meta.url);
  const size = pageFiles.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, folder)), { level: 9 }).length, 0);
  assert.ok(size < 85_000, String(size));
});

// Takes: what is said of them, the parts that a recording has, renders in the background, and ZIP files of stems.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { makeRenders, zipOf } from "../../../Sources/Clients/WebPage/Page/exports.js";
import { clock, detailsOf, hintOf, partsOf } from "../../../Sources/Clients/WebPage/Page/takes.js";

for (const [seconds, text] of [[0, "0:00"], [5.9, "0:05"], [182.4, "3:02"], [3599.9, "59:59"], [3782, "1:03:02"]]) {
  test(`${seconds} s are ${text}`, () => assert.equal(clock(seconds), text));
}

const take = (number, seconds, more = {}) => ({ number, seconds, current: false, began: "2026-11-29T03:10:22Z", exact: true, ...more });

test("a take says when it began in the reader's time zone, how long it is, and what is special", () => {
  const before = process.env.TZ;
  process.env.TZ = "Asia/Kolkata";
  const [now, when, ...rest] = detailsOf(take(12, 182.4, { exact: false, inexactFrom: 61, current: true }));
  assert.equal(now, "now");
  assert.match(when, /8:40/);
  assert.deepEqual(rest, ["3:02", "not exact from 1:01"]);
  assert.equal(detailsOf(take(12, 182.4)).length, 2);
  assert.equal(detailsOf(take(12, 5, { exact: false }))[2], "not exact");
  process.env.TZ = before ?? "";
});

test("the list says why nothing is kept, and how the first take comes", () => {
  const list = (status, reason, ...takes) => hintOf({ status, reason, takes });
  assert.match(list("keeping"), /kept here by itself/);
  assert.equal(list("keeping", undefined, take(1, 2)), "");
  assert.match(list("off"), /switched off/);
  assert.match(list("stopped", "the disk is full", take(1, 2)), /the disk is full$/);
});

// The list at a recording's beginning, the list at its end, and its parts.
const current = { current: true };
const cases = {
  "in the middle of a take": [[take(3, 60, current), take(2, 9)], [take(3, 80, current), take(2, 9)], [[3, 60, 80]]],
  "that begins in silence": [[take(2, 9)], [take(3, 12, current), take(2, 9)], [[3, 0, 12]]],
  "that begins before the first take": [[], [take(1, 12, current)], [[1, 0, 12]]],
  "that ends after the take's end": [[take(3, 60, current)], [take(3, 71)], [[3, 60, 71]]],
  "of several takes": [[take(3, 60, current)], [take(5, 4, current), take(4, 3), take(3, 62)], [[3, 60, 62], [4, 0, 3], [5, 0, 4]]],
  "that begins after the last sound": [[take(3, 60, current)], [take(3, 52)], []],
  "of silence": [[take(3, 60)], [take(3, 60)], []],
  "of silence without takes": [[], [], []],
};
for (const [name, [first, last, parts]] of Object.entries(cases)) {
  test(`a recording ${name} has the parts that were played`, () =>
    assert.deepEqual(partsOf(first, last), parts.map(([take, from, to]) => ({ take, from, to }))));
}

let heard, answers, sent, statuses;
const connection = {
  on: (name, handler) => statuses.push(handler),
  notify: (method) => sent.push([method]),
  call(method, params) {
    sent.push([method, params]);
    return answers[method](params);
  },
};
const feed = {
  listen(listener) {
    heard.add(listener);
    return () => heard.delete(listener);
  },
};
const tell = (event) => heard.forEach((listener) => listener(event));
const settled = () => new Promise(setImmediate);

beforeEach(() => {
  [heard, sent, statuses] = [new Set(), [], []];
  const bytes = "a sound in pieces";
  answers = {
    "take.render": async () => ({ render: 7 }),
    "take.data": async ({ offset }) => {
      const piece = bytes.slice(offset, offset + 7);
      return { data: btoa(piece), size: bytes.length, end: offset + piece.length === bytes.length };
    },
  };
});

const textOf = (parts) => parts.map((part) => String.fromCharCode(...part)).join("");

test("a render is followed to its end, and its files come piece by piece", async () => {
  const shares = [];
  const result = makeRenders(connection, feed).render("take.render", { take: 3 }, (share) => shares.push(share));
  await settled();
  tell({ render: 6, done: true, files: ["mix"] });
  tell({ changed: true });
  tell({ render: 7, progress: 0.5 });
  tell({ render: 7, done: true, files: ["mix", "bass"], drums: ["clap"] });
  const { files, drums } = await result;
  assert.deepEqual(files.map(([name, parts]) => [name, textOf(parts)]), ["mix", "bass"].map((name) => [name, "a sound in pieces"]));
  assert.deepEqual(drums, ["clap"]);
  assert.equal(shares[0], 0.35);
  assert.deepEqual(shares, shares.toSorted());
  assert.equal(shares.at(-1), 1);
  assert.equal(heard.size, 0);
});

test("only what is wanted is fetched", async () => {
  const result = makeRenders(connection, feed).render("take.render", {}, () => {}, "mix");
  await settled();
  tell({ render: 7, done: true, files: ["mix", "bass"] });
  assert.deepEqual((await result).files.map(([name]) => name), ["mix"]);
});

test("what the daemon refuses or cannot do is an error with its words", async () => {
  const renders = makeRenders(connection, feed);
  answers["take.render"] = () => Promise.reject(new Error("another client renders"));
  await assert.rejects(renders.render("take.render", {}, () => {}), /another client renders/);
  answers["take.render"] = async () => ({ render: 8 });
  const result = renders.render("take.render", {}, () => {});
  await settled();
  tell({ render: 8, error: "the disk is full" });
  await assert.rejects(result, /the disk is full/);
  assert.equal(heard.size, 0);
});

test("a lost connection ends a render", async () => {
  const result = makeRenders(connection, feed).render("take.render", {}, () => {});
  await settled();
  statuses.forEach((handler) => handler({ phase: "lost" }));
  await assert.rejects(result, /connection was lost/);
});

test("a render that is cancelled has no result, whether it was asked for, begun, or fetched", async () => {
  const renders = makeRenders(connection, feed);
  const asked = renders.render("take.render", {}, () => {});
  renders.cancel();
  assert.equal(await asked, null);
  const begun = renders.render("take.render", {}, () => {});
  await settled();
  renders.cancel();
  assert.equal(await begun, null);
  const fetched = renders.render("take.render", {}, (share) => share > 0.7 && renders.cancel());
  await settled();
  tell({ render: 7, done: true, files: ["mix"] });
  assert.equal(await fetched, null);
  assert.equal(sent.filter(([method]) => method === "take.cancel").length, 3);
  assert.equal(heard.size, 0);
});

test("another render ends the one before", async () => {
  const renders = makeRenders(connection, feed);
  const first = renders.render("take.render", { take: 1 }, () => {});
  await settled();
  answers["take.render"] = async () => ({ render: 8 });
  const second = renders.render("take.render", { take: 2 }, () => {});
  assert.equal(await first, null);
  tell({ render: 8, done: true, files: ["mix"] });
  assert.equal((await second).files.length, 1);
});

test("a ZIP file has each file with its name, size and checksum", () => {
  const bytes = (text) => new TextEncoder().encode(text);
  const zip = Buffer.concat(zipOf([["größe.wav", [bytes("12345"), bytes("6789")]], ["b.wav", [bytes("x")]]]));
  const end = zip.subarray(-22);
  assert.deepEqual([end.readUInt32LE(0), end.readUInt16LE(8), end.readUInt16LE(10)], [0x06054b50, 2, 2]);
  let at = end.readUInt32LE(16);
  assert.equal(at + end.readUInt32LE(12), zip.length - 22);
  const found = [];
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const [sum, size, stored, length, body] = [16, 20, 24, 28, 42].map((offset) =>
      (offset === 28 ? zip.readUInt16LE(at + offset) : zip.readUInt32LE(at + offset)));
    assert.equal(zip.readUInt16LE(at + 8), 0x800, "names are UTF-8");
    assert.equal(size, stored);
    assert.equal(zip.readUInt32LE(body), 0x04034b50);
    assert.deepEqual(zip.subarray(body + 4, body + 30), zip.subarray(at + 6, at + 32));
    const start = body + 30 + length;
    found.push([zip.toString("utf8", at + 46, at + 46 + length), sum, zip.toString("utf8", start, start + size)]);
    at += 46 + length;
  }
  assert.deepEqual(found, [["größe.wav", 0xcbf43926, "123456789"], ["b.wav", 0x8cdc1683, "x"]]);
});

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fileOf, importFile } from "../../../Sources/Clients/WebPage/Page/library.js";
import { makeClock } from "./support.js";

const LIMITS = { line: 4000 };
let shown, sent;

const connection = { call: async (method, params) => (sent.push([method, params]), {}) };

beforeEach(() => {
  [shown, sent] = [[], []];
  const notices = { querySelector: () => null, replaceChildren: (...children) => shown.push(...children) };
  globalThis.document = {
    createElement: () => ({ className: "", onclick: null, append(text) { this.textContent = text; } }),
    getElementById: () => notices,
  };
});
makeClock(); // So that notices do not vanish.

const words = () => shown.map(({ textContent }) => textContent).join();

/** A file that remembers how much of it was read. */
function makeFile(start, size) {
  const file = new File([start.padEnd(size)], "a.json");
  const [text, slice] = [file.text.bind(file), file.slice.bind(file)];
  file.bytesRead = 0;
  file.text = () => ((file.bytesRead += size), text());
  file.slice = (from, to) => ((file.bytesRead += to - from), slice(from, to));
  return file;
}

test("a file of the limit's size is imported", async () => {
  await importFile(makeFile('{"version":1}', LIMITS.line), connection, LIMITS);
  assert.deepEqual(sent, [["pattern.set", { pattern: { version: 1 } }]]);
  assert.equal(words(), "Imported a.json");
});

test("a larger one is refused without being read", async () => {
  const file = makeFile('{"version":1}', LIMITS.line + 1);
  await importFile(file, connection, LIMITS);
  assert.equal(words(), "The pattern is too large: at most 4000 bytes");
  assert.ok(file.bytesRead <= 4);
  assert.deepEqual(sent, []);
});

test("a larger sound file is still named as one", async () => {
  await importFile(makeFile("RIFF", LIMITS.line + 1), connection, LIMITS);
  assert.equal(words(), "a.json: this is a sound file; patterns end in .json");
});

test("the reason why a file cannot be read is shown", async () => {
  const file = { size: 1, name: "folder", slice: () => ({ text: () => Promise.reject(new Error("It is a folder")) }) };
  await importFile(file, connection, LIMITS);
  assert.equal(words(), "It is a folder");
});

test("a download is indented, unless it would then be too large to import", () => {
  assert.equal(fileOf({ version: 1 }, LIMITS), '{\n  "version": 1\n}');
  const large = { notes: Array(1000).fill(0) };
  assert.equal(fileOf(large, LIMITS), JSON.stringify(large));
});

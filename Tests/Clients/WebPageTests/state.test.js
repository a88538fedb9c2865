import assert from "node:assert/strict";
import { test } from "node:test";
import { makeState, mergePatch } from "../../../Sources/Clients/WebPage/Page/connection.js";

// RFC 7386, appendix A.
const examples = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [["a", "b"], ["c", "d"], ["c", "d"]],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

for (const [target, patch, result] of examples) {
  test(`merging ${JSON.stringify(patch)} into ${JSON.stringify(target)} follows RFC 7386`, () => {
    const before = structuredClone(target);
    assert.deepEqual(mergePatch(target, patch), result);
    assert.deepEqual(target, before);
  });
}

test("watchers get the current state, each change, and nothing after they have ended", () => {
  const state = makeState();
  const seen = [];
  state.patch({ bpm: 90 });
  state.replace({ bpm: 120, tracks: { bass: { mute: false } } });
  const end = state.watch((value) => seen.push(value));
  state.patch({ tracks: { bass: { mute: true } } });
  end();
  state.patch({ bpm: 130 });
  assert.deepEqual(seen, [
    { bpm: 120, tracks: { bass: { mute: false } } },
    { bpm: 120, tracks: { bass: { mute: true } } },
  ]);
});

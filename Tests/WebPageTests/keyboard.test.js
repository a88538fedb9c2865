import assert from "node:assert/strict";
import { test } from "node:test";
import { actionOf } from "../../Sources/WebPage/Page/keyboard.js";

const cases = [
  [{ key: " " }, ["play"]],
  [{ key: "z", ctrlKey: true }, ["undo"]],
  [{ key: "z", metaKey: true }, ["undo"]],
  [{ key: "y", ctrlKey: true }, ["redo"]],
  [{ key: "Z", ctrlKey: true, shiftKey: true }, ["redo"]],
  [{ key: "ArrowUp" }, ["tempo", 5]],
  [{ key: "ArrowDown" }, ["tempo", -5]],
  [{ key: "1" }, ["scene", 1]],
  [{ key: "8" }, ["scene", 8]],
  [{ key: "9" }, null],
  [{ key: "R", shiftKey: true }, ["record"]],
  [{ key: "r", ctrlKey: true }, null],
  [{ key: "f" }, ["fullScreen"]],
  [{ key: "n" }, ["names"]],
  [{ key: "?", shiftKey: true }, ["help"]],
  [{ key: " ", altKey: true }, null],
  [{ key: "Tab" }, null],
];

for (const [event, action] of cases) {
  test(`${JSON.stringify(event)} means ${action ? action.join(" ") : "nothing"}`, () => {
    assert.deepEqual(actionOf(event), action);
  });
}

// Keys that play from anywhere on the page, and a cursor on the grid, which can be played without a pointer.

import { isLit, nameOfCell } from "./cells.js";
import { place } from "./dom.js";
import { stepOnGrid } from "./layout.js";

const KEYS = {
  " ": ["play"], ArrowUp: ["tempo", 5], ArrowDown: ["tempo", -5], r: ["record"], f: ["fullScreen"], "?": ["help"],
};

/** An action's name and argument; null for a key that is the browser's. */
export function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const plain = key.length === 1 ? key.toLowerCase() : key;
  if (altKey) return null;
  if (ctrlKey || metaKey) return { z: [shiftKey ? "redo" : "undo"], y: ["redo"] }[plain] ?? null;
  return /^[1-8]$/.test(key) ? ["scene", Number(key)] : KEYS[plain] ?? null;
}

function isMeantFor(target, key) {
  if (target.closest("input, [role=tablist]")) return true;
  return (key === " " || key === "Enter") && target.closest("button, dialog");
}

export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const [name, argument] = (!isMeantFor(event.target, event.key) && actionOf(event)) || [];
    if (!name) return;
    event.preventDefault();
    if (!event.repeat || name === "tempo") actions[name](argument);
  });
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** The cursor's touch: fingers count from 1. */
const TOUCH = 0;

/** A cursor on the grid: arrows move it, Enter is a finger on its cell. Returns what puts its `mark` onto its cell. */
export function makeCursor(canvas, mark, { grid, picture, send, announce }) {
  const { cols, rows, rgb } = picture;
  let [column, row] = [4, 7];
  let isDown = false;

  const touch = (phase) => send(phase, TOUCH, { x: column + 0.5, y: row + 0.5 });

  function show() {
    mark.hidden = !canvas.matches(":focus-visible");
    place(mark, grid.rectangleOf(column, row));
  }

  function release(phase) {
    if (isDown) touch(phase);
    isDown = false;
  }

  function press({ key, repeat }) {
    if (key !== "Enter") step(STEPS[key]);
    else if (!repeat) {
      isDown = true;
      touch("down");
    }
  }

  function step(direction) {
    const [across, down] = stepOnGrid(grid.turns, direction);
    column = Math.min(Math.max(column + across, 0), cols - 1);
    row = Math.min(Math.max(row + down, 0), rows - 1);
    show();
    if (isDown) touch("move");
    announce(nameOfCell(column, row) + (isLit(rgb[row * cols + column]) ? ", lit" : ""));
  }

  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key === "Enter" || STEPS[event.key])) return;
    event.preventDefault();
    event.stopPropagation();
    press(event);
  });
  canvas.addEventListener("keyup", ({ key }) => key === "Enter" && release("up"));
  canvas.addEventListener("focus", show);
  canvas.addEventListener("blur", () => {
    release("cancel");
    mark.hidden = true;
  });
  return show;
}

// What this page holds down at the daemon: keys, pressed by fingers, the computer's keyboard and samples; FILL; and
// punch-ins, by keys.

import { byID, LIFTS, listen, refuse, whenLeft } from "./dom.js";
import { letterKeys } from "./keyboard.js";
import { OVERVIEW, STEPS } from "./places.js";

const PING = 500; // ms: the daemon releases the keys of a page that has been silent for 2 s
const SAMPLE = 350; // ms

export function makeHeldKeys(connection, refused) {
  const held = new Map(); // by what holds it: its track and note
  const watchers = new Set();
  let pinging = null;

  const isSame = (one, other) => one.track === other.track && one.note === other.note;
  const isHeld = (key) => [...held.values()].some((each) => isSame(each, key));

  function changed() {
    if (held.size) pinging ??= setInterval(() => connection.notify("ping"), PING);
    else pinging = void clearInterval(pinging) ?? null;
    watchers.forEach((watcher) => watcher());
  }

  /** Presses a key, or strikes it again. What held another key lets go of that first. */
  function press(holder, track, note, velocity) {
    release(holder);
    held.set(holder, { track, note });
    refused(connection.call("keys.press", { track, note, velocity }));
    changed();
  }

  /** Two fingers may hold the same key: the last one releases it. */
  function release(holder) {
    const key = held.get(holder);
    if (!key) return;
    held.delete(holder);
    if (!isHeld(key)) connection.notify("keys.release", key);
    changed();
  }

  const releaseAll = () => [...held.keys()].forEach(release);
  function forget() {
    held.clear();
    changed();
  }

  connection.on("status", forget);
  whenLeft(releaseAll);
  return {
    press, release, releaseAll, isHeld,

    sample(track, notes, velocity = 64) {
      for (const note of notes) {
        const holder = `sample of ${note}`;
        press(holder, track, note, velocity);
        setTimeout(release, SAMPLE, holder);
      }
    },

    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

const REPEAT = 500; // ms: the daemon releases it when nothing more is heard of a client

export function listenToFill(set) {
  const button = byID("fill");
  let repeating = null;

  function hold() {
    if (repeating) return;
    set(true);
    repeating = setInterval(set, REPEAT, true);
  }

  function release() {
    if (!repeating) return;
    clearInterval(repeating);
    repeating = null;
    set(false);
  }

  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    button.setPointerCapture(event.pointerId);
    hold();
  });
  listen(button, `${LIFTS} blur`, release);
  const isKey = ({ key }) => key === "Enter" || key === " ";
  button.addEventListener("keydown", (event) => {
    if (!isKey(event)) return;
    event.preventDefault();
    hold();
  });
  button.addEventListener("keyup", (event) => isKey(event) && release());
  refuse(button, "contextmenu");
  whenLeft(release);
}

// By position, one for each zone of the overview, and the cell that it touches: a sixteenth, 790 Hz, a beat, the delay.
const PUNCH_KEYS = { KeyX: 4, KeyC: 1, KeyV: 4, KeyB: 7 };
const REPORT = 100; // ms

/** Keys that are fingers on the overview, with Shift on its lower row. Returns a function for events of keys, which says
 * whether the key is one of them. */
export function makePunchKeys(send) {
  const held = new Map(); // by code: its touch and place
  let reporting = null;

  const say = (phase, { touch, x, y }) => send(phase, touch, { x, y, ms: Math.round(10 * performance.now()) / 10 });

  function press(code, row) {
    const zone = Object.keys(PUNCH_KEYS).indexOf(code);
    const [cell, y] = [PUNCH_KEYS[code], row + 0.5];
    const x = STEPS.first + zone * (STEPS.perBar + 1) + cell + 0.5;
    const place = { touch: -1 - zone, x, y };
    held.set(code, place);
    // It moves to its cell, and so holds at once.
    say("down", { ...place, x: x + (cell < 4 ? 3 : -3) });
    say("move", place);
    reporting ??= setInterval(() => held.forEach((each) => say("move", each)), REPORT);
  }

  function release(code) {
    if (!held.has(code)) return;
    say("up", held.get(code));
    held.delete(code);
    if (!held.size) reporting = void clearInterval(reporting) ?? null;
  }

  whenLeft(() => [...held.keys()].forEach(release));
  return ({ type, code, repeat, shiftKey, ctrlKey, metaKey, altKey }) => {
    if (!(code in PUNCH_KEYS)) return false;
    if (type === "keyup") release(code);
    if (ctrlKey || metaKey || altKey || !letterKeys.on) return false;
    if (type === "keydown" && !repeat && !held.has(code)) press(code, shiftKey ? OVERVIEW.bottom : OVERVIEW.top);
    return true;
  };
}

// This page itself: its section of the sheet, haptics, full screen, and a display that stays awake while music plays.

import { makeSwitch } from "./controls.js";
import { byID, element } from "./dom.js";
import { letterKeys } from "./keyboard.js";
import { recall, remember } from "./memory.js";

// What another device can open, from the gateway; undefined if none can.
let shared;

/** The first address is the most likely; `code` is its QR code, row by row, with 1 for dark modules. */
export function noteAddresses({ addresses: [address], code }) {
  shared = { address, code };
}

export function buildPageSettings({ welcome, names }) {
  return element("div", { className: "fields" },
    names && makeBoundSwitch("Names on notes", names),
    haptics.available && makeBoundSwitch("Vibrate", haptics),
    makeBoundSwitch("Single-letter keys (R, F, N, 1 to 8)", letterKeys),
    element("div", { className: "line" }, ...["turn", "toggle-scope", "full-screen"].map(makeTwin)),
    element("h3", {}, "On another device"),
    shared
      ? element("div", { className: "address" }, drawCode(shared.code),
        element("p", { className: "hint" }, shared.address))
      : element("p", { className: "hint" },
        "Only this machine can open this address. For tablets in the room, start pixelboop-web --lan."),
    element("p", { className: "hint" }, `${welcome.server} ${welcome.version}`));
}

function makeTwin(id) {
  const twin = byID(id);
  const onclick = () => twin.click();
  return !twin.hidden && element("button", { className: "secondary", onclick }, twin.title.replace(/ \(.*/, ""));
}

function makeBoundSwitch(label, setting) {
  const control = makeSwitch(label, (on) => control.update((setting.on = on)));
  control.update(setting.on);
  return control.element;
}

function drawCode(rows) {
  const margin = 4; // modules, as the standard requires
  const size = rows.length + 2 * margin;
  const canvas = element("canvas", { width: size, height: size, role: "img", "aria-label": "QR code of this address" });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size, size);
  context.fillStyle = "#000";
  rows.forEach((row, y) => [...row].forEach((module, x) => module > 0 && context.fillRect(x + margin, y + margin, 1, 1)));
  return canvas;
}

/** Names on notes: as chosen, by default with the safe colours, which do not distinguish all notes. */
export function makeNames(picture, state, draw) {
  return {
    get on() {
      return recall("names") ?? state.value?.colors === "safe";
    },

    set on(on) {
      remember("names", on);
      this.show();
    },

    show() {
      if (picture.showsNames === this.on) return;
      picture.showsNames = this.on;
      draw();
    },
  };
}

const PATTERNS = { light: 8, medium: 15, heavy: 30, rigid: [10, 20, 10] };

export const haptics = {
  available: "vibrate" in navigator,

  get on() {
    return recall("haptics", true);
  },

  set on(on) {
    remember("haptics", on);
  },

  play({ style }) {
    // Browsers allow vibration only after a first tap.
    if (this.available && this.on && navigator.userActivation?.hasBeenActive) navigator.vibrate(PATTERNS[style]);
  },
};

export const fullScreen = {
  available: document.fullscreenEnabled,

  toggle() {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (fullScreen.available) document.documentElement.requestFullscreen();
  },
};

let isAwakeWanted = false;
let lock = null;

/** Browsers keep the display awake on HTTPS and localhost only. */
export function keepAwake(wanted) {
  if (wanted === isAwakeWanted) return;
  isAwakeWanted = wanted;
  updateLock();
}

function updateLock() {
  lock?.then((held) => held?.release());
  // Refused on a low battery: then the display may sleep.
  lock = isAwakeWanted ? navigator.wakeLock?.request("screen").catch(() => null) : null;
}

// The lock is released while the page is hidden.
document.addEventListener("visibilitychange", () => document.hidden || updateLock());

// The device itself: haptics, full screen, and keeping the display awake while music plays.

import { recall, remember } from "./memory.js";

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
let lock = null; // a promise

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

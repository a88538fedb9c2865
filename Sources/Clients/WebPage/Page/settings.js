// The sheet's section about this page itself.

import { makeSwitch } from "./controls.js";
import { haptics } from "./device.js";
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

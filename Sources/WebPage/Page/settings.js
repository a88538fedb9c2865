// The sheet's section about this page itself.

import { makeSwitch } from "./controls.js";
import { haptics } from "./device.js";
import { byID, element } from "./dom.js";
import { qrCode } from "./qr.js";
import { addressToShare } from "./token.js";

export function buildPageSettings({ welcome, names }) {
  const address = addressToShare();
  return element("div", { className: "fields" },
    names && makeBoundSwitch("Names on notes", names),
    haptics.available && makeBoundSwitch("Vibrate", haptics),
    element("div", { className: "line" }, ...["turn", "toggle-scope", "full-screen"].map(makeTwin)),
    element("h3", {}, "On another device"),
    address
      ? makeAddress(address)
      : element("p", { className: "hint" },
        "Only this machine can open this address. For tablets in the room, start pixelboop-web --lan."),
    element("p", { className: "hint" }, `${welcome.server} ${welcome.version}`));
}

/** The bar of a phone has no room for these. */
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

function makeAddress(address) {
  const modules = qrCode(address);
  const text = element("p", { className: "hint" }, address);
  return element("div", { className: "address" }, modules && drawCode(modules), text);
}

function drawCode(modules) {
  const margin = 4; // modules, as the standard asks for
  const size = modules.length + 2 * margin;
  const canvas = element("canvas", { width: size, height: size, role: "img", "aria-label": "QR code of this address" });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size, size);
  context.fillStyle = "#000";
  modules.forEach((row, y) => row.forEach((isDark, x) => isDark && context.fillRect(x + margin, y + margin, 1, 1)));
  return canvas;
}

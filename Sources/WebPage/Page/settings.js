// What the sheet says about this page itself.

import { makeSwitch } from "./controls.js";
import { haptics } from "./device.js";
import { element } from "./dom.js";
import { qrCode } from "./qr.js";
import { addressToShare } from "./token.js";

export function buildPageSettings({ welcome }) {
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
  return element("div", { className: "fields" },
    haptics.available && makeHapticsSwitch(),
    element("h3", {}, "On another device"),
    isLocal
      ? element("p", { className: "hint" },
        "Only this machine has this address. For tablets in the room, start pixelboop-web --lan.")
      : makeAddress(addressToShare()),
    element("p", { className: "hint" }, `${welcome.server} ${welcome.version}`));
}

function makeHapticsSwitch() {
  const control = makeSwitch("Vibrate", (on) => control.update((haptics.on = on)));
  control.update(haptics.on);
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

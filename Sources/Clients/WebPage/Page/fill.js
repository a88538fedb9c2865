// FILL as a button, held like the grid's step markers.

import { byID } from "./dom.js";

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
  for (const type of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) button.addEventListener(type, release);
  const isKey = ({ key }) => key === "Enter" || key === " ";
  button.addEventListener("keydown", (event) => {
    if (!isKey(event)) return;
    event.preventDefault();
    hold();
  });
  button.addEventListener("keyup", (event) => isKey(event) && release());
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("blur", release);
  addEventListener("pagehide", release);
  document.addEventListener("visibilitychange", () => document.hidden && release());
}

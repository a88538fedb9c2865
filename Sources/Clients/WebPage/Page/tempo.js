// The tempo in the bar: a field to click and type in, a wheel, and a button to tap.

import { byID, setText } from "./dom.js";
import { TEMPO } from "./places.js";


/** A tempo from what was typed: "112", "112,5", "112 bpm"; null if it is none. */
export function tempoIn(text) {
  const bpm = Number(text.trim().replace(",", ".").replace(/\s*bpm$/i, ""));
  return text.trim() && bpm >= TEMPO.least && bpm <= TEMPO.most ? Math.round(100 * bpm) / 100 : null;
}

export function makeTempo({ set, step, tap, refuse }) {
  const [field, unit] = ["tempo-field", "tempo-unit"].map(byID);
  let shown = "";

  function show({ bpm, sync }) {
    const isLed = Boolean(sync && sync.following !== "internal");
    shown = String(isLed ? sync.bpm : bpm);
    setText(unit, isLed ? `BPM \u00b7 ${leaderName(sync.following)}` : "BPM");
    field.readOnly = isLed;
    byID("tap").disabled = isLed;
    if (document.activeElement !== field || isLed) field.value = shown;
  }

  function commit() {
    const bpm = tempoIn(field.value);
    if (field.value !== shown && !field.readOnly) {
      if (bpm === null) refuse(`The tempo is ${TEMPO.least} to ${TEMPO.most} BPM`);
      else set(bpm);
    }
    if (bpm === null) field.value = shown;
  }

  field.onfocus = () => field.select();
  field.onblur = commit;
  field.onkeydown = (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      field.value = shown;
    }
    if (event.key === "ArrowUp" || event.key === "ArrowDown") {
      event.preventDefault();
      field.value = shown;
      if (!field.readOnly) step(event.key === "ArrowUp" ? 1 : -1);
      requestAnimationFrame(() => field.blur());
    }
    if (event.key === "Enter" || event.key === "Escape") field.blur();
  };
  byID("tempo").addEventListener("wheel", (event) => {
    event.preventDefault();
    if (!field.readOnly && event.deltaY) step(event.deltaY < 0 ? 1 : -1);
  }, { passive: false });
  // At once, not with the click: the time counts.
  byID("tap").addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    tap();
  });
  byID("tap").onclick = ({ detail }) => detail || tap(); // A key's.
  return { show };
}

export const leaderName = (name) => (["jack", "midi"].includes(name) ? name.toUpperCase() : name);

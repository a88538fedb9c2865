// What is dragged over the page, and where it would land: a pattern of the library in the scene of the pad under it, or, as
// a file does, in the place of what plays.

import { byID, place, setText } from "./dom.js";

const PATTERN = "application/x-pixelboop-pattern";
const STALE = 300; // ms without news: what was dragged has left the window

/** Lets a row of the library be dragged. */
export function makeDraggable(row, name) {
  row.draggable = true;
  row.ondragstart = ({ dataTransfer }) => {
    dataTransfer.setData(PATTERN, name);
    dataTransfer.effectAllowed = "copy";
  };
}

/**
 * `padAt(event)` is the scene's pad that is there, as its `scene` and its `rectangle` in the device's pixels, if there is
 * one. What is dropped goes to `dropFile(file)` or `dropPattern(name, scene)`; `named` is called with where it would land.
 */
export function listenToDrops({ padAt, dropFile, dropPattern, named }) {
  const landing = byID("landing");
  let leaving;

  const isPattern = ({ dataTransfer }) => Boolean(dataTransfer?.types.includes(PATTERN));
  const padUnder = (event) => (isPattern(event) ? padAt(event) : null);

  function show(pad) {
    clearTimeout(leaving);
    leaving = setTimeout(hide, STALE);
    landing.hidden = false;
    landing.classList.toggle("on-pad", Boolean(pad));
    if (pad) place(landing, pad.rectangle);
    else landing.removeAttribute("style");
    setText(landing, pad ? "" : "Drop a pattern here: it takes the place of what plays");
    named(pad ? `Into scene ${pad.scene}` : "");
  }

  function hide() {
    clearTimeout(leaving);
    if (!landing.hidden) named("");
    landing.hidden = true;
  }

  addEventListener("dragover", (event) => {
    const pad = padUnder(event);
    // Back over the sheet that it came from, a pattern lands nowhere.
    if (isPattern(event) && !pad && event.target.closest("#sheet")) return hide();
    event.preventDefault();
    show(pad);
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    hide();
    if (isPattern(event)) dropPattern(event.dataTransfer.getData(PATTERN), padAt(event)?.scene);
    else dropFile(event.dataTransfer.files[0]);
  });
  addEventListener("dragend", hide);
}

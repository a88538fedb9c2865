// Drag and drop: a saved pattern goes into the scene of the pad under it, or, like a file, replaces the current one.

import { byID, place, setText } from "./dom.js";

const PATTERN = "application/x-pixelboop-pattern";
const STALE = 300; // ms without an event, after which the drag has left the window

export function makeDraggable(row, name) {
  row.draggable = true;
  row.ondragstart = ({ dataTransfer }) => {
    dataTransfer.setData(PATTERN, name);
    dataTransfer.effectAllowed = "copy";
  };
}

/**
 * `padAt(event)` returns the `scene` and the `rectangle`, in device pixels, of the pad under a pointer, if there
 * is one. A drop calls `dropFile(file)` or `dropPattern(name, scene)`; `named` is called with the target in words. */
export function listenToDrops({ padAt, dropFile, dropPattern, named }) {
  const landing = byID("landing");
  let leaving;

  const isPattern = ({ dataTransfer }) => dataTransfer?.types.includes(PATTERN);
  const padUnder = (event) => (isPattern(event) ? padAt(event) : null);

  function show(pad) {
    clearTimeout(leaving);
    leaving = setTimeout(hide, STALE);
    landing.hidden = false;
    landing.classList.toggle("on-pad", Boolean(pad));
    if (pad) place(landing, pad.rectangle);
    else landing.removeAttribute("style");
    setText(landing, pad ? "" : "Drop a pattern here to replace what is playing");
    named(pad ? `Into scene ${pad.scene}` : "");
  }

  function hide() {
    clearTimeout(leaving);
    if (!landing.hidden) named("");
    landing.hidden = true;
  }

  addEventListener("dragover", (event) => {
    const pad = padUnder(event);
    // A pattern that is dragged back over the sheet has no target.
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

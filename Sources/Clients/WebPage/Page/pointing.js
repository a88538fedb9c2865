// What is under the pointer: cells have names. A saved pattern that is dropped goes into the scene of the pad under it,
// or, like a file, replaces the current one.

import { nameOfCell, sceneOfCell } from "./cells.js";
import { byID, place, rectangleOf, setText } from "./dom.js";
import { importFile, loadPattern, PATTERN } from "./library.js";
import { STEPS, TRACKS } from "./places.js";

/** The first shown step of the lowest note of the melody, or of the track that fills the display, in CSS pixels. */
export function cellToTap(grid, focus) {
  if (byID("stage").hidden) return null;
  const { track, half } = focus.shown;
  const { top, height } = TRACKS[byID("tracks").hidden ? 0 : track];
  const box = grid.rectangleOf(STEPS.first + (half && !byID("tracks").hidden ? 18 : 0), top + height - 1);
  return box && Object.fromEntries([["left", box.left], ["top", box.top], ["right", box.left + box.width],
    ["bottom", box.top + box.height]].map(([side, value]) => [side, value / devicePixelRatio]));
}

export function listenToPointer({ grid, picture, state, connection, named, limits, api }) {
  const stage = byID("stage");

  function cellAt(event) {
    const place = grid.placeOf(event);
    return place && [Math.floor(place.x), Math.floor(place.y)];
  }

  stage.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch") return;
    const [column, row] = cellAt(event) ?? [];
    named(row === undefined ? "" : nameOfCell(column, row, picture.labels[row * picture.cols + column],
      state.value?.lenses, state.value));
  });
  stage.addEventListener("pointerleave", () => named(""));

  function padAt(event) {
    if (!api()?.has("scene.launch")) return null;
    const { dataset: { scene } = {} } = event.target.closest("[data-scene]") ?? {};
    if (scene) return { scene: Number(scene), rectangle: rectangleOf(event.target) };
    const at = event.target.closest("#stage") && cellAt(event);
    const sceneThere = at && sceneOfCell(...at);
    return sceneThere ? { scene: sceneThere, rectangle: grid.rectangleOf(...at) } : null;
  }
  listenToDrops({
    padAt,
    dropFile: (file) => limits() && importFile(file, connection, limits()),
    dropPattern: (name, scene) => loadPattern(name, scene, connection),
    named,
  });
}

const STALE = 300; // ms without an event, after which the drag has left the window

/**
 * `padAt(event)` returns the `scene` and the `rectangle`, in device pixels, of the pad under a pointer, if there
 * is one. A drop calls `dropFile(file)` or `dropPattern(name, scene)`; `named` is called with the target in words. */
function listenToDrops({ padAt, dropFile, dropPattern, named }) {
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

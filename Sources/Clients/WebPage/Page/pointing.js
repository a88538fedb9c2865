// What is under the pointer: cells have names, and scenes' pads take patterns.

import { nameOfCell, sceneOfCell } from "./cells.js";
import { byID, rectangleOf } from "./dom.js";
import { listenToDrops } from "./drop.js";
import { importFile, loadPattern } from "./library.js";
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

// The guide: labels over the parts of the grid, from the help; and drawings of the gestures.

import { announce, byID, element, icon, place, rectangleOf } from "./dom.js";
import { HALVES } from "./layout.js";
import { CONTROLS, METER, OVERVIEW, PADS, STEPS, TRACKS } from "./places.js";

const SPOKEN = { melody: "Melody", chords: "Chords", bass: "Bass", rhythm: "Rhythm" };
const bottomOf = ({ top, height }) => top + height - 1;
const controls = (label, first, last) => [label, CONTROLS[first][0], 0, CONTROLS[last][1], 0];

const PARTS = [
  controls("Play", "musicKey", "playStop"), controls("Undo", "undo", "redo"), controls("Scale", "major", "penta"),
  controls("Key", "root", "root"), controls("Tempo", "tempoDown", "tempoUp"),
  controls("Length", "lengthDown", "lengthUp"), controls("Clear: hold", "clear", "clear"),
  ...TRACKS.flatMap((track) => [
    [SPOKEN[track.name], STEPS.first, track.top, STEPS.last, bottomOf(track)],
    ...HALVES.map(({ column, cols }) => [SPOKEN[track.name], column, track.top, column + cols - 1, bottomOf(track)]),
  ]),
  ...TRACKS.map((track) => ["Mute, solo, sound", 0, track.top, METER, bottomOf(track)]),
  ...TRACKS.map((track) => ["Slots", PADS.first, track.top, PADS.last, bottomOf(track)]),
  ["Scenes", PADS.first, OVERVIEW.top, PADS.last, OVERVIEW.bottom],
  ["Overview", STEPS.first, OVERVIEW.top, STEPS.last, OVERVIEW.bottom],
];
const NARROW = 40; // CSS pixels, too narrow for a label

const GESTURES = [
  ["tap", "Tap a step: a note, the next one, none"], ["hold", "Hold: an accent"],
  ["across", "Drag along the steps: a run, a walk, a roll"], ["up", "Drag across the rows: a chord, a slide"],
  ["slope", "Drag diagonally: a phrase, a fill"], ["held-across", "Hold, then drag along: a long note"],
  ["twice", "Tap twice: empties the step"], ["swipes", "Swipe left twice: undo; right: redo"],
  ["scrub", "Rub back and forth: clears all tracks"], ["hold", "Hold a level meter: opens a lens"],
  ["hold", "Rest on the step markers: FILL"], ["tap", "Tap a pad: it plays next; twice: now"],
  ["across", "Drag over pads: they play in turn"], ["hold", "Hold a pad and tap another: copies it there"],
];

export function makeGuide(grid) {
  const guide = byID("guide");
  byID("gestures").append(...GESTURES.map(([name, text]) => element("li", {}, icon(name), text)));

  function arrange() {
    if (guide.hidden) return;
    const seen = new Set();
    const parts = PARTS.flatMap(([label, ...cells]) => {
      const box = grid.rectangleOf(...cells);
      if (!box || seen.has(label)) return [];
      seen.add(label);
      const isTrack = Object.values(SPOKEN).includes(label);
      const text = isTrack ? `${label}: tap a step` : label;
      const part = element("div", { className: isTrack ? "part part-track" : "part", "aria-label": label },
        element("span", {}, text));
      part.classList.toggle("part-tall", box.width < NARROW * devicePixelRatio && box.height > box.width);
      place(part, box);
      return [part];
    });
    if (!byID("tracks").hidden) {
      const part = element("div", { className: "part", "aria-label": "Tracks" }, element("span", {}, "Tracks"));
      place(part, rectangleOf(byID("tracks")));
      parts.push(part);
    }
    guide.replaceChildren(...parts, element("button", { className: "primary", onclick: hide }, "Back to playing"));
  }

  const hide = () => (guide.hidden = true);

  function show() {
    guide.hidden = false;
    arrange();
    announce("The parts of the grid are labelled; touch to continue");
  }

  guide.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    hide();
  });
  return { arrange, show };
}

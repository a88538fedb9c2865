// What is where: the grid's parts labelled over it, at the first visit and behind the help; and each gesture, drawn.

import { announce, byID, element, icon, place } from "./dom.js";
import { recall, remember } from "./memory.js";

/** A label, and the first and the last cell of what it names. */
const PARTS = [
  ["Play", 0, 0, 2, 0], ["Undo", 4, 0, 5, 0], ["Scale", 7, 0, 9, 0], ["Key", 11, 0, 22, 0], ["Tempo", 26, 0, 28, 0],
  ["Length", 30, 0, 32, 0], ["Clear: hold", 40, 0, 43, 0],
  ...[["Melody", 2, 7], ["Chords", 8, 13], ["Bass", 14, 17], ["Drums", 18, 21]].flatMap(([name, top, bottom]) => [
    [name, 4, top, 38, bottom], [name, 4, top, 20, bottom], [name, 22, top, 38, bottom],
  ]),
  ["Mute, solo, sound", 0, 2, 2, 7], ["Mute, solo, sound", 0, 8, 2, 13], ["Mute, solo, sound", 0, 14, 2, 17],
  ["Mute, solo, sound", 0, 18, 2, 21],
  ["Slots", 40, 2, 43, 7], ["Slots", 40, 8, 43, 13], ["Slots", 40, 14, 43, 17], ["Slots", 40, 18, 43, 21],
  ["Scenes", 40, 22, 43, 23], ["Overview", 4, 22, 38, 23],
];
const NARROW = 40; // CSS pixels, less than a label has
const TRACKS = new Set(["Melody", "Chords", "Bass", "Drums"]);

const GESTURES = [
  ["tap", "Tap a step: a note, the next one, none"], ["hold", "Hold: an accent"],
  ["across", "Drag along the steps: a run, a walk, a roll"], ["up", "Drag across the rows: a chord, a slide"],
  ["slope", "Drag aslant: a phrase, a fill"], ["held-across", "Hold, then drag along: a long note"],
  ["twice", "Tap twice: the step is empty"], ["swipes", "Swipe left twice: undo; right: redo"],
  ["scrub", "Rub to and fro: all is cleared"], ["hold", "Hold a level meter: a lens on the notes"],
  ["hold", "Rest on the step markers: FILL"],
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
      const isTrack = TRACKS.has(label);
      const text = isTrack ? `${label}: tap a step` : label;
      const part = element("div", { className: isTrack ? "part part-track" : "part", "aria-label": label },
        element("span", {}, text));
      part.classList.toggle("part-tall", box.width < NARROW * devicePixelRatio && box.height > box.width);
      place(part, box);
      return [part];
    });
    if (!byID("tracks").hidden) {
      const part = element("div", { className: "part", "aria-label": "Tracks" }, element("span", {}, "Tracks"));
      const { left, top, width, height } = byID("tracks").getBoundingClientRect();
      const [ratio, sides] = [devicePixelRatio, { left, top, width, height }];
      place(part, Object.fromEntries(Object.entries(sides).map(([side, length]) => [side, length * ratio])));
      parts.push(part);
    }
    guide.replaceChildren(...parts, element("button", { className: "primary", onclick: hide }, "Start playing"));
  }

  function hide() {
    guide.hidden = true;
    remember("guided", true);
  }

  function show() {
    guide.hidden = false;
    arrange();
    announce("The grid's parts are labelled; touch to go on");
  }

  guide.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    hide();
  });
  return {
    arrange,
    show,

    /** At the first visit, once. */
    showFirst: () => recall("guided") || show(),
  };
}

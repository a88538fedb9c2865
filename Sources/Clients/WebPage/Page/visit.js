// The first visit: three steps over the free grid, each with one pointer: hear, tap, change the sound.

import { announce, byID, element } from "./dom.js";
import { recall, remember } from "./memory.js";

const ROOM = 14; // CSS pixels between a card and what it points to
const EDGE = 8;

/**
 * `start` is called by the tap on "Start playing"; `cellBox()` returns the box of the cell to tap, in CSS pixels. A tap
 * that only ends the first step does not reach the grid. */
export function makeVisit({ start, cellBox }) {
  const card = byID("visit");
  const shield = byID("visit-shield");
  let step = null;

  const boxOf = (id) => () => byID(id).getBoundingClientRect();
  const steps = [
    { title: "1. Hear", text: "Play what is on the grid.", target: boxOf("play"), button: "Start playing" },
    { title: "2. Tap", text: "Tap a step to add a note.", target: cellBox },
    { title: "3. Change the sound", text: "Open this, then tap Sounds.", target: boxOf("open-sheet") },
  ];

  function show(next) {
    step = next < steps.length ? next : null;
    for (const [index, id] of ["play", , "open-sheet"].entries()) if (id) byID(id).classList.toggle("pointed", index === step);
    card.hidden = step === null;
    shield.hidden = step !== 0;
    if (step === null) return remember("guided", true);
    const { title, text, button } = steps[step];
    card.replaceChildren(element("strong", {}, title), element("p", {}, text),
      element("button", { className: button ? "primary" : "secondary", onclick: button ? begin : skip }, button ?? "Skip"));
    card.setAttribute("aria-label", title);
    announce(`${title}: ${text}`);
    arrange();
  }

  const skip = () => show(step + 1);
  function begin() {
    start();
    skip();
  }

  function arrange() {
    if (step === null) return;
    const target = steps[step].target();
    card.style.visibility = target ? "visible" : "hidden";
    if (!target) return;
    const { offsetWidth: width, offsetHeight: height } = card;
    const [x, y] = [(target.left + target.right) / 2, (target.top + target.bottom) / 2];
    const bar = byID("bar").getBoundingClientRect();
    const isUpright = byID("bar").classList.contains("upright");
    const isBeside = isUpright && step !== 1;
    const [leftmost, topmost] = isUpright ? [bar.right + ROOM, EDGE] : [EDGE, bar.bottom + ROOM];
    const within = (value, least, size, end) => Math.max(least, Math.min(value, end - size - EDGE));
    const fits = target.bottom + ROOM + height < innerHeight;
    const left = isBeside ? leftmost : within(x - width / 2, leftmost, width, innerWidth);
    const top = isBeside ? within(y - height / 2, topmost, height, innerHeight)
      : within(fits ? target.bottom + ROOM : target.top - ROOM - height, topmost, height, innerHeight);
    Object.assign(card.style, { left: `${left}px`, top: `${top}px` });
    // Far from its target a pointer would mislead: the target has a frame.
    card.dataset.side = isBeside ? "left" : !fits ? "bottom" : top > target.bottom + 2 * ROOM ? "" : "top";
    card.style.setProperty("--at", `${isBeside ? y - top : x - left}px`);
  }

  // A touch on the shield or the card skips; the click of the card's own button does so by itself.
  shield.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    skip();
  });
  card.addEventListener("click", ({ target }) => target.closest("button") || step === null || skip());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || step === null) return;
    event.stopImmediatePropagation();
    skip();
  }, true);
  byID("open-sheet").addEventListener("click", () => step === 2 && skip());

  return {
    arrange,

    touched: (count) => count === 0 && step === 1 && skip(),

    played() {
      if (step !== 0) return false;
      begin();
      return true;
    },

    showFirst: () => recall("guided") || step !== null || show(0),
  };
}

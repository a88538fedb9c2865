// Scenes and slots: eight large pads, each track's below, and how near the next launch is.

import { titled } from "./controls.js";
import { button, confirm, element, relabel, setText, succeeds } from "./dom.js";
import { trackColours, trackTitle } from "./parameters.js";

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8];
const ALL = "scene";
const MODES = ["launch", "copy", "chain", "clear"];

/**
 * How near the next launch is, 0 to 1. What is queued waits for a bar or beat of the song, or for the loop; a chain's
 * next link always waits for the loop. */
export function progressOf({ step, songStep = step }, { length, launch = {}, slots = {} }) {
  const isQueued = Object.values(slots).some(({ queued }) => queued);
  const quantum = isQueued && { bar: 16, beat: 4, step: 1 }[launch.quantum];
  if (!quantum) return (step + 1) / length;
  return (songStep - quantum * Math.floor(songStep / quantum) + 1) / quantum;
}

export function buildScenes({ connection, state, stepFeed }) {
  let mode = "launch";
  let picked = []; // the pads tapped so far to copy or chain
  const pads = [];
  const modes = MODES.map((each) =>
    element("button", { onclick: () => enter(each) }, titled(each)));
  const hint = element("p", { className: "hint", role: "status" });
  const progress = element("div", { className: "progress", "aria-hidden": "true" }, element("span", {}));
  const done = element("button", { className: "primary", onclick: playChain }, "Play the chain");
  const stop = element("button", { className: "secondary", onclick: () => call("slot.cancel", {}) }, "Cancel");

  const call = (method, params) => succeeds(connection.call(method, params));
  const paramsOf = (bank, params) => (bank === ALL ? params : { track: bank, ...params });
  const methodOf = (bank, name) => `${bank === ALL ? "scene" : "slot"}.${name}`;

  function enter(newMode) {
    mode = newMode;
    picked = [];
    show(state.value);
  }

  function press(bank, number) {
    if (mode === "launch") {
      return call(methodOf(bank, "launch"), paramsOf(bank, { [bank === ALL ? "scene" : "slot"]: number }));
    }
    if (mode === "clear") return clear(bank, number);
    if (picked.length && picked[0].bank !== bank) picked = [];
    picked.push({ bank, number });
    if (mode === "copy" && picked.length === 2) {
      const [from, to] = picked.map((each) => each.number);
      call(methodOf(bank, "copy"), paramsOf(bank, { from, to }));
      return enter("launch");
    }
    show(state.value);
  }

  async function clear(bank, number) {
    const tracks = bank === ALL ? Object.keys(trackColours) : [bank];
    const isFilled = (track) => state.value.slots?.[track]?.filled.includes(number);
    const filled = tracks.filter(isFilled);
    const answers = await Promise.all(filled.map((track) => call("slot.clear", { track, slot: number })));
    if (!answers.every(Boolean)) return;
    const name = bank === ALL ? `scene ${number}` : `${bank} slot ${number}`;
    confirm(filled.length ? `Cleared ${name}; undo brings it back` : `${titled(name)} is already empty`);
  }

  function playChain() {
    const { bank } = picked[0];
    const numbers = picked.map(({ number }) => number);
    call(methodOf(bank, "chain"), paramsOf(bank, { [bank === ALL ? "scenes" : "slots"]: numbers }));
    enter("launch");
  }

  function show(settings) {
    const { slots = {}, scenes = {} } = settings;
    const tracks = Object.values(slots);
    const whole = {
      ...scenes, filled: NUMBERS.filter((number) => tracks.some(({ filled }) => filled.includes(number))),
      playing: tracks.every(({ playing }) => playing === tracks[0].playing) ? tracks[0]?.playing : null,
    };
    for (const { bank, number, pad } of pads) {
      const { playing, queued, chain = [], filled = [] } = bank === ALL ? whole : slots[bank] ?? {};
      const is = {
        playing: playing === number, queued: queued === number, chained: chain.includes(number),
        filled: filled.includes(number), picked: picked.some((each) => each.bank === bank && each.number === number),
      };
      for (const [name, isSo] of Object.entries(is)) pad.classList.toggle(name, isSo);
      const words = [bank === ALL ? `Scene ${number}` : `${titled(bank)} slot ${number}`,
        is.playing && "playing", is.queued && "next", is.chained && "in the chain", !is.filled && "empty"];
      relabel(pad, words.filter(Boolean).join(", "), is.playing);
    }
    modes.forEach((each, index) => each.setAttribute("aria-pressed", MODES[index] === mode));
    const isWaiting = [whole, ...tracks].some(({ queued, chain = [] }) => queued || chain.length);
    progress.hidden = !isWaiting || settings.transport.state !== "playing";
    stop.hidden = !isWaiting;
    done.hidden = mode !== "chain" || picked.length < 2;
    setText(hint, {
      copy: picked.length ? "Now tap where to copy it to" : "Tap what to copy",
      chain: picked.length ? `Chain ${picked.map(({ number }) => number).join(" ")}` : "Tap the pads in the order they should play",
      clear: "Tap a scene or a slot to empty it",
    }[mode] ?? "");
  }

  function makePad(bank, number) {
    const pad = button("pad", "", () => press(bank, number), String(number));
    if (bank === ALL) pad.dataset.scene = number; // Where a pattern may be dropped.
    pads.push({ bank, number, pad });
    return pad;
  }

  const scenePads = NUMBERS.map((number) => makePad(ALL, number));
  const rows = Object.keys(trackColours).map((track) => {
    const row = element("div", { className: "slots", role: "group", "aria-label": titled(track) },
      ...NUMBERS.map((number) => makePad(track, number)));
    row.style.setProperty("--track", trackColours[track]);
    return element("section", {}, trackTitle(track), row);
  });
  const endings = [state.watch(show), stepFeed.listen((event) =>
    progress.firstChild.style.setProperty("--level", progressOf(event, state.value)))];
  return {
    element: element("div", { className: "fields scenes" },
      element("div", { className: "choices", role: "group", "aria-label": "What a tap does" }, ...modes), hint,
      element("div", { className: "scene-pads", role: "group", "aria-label": "Scenes" },
        ...scenePads),
      progress, element("div", { className: "line" }, done, stop), ...rows),
    close: () => endings.forEach((end) => end()),
  };
}

// The bar: what plays, and the way to all else. While fingers play, a gesture's name takes its place.

import { announce, byID, notice, relabel } from "./dom.js";

const RETURN = 500; // ms after the last finger was lifted
const AUDIO = { running: "JACK", "no server": "No JACK server", lost: "JACK is lost", off: "JACK is off" };

export function makeBar() {
  let returning, tooltipEnd, lastHealth;

  function showHealth({ audio, storage }) {
    const isUnsaved = storage?.status === "failing";
    const isWell = audio.status === "running" && !isUnsaved;
    const title = isUnsaved ? "Nothing can be saved" : AUDIO[audio.status];
    const detail = isWell ? `${audio.rate / 1000} kHz \u00b7 ${audio.period}` : (isUnsaved ? storage : audio).reason;
    byID("health").classList.toggle("trouble", !isWell);
    byID("health").title = `${title}: ${detail}`;
    byID("health-text").textContent = title;
    byID("health-detail").textContent = detail;
    if (lastHealth && lastHealth !== title) announce(title);
    lastHealth = title;
  }

  byID("health").onclick = () => notice(byID("health").title);
  return {
    hideFor(fingers) {
      clearTimeout(returning);
      if (fingers) document.body.classList.add("touched");
      else returning = setTimeout(() => document.body.classList.remove("touched"), RETURN);
    },

    /** A gesture's name; without `ms` it stays while the finger is down. */
    showTooltip({ text, ms }) {
      const shown = byID("tooltip");
      clearTimeout(tooltipEnd);
      shown.textContent = text;
      shown.hidden = ms === 0;
      if (ms) tooltipEnd = setTimeout(() => (shown.hidden = true), ms);
      if (ms !== 0) announce(spoken(text));
    },

    showState(state) {
      const { state: playing, record } = state.transport;
      const isPlaying = playing === "playing";
      relabel(byID("play"), isPlaying ? "Stop (Space)" : "Play (Space)", isPlaying);
      relabel(byID("record"), "Record (R)", Boolean(record));
      byID("record").hidden = record === undefined;
      byID("tempo").textContent = tempoText(state);
      byID("scene").textContent = sceneText(state);
      showHealth(state);
    },

    showXruns(count) {
      byID("xruns").textContent = count ? `${count} xrun${count === 1 ? "" : "s"}` : "";
    },
  };
}

export function tempoText({ bpm, sync }) {
  const isLed = sync && sync.following !== "internal";
  return isLed ? `${sync.bpm} BPM \u00b7 ${sync.following}` : `${bpm} BPM`;
}

export function sceneText({ slots = {} }) {
  const playing = new Set(Object.values(slots).map((slot) => slot.playing));
  return playing.size === 1 ? `Scene ${[...playing][0]}` : "";
}

/** A text of the grid's pixel font as a screen reader should say it. */
export const spoken = (text) => text.replace(/<<|>>/, "").replace("#", " sharp").toLowerCase();

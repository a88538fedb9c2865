// The bar: what plays, and buttons for everything else. While fingers play, and after keys, it shows a word instead.

import { announce, byID, notice, relabel, setText } from "./dom.js";

const RETURN = 500; // ms after the last finger was lifted
const WORD = 1200; // ms
const AUDIO = { running: "JACK", "no server": "No JACK server", lost: "JACK is lost", off: "JACK is off" };

export function makeBar() {
  let returning, wordEnd, lastHealth;

  function showHealth({ audio, storage }) {
    const isUnsaved = storage?.status === "failing";
    const isWell = audio.status === "running" && !isUnsaved;
    const driver = audio.driver === "internal" && audio.status === "running" ? "internal" : AUDIO[audio.status];
    const title = isUnsaved ? "Saving fails" : driver;
    const detail = isWell ? `${audio.rate / 1000} kHz \u00b7 ${audio.period}` : (isUnsaved ? storage : audio).reason;
    byID("health").classList.toggle("trouble", !isWell);
    byID("health").title = `${title}: ${detail}`;
    setText(byID("health-text"), title);
    setText(byID("health-detail"), detail);
    if (lastHealth && lastHealth !== title) announce(title);
    lastHealth = title;
  }

  /** Shows a word instead of the bar, upright even if the grid is turned; without `ms` it stays, 0 removes it. */
  function say(text, ms) {
    clearTimeout(wordEnd);
    setText(byID("tooltip"), text);
    byID("tooltip").hidden = ms === 0;
    if (ms) wordEnd = setTimeout(() => (byID("tooltip").hidden = true), ms);
  }

  byID("health").onclick = () => notice([byID("health").title, byID("xruns").ariaLabel].filter(Boolean).join(". "));
  return {
    hideFor(fingers) {
      clearTimeout(returning);
      if (fingers) document.body.classList.add("touched");
      else returning = setTimeout(() => document.body.classList.remove("touched"), RETURN);
    },

    /** A gesture's name; without `ms` it stays while the finger is down. */
    showTooltip({ text, ms }) {
      say(text, ms);
      if (ms !== 0) announce(spoken(text));
    },

    /** Shows the effect of a key. */
    showWord(text) {
      say(text, WORD);
      announce(spoken(text));
    },

    /** The cell under the mouse, the pen or the cursor. */
    showCell: (name) => setText(byID("cell-name"), name === "nothing" ? "" : name),

    showState(state) {
      const { state: playing, record } = state.transport;
      const isPlaying = playing === "playing";
      relabel(byID("play"), isPlaying ? "Stop (Space)" : "Play (Space)", isPlaying);
      relabel(byID("record"), "Record (R)", Boolean(record));
      byID("record").hidden = record === undefined;
      byID("undo").disabled = !state.history?.undo;
      setText(byID("tempo"), tempoText(state));
      setText(byID("scene"), sceneText(state));
      showHealth(state);
    },

    showXruns(count) {
      setText(byID("xruns"), count ? `\u26a0 ${count}` : "");
      byID("xruns").ariaLabel = count ? `${count} xrun${count === 1 ? "" : "s"} in the last hour` : null;
    },
  };
}

function tempoText({ bpm, sync }) {
  const isLed = sync && sync.following !== "internal";
  return isLed ? `${sync.bpm} BPM \u00b7 ${sync.following}` : `${bpm} BPM`;
}

function sceneText({ slots = {} }) {
  const playing = new Set(Object.values(slots).map((slot) => slot.playing));
  return playing.size === 1 ? `Scene ${[...playing][0]}` : "";
}

/** Text for the grid's pixel font, as screen readers get it. */
export const spoken = (text) => text.replace(/<<|>>/, "").replace("#", " sharp").toLowerCase();

// The bar's loudspeaker, which turns the daemon's sound on this device on and off. Browsers allow sound only after a tap:
// while one is needed, the button asks for it.

import { byID, notice, relabel, setText } from "./dom.js";
import { makeListening } from "./listening.js";
import { findToken, recall, remember } from "./memory.js";

const GAP_SHOWN = 5000; // ms
const HIDDEN_SLACK = 1; // s that a context may be behind without having been suspended
const OFF = -60; // dB
const SILENT_SWITCH = "If you hear nothing, check the silent switch on the device's side, and its volume";

/** `heard` is called with each notification of the sound, `ended` when it is turned off. */
export function makeLoudspeaker(url, state, { heard, ended }) {
  const button = byID("listen");
  let listening = null;
  let isHeard = true; // without this page, as far as is known
  let gaps, gapEnd, hidden;
  let delayText = "";

  const isStanding = () => listening && listening.context.state !== "running";

  function start() {
    if (!globalThis.AudioContext) return notice("This browser cannot play sound");
    const { audio } = state.value;
    gaps = 0;
    try {
      listening = makeListening(url, {
        token: findToken(), rate: audio.rate ?? 48000, volume: gain(), show, failed: fail, heard,
        // Off in tests that compare the output with what was sent.
        options: { bends: recall("bends", true) },
      });
    } catch ({ message }) {
      return notice(`The browser cannot play: ${message}`);
    }
    listening.context.onstatechange = showStanding;
    if (navigator.audioSession) navigator.audioSession.type = "playback";
    else if (/iPhone|iPad/.test(navigator.userAgent)) notice(SILENT_SWITCH);
    if (audio.status !== "running") notice("The instrument makes no sound at the moment");
    remember("listens", true);
    resume();
    show({ isPlaying: false });
  }

  function end() {
    if (listening) ended();
    listening?.close();
    listening = null;
    clearTimeout(gapEnd);
    button.classList.remove("trouble");
    delayText = "";
    rest();
  }

  /** The button while it is off: it asks for a tap if nobody would hear anything, or if this page listened before. */
  function rest() {
    if (listening) return;
    const isWanted = !isHeard || recall("listens", false);
    button.classList.toggle("wanted", isWanted);
    setText(byID("listen-hint"), isWanted ? "tap" : "");
    relabel(button, isWanted ? "Tap to listen here" : "Listen here", false);
  }

  function fail(reason) {
    end();
    notice(reason);
  }

  function resume() {
    const { context } = listening;
    context.resume().catch(({ message }) => context.state !== "closed" && notice(`The browser cannot play: ${message}`));
  }

  function show({ isPlaying, delay, gaps: counted = gaps }) {
    if (!listening) return;
    const text = isPlaying && delay !== null ? `${Math.round(delay)} ms` : "";
    setText(byID("listen-hint"), isStanding() ? "tap" : "");
    delayText = text;
    button.classList.toggle("wanted", isStanding());
    const behind = text ? `, ${text} behind` : "";
    const broken = counted ? `, ${counted} gap${counted === 1 ? "" : "s"}` : "";
    relabel(button, isStanding() ? "Continue listening" : `Stop listening${behind}${broken}`, true);
    if (counted > gaps) showGap();
    gaps = counted;
  }

  function showGap() {
    button.classList.add("trouble");
    clearTimeout(gapEnd);
    gapEnd = setTimeout(() => button.classList.remove("trouble"), GAP_SHOWN);
  }

  function showStanding() {
    show({ isPlaying: false });
    if (listening?.context.state === "interrupted") notice("The sound was interrupted: tap to continue");
  }

  // Not from the button, whose click would then stop the sound.
  document.addEventListener("pointerup", ({ target }) => isStanding() && !button.contains(target) && resume());

  document.addEventListener("visibilitychange", () => {
    if (!listening) return;
    const [soundTime, time] = [listening.context.currentTime, performance.now() / 1000];
    if (document.hidden) {
      hidden = { soundTime, time };
      return;
    }
    listening.hurry();
    if (hidden && time - hidden.time - (soundTime - hidden.soundTime) > HIDDEN_SLACK) {
      notice("The browser silenced the page while it was hidden");
      if (isStanding()) resume();
    }
  });

  function gain() {
    const decibels = volume.value;
    return decibels <= OFF ? 0 : 10 ** (decibels / 20);
  }

  const volume = {
    get value() {
      return recall("volume", 0);
    },

    set value(decibels) {
      remember("volume", decibels);
      listening?.setVolume(gain());
    },
  };

  button.onclick = () => {
    if (isStanding()) return resume();
    if (!listening) return start();
    remember("listens", false);
    end();
  };
  end();
  return {
    volume,
    stop: end,

    /** How late the sound is, in words; empty while there is none. */
    get delay() {
      return delayText;
    },

    /** Unless somebody hears the daemon anyway, or turned it off here. Like `start` to be called by a tap. */
    startIfUnheard() {
      if (!button.hidden && !isHeard && !listening && recall("listens", true)) start();
    },

    start() {
      if (!button.hidden && !listening) start();
    },

    async look(call) {
      if (button.hidden) return;
      const { driver } = state.value.audio;
      const ports = driver === "internal" ? [] : await call("audio.ports").catch(() => null);
      if (Array.isArray(ports)) isHeard = isLed(ports);
      rest();
    },

    join: (api) => (button.hidden = !api.hasTopic("audio")),
  };
}

/** Whether one of the main ports is connected to something. */
export const isLed = (ports) => ports.some(({ name, connections }) => /^main_[LR]$/.test(name) && connections.length > 0);

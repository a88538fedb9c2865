// The bar's loudspeaker, which turns the daemon's sound on this device on and off.

import { announce, byID, notice, relabel, setText } from "./dom.js";
import { makeListening } from "./listening.js";
import { recall, remember } from "./memory.js";
import { findToken } from "./token.js";

const GAP_SHOWN = 5000; // ms
const HIDDEN_SLACK = 1; // s that a context may be behind without having been suspended
const OFF = -60; // dB
const SILENT_SWITCH = "If you hear nothing, check the silent switch on the device's side, and its volume";

export function makeLoudspeaker(url, state) {
  const [button, line] = [byID("listen"), byID("listen-line")];
  let listening = null;
  let gaps, gapEnd, hidden;

  const isStanding = () => listening && listening.context.state !== "running";

  function start() {
    if (!globalThis.AudioContext) return notice("This browser cannot play sound");
    const { audio } = state.value;
    gaps = 0;
    try {
      listening = makeListening(url, {
        token: findToken(), rate: audio.rate ?? 48000, volume: gain(), show, failed: fail,
        // Off in tests that compare the output with what was sent.
        options: { bends: recall("bends", true) },
      });
    } catch ({ message }) {
      return notice(`The browser cannot play: ${message}`);
    }
    listening.context.onstatechange = showStanding;
    if (navigator.audioSession) navigator.audioSession.type = "playback";
    else if (/iPhone|iPad/.test(navigator.userAgent)) notice(SILENT_SWITCH);
    if (audio.status !== "running") notice("The instrument has no sound at the moment");
    resume();
    endLine();
    show({ isPlaying: false });
  }

  function end() {
    listening?.close();
    listening = null;
    clearTimeout(gapEnd);
    button.classList.remove("trouble");
    setText(byID("delay"), "");
    relabel(button, "Listen here", false);
  }

  function fail(reason) {
    end();
    notice(reason);
  }

  /** Browsers allow sound only after a touch or a click. */
  function resume() {
    const { context } = listening;
    context.resume().catch(({ message }) => context.state !== "closed" && notice(`The browser cannot play: ${message}`));
  }

  function show({ isPlaying, delay, gaps: counted = gaps }) {
    if (!listening) return;
    const text = isStanding() ? "touch" : isPlaying && delay !== null ? `${Math.round(delay)} ms` : "\u2026";
    setText(byID("delay"), text);
    const behind = isPlaying && delay !== null ? `, ${text} behind` : "";
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

  /** A phone call, another app or the browser may interrupt the sound. */
  function showStanding() {
    show({ isPlaying: false });
    if (listening?.context.state === "interrupted") notice("The sound was interrupted: touch to continue");
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

  /** Shown once, until the user listens or touches the grid. */
  function showLine({ audio }) {
    if (audio.driver !== "internal" || recall("heard") || !line.hidden) return;
    line.hidden = false;
    announce(line.textContent);
    byID("stage").addEventListener("pointerdown", endLine, { once: true });
  }

  function endLine() {
    line.hidden = true;
    remember("heard", true);
  }

  button.onclick = () => (isStanding() ? resume() : listening ? end() : start());
  end();
  return {
    volume,
    stop: end,

    join(api) {
      button.hidden = !api.hasTopic("audio");
      if (!button.hidden) showLine(state.value);
    },
  };
}

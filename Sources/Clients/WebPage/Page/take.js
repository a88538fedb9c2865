// Record in the bar: what this page hears between two taps, as a WAV file.

import { byID, confirm, download, notice, relabel, setText } from "./dom.js";
import { bytesOf, wavOf } from "./pcm.js";

const LONGEST = 30 * 60; // s; 345 MB at 48 kHz

export function makeRecording() {
  const parts = [];
  let rate, next;
  let frames = 0;
  return {
    take({ frame, rate: newRate, pcm }) {
      rate ??= newRate;
      const count = Math.floor(newRate / 50);
      const gap = next === undefined ? 0 : frame - next;
      if (newRate !== rate || gap < 0 || gap > rate) return false;
      if (gap) parts.push(gap);
      parts.push(pcm ? bytesOf(pcm) : count);
      frames += gap + count;
      next = frame + count;
      return true;
    },

    get seconds() {
      return rate ? frames / rate : 0;
    },

    get file() {
      return frames ? wavOf(parts, rate) : null;
    },
  };
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export function makeTake({ listen, title }) {
  const button = byID("take");
  let recording = null;

  function show() {
    const isOn = Boolean(recording);
    relabel(button, isOn ? "Stop recording, and download it" : "Record the sound", isOn);
    setText(byID("take-time"), isOn ? clock(recording.seconds) : "");
  }

  function end(reason) {
    if (!recording) return;
    const { file, seconds } = recording;
    recording = null;
    show();
    if (!file) return notice("There was no sound to record");
    download(`${title()}.wav`, "audio/wav", file);
    confirm([reason, `Recorded ${clock(seconds)} as ${title()}.wav`].filter(Boolean).join(". "));
  }

  button.onclick = () => {
    if (recording) return end();
    recording = makeRecording();
    show();
    listen();
  };
  show();
  return {
    hear(block) {
      if (!recording) return;
      if (!recording.take(block)) return end("The sound was interrupted");
      if (recording.seconds >= LONGEST) return end("Recordings last 30 minutes at most");
      show();
    },

    end: () => end(),
  };
}

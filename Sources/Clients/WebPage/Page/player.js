// The browser's side of the loudspeaker: an audio context with a node that plays the buffer.

import { makePlayback } from "./playback.js";

const PERIOD = 1024; // frames per callback of a ScriptProcessor
const REPORT = 0.25; // s
const FADE = 0.03; // s, the time constant of volume changes

export function makeContext(rate) {
  try {
    return new AudioContext({ latencyHint: "interactive", sampleRate: rate });
  } catch {
    return new AudioContext();
  }
}

/**
 * Plays in a context: `take(block)` and `finish()` are the buffer's. `report` is called four times a second with the
 * buffer's state and the context's `time`. */
export async function makePlayer(context, volume, options, report) {
  const output = context.createGain();
  output.gain.value = volume;
  output.connect(context.destination);
  // Only pages from HTTPS or localhost have worklets.
  const make = context.audioWorklet ? makeWorklet : makeScript;
  const { node, take, finish } = await make(context, options, report);
  node.connect(output);
  return { take, finish, setVolume: (volume) => output.gain.setTargetAtTime(volume, context.currentTime, FADE) };
}

async function makeWorklet(context, processorOptions, report) {
  await context.audioWorklet.addModule("worklet.js");
  const node = new AudioWorkletNode(context, "playback", {
    numberOfInputs: 0, outputChannelCount: [2], processorOptions,
  });
  node.port.onmessage = ({ data }) => report(data);
  const say = (message) => node.port.postMessage(message);
  return { node, take: say, finish: () => say(null) };
}

function makeScript(context, options, report) {
  const playback = makePlayback(context.sampleRate, options);
  const node = context.createScriptProcessor(PERIOD, 0, 2);
  let reportTime = 0;
  node.onaudioprocess = ({ outputBuffer, playbackTime }) => {
    if (playbackTime >= reportTime) {
      reportTime = playbackTime + REPORT;
      report({ ...playback.report, time: playbackTime });
    }
    playback.render(outputBuffer.getChannelData(0), outputBuffer.getChannelData(1));
  };
  return { node, take: playback.take, finish: playback.finish };
}

export function outputTime(context, time) {
  const { contextTime, performanceTime } = context.getOutputTimestamp?.() ?? {};
  if (performanceTime) return performanceTime + (time - contextTime) * 1000;
  const latency = context.outputLatency || context.baseLatency || 0;
  return performance.now() + (time - context.currentTime + latency) * 1000;
}

// The loudspeaker's connection, topic `audio`, and an audio context with a node that plays its buffer.

import { makeConnection } from "./connection.js";
import { blockOf, makePlayback } from "./playback.js";

const CLOCK_INTERVAL = 2000; // ms
const CLOCKS = 8; // the one with the shortest round trip is used

/**
 * Listens until `close` is called. `show` is called with what to show: `delay` in ms, `gaps` and `bend` while it plays,
 * else `isPlaying` false; `failed` with why it has ended; `heard` with each notification of the sound. */
export function makeListening(url, { token, rate, volume, options, show, failed, heard = () => {} }) {
  const context = makeContext(rate);
  const connection = makeConnection(url, { token });
  let player = null;
  let isOpen = true;
  let clocks = [];
  let clockTimer;

  const shown = (report) => {
    const clock = clocks.reduce((best, each) => (each.way < best.way ? each : best), { way: Infinity });
    const delay = outputTime(context, report.time) - (report.usecs - clock.offset) / 1000;
    show({ ...report, delay: report.isPlaying && clock.way < Infinity ? delay : null });
  };

  /** Asks for the daemon's time, assumed to be read in the middle of the round trip. */
  async function readClock() {
    const start = performance.now();
    const time = await connection.call("time.get").catch(() => null);
    const end = performance.now();
    if (time) clocks = [...clocks, { way: end - start, offset: time.jack - 500 * (start + end) }].slice(-CLOCKS);
  }

  async function start() {
    player = await makePlayer(context, volume, options, shown);
    if (isOpen) connection.connect();
  }

  connection.on("welcome", () => {
    clocks = [];
    connection.call("subscribe", { topics: ["audio"] }).catch(({ code, message }) => code && failed(message));
    readClock();
    clearInterval(clockTimer);
    clockTimer = setInterval(readClock, CLOCK_INTERVAL);
  });
  connection.on("audio", (event) => {
    heard(event);
    // A suspended context would get all of it at once later.
    if (context.state === "running") player.take(blockOf(event));
  });
  connection.on("status", ({ phase, reason }) => {
    // Without a reason the daemon only takes its time.
    if (phase === "refused" && reason) failed(reason);
    if (phase !== "lost") return;
    player.finish();
    show({ isPlaying: false });
  });
  start().catch(({ message }) => failed(`The browser cannot play: ${message}`));

  return {
    context,
    hurry: connection.hurry,
    setVolume: (volume) => player?.setVolume(volume),

    close() {
      isOpen = false;
      clearInterval(clockTimer);
      connection.close();
      context.close();
    },
  };
}

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

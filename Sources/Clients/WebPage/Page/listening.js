// The loudspeaker's connection: topic `audio`, and the delay until it is heard.

import { makeConnection } from "./connection.js";
import { blockOf } from "./pcm.js";
import { makeContext, makePlayer, outputTime } from "./player.js";

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

// Helpers of several suites.

import { readFileSync, readdirSync } from "node:fs";

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Replaces the timers with a clock that advances only when `tick` is called. */
export function makeClock() {
  const real = { setTimeout, setInterval, clearTimeout, clearInterval };
  const timers = new Map();
  let now = 0;
  let lastID = 0;
  const start = (every) => (act, delay, ...values) => {
    timers.set(++lastID, { act: () => act(...values), due: now + delay, every: every ? delay : null });
    return lastID;
  };
  const stop = (id) => timers.delete(id);
  const ours = { setTimeout: start(false), setInterval: start(true), clearTimeout: stop, clearInterval: stop };
  Object.assign(globalThis, ours);
  return {
    tick(duration) {
      for (const end = now + duration; now < end; now++) {
        for (const [id, timer] of [...timers]) {
          if (timer.due !== now + 1) continue;
          if (timer.every) timer.due += timer.every;
          else timers.delete(id);
          timer.act();
        }
      }
    },

    restore: () => Object.assign(globalThis, real),
  };
}

const root = new URL("../../../", import.meta.url);

export const readText = (path) => readFileSync(new URL(path, root), "utf8");
export const pageFiles = readdirSync(new URL("Sources/Clients/WebPage/Page/", root));
export const openRPC = JSON.parse(readText("docs/openrpc.json"));

import assert from "node:assert/strict";
import { test } from "node:test";
import { blockOf } from "../../../Sources/Clients/WebPage/Page/playback.js";
import { makePlayback } from "../../../Sources/Clients/WebPage/Page/playback.js";
import { seededRandom } from "./support.js";

const RATE = 48000;
const BLOCK = RATE / 50;
const CLICK = 0.5 / 100; // a step that 0.5 does not need to fade in 5 ms
const QUANTUM = 128; // frames per callback of a worklet

/** Samples that encode the frame's number, modulo 32768. */
const ramp = (frame) => [((frame % 32768) + 1) / 65536, -((frame % 32768) + 1) / 65536];

function block(number, { sample = ramp, rate = RATE, isSilent = false } = {}) {
  const count = rate / 50;
  const first = number * count;
  const samples = isSilent ? null : Float32Array.from({ length: 2 * count }, (_, i) => sample(first + (i >> 1))[i & 1]);
  return { frame: first, usecs: (first * 1e6) / rate, rate, count, samples };
}

/**
 * A daemon, a network and a sound card: block n leaves when its last frame was heard, and arrives `late(n)` seconds
 * later, in order; null loses it. The card asks for `quantum` frames at its own `rate`, `skew` times as fast as it says.
 */
function play({ seconds, late = () => 0, skew = 1, quantum = QUANTUM, outputRate = RATE, bends = false, ...how }) {
  const playback = makePlayback(outputRate, { bends });
  const output = [new Float32Array(Math.ceil(seconds * outputRate)), new Float32Array(Math.ceil(seconds * outputRate))];
  const reports = [];
  let [number, arrival] = [0, 0];
  const next = () => Math.max(arrival, (number + 1) / 50 + (late(number) ?? 0));
  for (let at = 0; at + quantum <= output[0].length; at += quantum) {
    for (; next() <= at / outputRate / skew; number++) {
      arrival = next();
      if (late(number) !== null) playback.take(block(number, how));
    }
    playback.render(...output.map((channel) => channel.subarray(at, at + quantum)));
    reports.push(playback.report);
  }
  return { output, reports, last: reports.at(-1) };
}

/** The largest step from one sample to the next. */
const steepest = (samples) =>
  samples.reduce((steepest, sample, i) => (i ? Math.max(steepest, Math.abs(sample - samples[i - 1])) : 0), 0);

const sine = (frequency, rate = RATE, level = 0.5) => (frame) => {
  const value = level * Math.sin((2 * Math.PI * frequency * frame) / rate);
  return [value, value];
};

test("what was sent is played exactly, after a fade of 5 ms, 60 ms behind", () => {
  const { output: [left, right], last } = play({ seconds: 3 });
  const begin = left.findIndex((sample) => sample !== 0) - 1;
  assert.ok(begin >= 0.06 * RATE && begin < 0.06 * RATE + 2 * QUANTUM, `${begin}`);
  for (let frame = 240; begin + frame < left.length - QUANTUM; frame++) {
    assert.equal(left[begin + frame], ramp(frame)[0], `frame ${frame}`);
    assert.equal(right[begin + frame], ramp(frame)[1], `frame ${frame}`);
  }
  assert.equal(last.gaps, 0);
  assert.equal(last.reserve, 60);
});

test("sound begins without a click", () => {
  const { output: [left] } = play({ seconds: 1, sample: () => [0.5, 0.5] });
  assert.ok(steepest(left) < CLICK);
  assert.equal(left.at(-QUANTUM), 0.5);
});

test("silence is played as silence, and is no gap", () => {
  const { output: [left], last } = play({ seconds: 2, isSilent: true });
  assert.equal(steepest(left), 0);
  assert.deepEqual([last.isPlaying, last.gaps], [true, 0]);
});

test("samples are as the daemon writes them", () => {
  const pcm = Buffer.from(Int16Array.of(0, 1, -1, 32767, -32768, 256).buffer).toString("base64");
  const { samples, count } = blockOf({ frame: 0, usecs: 0, rate: RATE, pcm });
  assert.deepEqual([...samples], [0, 1, -1, 32767, -32768, 256].map((value) => value / 32768));
  assert.equal(count, BLOCK);
  assert.equal(blockOf({ frame: 0, usecs: 0, rate: RATE }).samples, null);
  assert.equal(blockOf({ frame: 0, usecs: 0, rate: 11025 }).count, 220);
});

test("each gap makes the reserve 20 ms longer, up to 400, and no gap clicks", () => {
  // Every two seconds the network stalls for longer than the longest reserve.
  const late = (number) => (number % 100 === 99 ? 0.6 : 0);
  const { reports, output: [left] } = play({ seconds: 60, late, sample: () => [0.5, 0.5] });
  const reserves = [...new Set(reports.map(({ reserve }) => reserve))];
  assert.deepEqual(reserves, Array.from({ length: 18 }, (_, i) => 60 + 20 * i));
  for (const { gaps, reserve } of reports) assert.equal(reserve, Math.min(60 + 20 * gaps, 400));
  assert.ok(steepest(left) < CLICK);
});

test("a burst after a stalled network is one gap", () => {
  const { last } = play({ seconds: 5, late: (number) => (number === 100 ? 0.5 : 0) });
  assert.deepEqual([last.gaps, last.reserve], [1, 80]);
});

test("the reserve shrinks by 5 ms with each minute without a gap, down to 60", () => {
  const { reports } = play({ seconds: 400, late: (number) => (number === 100 ? 0.1 : 0), isSilent: true });
  const seen = [...new Set(reports.map(({ reserve }) => reserve))];
  assert.deepEqual(seen, [60, 80, 75, 70, 65]);
  const grown = reports.findIndex(({ reserve }) => reserve === 80);
  const shrunk = reports.findIndex(({ reserve }) => reserve === 75);
  assert.ok(Math.abs(((shrunk - grown) * QUANTUM) / RATE - 60) < 1);
});

test("missing blocks are skipped, counted and do not click", () => {
  const { output: [left], last } = play({
    seconds: 2, late: (number) => (number === 30 || number === 31 ? null : 0), sample: () => [0.5, 0.5],
  });
  assert.equal(last.gaps, 1);
  assert.ok(steepest(left) < CLICK);
});

test("more than 100 ms beyond the reserve are dropped with a crossfade, and count as a gap", () => {
  const playback = makePlayback(RATE, { bends: false });
  const [left, right] = [new Float32Array(QUANTUM), new Float32Array(QUANTUM)];
  const heard = [];
  const render = () => {
    playback.render(left, right);
    heard.push(...left);
  };
  const behind = () => (number * 20_000 - playback.report.usecs) / 1000;
  let number = 0;
  const take = () => playback.take(block(number++, { sample: () => [0.5, 0.5] }));
  for (; number < 3; ) take();
  for (let i = 0; i < 5; i++) render();
  for (; behind() + 20 <= 160; ) take();
  assert.equal(playback.report.gaps, 0);
  take();
  assert.equal(playback.report.gaps, 1);
  assert.ok(Math.abs(behind() - 60) < 0.1, `${behind()}`);
  for (let i = 0; i < 10; i++) render();
  assert.ok(steepest(heard) < CLICK);
  assert.equal(heard.at(-1), 0.5);
});

for (const frequency of [110, 440, 997]) {
  test(`dropped between two samples, a sine of ${frequency} Hz does not click either`, () => {
    const playback = makePlayback(44100, { bends: true });
    const [left, right] = [new Float32Array(QUANTUM), new Float32Array(QUANTUM)];
    const heard = [];
    let number = 0;
    const take = () => playback.take(block(number++, { sample: sine(frequency) }));
    for (; number < 3; ) take();
    for (let drops = 0; drops < 20; ) {
      for (let i = 0; i < 6; i++) {
        playback.render(left, right);
        heard.push(...left);
      }
      for (drops++; playback.report.gaps < drops; ) take();
    }
    const own = 2 * 0.5 * Math.sin((Math.PI * frequency) / 44100);
    assert.ok(steepest(heard) < 1.01 * own + 2 * CLICK, `${steepest(heard)}, ${own}`);
  });
}

test("a lost connection fades out, is not a gap, and fades in when it is back", () => {
  const playback = makePlayback(RATE);
  const [left, right] = [new Float32Array(QUANTUM), new Float32Array(QUANTUM)];
  const heard = [];
  const render = () => {
    playback.render(left, right);
    heard.push(...left);
  };
  const sample = () => [0.5, 0.5];
  for (let number = 0; number < 5; number++) playback.take(block(number, { sample }));
  for (let i = 0; i < 10; i++) render();
  playback.finish();
  for (let i = 0; i < 60; i++) render();
  assert.equal(heard.at(-1), 0);
  for (let number = 1000; number < 1005; number++) playback.take(block(number, { sample }));
  for (let i = 0; i < 10; i++) render();
  assert.ok(Math.abs(heard.at(-1) - 0.5) < 1e-6);
  assert.equal(playback.report.gaps, 0);
  assert.ok(steepest(heard) < CLICK);
});

for (const skew of [1.001, 0.998, 1.002]) {
  test(`a sound card that runs ${skew} times as fast causes no gap, and bends the sound by that much`, () => {
    const { output: [left], reports, last } = play({ seconds: 120, skew, bends: true, sample: sine(440) });
    assert.equal(last.gaps, 0);
    assert.ok(Math.abs(last.bend - (1 / skew - 1)) < 2e-4, `${last.bend}`);
    for (const { bend } of reports) assert.ok(Math.abs(bend) <= 0.005 + 1e-9);
    assert.ok(steepest(left) < 1.01 * 0.5 * 2 * Math.sin((Math.PI * 440) / RATE), "no click");
  });
}

test("drift that is not compensated ends in gaps, so the test of drift would notice", () => {
  assert.ok(play({ seconds: 120, skew: 1.001 }).last.gaps > 0);
});

/** How far everything else is below a sine of `frequency`, in dB. */
function purity(samples, frequency, rate) {
  const angle = (2 * Math.PI * frequency) / rate;
  let [ss, cc, sc, ys, yc, yy] = [0, 0, 0, 0, 0, 0];
  samples.forEach((sample, i) => {
    const [s, c] = [Math.sin(angle * i), Math.cos(angle * i)];
    [ss, cc, sc, ys, yc, yy] = [ss + s * s, cc + c * c, sc + s * c, ys + sample * s, yc + sample * c, yy + sample * sample];
  });
  const determinant = ss * cc - sc * sc;
  const [a, b] = [(ys * cc - yc * sc) / determinant, (yc * ss - ys * sc) / determinant];
  const explained = a * ys + b * yc;
  return 10 * Math.log10(explained / Math.max(yy - explained, 1e-20));
}

for (const [outputRate, frequency, least] of [[44100, 997, 75], [44100, 9001, 60], [96000, 9001, 60], [48000, 997, 100]]) {
  test(`at ${outputRate} Hz a sine of ${frequency} Hz stays one`, () => {
    const { output: [left], last } = play({ seconds: 2, outputRate, sample: sine(frequency) });
    const found = purity(left.subarray(outputRate, 2 * outputRate - QUANTUM), frequency, outputRate);
    assert.ok(found > least, `${found.toFixed(1)} dB`);
    assert.equal(last.gaps, 0);
  });
}

test("a server with another rate starts over", () => {
  const playback = makePlayback(RATE, { bends: false });
  const [left, right] = [new Float32Array(QUANTUM), new Float32Array(QUANTUM)];
  for (let number = 0; number < 5; number++) playback.take(block(number));
  playback.render(left, right);
  for (let number = 0; number < 5; number++) {
    playback.take(block(number, { rate: 44100, sample: sine(441, 44100) }));
  }
  const heard = [];
  for (let i = 0; i < 30; i++) {
    playback.render(left, right);
    heard.push(...left);
  }
  const crossings = heard.slice(300, 3500).filter((sample, i, all) => i && all[i - 1] < 0 && sample >= 0).length;
  assert.ok(Math.abs(crossings - (441 * 3200) / RATE) <= 1, "the pitch is that of the new rate");
});

for (const [name, quantum] of [["a worklet", QUANTUM], ["a ScriptProcessor", 1024]]) {
  test(`with 50 ms of jitter ${name} has at most 2 gaps in 10 s, and none in the next 50`, () => {
    for (let seed = 1; seed <= 5; seed++) {
      const random = seededRandom(seed);
      const delays = Array.from({ length: 3100 }, () => 0.05 * random());
      const { reports, last } = play({
        seconds: 60, late: (number) => delays[number], quantum, bends: true, isSilent: true,
      });
      const early = reports[Math.floor((10 * RATE) / quantum)].gaps;
      assert.ok(early <= 2, `${early} gaps`);
      assert.equal(last.gaps, early, `seed ${seed}`);
    }
  });
}

test("the report has the daemon's time of what is played", () => {
  const { output: [left], last } = play({ seconds: 0.6 });
  const played = Math.round(65536 * left.findLast((sample) => sample !== 0));
  assert.ok(Math.abs(last.usecs - (played * 1e6) / RATE) < 30);
});

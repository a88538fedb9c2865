import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAPI } from "../../../Sources/Clients/WebPage/Page/connection.js";
import { parametersBySection, valueIn } from "../../../Sources/Clients/WebPage/Page/parameters.js";
import { titled, valueText } from "../../../Sources/Clients/WebPage/Page/controls.js";
import { openRPC } from "./support.js";

const range = (minimum, maximum) => ({ type: "number", minimum, maximum });
const method = (name, parameters) => ({
  name, params: Object.entries(parameters).map(([name, schema]) => ({ name, schema })),
});
const names = (parameters) => parameters.map(({ method, name }) => `${method}/${name}`);

/** A daemon that has more than ours, some of it unknown to the page. */
const larger = makeAPI({
  methods: [
    method("subscribe", { topics: { items: { enum: ["frame", "scope"] } } }),
    method("track.set", {
      track: {}, mute: { type: "boolean" }, gain: range(-60, 12), reverb: range(-60, 0), preset: { enum: ["Sine"] },
      channel: { type: "integer", minimum: 1, maximum: 16 }, shimmer: range(0, 1),
    }),
    method("reverb.set", { time: range(0.3, 8), level: range(-60, 6) }),
    method("sync.set", { source: { enum: ["auto", "internal"] } }),
    method("humidity.set", { percent: range(0, 100) }),
    method("note.set", { step: {} }),
  ],
});

test("the daemon's own description yields a mixer and settings", () => {
  const { Mixer, Settings } = parametersBySection(makeAPI(openRPC));
  for (const name of ["mute", "solo", "gain", "pan"]) assert.ok(names(Mixer).includes(`track.set/${name}`), name);
  for (const name of ["tempo.set/bpm", "scale.set/scale", "swing.set/swing", "ghosts.set/on"]) {
    assert.ok(names(Settings).includes(name), name);
  }
});

test("each parameter is in one section, an unknown one in the mixer or under settings", () => {
  const { Mixer, Settings, Sounds, MIDI, Sync, Scenes } = parametersBySection(larger);
  assert.deepEqual(names(Mixer), ["track.set/mute", "track.set/gain", "track.set/reverb", "track.set/shimmer"]);
  assert.deepEqual(names(Sounds), ["track.set/preset", "reverb.set/time", "reverb.set/level"]);
  assert.deepEqual(names(MIDI), ["track.set/channel"]);
  assert.deepEqual(names(Sync), ["sync.set/source"]);
  assert.deepEqual(names(Settings), ["humidity.set/percent"]);
  assert.deepEqual(Scenes, []);
});

test("a track is offered its own sounds only", () => {
  const { Sounds } = parametersBySection(makeAPI(openRPC));
  const preset = Sounds.find(({ name }) => name === "preset");
  const [melody, bass] = ["melody", "bass"].map((track) => preset.schemaOn(track).enum);
  assert.ok(melody.includes("Pluck") && !melody.includes("Saw"), String(melody));
  assert.ok(bass.includes("Saw") && !bass.includes("Pluck"), String(bass));
  assert.deepEqual(preset.schema.enum.filter((name) => melody.includes(name)), melody);
  const reverb = Sounds.find(({ method }) => method === "reverb.set");
  assert.equal(reverb.schemaOn(undefined), reverb.schema);
});

test("topics are those that the daemon lists", () => {
  assert.ok(larger.hasTopic("scope"));
  assert.ok(!makeAPI({ methods: [] }).hasTopic("scope"));
});

test("a parameter's value is found wherever the state keeps it", () => {
  const state = {
    bpm: 120, scale: "minor", ghosts: false, reverb: { time: 1.8 }, tracks: { bass: { gain: -3 }, melody: {} },
  };
  const value = (subject, name, track) => valueIn(state, { subject, name }, track);
  assert.equal(value("tempo", "bpm"), 120);
  assert.equal(value("scale", "scale"), "minor");
  assert.equal(value("ghosts", "on"), false);
  assert.equal(value("reverb", "time"), 1.8);
  assert.equal(value("track", "gain", "bass"), -3);
  assert.equal(value("track", "gain", "melody"), undefined);
  assert.equal(value("sync", "source"), undefined);
});

for (const [name, value, text] of [
  ["gain", 0, "0.0 dB"], ["gain", -3.5, "\u22123.5 dB"], ["gain", 6, "+6.0 dB"], ["gain", -60, "off"],
  ["pan", 0, "centre"], ["pan", -0.2, "L 20"], ["pan", 1, "R 100"], ["swing", 0.5625, "56.3 %"],
  ["bpm", 127.3, "127.3 BPM"], ["length", 32, "32 steps"], ["time", 1.8, "1.8 s"], ["tone", -12, "\u221212.0 semitones"],
]) {
  test(`${name} ${value} is read as "${text}"`, () => assert.equal(valueText(name, value), text));
}

test("names become titles", () => {
  const titles = ["velocityAccent", "C#", "major", "E-piano", "FM bass"].map(titled);
  assert.deepEqual(titles, ["Velocity accent", "C#", "Major", "E-piano", "FM bass"]);
});

// A strip for each track. Sliders whose parameters move show the motion's value at the step that is heard.

import { makeControl, titled } from "./controls.js";
import { button, element, relabel, succeeds } from "./dom.js";
import { bindControl, trackColours, trackTitle } from "./parameters.js";

/** The parameters that shape a track's sound, in a part that folds out: the performer's two knobs first. */
const SHAPE = ["filter", "drive", "resonance", "width", "lfoTo", "lfoShape", "lfoRate", "lfoDepth", "drift", "sway", "places",
  "dynamics"];
const unfolded = new Set(); // the tracks whose part is open, while the page is
const FULL_SCALE = 1000;
const LOWEST = -48; // dBFS, where a meter begins
const FALL = 20 / 30; // dB per notification, 30 a second

export function buildMixer(parameters, context) {
  const { api, state, scopeFeed } = context;
  const isMetered = api.hasTopic("scope");
  const strips = Object.keys(state.value.tracks).map((track) => makeStrip(context, track, parameters, isMetered));
  const endings = [state.watch((value) => strips.forEach((strip) => strip.show(value)))];
  if (api.has("motion.get")) endings.push(followMotions(context, strips.flatMap(({ controls }) => controls)));
  if (isMetered) endings.push(scopeFeed.listen(({ tracks }) => strips.forEach((strip) => strip.meter(tracks))));
  return {
    element: element("div", {},
      element("div", { className: "strips" }, ...strips.map((strip) => strip.element)),
      api.hasTopic("audio") && element("div", { className: "fields" }, makeVolume(context.loudspeaker.volume))),
    close: () => endings.forEach((end) => end()),
  };
}

function makeVolume(volume) {
  const schema = { type: "number", minimum: -60, maximum: 0 };
  const slider = makeControl({ name: "gain", label: "Sound on this page", schema }, (decibels) => {
    volume.value = decibels;
    slider.update(decibels);
  });
  slider.update(volume.value);
  return slider.element;
}

function makeStrip(context, track, parameters, isMetered) {
  const isSwitch = ({ schema }) => schema.type === "boolean";
  const bind = (some, make) =>
    some.map((parameter) => bindControl(context, parameter, track, make)).filter(Boolean);
  const switches = bind(parameters.filter(isSwitch), letterOf(track));
  const shapes = bind(SHAPE.flatMap((name) => parameters.filter((parameter) => parameter.name === name)));
  const controls = bind(parameters.filter((parameter) => !isSwitch(parameter) && !SHAPE.includes(parameter.name)));
  if (context.api.has("lens.set")) controls.unshift(makeLens(context, track));
  const bar = element("span", { className: "meter" });
  const strip = element("section", { "aria-label": titled(track) },
    element("div", { className: "strip-head" }, trackTitle(track), ...switches.map(({ element }) => element)),
    isMetered && element("div", { className: "meter-bed", "aria-hidden": "true" }, bar),
    ...controls.map(({ element }) => element), shapes.length && makeFold(track, shapes));
  strip.style.setProperty("--track", trackColours[track]);
  let level = LOWEST;
  return {
    element: strip,
    controls: [...controls, ...shapes],
    show: (state) => [...switches, ...controls, ...shapes].forEach((control) => control.show(state)),
    meter(peaks) {
      level = Math.max(20 * Math.log10(peaks[track] / FULL_SCALE), level - FALL, LOWEST);
      bar.style.setProperty("--level", Math.min(1, 1 - level / LOWEST));
    },
  };
}

function makeFold(track, controls) {
  const fold = element("details", { className: "fold", open: unfolded.has(track) },
    element("summary", { "aria-label": `Shape of ${track}` }, "Shape"), ...controls.map(({ element }) => element));
  fold.ontoggle = () => (fold.open ? unfolded.add(track) : unfolded.delete(track));
  return fold;
}

function makeLens({ api, connection }, track) {
  const { schema } = api.parameters("lens.set").find(({ name }) => name === "lens");
  const call = (method, more) => succeeds(connection.call(method, { track, ...more }));
  const menu = element("select", {
    "aria-label": `Lens on ${track}`, onchange: () => call("lens.set", menu.value && { lens: menu.value }),
  }, ...["", ...schema.enum].map((value) => element("option", { value }, value ? titled(value) : "Notes")));
  const act = (word, label, method, more) =>
    element("button", { "aria-label": `${label} on ${track}`, title: label, onclick: () => call(method, more?.()) }, word);
  const reset = act("Reset", "Reset the lens", "lens.reset", () => ({ lens: menu.value }));
  const freeze = act("Freeze", "Freeze the last pass", "dice.freeze");
  return {
    element: element("div", { className: "field lens" }, element("span", { className: "label" }, "Lens"), menu, reset, freeze),
    show({ lenses }) {
      menu.value = lenses?.[track] ?? "";
      reset.disabled = !menu.value;
    },
  };
}

/** Mute and solo are letters, as on any mixer; other switches have names. */
const letterOf = (track) => ({ name }, change) => {
  const label = `${titled(name)} ${track}`;
  const toggle = () => change(letter.getAttribute("aria-pressed") !== "true");
  const text = name === "mute" || name === "solo" ? name[0].toUpperCase() : titled(name);
  const letter = button(`letter letter-${name}`, label, toggle, text);
  const line = element("div", { className: "lettered" }, letter);
  return { element: line, update: (isOn) => relabel(letter, label, isOn) };
};

/**
 * The value of a motion at a step: its points are pairs of step and value, with straight lines between them, round the
 * loop. Undefined without points. */
export function valueAt(points, step, length) {
  const shown = points.filter(([at]) => at < length);
  if (!shown.length) return undefined;
  const next = shown.find(([at]) => at > step) ?? [shown[0][0] + length, shown[0][1]];
  const last = shown.findLast(([at]) => at <= step) ?? [shown.at(-1)[0] - length, shown.at(-1)[1]];
  return last[1] + ((next[1] - last[1]) * (step - last[0])) / (next[0] - last[0]);
}

export function followMotions({ connection, state, stepFeed }, controls) {
  const motions = {}; // by track: what is known of its motions, and their points
  const sliders = controls.filter(({ control }) => control?.follow);

  const slotOf = (track) => {
    const { playing, slots } = state.value.slots?.[track] ?? {};
    return slots?.[playing] ?? {};
  };

  async function read(track) {
    const key = JSON.stringify([state.value.slots?.[track]?.playing, slotOf(track).motions ?? null]);
    if (motions[track]?.key === key) return;
    motions[track] = { key, points: {} };
    if (!slotOf(track).motions) return;
    const points = await connection.call("motion.get", { track }).catch(() => ({}));
    if (motions[track].key === key) motions[track].points = points;
  }

  function show({ step, tracks }) {
    const isPlaying = state.value.transport.state === "playing";
    for (const { parameter, track, control } of sliders) {
      const points = motions[track]?.points[parameter.name];
      const length = slotOf(track).length ?? state.value.length;
      control.follow(isPlaying && points ? valueAt(points, tracks?.[track] ?? step, length) : undefined);
    }
  }

  const endings = [
    state.watch((value) => {
      Object.keys(value.tracks).forEach(read);
      if (value.transport.state !== "playing") show({ step: 0 });
    }),
    stepFeed.listen(show),
  ];
  return () => endings.forEach((end) => end());
}

// Controls for values, made of their JSON schemas: a switch, buttons to choose from, or a slider. Each has an `element`
// and `update(value)`, which shows a value; `change` is called with what is chosen.

import { element, oncePerFrame } from "./dom.js";

/** A control for a parameter; null for a kind of value that there is none for. */
export function makeControl({ name, label, schema }, change) {
  if (schema.type === "boolean") return makeSwitch(label, change);
  if (schema.enum) return makeChoice(label, schema.enum, change);
  if (schema.examples) return makeOpenChoice(label, schema.examples, change);
  if (schema.items?.enum) return makeChoice(label, schema.items.enum, change, true);
  return schema.maximum === undefined ? null : makeSlider(name, label, schema, change);
}

const captioned = (kind, label, ...controls) =>
  element("div", { className: `field ${kind}` }, element("span", { className: "label" }, label), ...controls);

export function makeSwitch(label, change) {
  const knob = element("button", { className: "switch", role: "switch", "aria-label": label });
  knob.onclick = () => change(knob.getAttribute("aria-checked") !== "true");
  return {
    element: captioned("field-switch", label, knob),
    update: (on) => knob.setAttribute("aria-checked", on),
  };
}

function makeChoice(label, values, change, isList) {
  let chosen = [];
  const toggled = (value) => values.filter((each) => chosen.includes(each) !== (each === value));
  const buttons = values.map((value) =>
    element("button", { onclick: () => change(isList ? toggled(value) : value) }, titled(value)));
  const className = values.length > 4 ? "choices choices-many" : "choices";
  return {
    element: captioned("", label, element("div", { className, role: "group", "aria-label": label }, ...buttons)),
    update(value) {
      chosen = [value].flat();
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", chosen.includes(values[i])));
    },
  };
}

/** A choice among names that `update` may replace. */
function makeOpenChoice(label, names, change) {
  const frame = element("div");
  let shown;
  let choice;
  function update(value, known = names) {
    const all = known.includes(value) ? known : [...known, value];
    if (String(all) !== String(shown)) {
      shown = all;
      choice = makeChoice(label, all, change);
      frame.replaceChildren(choice.element);
    }
    choice.update(value);
  }
  return { element: frame, update };
}

function makeSlider(name, label, { type, minimum: min, maximum: max }, change) {
  const step = type === "integer" ? 1 : STEPS[name] ?? (max - min) / 200;
  const slider = element("input", { type: "range", min, max, step, "aria-label": label });
  const output = element("output", { className: "value" });
  let isHeld = false;
  let latest;

  function show(value) {
    const share = (at) => (100 * (at - min)) / (max - min);
    const origin = min === -max ? 0 : min; // What has two sides is filled from its middle.
    slider.style.setProperty("--from", `${share(Math.min(origin, value))}%`);
    slider.style.setProperty("--to", `${share(Math.max(origin, value))}%`);
    output.textContent = slider.ariaValueText = valueText(name, value);
  }

  /** What others choose while a finger is on the slider is shown when it is gone. */
  function update(value) {
    latest = value;
    if (isHeld) return;
    slider.value = value;
    show(value);
  }

  const choose = oncePerFrame(() => change(Number(slider.value)));
  slider.oninput = () => {
    show(Number(slider.value));
    choose();
  };
  slider.onpointerdown = () => (isHeld = true);
  slider.onpointerup = slider.onpointercancel = () => (isHeld = false);
  slider.onblur = () => update(latest);
  if (min <= 0) slider.ondblclick = () => change(0);
  return { element: captioned("field-slider", label, output, slider), update };
}

const STEPS = { bpm: 1, swing: 0.005, gain: 0.5, pan: 0.01 };
const signed = (value) => (value > 0 ? "+" : value < 0 ? "\u2212" : "") + Math.abs(value).toFixed(1);
const decibels = (value) => (value <= -60 ? "off" : `${signed(value)} dB`);
const TEXTS = {
  bpm: (value) => `${value} BPM`,
  swing: (value) => `${Math.round(1000 * value) / 10} %`,
  gain: decibels, reverb: decibels, delay: decibels, duck: decibels,
  pan: (value) => (Math.abs(value) < 0.005 ? "centre" : (value < 0 ? "L " : "R ") + Math.round(100 * Math.abs(value))),
};

export const valueText = (name, value) => TEXTS[name]?.(value) ?? String(Math.round(1000 * value) / 1000);

/** "velocityAccent" as "Velocity accent". */
export function titled(name) {
  const words = name.replace(/[a-z](?=[A-Z])/g, "$& ");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

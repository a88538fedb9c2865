// Controls for values, made from their JSON schemas: a switch, buttons to choose from, or a slider; and the learning of
// controllers. Each has an `element` and `update(value)`, which shows a value; `change` is called with a new value, and
// promises whether it was accepted. A finger moves a slider by its own movement: the value never jumps, and scrolling past
// does not change it.

import { makeFeed } from "./connection.js";
import { announce, element, LIFTS, listen, notice, oncePerFrame, setText, succeeds } from "./dom.js";

export function makeControl({ name, label, schema }, change) {
	if (schema.type === "boolean") return makeSwitch(label, change);
	if (schema.enum) return makeChoice(label, schema.enum, change);
	if (schema.examples) return makeOpenChoice(label, schema.examples, change);
	if (schema.items?.enum) return makeChoice(label, schema.items.enum, change, true);
	return schema.maximum === undefined ? null : makeSlider(name, label, schema, change);
}

const captioned = (kind, label, ...controls) =>
	element("div", { className: `field ${kind}` }, element("span.label", {}, label), ...controls);

export function makeSwitch(label, change) {
	const knob = element("button.switch", { role: "switch", "aria-label": label });
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
	const className = values.length > 6 ? "choices choices-many" : values.length > 4 ? "choices choices-some" : "choices";
	return {
		element: captioned("", label, element("div", { className, role: "group", "aria-label": label }, ...buttons)),
		update(value) {
			chosen = [value].flat();
			buttons.forEach((button, i) => button.setAttribute("aria-pressed", chosen.includes(values[i])));
		},
	};
}

function makeOpenChoice(label, names, change) {
	const place = element("div");
	let shown;
	let choice;
	function update(value, known = names) {
		const all = known.includes(value) ? known : [...known, value];
		if (String(all) !== String(shown)) {
			shown = all;
			choice = makeChoice(label, all, change);
			place.replaceChildren(choice.element);
		}
		choice.update(value);
	}
	return { element: element("div.field", {}, place), update };
}

function makeSlider(name, label, { type, minimum: min, maximum: max, default: initial = RESETS[name] }, change) {
	const step = type === "integer" ? 1 : STEPS[name] ?? (max - min) / 200;
	const slider = element("input", { type: "range", min, max, step, "aria-label": label });
	const track = element("div.slide", {}, slider);
	const value = element("span.value", { "aria-hidden": "true" });
	const follows = element("small.follows", { hidden: true }, "follows its motion");
	let isHeld = false;
	let latest;
	let wanted = null; // what was chosen and not answered yet
	let exact; // where a finger has moved it, not rounded to steps

	function show(number) {
		const share = (at) => (100 * (at - min)) / (max - min);
		const origin = min === -max ? 0 : min; // Bipolar values are filled from the middle.
		slider.style.setProperty("--from", `${share(Math.min(origin, number))}%`);
		slider.style.setProperty("--to", `${share(Math.max(origin, number))}%`);
		value.textContent = slider.ariaValueText = valueText(name, number);
	}

	function update(number) {
		latest = number;
		if (isHeld || wanted || !follows.hidden) return;
		slider.value = number;
		show(number);
	}

	const choose = oncePerFrame(async () => {
		const sent = wanted;
		if (await change(sent.number)) latest = sent.number;
		if (sent !== wanted) return;
		wanted = null;
		update(latest);
	});
	slider.oninput = () => {
		wanted = { number: Number(slider.value) };
		show(wanted.number);
		choose();
	};
	slider.onblur = () => update(latest);
	listenToSlide(track, {
		begin() {
			isHeld = true;
			exact = Number(slider.value);
		},
		move(share) {
			exact = Math.min(Math.max(exact + share * (max - min), min), max);
			slider.value = exact;
			slider.oninput();
		},
		end() {
			isHeld = false;
			update(latest);
			announce(`${label} ${value.textContent}`);
		},
		reset() {
			const middle = min <= 0 && max >= 0 ? 0 : undefined;
			if ((initial ?? middle) !== undefined) change(initial ?? middle);
		},
	});
	function follow(number) {
		const isMoved = number !== undefined;
		if (!isMoved && follows.hidden) return;
		follows.hidden = !isMoved;
		if (isHeld || wanted) return;
		slider.value = isMoved ? number : latest;
		show(isMoved ? number : latest);
	}
	return { element: captioned("field-slider", label, value, track, follows), update, follow };
}

/** The value after a double tap, where it is not 0. */
const RESETS = {
	bpm: 120, swing: 0.5, length: 32, reverb: -60, delay: -60, time: 1.8, steps: 3, feedback: 0.35, velocityNormal: 64,
	velocityAccent: 96, quantum: 4, resonance: 0.707,
};
const STEPS = { bpm: 1, swing: 0.005, gain: 0.5, pan: 0.01, tone: 0.5, feedback: 0.01, early: 0.01, lowCut: 5, loud: 0.1 };
const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value).toFixed(1);
const decibels = (value) => (value <= -60 ? "off" : `${signed(value)} dB`);
const percent = (value) => `${Math.round(1000 * value) / 10} %`;
const rounded = (value) => String(Math.round(1000 * value) / 1000);
const counted = (unit) => (value) => `${rounded(value)} ${unit}${value === 1 ? "" : "s"}`;
const milliseconds = (value) => `${rounded(value)} ms`;
/** A track's filter: a low-pass below 0, a high-pass above, off in the middle. */
function cutoff(value) {
	if (Math.abs(value) < 0.02) return "off";
	const hertz = value < 0 ? 20_000 * (80 / 20_000) ** -value : 20 * (8000 / 20) ** value;
	const text = hertz < 1000 ? `${Math.round(hertz)} Hz` : `${(hertz / 1000).toFixed(1)} kHz`;
	return `${value < 0 ? "LP" : "HP"} ${text}`;
}
const TEXTS = {
	bpm: (value) => `${value} BPM`,
	swing: percent, feedback: percent, drive: percent, width: percent, drift: percent, sway: percent, places: percent,
	lfoDepth: percent, filter: cutoff,
	gain: decibels, reverb: decibels, delay: decibels, level: decibels,
	early: percent,
	lowCut: (value) => (value > 0 ? `${Math.round(Math.max(60, value))} Hz` : "off"),
	loud: (value) => `${value.toFixed(1)} dB`,
	duck: (value) => `${value.toFixed(1)} dB`,
	tone: (value) => `${signed(value)} semitones`,
	time: (value) => `${rounded(value)} s`,
	steps: counted("step"), length: counted("step"), quantum: counted("beat"),
	offsetIn: milliseconds, offsetOut: milliseconds,
	pan: (value) => (Math.abs(value) < 0.005 ? "centre" : (value < 0 ? "L " : "R ") + Math.round(100 * Math.abs(value))),
};

export const valueText = (name, value) => TEXTS[name]?.(value) ?? rounded(value);

/** "velocityAccent" as "Velocity accent"; names stay as they are: "FM bass". */
export function titled(value) {
	const name = String(value);
	if (name === "jack" || name === "midi") return name.toUpperCase();
	const words = name.replace(/([a-z])([A-Z])/g, (_, last, next) => `${last} ${next.toLowerCase()}`);
	return words.charAt(0).toUpperCase() + words.slice(1);
}

const SLOP = 6; // CSS pixels before a movement counts as sliding
const NEAR = 60; // CSS pixels from the slider beyond which it moves slower
const DOUBLE_TAP = 350; // ms

/** `move(share)` is called with movements as a share of the slider's width, `reset` after a double tap. */
export function listenToSlide(surface, { begin, move, end, reset }) {
	let finger = null; // the pointer, where it was, and whether it slides
	let lastTap = -Infinity;

	surface.addEventListener("pointerdown", (event) => {
		if (finger || event.button !== 0) return;
		finger = { id: event.pointerId, x: event.clientX, startX: event.clientX, startY: event.clientY, slides: false };
		// Touches are captured anyway; a mouse that left before sliding would seem to be still pressed.
		surface.setPointerCapture(event.pointerId);
	});
	surface.addEventListener("pointermove", (event) => {
		if (event.pointerId !== finger?.id) return;
		const [across, down] = [event.clientX - finger.startX, event.clientY - finger.startY].map(Math.abs);
		if (!finger.slides) {
			if (across < SLOP || across < down) return;
			Object.assign(finger, { slides: true, x: event.clientX });
			return begin();
		}
		const slowness = 1 + Math.max(0, down - NEAR) / NEAR;
		move((event.clientX - finger.x) / surface.clientWidth / slowness);
		finger.x = event.clientX;
	});
	const lift = (event) => {
		if (event.pointerId !== finger?.id) return;
		const { slides } = finger;
		finger = null;
		if (slides) return end();
		if (event.type !== "pointerup") return;
		if (event.timeStamp - lastTap < DOUBLE_TAP) reset();
		lastTap = event.timeStamp;
	};
	listen(surface, LIFTS, lift);
}

const keyOf = ({ method, params = {}, value }) => JSON.stringify([method, params.track ?? null, value]);
const wordsOf = ({ type, channel, number }) => `${type} ${number}${channel ? `, channel ${channel}` : ""}`;

/**
 * Makes the controls beside each parameter: its binding, and a button that waits for a controller, one at a time. The
 * daemon learns while the page is subscribed to `midi`. */
export function makeLearning(connection) {
	const feed = makeFeed(connection, "midi");
	const corners = new Map(); // by what they bind
	const cancelAll = () => corners.forEach(({ cancel }) => cancel());

	async function refresh() {
		const { bindings = [] } = await connection.call("midi.bindings").catch(() => ({}));
		corners.forEach(({ show }) => show(""));
		bindings.forEach(showBinding);
	}

	function showBinding({ on, to }) {
		const words = wordsOf(on);
		corners.forEach(({ lose }) => lose(words)); // A controller has only one binding.
		corners.get(keyOf(to))?.show(words);
	}

	function makeCorner({ method, name, label }, track) {
		const to = { method, ...(track && { params: { track } }), value: name };
		const bound = element("span.bound");
		const button = element("button.learn");
		let stop = null; // while it waits
		let known = "";

		function wait(isWaiting, text) {
			button.textContent = isWaiting ? "Cancel" : "Learn";
			button.setAttribute("aria-label", `${isWaiting ? "Cancel learning" : "Learn"} ${label}`);
			setText(bound, text);
		}

		function end(text) {
			stop = void stop?.() ?? null;
			wait(false, text);
		}

		async function obstacle() {
			const ports = await connection.call("midi.ports").catch(() => null);
			if (!Array.isArray(ports)) return "";
			const input = ports.find(({ name }) => name === "midi_in");
			if (!input) return "There is no MIDI port: the instrument runs without JACK";
			return input.connections.length ? "" : "No controller is connected to midi_in";
		}

		function begin() {
			cancelAll();
			obstacle().then((reason) => {
				if (!reason || !stop) return;
				notice(reason);
				if (reason.startsWith("There is no")) end(known);
			});
			wait(true, "Move a knob…");
			stop = feed.listen(({ learned }) => {
				if (!learned) return;
				if (learned.on) showBinding(learned);
				// The result of a cancelled lesson may still arrive.
				if (!learned.on || keyOf(learned.to) === keyOf(to)) end(known || "Nothing received");
			});
			succeeds(connection.call("midi.learn", { to })).then((isTaught) => isTaught || end(known || "Nothing received"));
		}

		const cancel = () => end(known);
		const show = (text) => ((known = text), stop || setText(bound, text));
		cancel();
		button.onclick = () => (stop ? cancel() : begin());
		corners.set(keyOf(to), { show, lose: (text) => known === text && show(""), cancel });
		return element("div.lesson", {}, bound, button);
	}

	connection.on("status", cancelAll);
	return { makeCorner, refresh, cancelAll };
}

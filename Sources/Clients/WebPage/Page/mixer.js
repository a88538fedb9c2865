// The sheet's mixer, a strip for each track; and its scenes: eight pads, and the slots of each track.

import { makeControl, titled } from "./controls.js";
import { button, confirm, element, relabel, setText, succeeds } from "./dom.js";
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
			element("div.strips", {}, ...strips.map((strip) => strip.element)),
			api.hasTopic("audio") && element("div.fields", {}, makeVolume(context.loudspeaker.volume))),
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
	const bar = element("span.meter");
	const strip = element("section", { "aria-label": titled(track) },
		element("div.strip-head", {}, trackTitle(track), ...switches.map(({ element }) => element)),
		isMetered && element("div.meter-bed", { "aria-hidden": "true" }, bar),
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
	const fold = element("details.fold", { open: unfolded.has(track) },
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
		element: element("div.field lens", {}, element("span.label", {}, "Lens"), menu, reset, freeze),
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
	const line = element("div.lettered", {}, letter);
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

function followMotions({ connection, state, stepFeed }, controls) {
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

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8];
const ALL = "scene";
const MODES = ["launch", "copy", "chain", "clear"];

/**
 * How near the next launch is, 0 to 1. What is queued waits for a bar or beat of the song, or for the loop; a chain's
 * next link always waits for the loop. */
export function progressOf({ step, songStep = step }, { length, launch = {}, slots = {} }) {
	const isQueued = Object.values(slots).some(({ queued }) => queued);
	const quantum = isQueued && { bar: 16, beat: 4, step: 1 }[launch.quantum];
	if (!quantum) return (step + 1) / length;
	return (songStep - quantum * Math.floor(songStep / quantum) + 1) / quantum;
}

export function buildScenes({ connection, state, stepFeed }) {
	let mode = "launch";
	let picked = []; // the pads tapped so far to copy or chain
	const pads = [];
	const modes = MODES.map((each) =>
		element("button", { onclick: () => enter(each) }, titled(each)));
	const hint = element("p.hint", { role: "status" });
	const progress = element("div.progress", { "aria-hidden": "true" }, element("span"));
	const done = element("button.primary", { onclick: playChain }, "Play the chain");
	const stop = element("button.secondary", { onclick: () => call("slot.cancel", {}) }, "Cancel");

	const call = (method, params) => succeeds(connection.call(method, params));
	const paramsOf = (bank, params) => (bank === ALL ? params : { track: bank, ...params });
	const methodOf = (bank, name) => `${bank === ALL ? "scene" : "slot"}.${name}`;

	function enter(newMode) {
		mode = newMode;
		picked = [];
		show(state.value);
	}

	function press(bank, number) {
		if (mode === "launch") {
			return call(methodOf(bank, "launch"), paramsOf(bank, { [bank === ALL ? "scene" : "slot"]: number }));
		}
		if (mode === "clear") return clear(bank, number);
		if (picked.length && picked[0].bank !== bank) picked = [];
		picked.push({ bank, number });
		if (mode === "copy" && picked.length === 2) {
			const [from, to] = picked.map((each) => each.number);
			call(methodOf(bank, "copy"), paramsOf(bank, { from, to }));
			return enter("launch");
		}
		show(state.value);
	}

	async function clear(bank, number) {
		const tracks = bank === ALL ? Object.keys(trackColours) : [bank];
		const isFilled = (track) => state.value.slots?.[track]?.filled.includes(number);
		const filled = tracks.filter(isFilled);
		const answers = await Promise.all(filled.map((track) => call("slot.clear", { track, slot: number })));
		if (!answers.every(Boolean)) return;
		const name = bank === ALL ? `scene ${number}` : `${bank} slot ${number}`;
		confirm(filled.length ? `Cleared ${name}; undo brings it back` : `${titled(name)} is already empty`);
	}

	function playChain() {
		const { bank } = picked[0];
		const numbers = picked.map(({ number }) => number);
		call(methodOf(bank, "chain"), paramsOf(bank, { [bank === ALL ? "scenes" : "slots"]: numbers }));
		enter("launch");
	}

	function show(settings) {
		const { slots = {}, scenes = {} } = settings;
		const tracks = Object.values(slots);
		const whole = {
			...scenes, filled: NUMBERS.filter((number) => tracks.some(({ filled }) => filled.includes(number))),
			playing: tracks.every(({ playing }) => playing === tracks[0].playing) ? tracks[0]?.playing : null,
		};
		for (const { bank, number, pad } of pads) {
			const { playing, queued, chain = [], filled = [] } = bank === ALL ? whole : slots[bank] ?? {};
			const is = {
				playing: playing === number, queued: queued === number, chained: chain.includes(number),
				filled: filled.includes(number), picked: picked.some((each) => each.bank === bank && each.number === number),
			};
			for (const [name, isSo] of Object.entries(is)) pad.classList.toggle(name, isSo);
			const words = [bank === ALL ? `Scene ${number}` : `${titled(bank)} slot ${number}`,
				is.playing && "playing", is.queued && "next", is.chained && "in the chain", !is.filled && "empty"];
			relabel(pad, words.filter(Boolean).join(", "), is.playing);
		}
		modes.forEach((each, index) => each.setAttribute("aria-pressed", MODES[index] === mode));
		const isWaiting = [whole, ...tracks].some(({ queued, chain = [] }) => queued || chain.length);
		progress.hidden = !isWaiting || settings.transport.state !== "playing";
		stop.hidden = !isWaiting;
		done.hidden = mode !== "chain" || picked.length < 2;
		setText(hint, {
			copy: picked.length ? "Now tap where to copy it to" : "Tap what to copy",
			chain: picked.length ? `Chain ${picked.map(({ number }) => number).join(" ")}` : "Tap the pads in the order they should play",
			clear: "Tap a scene or a slot to empty it",
		}[mode] ?? "");
	}

	function makePad(bank, number) {
		const pad = button("pad", "", () => press(bank, number), String(number));
		if (bank === ALL) pad.dataset.scene = number; // Where a pattern may be dropped.
		pads.push({ bank, number, pad });
		return pad;
	}

	const scenePads = NUMBERS.map((number) => makePad(ALL, number));
	const rows = Object.keys(trackColours).map((track) => {
		const row = element("div.slots", { role: "group", "aria-label": titled(track) },
			...NUMBERS.map((number) => makePad(track, number)));
		row.style.setProperty("--track", trackColours[track]);
		return element("section", {}, trackTitle(track), row);
	});
	const endings = [state.watch(show), stepFeed.listen((event) =>
		progress.firstChild.style.setProperty("--level", progressOf(event, state.value)))];
	return {
		element: element("div.fields scenes", {},
			element("div.choices", { role: "group", "aria-label": "What a tap does" }, ...modes), hint,
			element("div.scene-pads", { role: "group", "aria-label": "Scenes" },
				...scenePads),
			progress, element("div.line", {}, done, stop), ...rows),
		close: () => endings.forEach((end) => end()),
	};
}

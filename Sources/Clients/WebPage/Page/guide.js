// What the page explains: the first visit, the labelled map, gestures; and the tracks' names, lenses and zones.

import { EFFECTS } from "./cells.js";
import { recall, remember } from "./connection.js";
import { titled } from "./controls.js";
import { announce, byID, element, icon, place, rectangleOf } from "./dom.js";
import { edgesOf, HALVES } from "./grid.js";
import { trackColours } from "./parameters.js";
import { CONTROLS, METER, OVERVIEW, PADS, STEPS, TRACKS } from "./places.js";

export const TRACK_NAMES = Object.keys(trackColours);

export function makeTrackTabs(choose, close) {
	const tabs = TRACK_NAMES.map((name, index) => {
		const tab = element("button.track-tab", { onclick: () => choose(index) }, titled(name));
		tab.style.setProperty("--track", trackColours[name]);
		return tab;
	});
	const elements = tabs.map((tab) => element("div.track-place", {}, tab));
	const shown = {};
	return {
		elements,

		show(chosen, lenses = {}) {
			TRACK_NAMES.forEach((track, index) => {
				tabs[index].setAttribute("aria-pressed", index === chosen);
				const lens = lenses[track];
				if (shown[track] === lens) return;
				shown[track] = lens;
				const chip = lens ? [makeChip(track, lens, close, `${lens} ×`)] : [];
				elements[index].replaceChildren(tabs[index], ...chip);
			});
		},
	};
}

export function makeEdges(close) {
	const names = TRACK_NAMES.map((track) => {
		const name = element("span.edge");
		name.style.setProperty("--track", trackColours[track]);
		return name;
	});
	byID("edges").append(...names);
	let shown = "";

	return {
		show({ lenses = {} }) {
			if (shown === JSON.stringify([lenses])) return;
			shown = JSON.stringify([lenses]);
			TRACK_NAMES.forEach((track, index) => {
				const lens = lenses[track];
				// Keys and screen readers have the bar's.
				names[index].replaceChildren(lens ? makeChip(track, lens, close, `${titled(lens)} ×`) : titled(track));
				if (lens) names[index].firstChild.tabIndex = -1;
			});
		},

		arrange(view) {
			byID("edges").hidden = !view.isWhole;
			if (!view.isWhole) return;
			byID("edges").classList.toggle("upright", view.turns % 2 === 0);
			edgesOf(view).forEach((rectangle, index) => place(names[index], rectangle));
		},
	};
}

/** Returns a function that places the effects' names where one track fills the display. */
export function makeZones(grid) {
	const names = EFFECTS.map((name) => element("span.zone", {}, titled(name)));
	byID("zones").append(...names);
	return () => {
		byID("zones").hidden = byID("tracks").hidden;
		if (byID("zones").hidden) return;
		names.forEach((name, zone) => {
			const first = STEPS.first + zone * (STEPS.perBar + 1);
			place(name, grid.rectangleOf(first, OVERVIEW.top, first + STEPS.perBar - 1, OVERVIEW.bottom));
		});
	};
}

const COLOURS = {
	level: "#ffffff", chance: "#ffaa00", cycle: "#00ffaa", ratchet: "#ff0088", nudge: "#00aaff", length: "#888888",
	speed: "#8844ff",
};

function makeChip(track, lens, close, ...content) {
	const label = `Close the lens on ${track}: ${lens}`;
	const chip = element("button.chip", { title: label, "aria-label": label, onclick: () => close(track) },
		...content);
	chip.style.setProperty("--lens", COLOURS[lens] ?? trackColours[track]);
	return chip;
}

export function makeChips(close) {
	let shown = "";
	return {
		show({ lenses = {} }) {
			if (shown === JSON.stringify(lenses)) return;
			shown = JSON.stringify(lenses);
			byID("lenses").replaceChildren(...Object.entries(lenses).map(([track, lens]) => makeChip(track, lens, close,
				element("span.chip-colour"),
				element("span.chip-name", {}, `${titled(track)}: ${lens}`), "×")));
		},
	};
}

const SPOKEN = { melody: "Melody", chords: "Chords", bass: "Bass", rhythm: "Rhythm" };
const bottomOf = ({ top, height }) => top + height - 1;
const controls = (label, first, last) => [label, CONTROLS[first][0], 0, CONTROLS[last][1], 0];

const PARTS = [
	controls("Play", "musicKey", "playStop"), controls("Undo", "undo", "redo"), controls("Scale", "major", "penta"),
	controls("Key", "root", "root"), controls("Tempo", "tempoDown", "tempoUp"),
	controls("Length", "lengthDown", "lengthUp"), controls("Clear: hold", "clear", "clear"),
	...TRACKS.flatMap((track) => [
		[SPOKEN[track.name], STEPS.first, track.top, STEPS.last, bottomOf(track)],
		...HALVES.map(({ column, cols }) => [SPOKEN[track.name], column, track.top, column + cols - 1, bottomOf(track)]),
	]),
	...TRACKS.map((track) => ["Mute, solo, sound", 0, track.top, METER, bottomOf(track)]),
	...TRACKS.map((track) => ["Slots", PADS.first, track.top, PADS.last, bottomOf(track)]),
	["Scenes", PADS.first, OVERVIEW.top, PADS.last, OVERVIEW.bottom],
	["Overview", STEPS.first, OVERVIEW.top, STEPS.last, OVERVIEW.bottom],
];
const NARROW = 40; // CSS pixels, too narrow for a label

const GESTURES = [
	["tap", "Tap a step: a note; again: the next note, then none"], ["hold", "Hold a step: an accent"],
	["across", "Drag along the steps: a run, a walk, a roll"], ["up", "Drag across the rows: a chord, a slide"],
	["slope", "Drag diagonally: a phrase, a fill"], ["held-across", "Hold, then drag along: a long note"],
	["twice", "Tap a step twice: empties it"], ["swipes", "Swipe left twice: undo; right: redo"],
	["scrub", "Rub back and forth: clears all tracks"], ["hold", "Hold a level meter: opens a lens"],
	["hold", "Rest a finger on the step markers: FILL"],
	["held-across", "Rest a finger on the overview, or drag there: stutter, filter, brake or throw, until it is lifted"],
	["tap", "Tap a pad: it plays next; tap it twice: now"],
	["across", "Drag over pads: they play in turn"], ["hold", "Hold a pad and tap another: copies it there"],
];

export function makeGuide(grid) {
	const guide = byID("guide");
	byID("gestures").append(...GESTURES.map(([name, text]) => element("li", {}, icon(name), text)));

	function arrange() {
		if (guide.hidden) return;
		const seen = new Set();
		const parts = PARTS.flatMap(([label, ...cells]) => {
			const box = grid.rectangleOf(...cells);
			if (!box || seen.has(label)) return [];
			seen.add(label);
			const isTrack = Object.values(SPOKEN).includes(label);
			const text = isTrack ? `${label}: tap a step` : label;
			const part = element("div", { className: isTrack ? "part part-track" : "part", "aria-label": label },
				element("span", {}, text));
			part.classList.toggle("part-tall", box.width < NARROW * devicePixelRatio && box.height > 3 * box.width);
			place(part, box);
			return [part];
		});
		if (!byID("tracks").hidden) {
			const part = element("div.part", { "aria-label": "Tracks" }, element("span", {}, "Tracks"));
			place(part, rectangleOf(byID("tracks")));
			parts.push(part);
		}
		guide.replaceChildren(...parts, element("button.primary", { onclick: hide }, "Back to playing"));
	}

	const hide = () => (guide.hidden = true);

	function show() {
		guide.hidden = false;
		arrange();
		announce("The parts of the grid are labelled; tap to continue");
	}

	guide.addEventListener("pointerdown", (event) => {
		event.preventDefault();
		hide();
	});
	return { arrange, show };
}

const ROOM = 14; // CSS pixels between a card and what it points to
const EDGE = 8;

/**
 * `start` is called by the tap on "Start playing"; `cellBox()` returns the box of the cell to tap, in CSS pixels. A tap
 * that only ends the first step does not reach the grid. */
export function makeVisit({ start, cellBox }) {
	const card = byID("visit");
	const shield = byID("visit-shield");
	let step = null;

	const boxOf = (id) => () => byID(id).getBoundingClientRect();
	const steps = [
		{ title: "1. Hear", text: "Play what is on the grid.", target: boxOf("play"), button: "Start playing" },
		{ title: "2. Tap", text: "Tap a step to add a note.", target: cellBox },
		{ title: "3. Change the sound", text: "Open this, then tap Sounds.", target: boxOf("open-sheet") },
	];

	function show(next) {
		step = next < steps.length ? next : null;
		for (const [index, id] of ["play", , "open-sheet"].entries()) if (id) byID(id).classList.toggle("pointed", index === step);
		card.hidden = step === null;
		shield.hidden = step !== 0;
		if (step === null) return remember("guided", true);
		const { title, text, button } = steps[step];
		card.replaceChildren(element("strong", {}, title), element("p", {}, text),
			element("button", { className: button ? "primary" : "secondary", onclick: button ? begin : skip }, button ?? "Skip"));
		card.setAttribute("aria-label", title);
		announce(`${title}: ${text}`);
		arrange();
	}

	const skip = () => show(step + 1);
	function begin() {
		start();
		skip();
	}

	function arrange() {
		if (step === null) return;
		const target = steps[step].target();
		card.style.visibility = target ? "visible" : "hidden";
		if (!target) return;
		const { offsetWidth: width, offsetHeight: height } = card;
		const [x, y] = [(target.left + target.right) / 2, (target.top + target.bottom) / 2];
		const bar = byID("bar").getBoundingClientRect();
		const isUpright = byID("bar").classList.contains("upright");
		const isBeside = isUpright && step !== 1;
		const [leftmost, topmost] = isUpright ? [bar.right + ROOM, EDGE] : [EDGE, bar.bottom + ROOM];
		const within = (value, least, size, end) => Math.max(least, Math.min(value, end - size - EDGE));
		const fits = target.bottom + ROOM + height < innerHeight;
		const left = isBeside ? leftmost : within(x - width / 2, leftmost, width, innerWidth);
		const top = isBeside ? within(y - height / 2, topmost, height, innerHeight)
			: within(fits ? target.bottom + ROOM : target.top - ROOM - height, topmost, height, innerHeight);
		Object.assign(card.style, { left: `${left}px`, top: `${top}px` });
		// Far from its target a pointer would mislead: the target has a frame.
		card.dataset.side = isBeside ? "left" : !fits ? "bottom" : top > target.bottom + 2 * ROOM ? "" : "top";
		card.style.setProperty("--at", `${isBeside ? y - top : x - left}px`);
	}

	// A touch on the shield or the card skips; the click of the card's own button does so by itself.
	shield.addEventListener("pointerdown", (event) => {
		event.preventDefault();
		skip();
	});
	card.addEventListener("click", ({ target }) => target.closest("button") || step === null || skip());
	document.addEventListener("keydown", (event) => {
		if (event.key !== "Escape" || step === null) return;
		event.stopImmediatePropagation();
		skip();
	}, true);
	byID("open-sheet").addEventListener("click", () => step === 2 && skip());

	return {
		arrange,

		touched: (count) => count === 0 && step === 1 && skip(),

		played() {
			if (step !== 0) return false;
			begin();
			return true;
		},

		showFirst: () => recall("guided") || step !== null || show(0),
	};
}

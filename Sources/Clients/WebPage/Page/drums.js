// The Drums view: twelve named rows by the steps of the slot that plays, each a button. Drums have mutes.

import { ALL, capital, isInKey, makeSlotNotes, namesOf, written } from "./cells.js";
import { announce, button, element, listen, refuse, relabel, resultOf, setText } from "./dom.js";
import { trackColours } from "./parameters.js";

const HOLD = 400; // ms, then a tap becomes an accent
const LEAST = 24; // CSS pixels of a cell's width, below which fewer steps are shown at a time
const NAMES = 132; // CSS pixels for names and mutes
const NARROW_NAMES = 104;
const STATES = { off: "off", normal: "on", accent: "accent", sustain: "held on" };
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };

/** How many steps are shown at a time in a width, in CSS pixels: as many as leave cells that a finger hits. */
export function stepsShown(width, length) {
	const room = width - (width < 500 ? NARROW_NAMES : NAMES);
	return [32, 16, 8].map((steps) => Math.min(steps, length)).find((steps) => room / steps >= LEAST) ?? Math.min(8, length);
}

export function makeDrums({ connection, api, state, stepFeed, pictured, track, sample }) {
	const rows = element("div.drum-rows", { role: "group", "aria-label": "Steps" });
	const before = button("icon-button", "Earlier steps", () => turn(-1), "‹");
	const after = button("icon-button", "Later steps", () => turn(1), "›");
	const range = element("span.hint");
	let width = 1024;
	let page = 0;
	let cursor = [0, 0]; // the note and step that Tab reaches
	let built = "";
	let cells = [];
	let mutes = [];
	let playing = null;

	const settings = () => state.value;
	const mutedNames = api.schemaOn("rhythm", "mutedDrums")?.items?.enum;
	const slot = () => {
		const { playing: number, slots } = settings().slots?.[track()] ?? {};
		return slots?.[number] ?? {};
	};
	const length = () => slot().length ?? settings().length;
	const size = () => stepsShown(width, length());
	const pages = () => Math.ceil(length() / size());
	const isOut = (note) => track() !== "rhythm" && !isInKey(note, settings());

	const notes = makeSlotNotes({ connection, state, pictured }, () => show());

	function turn(way) {
		page = Math.min(Math.max(page + way, 0), pages() - 1);
		show();
	}

	function set(note, step, velocity) {
		if (velocity !== "off" && isOut(note)) return announce(`${written(track(), note)} is not in the key`);
		resultOf(notes.set(track(), note, step, velocity));
		if (velocity !== "off" && settings().transport.state !== "playing") sample(track(), [note]);
	}

	const toggle = (note, step) => set(note, step, notes.velocity(track(), note, step) === "off" ? "normal" : "off");

	function mute(note) {
		const muted = settings().tracks.rhythm.mutedDrums ?? [];
		const name = mutedNames[note];
		const value = mutedNames.filter((each) => muted.includes(each) !== (each === name));
		resultOf(connection.call("track.set", { track: "rhythm", mutedDrums: value }));
	}

	function build() {
		const first = page * size();
		const count = Math.min(size(), length() - first);
		const made = JSON.stringify([track(), first, count]);
		if (made === built) return;
		built = made;
		cells = [];
		mutes = [];
		rows.style.setProperty("--track", trackColours[track()]);
		rows.style.setProperty("--steps", count);
		rows.replaceChildren(...[...ALL].reverse().flatMap((note) => makeRow(note, first, count)));
		setText(range, pages() > 1 ? `Steps ${first + 1} to ${first + count}` : "");
		before.hidden = after.hidden = pages() < 2;
		before.disabled = first === 0;
		after.disabled = first + count >= length();
		playing = null;
	}

	function makeRow(note, first, count) {
		const title = button("drum-name", `Play ${namesOf(track())[note]}`, () => sample(track(), [note]), written(track(), note));
		const hasMute = track() === "rhythm" && mutedNames;
		if (hasMute) mutes[note] = button("letter letter-mute", "", () => mute(note), "M");
		const steps = Array.from({ length: count }, (_, index) => makeCell(note, first + index));
		return [element("div", { className: track() === "rhythm" ? "drum-row" : "drum-row plain", role: "group",
			"aria-label": capital(namesOf(track())[note]) }, title, mutes[note], ...steps)];
	}

	function makeCell(note, step) {
		const cell = element("button", { className: step % 4 === 0 ? "step beat" : "step" });
		Object.assign(cell, { note, step });
		cells.push(cell);
		return cell;
	}

	function show() {
		if (!settings()) return;
		page = Math.min(page, pages() - 1);
		build();
		for (const cell of cells) {
			const { note, step } = cell;
			const velocity = notes.velocity(track(), note, step);
			const out = isOut(note);
			if (cell.dataset.state !== velocity) cell.dataset.state = velocity;
			cell.classList.toggle("out", out);
			const label = `${capital(namesOf(track())[note])}, step ${step + 1}, ${STATES[velocity]}${out ? ", outside the key" : ""}`;
			if (cell.getAttribute("aria-label") !== label) cell.setAttribute("aria-label", label);
			cell.tabIndex = note === cursor[0] && step === cursor[1] ? 0 : -1;
		}
		if (!cells.some(({ tabIndex }) => tabIndex === 0)) cells[0].tabIndex = 0;
		const muted = settings().tracks.rhythm.mutedDrums ?? [];
		mutes.forEach((each, note) => relabel(each, `Mute ${namesOf("rhythm")[note]}`, muted.includes(mutedNames[note])));
	}

	// A finger on an empty cell writes at once; on a note it removes it when lifted early, and makes it an accent when held.
	const holds = new Map(); // by pointer
	const cellOf = (event) => event.target.closest?.(".step");

	rows.addEventListener("pointerdown", (event) => {
		const cell = cellOf(event);
		if (!cell || event.button !== 0) return;
		event.preventDefault();
		const { note, step } = cell;
		const wasOff = notes.velocity(track(), note, step) === "off";
		if (wasOff) set(note, step, event.shiftKey ? "accent" : "normal");
		const timer = setTimeout(() => {
			holds.delete(event.pointerId);
			if (!isOut(note)) set(note, step, "accent");
		}, HOLD);
		rows.setPointerCapture(event.pointerId);
		holds.set(event.pointerId, { timer, remove: () => wasOff || set(note, step, "off") });
	});
	function lift({ pointerId, type }) {
		const hold = holds.get(pointerId);
		if (!hold) return;
		clearTimeout(hold.timer);
		holds.delete(pointerId);
		if (type === "pointerup") hold.remove();
	}
	listen(rows, "pointerup pointercancel", lift);
	refuse(rows, "contextmenu");
	// Of keys and screen readers: fingers and the mouse have done it already.
	rows.addEventListener("click", (event) => {
		const cell = cellOf(event);
		if (!cell || event.detail !== 0) return;
		toggle(cell.note, cell.step);
		announce(cell.getAttribute("aria-label"));
	});

	rows.addEventListener("keydown", (event) => {
		const cell = cellOf(event);
		const [up, right] = ARROWS[event.key] ?? [];
		if (!cell || up === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
		event.preventDefault();
		event.stopPropagation();
		const [note, step] = [cell.note + up, cell.step + right];
		if (note < 0 || note > 11 || step < 0 || step >= length()) return;
		cursor = [note, step];
		page = Math.floor(step / size());
		show();
		cells.find((each) => each.note === note && each.step === step)?.focus();
	});

	function follow({ step, tracks }) {
		const now = settings()?.transport.state === "playing" ? tracks?.[track()] ?? step : null;
		if (now === playing) return;
		playing = now;
		for (const cell of cells) cell.classList.toggle("now", cell.step === now);
	}

	const endings = [stepFeed.listen(follow), state.watch(() => {
		if (settings().transport.state !== "playing") follow({ step: null });
	})];
	return {
		element: rows,
		tools: [range, before, after],
		show,

		arrange(area) {
			({ width } = area);
		},

		plays: () => false,

		close() {
			notes.close();
			endings.forEach((end) => end());
		},
	};
}

// The Keys view: wide pads of a track's notes in its key, or its drums, for ten fingers and the computer's keyboard.

import { capital, namesOf, playable, rootOf, written } from "./cells.js";
import { button, element, LIFTS, listen, refuse, relabel } from "./dom.js";
import { letterKeys } from "./keyboard.js";
import { trackColours } from "./parameters.js";

const NORMAL = 64;
const ACCENT = 112;
const COLUMNS = { wide: 6, tall: 3 }; // of drums

const velocityOf = ({ shiftKey }) => (shiftKey ? ACCENT : NORMAL);

// Keys of the computer count by their position, on every layout alike.
const HOME = ["KeyA", "KeyS", "KeyD", "KeyF", "KeyG", "KeyH", "KeyJ"];
const UPPER = ["KeyQ", "KeyW", "KeyE", "KeyR", "KeyT", "KeyY"];
const HALF = 6; // drums in a row

/** The key of each pad: notes on the home row, drums 7 to 12 on the row above. */
export const codesOf = (count) => (count > HOME.length ? [...HOME.slice(0, HALF), ...UPPER] : HOME.slice(0, count));

/** The pad of a key: its index, -1 for other keys, null for a key of these rows without a pad. */
export function padOfCode(code, count) {
	const pad = codesOf(count).indexOf(code);
	return pad < 0 && [...HOME, ...UPPER].includes(code) ? null : pad;
}

let layout;

/** What is printed on a key, where the browser knows; else as on an American keyboard. */
async function printedOn(code) {
	layout ??= globalThis.navigator?.keyboard?.getLayoutMap?.().catch(() => null) ?? null;
	return ((await layout)?.get(code) ?? code.replace("Key", "")).toUpperCase();
}

export function makeKeys({ keys, track, record, catchKeys, api }) {
	const pads = element("div.key-pads", { role: "group", "aria-label": "Keys" });
	const rec = button("word-button rec", "", record, "REC");
	const caught = button("word-button", "Write what was played, but not recorded (I)", catchKeys, "CATCH");
	let shown = ""; // what the pads were made for
	let notes = [];
	let isTall = false;
	let root = 0;

	const padOf = (node) => node?.closest?.(".key-pad");
	const noteAt = ({ clientX, clientY }) => padOf(document.elementFromPoint(clientX, clientY))?.note;
	const fingers = new Map(); // by pointer: the note that it holds

	function down(event) {
		const pad = padOf(event.target);
		if (!pad || event.button !== 0) return;
		event.preventDefault();
		document.activeElement?.blur();
		pads.setPointerCapture(event.pointerId);
		strike(event, pad.note);
	}

	function strike(event, note) {
		fingers.set(event.pointerId, note);
		const holder = `finger ${event.pointerId}`;
		if (note === undefined) keys.release(holder);
		else keys.press(holder, track(), note, velocityOf(event));
	}

	function move(event) {
		if (!fingers.has(event.pointerId)) return;
		const note = noteAt(event);
		if (note !== fingers.get(event.pointerId)) strike(event, note);
	}

	function up({ pointerId }) {
		fingers.delete(pointerId);
		keys.release(`finger ${pointerId}`);
	}

	pads.addEventListener("pointerdown", down);
	pads.addEventListener("pointermove", move);
	listen(pads, LIFTS, up);
	refuse(pads, "contextmenu touchstart");

	function makePad(note, index) {
		const name = capital(namesOf(track())[note]);
		const isRoot = track() !== "rhythm" && note === root;
		const key = element("kbd.pad-key", { "aria-hidden": "true" });
		printedOn(codesOf(notes.length)[index]).then((text) => (key.textContent = text));
		const label = isRoot ? `${name}, root` : name;
		const pad = element("button", { className: isRoot ? "key-pad root" : "key-pad", "aria-label": label,
			onclick: ({ detail }) => detail || keys.isHeld({ track: track(), note }) || keys.sample(track(), [note]) },
		element("span", {}, written(track(), note)), isRoot && element("small", {}, "root"), key);
		pad.note = note;
		pad.style.gridArea = placeOf(index);
		return pad;
	}

	/** The lowest note is at the left, or at the bottom of a tall display; the first drum at the bottom left. */
	function placeOf(index) {
		if (track() !== "rhythm") return isTall ? `${notes.length - index} / 1` : `1 / ${index + 1}`;
		const columns = isTall ? COLUMNS.tall : COLUMNS.wide;
		return `${12 / columns - Math.floor(index / columns)} / ${(index % columns) + 1}`;
	}

	function build(settings) {
		keys.releaseAll();
		fingers.clear();
		notes = playable(track(), settings);
		root = rootOf(settings);
		pads.style.setProperty("--track", trackColours[track()]);
		pads.replaceChildren(...notes.map(makePad));
		light();
	}

	function light() {
		for (const pad of pads.children) {
			const isHeld = keys.isHeld({ track: track(), note: pad.note });
			pad.classList.toggle("held", isHeld);
			pad.setAttribute("aria-pressed", isHeld);
		}
	}

	const stopWatching = keys.watch(light);
	return {
		element: pads,
		tools: api.has("transport.catch") ? [rec, caught] : [rec],

		show(settings) {
			const { record: isOn } = settings.transport;
			relabel(rec, isOn ? "Stop recording the keys" : "Record the keys while the music plays", Boolean(isOn));
			const made = JSON.stringify([track(), settings.root, settings.scale, isTall]);
			if (made === shown) return;
			shown = made;
			build(settings);
		},

		arrange({ width, height }) {
			isTall = height > width;
		},

		plays(event) {
			if (event.ctrlKey || event.metaKey || event.altKey || !letterKeys.on) return false;
			const pad = padOfCode(event.code, notes.length);
			if (pad === -1) return false;
			if (event.type === "keyup") keys.release(event.code);
			else if (!event.repeat && pad !== null) keys.press(event.code, track(), notes[pad], velocityOf(event));
			return true;
		},

		close() {
			stopWatching();
			keys.releaseAll();
		},
	};
}

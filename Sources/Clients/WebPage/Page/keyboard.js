// The computer's keyboard: keys that play from anywhere on the page, keys that are held, and a cursor on the grid.

import { isLit, nameOfCell } from "./cells.js";
import { recall, remember } from "./connection.js";
import { byID, LIFTS, listen, place, refuse, whenLeft } from "./dom.js";
import { stepOnGrid } from "./grid.js";
import { OVERVIEW, STEPS } from "./places.js";

const KEYS = {
	" ": ["play"], ArrowUp: ["tempo", 5], ArrowDown: ["tempo", -5], r: ["record"], i: ["catchKeys"], f: ["fullScreen"],
	n: ["names"], "?": ["help"],
};

/** Whether keys that print a character play; people who dictate switch them off, because words would. */
export const letterKeys = {
	get on() {
		return recall("letterKeys", true);
	},

	set on(on) {
		remember("letterKeys", on);
	},
};

/** What a key prints, or would print on an American keyboard if it prints letters or digits of another script. */
function latinOf(key, code) {
	const isForeign = /^(?![\p{ASCII}\p{Script=Latin}])[\p{L}\p{M}\p{Nd}]/u.test(key);
	return isForeign ? code.replace(/^(Key|Digit)/, "") : key;
}

export function actionOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }) {
	const latin = latinOf(key, code);
	const plain = latin.length === 1 ? latin.toLowerCase() : latin;
	if (altKey) return null;
	if (ctrlKey || metaKey) return { z: [shiftKey ? "redo" : "undo"], y: ["redo"] }[plain] ?? null;
	// French and Czech keyboards print digits only with Shift.
	const scene = /^[1-8]$/.test(plain) ? plain : !shiftKey && /^Digit([1-8])$/.exec(code)?.[1];
	return scene ? ["scene", Number(scene)] : KEYS[plain] ?? null;
}

/** Text fields and menus get all keys; other elements, if focused by keys and not by a click, get those they need. */
function isMeantFor(target, key) {
	if (target.closest("input[type=text], select")) return true;
	if (!target.matches(":focus-visible")) return false;
	if (key.startsWith("Arrow")) return target.closest("input, [role=tablist]");
	return (key === " " || key === "Enter") && target.closest("button, dialog, summary");
}

const isLetter = ({ key, ctrlKey, metaKey }) => key.length === 1 && key !== " " && !ctrlKey && !metaKey;

/** `plays(event)` comes first: whether a key belongs to the Keys view. */
export function listenToKeys(actions, plays = () => false) {
	const playsHere = (event) => !event.target.closest("input[type=text], select, dialog") && plays(event);
	// Wherever the focus is by now: what is held must end.
	document.addEventListener("keyup", plays);
	document.addEventListener("keydown", (event) => {
		if (playsHere(event)) return event.preventDefault();
		const [name, argument] = (!isMeantFor(event.target, event.key) && actionOf(event)) || [];
		if (!name || !letterKeys.on && isLetter(event)) return;
		event.preventDefault();
		if (!event.repeat || name === "tempo") actions[name](argument);
	});
	// After a click the keys go back to the instrument; an element pressed with a key keeps them.
	document.addEventListener("click", ({ detail }) => {
		const focused = document.activeElement;
		if (detail && !focused?.closest("input[type=text], select, dialog")) focused?.blur();
	});
	// The click on a menu only opens it.
	document.addEventListener("change", ({ target }) => target.matches("select:not(:focus-visible)") && target.blur());
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const TOUCH = 0;
const CURSOR_REPORT = 100; // ms between reports of a resting finger

/**
 * A cursor on the grid: arrows move it, Enter is a finger on its cell, of which there are `held(count)`. Returns a
 * function that places its `mark`. */
export function makeCursor(canvas, mark, { grid, picture, send, held, announce, named, lenses, key = () => null }) {
	const { cols, rows, rgb, labels } = picture;
	let [column, row] = [4, 7];
	let isDown = false;
	let reporting;

	const touch = (phase) =>
		send(phase, TOUCH, { x: column + 0.5, y: row + 0.5, ms: Math.round(10 * performance.now()) / 10 });

	const isOn = (column, row) => column >= 0 && column < cols && row >= 0 && row < rows;
	const isShown = (column, row) => isOn(column, row) && grid.rectangleOf(column, row);

	function show() {
		const box = grid.rectangleOf(column, row);
		mark.hidden = !box || !canvas.matches(":focus-visible");
		if (box) place(mark, box);
	}

	function nameCell() {
		const index = row * cols + column;
		const name = nameOfCell(column, row, labels[index], lenses(), key());
		named(name);
		return name + (isLit(column, row, rgb[index], labels[index], lenses()) ? ", lit" : "");
	}

	function release(phase) {
		if (!isDown) return;
		touch(phase);
		held(0);
		isDown = false;
		clearInterval(reporting);
	}

	function press({ key, repeat }) {
		if (key !== "Enter") step(ARROWS[key]);
		else if (!repeat && !isDown && grid.rectangleOf(column, row)) {
			isDown = true;
			held(1);
			touch("down");
			reporting = setInterval(() => touch("move"), CURSOR_REPORT);
		}
	}

	function step(direction) {
		const [across, down] = stepOnGrid(grid.turns, direction);
		let next = [column, row];
		do next = [next[0] + across, next[1] + down];
		while (!isDown && isOn(...next) && !isShown(...next));
		if (isShown(...next)) [column, row] = next;
		show();
		if (isDown) touch("move");
		announce(nameCell());
	}

	canvas.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || !(event.key === "Enter" || ARROWS[event.key])) return;
		event.preventDefault();
		event.stopPropagation();
		press(event);
	});
	canvas.addEventListener("keyup", ({ key }) => key === "Enter" && release("up"));
	canvas.addEventListener("focus", () => {
		show();
		if (!mark.hidden) nameCell();
	});
	canvas.addEventListener("blur", () => {
		release("cancel");
		mark.hidden = true;
		named("");
	});
	return show;
}

const PING = 500; // ms: the daemon releases the keys of a page that has been silent for 2 s
const SAMPLE = 350; // ms

export function makeHeldKeys(connection, refused) {
	const held = new Map(); // by what holds it: its track and note
	const watchers = new Set();
	let pinging = null;

	const isSame = (one, other) => one.track === other.track && one.note === other.note;
	const isHeld = (key) => [...held.values()].some((each) => isSame(each, key));

	function changed() {
		if (held.size) pinging ??= setInterval(() => connection.notify("ping"), PING);
		else pinging = void clearInterval(pinging) ?? null;
		watchers.forEach((watcher) => watcher());
	}

	/** Presses a key, or strikes it again. What held another key lets go of that first. */
	function press(holder, track, note, velocity) {
		release(holder);
		held.set(holder, { track, note });
		refused(connection.call("keys.press", { track, note, velocity }));
		changed();
	}

	/** Two fingers may hold the same key: the last one releases it. */
	function release(holder) {
		const key = held.get(holder);
		if (!key) return;
		held.delete(holder);
		if (!isHeld(key)) connection.notify("keys.release", key);
		changed();
	}

	const releaseAll = () => [...held.keys()].forEach(release);
	function forget() {
		held.clear();
		changed();
	}

	connection.on("status", forget);
	whenLeft(releaseAll);
	return {
		press, release, releaseAll, isHeld,

		sample(track, notes, velocity = 64) {
			for (const note of notes) {
				const holder = `sample of ${note}`;
				press(holder, track, note, velocity);
				setTimeout(release, SAMPLE, holder);
			}
		},

		watch(watcher) {
			watchers.add(watcher);
			return () => watchers.delete(watcher);
		},
	};
}

const REPEAT = 500; // ms: the daemon releases it when nothing more is heard of a client

export function listenToFill(set) {
	const button = byID("fill");
	let repeating = null;

	function hold() {
		if (repeating) return;
		set(true);
		repeating = setInterval(set, REPEAT, true);
	}

	function release() {
		if (!repeating) return;
		clearInterval(repeating);
		repeating = null;
		set(false);
	}

	button.addEventListener("pointerdown", (event) => {
		if (event.button !== 0) return;
		event.preventDefault();
		button.setPointerCapture(event.pointerId);
		hold();
	});
	listen(button, `${LIFTS} blur`, release);
	const isKey = ({ key }) => key === "Enter" || key === " ";
	button.addEventListener("keydown", (event) => {
		if (!isKey(event)) return;
		event.preventDefault();
		hold();
	});
	button.addEventListener("keyup", (event) => isKey(event) && release());
	refuse(button, "contextmenu");
	whenLeft(release);
}

// By position, one for each zone of the overview, and the cell that it touches: a sixteenth, 790 Hz, a beat, the delay.
const PUNCH_KEYS = { KeyX: 4, KeyC: 1, KeyV: 4, KeyB: 7 };
const REPORT = 100; // ms

/** Keys that are fingers on the overview, with Shift on its lower row. Returns a function for events of keys, which says
 * whether the key is one of them. */
export function makePunchKeys(send) {
	const held = new Map(); // by code: its touch and place
	let reporting = null;

	const say = (phase, { touch, x, y }) => send(phase, touch, { x, y, ms: Math.round(10 * performance.now()) / 10 });

	function press(code, row) {
		const zone = Object.keys(PUNCH_KEYS).indexOf(code);
		const [cell, y] = [PUNCH_KEYS[code], row + 0.5];
		const x = STEPS.first + zone * (STEPS.perBar + 1) + cell + 0.5;
		const place = { touch: -1 - zone, x, y };
		held.set(code, place);
		// It moves to its cell, and so holds at once.
		say("down", { ...place, x: x + (cell < 4 ? 3 : -3) });
		say("move", place);
		reporting ??= setInterval(() => held.forEach((each) => say("move", each)), REPORT);
	}

	function release(code) {
		if (!held.has(code)) return;
		say("up", held.get(code));
		held.delete(code);
		if (!held.size) reporting = void clearInterval(reporting) ?? null;
	}

	whenLeft(() => [...held.keys()].forEach(release));
	return ({ type, code, repeat, shiftKey, ctrlKey, metaKey, altKey }) => {
		if (!(code in PUNCH_KEYS)) return false;
		if (type === "keyup") release(code);
		if (ctrlKey || metaKey || altKey || !letterKeys.on) return false;
		if (type === "keydown" && !repeat && !held.has(code)) press(code, shiftKey ? OVERVIEW.bottom : OVERVIEW.top);
		return true;
	};
}

// Fingers on the grid, each of which is a touch; and the pointer over it, whose cell is named, and drops of patterns.

import { nameOfCell, sceneOfCell } from "./cells.js";
import { byID, element, listen, place, rectangleOf, refuse, setText, whenLeft } from "./dom.js";
import { importFile, loadPattern, PATTERN } from "./library.js";
import { STEPS, TRACKS } from "./places.js";

const REPORT = 100; // ms

/**
 * `placeOf(event, region)` returns a place in cells with its region, null outside the grid. `changed(count)` is called
 * with the number of fingers, `shown(pointer, event)` with each one's position, and null when it is lifted. Returns a
 * function that cancels all touches. */
export function listenToFingers(surface, { placeOf, send, changed, shown = () => {} }) {
	const touches = new Map(); // by pointer: the touch's id, its last place and when it was sent
	let lastTouch = 0;
	let reporting = null;
	let latest = 0;

	/** Never earlier than the last time that was sent. */
	const timeOf = (moment) => (latest = Math.max(latest, Math.round(10 * moment) / 10));

	function say(phase, last, moment) {
		last.sent = timeOf(moment);
		send(phase, last.touch, phase === "cancel" ? { ms: last.sent } : { x: last.x, y: last.y, ms: last.sent });
	}

	function counted() {
		changed(touches.size);
		if (touches.size && !reporting) reporting = setInterval(report, REPORT / 2);
		if (touches.size) return;
		clearInterval(reporting);
		reporting = null;
	}

	function report() {
		const now = performance.now();
		for (const last of touches.values()) if (now - last.sent >= REPORT - 1) say("move", last, now);
	}

	function down(event) {
		const place = placeOf(event);
		if (!place || event.button !== 0) return;
		document.activeElement?.blur(); // Gives the keys back to the instrument.
		surface.setPointerCapture(event.pointerId);
		const last = { touch: ++lastTouch, ...place };
		touches.set(event.pointerId, last);
		counted();
		shown(event.pointerId, event);
		say("down", last, event.timeStamp);
	}

	function move(event) {
		const last = touches.get(event.pointerId);
		if (!last) return;
		shown(event.pointerId, event);
		const positions = event.getCoalescedEvents?.() ?? [];
		for (const position of positions.length ? positions : [event]) {
			const place = placeOf(position, last.region ?? true);
			if (place.x === last.x && place.y === last.y) continue;
			Object.assign(last, place);
			say("move", last, position.timeStamp ?? event.timeStamp);
		}
	}

	function end(phase, pointer, moment, place) {
		const last = touches.get(pointer);
		if (!last) return;
		touches.delete(pointer);
		counted();
		shown(pointer, null);
		say(phase, Object.assign(last, place), moment);
	}

	function up(event) {
		const last = touches.get(event.pointerId);
		if (last) end("up", event.pointerId, event.timeStamp, placeOf(event, last.region ?? true));
	}

	const cancel = ({ pointerId, timeStamp }) => end("cancel", pointerId, timeStamp);
	const cancelAll = () => [...touches.keys()].forEach((pointer) => end("cancel", pointer, performance.now()));

	surface.addEventListener("pointerdown", down);
	surface.addEventListener("pointermove", move);
	surface.addEventListener("pointerup", up);
	listen(surface, "pointercancel lostpointercapture", cancel);
	// Menus, focus, Safari's loupe, its double-tap zoom and swipes from the edge; pointer events still arrive.
	refuse(surface, "contextmenu mousedown touchstart");
	whenLeft(cancelAll);
	return cancelAll;
}

const rings = new Map();

export function showRing(pointer, event) {
	if (!event) {
		rings.get(pointer)?.remove();
		rings.delete(pointer);
		return;
	}
	if (!rings.has(pointer)) rings.set(pointer, byID("rings").appendChild(element("div.ring")));
	rings.get(pointer).style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
}

/** The first shown step of the lowest note of the melody, or of the track that fills the display, in CSS pixels. */
export function cellToTap(grid, focus) {
	if (byID("stage").hidden) return null;
	const { track, half } = focus.shown;
	const { top, height } = TRACKS[byID("tracks").hidden ? 0 : track];
	const box = grid.rectangleOf(STEPS.first + (half && !byID("tracks").hidden ? 18 : 0), top + height - 1);
	return box && Object.fromEntries([["left", box.left], ["top", box.top], ["right", box.left + box.width],
		["bottom", box.top + box.height]].map(([side, value]) => [side, value / devicePixelRatio]));
}

export function listenToPointer({ grid, picture, state, connection, named, limits, api }) {
	const stage = byID("stage");

	function cellAt(event) {
		const place = grid.placeOf(event);
		return place && [Math.floor(place.x), Math.floor(place.y)];
	}

	stage.addEventListener("pointermove", (event) => {
		if (event.pointerType === "touch") return;
		const [column, row] = cellAt(event) ?? [];
		named(row === undefined ? "" : nameOfCell(column, row, picture.labels[row * picture.cols + column],
			state.value?.lenses, state.value));
	});
	stage.addEventListener("pointerleave", () => named(""));

	function padAt(event) {
		if (!api()?.has("scene.launch")) return null;
		const { dataset: { scene } = {} } = event.target.closest("[data-scene]") ?? {};
		if (scene) return { scene: Number(scene), rectangle: rectangleOf(event.target) };
		const at = event.target.closest("#stage") && cellAt(event);
		const sceneThere = at && sceneOfCell(...at);
		return sceneThere ? { scene: sceneThere, rectangle: grid.rectangleOf(...at) } : null;
	}
	listenToDrops({
		padAt,
		dropFile: (file) => limits() && importFile(file, connection, limits()),
		dropPattern: (name, scene) => loadPattern(name, scene, connection),
		named,
	});
}

const STALE = 300; // ms without an event, after which the drag has left the window

/**
 * `padAt(event)` returns the `scene` and the `rectangle`, in device pixels, of the pad under a pointer, if there
 * is one. A drop calls `dropFile(file)` or `dropPattern(name, scene)`; `named` is called with the target in words. */
function listenToDrops({ padAt, dropFile, dropPattern, named }) {
	const landing = byID("landing");
	let leaving;

	const isPattern = ({ dataTransfer }) => dataTransfer?.types.includes(PATTERN);
	const padUnder = (event) => (isPattern(event) ? padAt(event) : null);

	function show(pad) {
		clearTimeout(leaving);
		leaving = setTimeout(hide, STALE);
		landing.hidden = false;
		landing.classList.toggle("on-pad", Boolean(pad));
		if (pad) place(landing, pad.rectangle);
		else landing.removeAttribute("style");
		setText(landing, pad ? "" : "Drop a pattern here to replace what is playing");
		named(pad ? `Into scene ${pad.scene}` : "");
	}

	function hide() {
		clearTimeout(leaving);
		if (!landing.hidden) named("");
		landing.hidden = true;
	}

	addEventListener("dragover", (event) => {
		const pad = padUnder(event);
		// A pattern that is dragged back over the sheet has no target.
		if (isPattern(event) && !pad && event.target.closest("#sheet")) return hide();
		event.preventDefault();
		show(pad);
	});
	addEventListener("drop", (event) => {
		event.preventDefault();
		hide();
		if (isPattern(event)) dropPattern(event.dataTransfer.getData(PATTERN), padAt(event)?.scene);
		else dropFile(event.dataTransfer.files[0]);
	});
	addEventListener("dragend", hide);
}

// What fills the display: the views, one track in place of the whole grid, and how all parts are arranged.

import { recall, remember } from "./connection.js";
import { titled } from "./controls.js";
import { button, byID, element, icon, place, relabel } from "./dom.js";
import { makeDrums } from "./drums.js";
import { arrange, placeFocus } from "./grid.js";
import { makeTrackTabs, TRACK_NAMES } from "./guide.js";
import { makeKeys } from "./keys.js";

const SMALL = 24; // CSS pixels of a cell, below which a track may fill the display
const REST = 1000; // ms after the last finger, before the half follows the music
const FLICK = 40; // CSS pixels
const HALF = 16; // steps

export function makeFocus(stepFeed, closeLens, changed) {
	let track = recall("focus.track", 0);
	let half = 0;
	let settings = { length: HALF };
	let lastFinger = -REST;
	const down = { pointers: 0, cursor: 0 };
	let stop = null;

	const tabs = makeTrackTabs((index) => choose(index), closeLens);
	const before = button("icon-button", "Steps 1 to 16", () => show(track, 0), icon("before"));
	const after = button("icon-button", "Steps 17 to 32", () => show(track, 1), icon("after"));
	const lock = button("icon-button", "Follow the playing step", toggleLock, icon("follow"));
	byID("tracks").append(before, ...tabs.elements, after, lock);

	/** Shows a half of a track, the first if its slot has no other; the length lens uses all steps. */
	function show(newTrack, newHalf) {
		const shown = [track, half].join();
		track = newTrack;
		const name = TRACK_NAMES[track];
		const { playing, slots } = settings.slots?.[name] ?? {};
		const length = settings.lenses?.[name] === "length" ? 2 * HALF : slots?.[playing]?.length ?? settings.length;
		half = length > HALF ? newHalf : 0;
		tabs.show(track, settings.lenses);
		before.hidden = after.hidden = lock.hidden = length <= HALF;
		before.disabled = half === 0;
		after.disabled = half === 1;
		lock.setAttribute("aria-pressed", Boolean(stop));
		if ([track, half].join() !== shown) changed();
	}

	function choose(index) {
		show(Math.min(Math.max(index, 0), TRACK_NAMES.length - 1), half);
		remember("focus.track", track);
	}

	function follow({ step, tracks }) {
		if (down.pointers || down.cursor || performance.now() - lastFinger < REST) return;
		show(track, (tracks?.[TRACK_NAMES[track]] ?? step) < HALF ? 0 : 1);
	}

	function toggleLock() {
		stop = stop ? void stop() ?? null : stepFeed.listen(follow);
		show(track, half);
	}

	let start = null;
	byID("tracks").addEventListener("pointerdown", (event) => (start = event));
	addEventListener("pointerup", (event) => {
		if (event.pointerId !== start?.pointerId) return;
		const [dx, dy] = [event.clientX - start.clientX, event.clientY - start.clientY];
		const along = byID("tracks").classList.contains("upright") ? dy : dx;
		start = null;
		if (Math.abs(along) > FLICK) choose(track + (along < 0 ? 1 : -1));
	});
	show(track, 0);

	return {
		get shown() {
			return { track, half };
		},

		/** Whether one track fills the display, where the whole grid's cells would be this wide. */
		isOn(cellPixels) {
			const isSmall = cellPixels < SMALL;
			byID("focus").hidden = !isSmall;
			// A phone's first visit begins with it.
			const isOn = isSmall && recall("focus", Math.min(innerWidth, innerHeight) < 600);
			relabel(byID("focus"), isOn ? "The whole grid" : "One track, larger", isOn);
			return isOn;
		},

		toggle() {
			remember("focus", !this.isOn(0));
			changed();
		},

		touched(count, by = "pointers") {
			down[by] = count;
			lastFinger = performance.now();
		},

		showState(state) {
			settings = state;
			show(track, half);
		},
	};
}

const NAMES = ["grid", "keys", "drums"];
const FIRST_TRACK = { keys: 0, drums: 3 };

export function makeViews({ keys, closeLens, record, catchKeys, changed }) {
	const view = byID("view");
	let context = null; // once the daemon is known
	let wanted = recall("view", "grid");
	let open = null; // the view that is built
	let openName = "grid";
	let ending;

	const buttons = NAMES.map((name) => element("button.view-tab", { onclick: () => choose(name) },
		titled(name)));
	byID("views").append(...buttons);

	const isThere = (name) => name === "grid" || Boolean(context) && (name !== "keys" || context.api.has("keys.press"));
	const trackOf = (name) => recall(`${name}.track`, FIRST_TRACK[name]);
	const tabs = makeTrackTabs((index) => {
		remember(`${openName}.track`, index);
		keys.releaseAll();
		show();
	}, closeLens);

	function close() {
		open?.close();
		ending?.();
		[open, ending] = [null, null];
		view.replaceChildren();
	}

	function build() {
		close();
		openName = isThere(wanted) ? wanted : "grid";
		buttons.forEach((button, index) => {
			button.setAttribute("aria-pressed", NAMES[index] === openName);
			button.hidden = !isThere(NAMES[index]);
		});
		view.hidden = openName === "grid";
		if (openName === "grid") return;
		const name = openName;
		const make = { keys: makeKeys, drums: makeDrums }[name];
		const track = () => TRACK_NAMES[trackOf(name)];
		open = make({ ...context, keys, record, catchKeys, sample: keys.sample, track });
		view.append(element("div.view-head", {},
			element("nav.view-tracks", { "aria-label": "Track" }, ...tabs.elements), ...open.tools), open.element);
		view.setAttribute("aria-label", titled(name));
		ending = context.state.watch(show);
	}

	function show() {
		if (!open || !context.state.value) return;
		tabs.show(trackOf(openName), context.state.value.lenses);
		open.show(context.state.value);
	}

	function choose(name) {
		wanted = name;
		remember("view", name);
		build();
		changed();
	}

	build();
	return {
		choose,

		get isGrid() {
			return openName === "grid";
		},

		plays: (event) => Boolean(open?.plays(event)),

		arrange(area) {
			if (!open) return;
			place(view, area);
			open.arrange({ width: area.width / devicePixelRatio, height: area.height / devicePixelRatio });
			show();
		},

		join(joined) {
			context = joined;
			build();
			changed();
		},
	};
}

const BAR = 48; // CSS pixels
/** CSS pixels of width below which a bar above the grid has three or two rows, the last for words. */
const NARROW = 700;
const MIDDLE = 1280;
const TIGHT = 900; // below which buttons that settings have too are left out
const SLIM = 130; // CSS pixels of width below which a bar on the left has no room for the tempo's unit
const LOW = 420; // CSS pixels of height below which a bar on the left is scarce of room
const SCOPE = { least: 88, greatest: 160 };

const pixels = (length) => Math.floor(length * devicePixelRatio);
const rowsOf = (width) => (width < NARROW ? 3 : width < MIDDLE ? 2 : 1);

/** Beside the sheet a tablet's grid has a portrait's room, and is turned as in one: its cells are half as large again. */
const orientation = (sheet) => (innerHeight > innerWidth - sheet.width ? "portrait" : "landscape");
const turnsNow = (sheet) => recall(`turns.${orientation(sheet)}`, orientation(sheet) === "portrait" ? 1 : 0);

function arrangeBar(bar, free) {
	place(byID("bar"), bar);
	const isUpright = bar.height > bar.width;
	const rows = isUpright ? 0 : rowsOf(free);
	const are = {
		upright: isUpright, narrow: rows === 3, middle: rows === 2, tight: rows === 2 && free < TIGHT,
		slim: isUpright && bar.width < pixels(SLIM), low: isUpright && bar.height < pixels(LOW),
	};
	for (const [name, isSo] of Object.entries(are)) byID("bar").classList.toggle(name, isSo);
}

export function makeArrangement({ picture, grid, sheet, scope, focus, views, edges }, { moved, arranged }) {
	let shownView;

	function arrangeTracks(view, isFocused) {
		byID("tracks").hidden = !isFocused;
		if (!isFocused) return;
		place(byID("tracks"), view.tabs);
		byID("tracks").classList.toggle("upright", view.tabs.height > view.tabs.width);
	}

	function arrangeAll() {
		const { left, top, width, height } = byID("app").getBoundingClientRect();
		const free = width - sheet.width;
		const display = { left: pixels(left), top: pixels(top), width: pixels(free), height: pixels(height) };
		const turns = turnsNow(sheet);
		const places = arrange(display, { cols: picture.cols, rows: picture.rows, turns }, {
			bar: pixels(BAR), barAbove: pixels(BAR * rowsOf(free)), barBeside: pixels(2 * BAR), scale: devicePixelRatio,
			scope: scope.isOpen ? { least: pixels(SCOPE.least), greatest: pixels(SCOPE.greatest) } : null,
		});
		arrangeBar(places.bar, free);
		const isFocused = focus.isOn(places.grid.pitch / devicePixelRatio) && views.isGrid;
		const view = isFocused ? placeFocus(places.area, { turns, ...focus.shown }, devicePixelRatio) : places.grid;
		// The cell under a finger would change.
		const now = JSON.stringify([view, views.isGrid]);
		if (shownView !== now) moved();
		shownView = now;
		grid.moveTo(view);
		for (const id of ["stage", "edges"]) byID(id).hidden = !views.isGrid;
		if (views.isGrid) edges.arrange(view);
		else byID("focus").hidden = true;
		arrangeTracks(view, isFocused);
		views.arrange(places.area);
		if (places.scope) {
			place(byID("scope"), places.scope);
			scope.resize(places.scope);
		}
		arranged();
	}

	return {
		arrangeAll,

		turn() {
			remember(`turns.${orientation(sheet)}`, (turnsNow(sheet) + 1) % 4);
			arrangeAll();
		},
	};
}

// The sheet beside the grid: sections behind tabs, each only if the daemon supports it; and the page's own settings,
// haptics, full screen, and a display that stays awake.

import { recall, remember } from "./connection.js";
import { makeSwitch } from "./controls.js";
import { afterTyping, byID, element, icon } from "./dom.js";
import { letterKeys } from "./keyboard.js";
import { buildLibrary } from "./library.js";
import { buildMixer, buildScenes } from "./mixer.js";
import { buildParameters, parametersBySection } from "./parameters.js";
import { buildTakes } from "./takes.js";

// What another device can open, from the gateway; undefined if none can.
let shared;

/** The first address is the most likely; `code` is its QR code, row by row, with 1 for dark modules. */
export function noteAddresses({ addresses: [address], code }) {
	shared = { address, code };
}

function buildPageSettings({ welcome, names }) {
	return element("div.fields", {},
		names && makeBoundSwitch("Names on notes", names),
		haptics.available && makeBoundSwitch("Vibrate", haptics),
		makeBoundSwitch("Single-letter keys (R, F, N, 1 to 8)", letterKeys),
		element("div.line", {}, ...["turn", "toggle-scope", "full-screen"].map(makeTwin)),
		element("h3", {}, "On another device"),
		shared
			? element("div.address", {}, drawCode(shared.code),
				element("p.hint", {}, shared.address))
			: element("p.hint", {},
				"Only this machine can open this address. For tablets in the room, start pixelboop-web --lan."),
		element("p.hint", {}, `${welcome.server} ${welcome.version}`));
}

function makeTwin(id) {
	const twin = byID(id);
	const onclick = () => twin.click();
	return !twin.hidden && element("button.secondary", { onclick }, twin.title.replace(/ \(.*/, ""));
}

function makeBoundSwitch(label, setting) {
	const control = makeSwitch(label, (on) => control.update((setting.on = on)));
	control.update(setting.on);
	return control.element;
}

function drawCode(rows) {
	const margin = 4; // modules, as the standard requires
	const size = rows.length + 2 * margin;
	const canvas = element("canvas", { width: size, height: size, role: "img", "aria-label": "QR code of this address" });
	const context = canvas.getContext("2d");
	context.fillStyle = "#fff";
	context.fillRect(0, 0, size, size);
	context.fillStyle = "#000";
	rows.forEach((row, y) => [...row].forEach((module, x) => module > 0 && context.fillRect(x + margin, y + margin, 1, 1)));
	return canvas;
}

/** Names on notes: as chosen, by default with the safe colours, which do not distinguish all notes. */
export function makeNames(picture, state, draw) {
	return {
		get on() {
			return recall("names") ?? state.value?.colors === "safe";
		},

		set on(on) {
			remember("names", on);
			this.show();
		},

		show() {
			if (picture.showsNames === this.on) return;
			picture.showsNames = this.on;
			draw();
		},
	};
}

const PATTERNS = { light: 8, medium: 15, heavy: 30, rigid: [10, 20, 10] };

export const haptics = {
	available: "vibrate" in navigator,

	get on() {
		return recall("haptics", true);
	},

	set on(on) {
		remember("haptics", on);
	},

	play({ style }) {
		// Browsers allow vibration only after a first tap.
		if (this.available && this.on && navigator.userActivation?.hasBeenActive) navigator.vibrate(PATTERNS[style]);
	},
};

export const fullScreen = {
	available: document.fullscreenEnabled,

	toggle() {
		if (document.fullscreenElement) document.exitFullscreen();
		else if (fullScreen.available) document.documentElement.requestFullscreen();
	},
};

let isAwakeWanted = false;
let lock = null;

/** Browsers keep the display awake on HTTPS and localhost only. */
export function keepAwake(wanted) {
	if (wanted === isAwakeWanted) return;
	isAwakeWanted = wanted;
	updateLock();
}

function updateLock() {
	lock?.then((held) => held?.release());
	// Refused on a low battery: then the display may sleep.
	lock = isAwakeWanted ? navigator.wakeLock?.request("screen").catch(() => null) : null;
}

// The lock is released while the page is hidden.
document.addEventListener("visibilitychange", () => document.hidden || updateLock());

const SWIPE = 70; // CSS pixels towards the edge that it came from

function sectionsFor(context) {
	const { Mixer, Settings, ...others } = parametersBySection(context.api);
	const { Scenes = [] } = others;
	const both = (first, second) => ({
		element: element("div", {}, first.element, second.element),
		close: () => [first, second].forEach(({ close }) => close?.()),
	});
	const built = {
		...(context.api.has("library.list") && {
			Library: () => (context.api.has("take.list") ? buildParts : buildLibrary)(context),
		}),
		...(context.api.has("scene.copy") && {
			Scenes: () => both(buildScenes(context), buildParameters(Scenes, context)),
		}),
		...(Mixer.length && { Mixer: () => buildMixer(Mixer, context) }),
	};
	return {
		...built,
		...Object.fromEntries(Object.entries(others).filter(([title, parameters]) => parameters.length && !built[title])
			.map(([title, parameters]) => [title, () => buildParameters(parameters, context)])),
		Settings: () => both(buildParameters(Settings, context), { element: buildPageSettings(context) }),
	};
}

/** Patterns or takes, as when the library was last open. */
function buildParts(context) {
	const parts = { Patterns: buildLibrary, Takes: buildTakes };
	const place = element("div");
	const tabs = Object.keys(parts).map((title) => element("button", { onclick: () => choose(title) }, title));
	let part;
	function choose(chosen) {
		part?.close();
		part = parts[chosen](context);
		place.replaceChildren(part.element);
		tabs.forEach((tab) => tab.setAttribute("aria-pressed", tab.textContent === chosen));
		remember("library", chosen);
	}
	choose(recall("library", "Patterns"));
	return {
		element: element("div.fields", {},
			element("div.choices", { role: "group", "aria-label": "Library of" }, ...tabs), place),
		close: () => part.close(),
	};
}

/** `changed` is called when it opens or closes. Returns `join`, to be called after each connection. */
export function makeSheet(changed) {
	const [sheet, tabs, content, opener] = ["sheet", "tabs", "section", "open-sheet"].map(byID);
	let sections = {};
	let chosen = "Library";
	let learning = null;
	let closeSection;

	function close() {
		learning?.cancelAll();
		closeSection?.();
		closeSection = null;
	}

	function show() {
		close();
		tabs.replaceChildren(...Object.keys(sections).map(makeTab));
		const built = sections[chosen]();
		closeSection = built.close;
		content.replaceChildren(built.element);
		content.setAttribute("aria-label", chosen);
		content.scrollTop = 0;
		byID("learn").hidden = !learning || !content.querySelector(".lesson");
		if (sheet.classList.contains("learning")) learning?.refresh();
		changed();
	}

	function makeTab(title) {
		const isChosen = title === chosen;
		return element("button", { role: "tab", "aria-selected": isChosen, "aria-controls": "section",
			tabIndex: isChosen ? 0 : -1, onclick: () => choose(title), ondragenter: () => isChosen || choose(title) },
		icon(title.toLowerCase()), title);
	}

	function choose(title) {
		chosen = title;
		show();
		tabs.querySelector("[aria-selected=true]").focus({ preventScroll: true });
	}

	function toggle() {
		sheet.hidden = !sheet.hidden;
		opener.setAttribute("aria-expanded", !sheet.hidden);
		if (!sheet.hidden) return choose(chosen);
		close();
		opener.focus({ preventScroll: true });
		changed();
	}

	byID("learn").onclick = ({ currentTarget }) => {
		currentTarget.setAttribute("aria-pressed", sheet.classList.toggle("learning"));
		learning?.cancelAll();
		learning?.refresh();
	};
	opener.onclick = byID("close-sheet").onclick = toggle;
	document.addEventListener("keydown", ({ key }) => key === "Escape" && !sheet.hidden && !byID("help").open && toggle());
	tabs.addEventListener("keydown", ({ key }) => {
		const titles = Object.keys(sections);
		const title = titles[titles.indexOf(chosen) + { ArrowLeft: -1, ArrowRight: 1 }[key]];
		if (title) choose(title);
	});

	// A swipe towards its edge closes it: to the right, or down from its head where it opens from below.
	let start = null;
	sheet.addEventListener("pointerdown", (event) => {
		start = event.pointerType === "mouse" || event.target.closest(".slide, input") ? null : event;
	});
	addEventListener("pointerup", swiped);
	addEventListener("pointercancel", () => (start = null));
	function swiped({ pointerId, clientX, clientY }) {
		if (pointerId !== start?.pointerId) return;
		const [across, down] = [clientX - start.clientX, clientY - start.clientY];
		const { left, top } = sheet.getBoundingClientRect();
		const isFromHead = start.target.closest(".sheet-head");
		start = null;
		if (across > SWIPE && across > 2 * Math.abs(down) || left === 0 && top > 0 && isFromHead && down > SWIPE) toggle();
	}

	return {
		get width() {
			return sheet.hidden || innerWidth < 900 ? 0 : sheet.offsetWidth;
		},

		join(context) {
			sections = sectionsFor(context);
			learning = context.learning;
			if (!sections[chosen]) chosen = "Settings";
			opener.disabled = false;
			afterTyping(sheet, () => sheet.hidden || show());
		},
	};
}

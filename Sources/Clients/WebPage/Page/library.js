// The daemon's library of patterns, and files of this device.

import {
	afterTyping, announce, button, confirm, download, element, icon, notice, resultOf, reveal, succeeds,
} from "./dom.js";
import { makeExportChoice } from "./exports.js";

export const PATTERN = "application/x-pixelboop-pattern"; // dragged
const SECOND_TAP = 3000; // ms
const UNDO_TIME = 10_000; // ms until a pattern is deleted
const deletions = makeDeletions();

export function buildLibrary(context) {
	const { connection, api, state, libraryFeed } = context;
	const list = element("ul.library", { "aria-label": "Patterns" });
	let patterns = [];
	const show = () => list.replaceChildren(...patterns.map((pattern) =>
		(deletions.has(pattern.name) ? makeDeletedRow(pattern.name, files.keep) : makeRow(pattern, files))));
	const files = {
		names: [],

		async refresh() {
			// Not a user's action, so it must not hide an error.
			patterns = (await connection.call("library.list").catch(({ message }) => notice(message))) ?? patterns;
			files.names = patterns.map(({ name }) => name.normalize());
			afterTyping(list, show);
			suggest(state.value);
		},

		async change(method, params, done) {
			if (!(await succeeds(connection.call(`library.${method}`, params)))) return false;
			confirm(done);
			files.refresh();
			return true;
		},

		load: (name, scene) => loadPattern(name, scene, connection),

		delete(name) {
			deletions.begin(name, name, () => files.change("delete", { name }, `Deleted ${name}`));
			show();
		},

		keep(name) {
			deletions.keep(name);
			show();
		},

		get filledScenes() {
			return new Set(Object.values(state.value.slots ?? {}).flatMap(({ filled }) => filled));
		},

		async loadNext(name) {
			const scene = freeScene(state.value);
			if (!scene) return notice("No scene is empty: load it into one that you choose");
			if (!(await succeeds(connection.call("library.load", { name, scene })))) return;
			if (await succeeds(connection.call("scene.launch", { scene }))) confirm(`${name} plays next, as scene ${scene}`);
		},

		hasScenes: api.has("scene.launch"),
	};
	const { form, input, submit } = makeNameForm("Save as", "Save", save);

	/** An existing pattern is replaced only on a second tap. The daemon takes all spellings of a name for one. */
	function save(name) {
		if (!name.trim()) return;
		if (!files.names.includes(name.normalize()) || submit.isArmed) {
			submit.arm(false);
			return files.change("save", { name }, `Saved ${name}`);
		}
		submit.arm(true);
		announce(`${name} already exists: tap again to replace it`);
	}

	function suggest(value) {
		if (document.activeElement === input || input.value && input.value !== input.suggested) return;
		input.suggested = value.pattern.name || firstFree(files.names);
		input.value = input.suggested;
		submit.allow();
	}

	files.refresh();
	const endings = [
		state.watch(({ pattern }) => {
			if (pattern.name !== input.known && document.activeElement !== input) input.value = input.known = pattern.name;
			submit.allow();
			suggest(state.value);
		}),
		libraryFeed?.listen(() => files.refresh()),
	];
	return {
		element: element("div.fields", {}, form, makeFileButtons(context), list,
			element("p.hint", {}, "Nothing is saved yet: give the pattern a name and save it.")),
		close: () => endings.forEach((end) => end?.()),
	};
}

/** What is deleted after some seconds unless it is kept. This goes on while the sheet is closed, but not the page. */
export function makeDeletions() {
	const timers = new Map();
	return {
		has: (key) => timers.has(key),

		begin(key, name, act) {
			timers.set(key, setTimeout(() => {
				timers.delete(key);
				act();
			}, UNDO_TIME));
			announce(`Deleted ${name}; you can undo this for 10 seconds`);
		},

		keep(key) {
			clearTimeout(timers.get(key));
			timers.delete(key);
		},
	};
}

export async function loadPattern(name, scene, connection) {
	if (!(await succeeds(connection.call("library.load", { name, ...(scene && { scene }) })))) return;
	confirm(scene ? `Loaded ${name} into scene ${scene}` : `Loaded ${name}`);
}

function firstFree(names) {
	let number = 1;
	while (names.includes(`Pattern ${number}`)) number++;
	return `Pattern ${number}`;
}

function freeScene({ slots = {} }) {
	const taken = new Set(Object.values(slots).flatMap(({ playing, filled }) => [playing, ...filled]));
	return [1, 2, 3, 4, 5, 6, 7, 8].find((scene) => !taken.has(scene));
}

function makeNameForm(label, action, use) {
	const input = element("input",
		{ type: "text", maxLength: 64, placeholder: "Name", "aria-label": label, autocomplete: "off" });
	const submit = element("button.primary", {}, action);
	const form = element("form.line", {}, input, submit);
	let disarming;
	submit.arm = (isArmed) => {
		clearTimeout(disarming);
		submit.isArmed = isArmed;
		submit.classList.toggle("armed", isArmed);
		submit.textContent = isArmed ? "Replace?" : action;
		if (isArmed) disarming = setTimeout(submit.arm, SECOND_TAP, false);
	};
	submit.allow = () => (submit.disabled = !input.value.trim());
	input.addEventListener("input", () => {
		submit.arm(false);
		submit.allow();
	});
	form.onsubmit = (event) => {
		event.preventDefault();
		use(input.value);
	};
	return { form, input, submit };
}

function makeRow({ name, bpm, scale, length, modified }, files) {
	const date = new Date(modified).toLocaleDateString(undefined, { day: "numeric", month: "short" });
	const row = element("li");
	const load = button("load", `Load ${name}`, () => files.load(name), element("strong", {}, name),
		element("small", {}, `${bpm} BPM · ${scale} · ${length} steps · ${date}`));
	load.draggable = true;
	load.ondragstart = ({ dataTransfer }) => {
		dataTransfer.setData(PATTERN, name);
		dataTransfer.effectAllowed = "copy";
	};
	row.append(...[load,
		files.hasScenes && button("icon-button", `Load ${name} into a scene`, () => chooseScene(row, name, files), icon("into")),
		button("icon-button", `Rename ${name}`, () => beginRename(row, name, files), icon("rename")),
		makeDelete(name, files)].filter(Boolean));
	return row;
}

function chooseScene(row, name, files) {
	if (row.querySelector(".scene-choice")) return files.refresh();
	const act = (load) => () => load().then(files.refresh);
	const pads = [1, 2, 3, 4, 5, 6, 7, 8].map((scene) => {
		const isFilled = files.filledScenes.has(scene);
		return button(isFilled ? "secondary into-filled" : "secondary into-empty",
			`Into scene ${scene}${isFilled ? ", which has notes" : ""}`, act(() => files.load(name, scene)),
			isFilled ? `${scene} ■` : String(scene));
	});
	row.append(element("div.scene-choice", {},
		element("button.secondary", { onclick: act(() => files.loadNext(name)) }, "At the next loop"),
		element("span.label", {}, "Into scene"), ...pads));
}

function beginRename(row, name, files) {
	const leave = () => form.querySelector(":focus")?.blur();
	const { form, input } = makeNameForm(`New name of ${name}`, "Rename", async (to) => {
		if (await files.change("rename", { name, to }, `Renamed to ${to}`)) leave();
	});
	input.value = name;
	form.onkeydown = (event) => {
		if (event.key !== "Escape") return;
		event.stopPropagation();
		leave();
		files.refresh();
	};
	row.replaceChildren(form);
	input.focus();
	input.select();
}

const makeDelete = (name, files) => button("icon-button", `Delete ${name}`, () => files.delete(name), icon("delete"));

export function makeDeletedRow(name, keep) {
	const undo = element("button.secondary undo-delete", { "aria-label": `Undo deleting ${name}`,
		onclick: () => keep(name) }, "Undo");
	const words = [element("strong", {}, name), element("small", {}, "Deleted")];
	return element("li", {}, element("span.load deleted", {}, ...words), undo);
}

function makeFileButtons(context) {
	const { connection, api, state, limits } = context;
	const chooser = element("input", { type: "file", accept: ".json,application/json", hidden: true });
	chooser.onchange = () => {
		importFile(chooser.files[0], connection, limits);
		chooser.value = ""; // So that the same file can be chosen again.
	};
	const title = () => state.value.pattern.name || "pixelboop";
	const make = (name, text, label, act) => button("secondary", label, act, icon(name), text);
	const asks = (kind) => make("download", kind, `Export as ${kind}`, () => {
		const open = line.querySelector(".scene-choice");
		open?.remove();
		if (open?.kind === kind) return;
		line.append(Object.assign(makeExportChoice(context, kind, title()), { kind }));
		reveal(line.lastChild);
	});
	const fresh = button("secondary", "Start a new pattern", async () => {
		const isSure = fresh.classList.contains("armed");
		arm(!isSure);
		if (!isSure) setTimeout(arm, SECOND_TAP, false);
		announce(isSure ? "A new pattern" : "Tap again to start a new pattern");
		if (isSure) await succeeds(connection.call("pattern.new"));
	}, "New");
	function arm(isArmed) {
		fresh.classList.toggle("armed", isArmed);
		fresh.textContent = isArmed ? "New?" : "New";
	}
	const line = element("div.line", {}, chooser,
		api.has("pattern.new") && fresh,
		make("import", "Import", "Import a pattern file", () => chooser.click()),
		make("download", "JSON", "Download as JSON", async () => {
			const pattern = await resultOf(connection.call("pattern.get"));
			if (pattern) download(`${title()}.json`, "application/json", fileOf(pattern, limits));
		}),
		api.has("export.midi") && asks("MIDI"), ...(api.has("take.data") ? ["WAV", "Stems"].map(asks) : []));
	return line;
}

const fits = (text, limits) => text.length <= limits.line - 1000;

/** Indented for reading, unless that would be too large to import. */
export function fileOf(pattern, limits) {
	const indented = JSON.stringify(pattern, null, 2);
	return fits(indented, limits) ? indented : JSON.stringify(pattern);
}

const KINDS = { MThd: "a MIDI file", RIFF: "a sound file", fLaC: "a sound file", OggS: "a sound file" };

export async function importFile(file, connection, limits) {
	if (!file) return;
	const tooLarge = `The pattern is too large: at most ${limits.line} bytes`;
	const start = await resultOf(file.slice(0, 4).text());
	if (start === undefined) return;
	if (KINDS[start]) return notice(`${file.name}: this is ${KINDS[start]}; patterns end in .json`);
	if (file.size > limits.line) return notice(tooLarge); // Reading it could exhaust the memory.
	let pattern;
	try {
		pattern = JSON.parse(await file.text());
	} catch {
		return notice(`${file.name}: this is not a pattern (it is not JSON); patterns end in .json`);
	}
	if (!fits(JSON.stringify(pattern), limits)) return notice(tooLarge);
	if (await succeeds(connection.call("pattern.set", { pattern }))) confirm(`Imported ${file.name}`);
}

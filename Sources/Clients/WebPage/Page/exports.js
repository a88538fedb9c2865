// Exports, and what the daemon renders in the background: its progress, its files, and how they are saved.

import { download, element, notice, resultOf } from "./dom.js";
import { bytesOf } from "./playback.js";

const RENDERING = 0.7; // the share of the progress; the rest is fetching

/** One render at a time: another one, or `cancel`, ends it. `feed` is the topic `take`. */
export function makeRenders(connection, feed) {
	let job = null;

	connection.on("status", ({ phase }) => /lost|joined/.test(phase) && job?.end?.(new Error("The connection was lost")));

	function cancel() {
		if (!job) return;
		const { end } = job;
		job = null;
		connection.notify("take.cancel");
		end?.(new Error("Cancelled"));
	}

	/**
	 * What `done` reports, with `files` as pairs of a name and its bytes in pieces, or `only` one of them; null if it was
	 * cancelled. `tell` is called with the share that is done. */
	async function render(method, params, tell, only) {
		cancel();
		const early = []; // an event may overtake the answer
		const own = (job = { hear: (event) => early.push(event) });
		const endListening = feed.listen((event) => own.hear(event));
		try {
			const { render } = await connection.call(method, params);
			const sound = await new Promise((resolve, reject) => {
				if (job !== own) return reject();
				own.end = reject;
				own.hear = ({ render: id, progress, error, ...event }) => {
					if (id !== render) return;
					if (error) reject(new Error(error));
					else if (event.done) resolve(event);
					else tell(RENDERING * progress);
				};
				early.forEach(own.hear);
			});
			const files = [];
			const names = only ? [only] : sound.files;
			for (const stem of names) {
				const found = (share) => tell(RENDERING + (1 - RENDERING) * (files.length + share) / names.length);
				files.push([stem, await fetchFile({ render, stem }, () => job === own, found)]);
			}
			return { ...sound, files };
		} catch (error) {
			if (job === own) throw error;
			return null;
		} finally {
			endListening();
			if (job === own) job = null;
		}
	}

	async function fetchFile(file, isWanted, tell) {
		const parts = [];
		for (let offset = 0, isEnd = false; !isEnd;) {
			if (!isWanted()) throw new Error("Cancelled");
			const { data, size, end } = await connection.call("take.data", { ...file, offset });
			parts.push(bytesOf(data));
			offset += parts.at(-1).length;
			isEnd = end;
			tell(offset / size);
		}
		return parts;
	}

	return { render, cancel };
}

/** How far a render has come, by `tell`, with a button that cancels it. */
export function makeRenderLine(what, renders) {
	const bar = element("progress", { max: 1, "aria-label": `Rendering ${what}` });
	const tell = (share) => (bar.value = share);
	const cancel = element("button.secondary", { "aria-label": `Cancel rendering ${what}`,
		onclick: renders.cancel }, "Cancel");
	return { element: element("div.rendering", {}, bar, cancel), tell };
}

/** A sound as one file, or all its parts in a ZIP file, with what has to be said about it. */
export function saveSound({ files, drums = [], warning }, name) {
	const endingOf = ([, [start]]) => (start[0] === "f".charCodeAt() ? "flac" : "wav"); // fLaC or RIFF
	if (files.length > 1) {
		const named = files.map((file) => [`${name} ${file[0]}.${endingOf(file)}`, file[1]]);
		download(`${name}.zip`, "application/zip", zipOf(named));
	} else download(`${name}.${endingOf(files[0])}`, `audio/${endingOf(files[0])}`, files[0][1]);
	warnOf({ drums, warning });
}

export function warnOf({ drums = [], warning }) {
	const samples = drums.length && `The samples of ${drums.join(", ")} are missing or have changed`;
	if (samples || warning) notice([samples, warning].filter(Boolean).join(". "));
}

/** Numbers as a ZIP file has them, little-endian; each with its number of bytes. */
const numbers = (...fields) => Uint8Array.from(fields.flatMap(([value, size]) =>
	Array.from({ length: size }, (_, i) => (value / 256 ** i) & 255)));

const CHECKS = Uint32Array.from({ length: 256 }, (_, value) => {
	for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
	return value;
});

function checksumOf(parts) {
	let sum = ~0;
	for (const part of parts) for (const byte of part) sum = CHECKS[(sum ^ byte) & 255] ^ (sum >>> 8);
	return ~sum >>> 0;
}

const sizeOf = (parts) => parts.reduce((sum, { length }) => sum + length, 0);

/** The pieces of a ZIP file, not compressed, of pairs of a name and pieces; under 4 GB. */
export function zipOf(files) {
	const [bodies, entries] = [[], []];
	for (const [name, parts] of files) {
		const [title, size] = [new TextEncoder().encode(name), sizeOf(parts)];
		// Version 2.0, a name in UTF-8, no compression, and the first date that there is.
		const about = numbers([20, 2], [0x800, 2], [0, 4], [0x21, 2], [checksumOf(parts), 4], [size, 4], [size, 4],
			[title.length, 4]);
		entries.push(numbers([0x02014b50, 4], [20, 2]), about, numbers([0, 10], [sizeOf(bodies), 4]), title);
		bodies.push(numbers([0x04034b50, 4]), about, title, ...parts);
	}
	const counts = [files.length, 2];
	return [...bodies, ...entries,
		numbers([0x06054b50, 4], [0, 4], counts, counts, [sizeOf(entries), 4], [sizeOf(bodies), 4], [0, 2])];
}

export function exportsOf({ slots = {}, scenes = {} }, api, method = "export.midi") {
	const tracks = Object.values(slots);
	const has = (name) => api.parameters(method).some((parameter) => parameter.name === name);
	const filled = [1, 2, 3, 4, 5, 6, 7, 8].filter((scene) => tracks.some((track) => track.filled?.includes(scene)));
	const isChained = [scenes, ...tracks].some(({ chain }) => chain?.length);
	const one = filled.map((scene) => ({ text: `Scene ${scene}`, params: { scenes: [scene] }, name: ` scene ${scene}` }));
	return [
		{ text: "What is playing", params: {}, name: "" },
		...(has("scenes") ? one : []),
		has("scenes") && filled.length > 1
			&& { text: `All filled scenes: ${filled.join(", ")}`, params: { scenes: filled }, name: " scenes" },
		has("chain") && isChained && { text: "The chain", params: { chain: true }, name: " chain" },
	].filter(Boolean);
}

export async function saveMIDI(call, name) {
	const { data } = (await resultOf(call)) ?? {};
	if (data) download(`${name}.mid`, "audio/midi", bytesOf(data));
}

/** Asks what is exported as "MIDI", "WAV" or "stems", and downloads it. */
export function makeExportChoice({ connection, api, state, renders }, kind, title) {
	const method = kind === "MIDI" ? "export.midi" : "export.wav";

	/** A mix alone would be FLAC; with stems all are WAV. */
	async function exportSound(params, name) {
		const { element, tell } = makeRenderLine(name, renders);
		choice.replaceChildren(element);
		const only = kind === "WAV" && "mix";
		const sound = await resultOf(renders.render(method, { ...params, stems: true }, tell, only));
		if (sound) saveSound(sound, name);
	}

	const choice = element("div.scene-choice", { role: "group", "aria-label": `What to export as ${kind}` },
		element("span.label", {}, `Export as ${kind}`),
		...exportsOf(state.value, api, method).map(({ text, params, name }) =>
			element("button", { className: params.scenes?.length === 1 ? "secondary" : "secondary wide",
				async onclick() {
					const file = title + name;
					await (kind === "MIDI" ? saveMIDI(connection.call(method, params), file) : exportSound(params, file));
					choice.remove();
				} }, text)));
	return choice;
}

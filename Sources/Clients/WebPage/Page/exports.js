// What is taken home: MIDI files of scenes or the chain, and what this page hears between two taps as a WAV file.

import { byID, confirm, download, element, notice, relabel, resultOf, setText } from "./dom.js";
import { bytesOf } from "./playback.js";

export function exportsOf({ slots = {}, scenes = {} }, api) {
	const tracks = Object.values(slots);
	const has = (name) => api.parameters("export.midi").some((parameter) => parameter.name === name);
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

export function makeExportChoice({ connection, api, state }, title, done) {
	async function save({ params, name }) {
		const { data } = (await resultOf(connection.call("export.midi", params))) ?? {};
		if (!data) return;
		download(`${title}${name}.mid`, "audio/midi", bytesOf(data));
		done();
	}
	return element("div", { className: "scene-choice", role: "group", "aria-label": "What to export as MIDI" },
		element("span", { className: "label" }, "Export as MIDI"),
		...exportsOf(state.value, api).map((choice) =>
			element("button", { className: choice.params.scenes?.length === 1 ? "secondary" : "secondary wide",
				onclick: () => save(choice) }, choice.text)));
}

const LONGEST = 30 * 60; // s; 345 MB at 48 kHz

export function makeRecording() {
	const parts = [];
	let rate, next;
	let frames = 0;
	return {
		take({ frame, rate: newRate, pcm }) {
			rate ??= newRate;
			const count = Math.floor(newRate / 50);
			const gap = next === undefined ? 0 : frame - next;
			if (newRate !== rate || gap < 0 || gap > rate) return false;
			if (gap) parts.push(gap);
			parts.push(pcm ? bytesOf(pcm) : count);
			frames += gap + count;
			next = frame + count;
			return true;
		},

		get seconds() {
			return rate ? frames / rate : 0;
		},

		get file() {
			return frames ? wavOf(parts, rate) : null;
		},
	};
}

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

export function makeTake({ listen, title }) {
	const button = byID("take");
	let recording = null;

	function show() {
		const isOn = Boolean(recording);
		relabel(button, isOn ? "Stop recording, and download it" : "Record the sound", isOn);
		setText(byID("take-time"), isOn ? clock(recording.seconds) : "");
	}

	function end(reason) {
		if (!recording) return;
		const { file, seconds } = recording;
		recording = null;
		show();
		if (!file) return notice("There was no sound to record");
		download(`${title()}.wav`, "audio/wav", file);
		confirm([reason, `Recorded ${clock(seconds)} as ${title()}.wav`].filter(Boolean).join(". "));
	}

	button.onclick = () => {
		if (recording) return end();
		recording = makeRecording();
		show();
		listen();
	};
	show();
	return {
		hear(block) {
			if (!recording) return;
			if (!recording.take(block)) return end("The sound was interrupted");
			if (recording.seconds >= LONGEST) return end("Recordings last 30 minutes at most");
			show();
		},

		end: () => end(),
	};
}

const HEADER = 44; // bytes of a WAV file
const FRAME = 4;

const sizeOf = (part) => (typeof part === "number" ? part * FRAME : part.length);

/** `parts` are samples as bytes, or numbers of silent frames. */
export function wavOf(parts, rate) {
	const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
	const file = new Uint8Array(HEADER + size);
	const view = new DataView(file.buffer);
	const [formatAndChannels, frameAndBits] = [1 | (2 << 16), FRAME | (16 << 16)]; // two numbers in each word
	["RIFF", HEADER - 8 + size, "WAVE", "fmt ", 16, formatAndChannels, rate, rate * FRAME, frameAndBits, "data", size]
		.forEach((word, index) => {
			if (typeof word === "number") view.setUint32(4 * index, word, true);
			else file.set(new TextEncoder().encode(word), 4 * index);
		});
	let at = HEADER;
	for (const part of parts) {
		if (typeof part !== "number") file.set(part, at);
		at += sizeOf(part);
	}
	return file;
}

// Takes: whatever was played, to hear it again and to take it home; and what is played between two taps.

import {
	afterTyping, announce, button, byID, confirm, download, element, icon, notice, relabel, resultOf, reveal, setText,
} from "./dom.js";
import { makeRenderLine, saveMIDI, saveSound, warnOf } from "./exports.js";
import { makeDeletedRow, makeDeletions } from "./library.js";
import { bytesOf } from "./playback.js";

// These go on while the sheet is closed.
const deletions = makeDeletions();
let rendering = null; // the number of the take that is rendered, and the line that shows it
let player = null; // the number of the take that is heard, and its audio element
let show = () => {};

export function buildTakes({ connection, renders, takeFeed }) {
	const list = element("ul.library takes", { "aria-label": "Takes" });
	const hint = element("p.hint", {}, "Loading…");
	let takes = [];
	let opened; // the number of the take whose downloads are shown
	let isOpen = true;

	show = () => {
		const focused = list.contains(document.activeElement) && document.activeElement.title;
		list.replaceChildren(...takes.map(makeRow));
		// The rows are new, but the keyboard stays where it was.
		if (focused) [...list.querySelectorAll("button")].find(({ title }) => title === focused)?.focus();
	};

	async function refresh() {
		const found = await connection.call("take.list")
			.catch(({ message }) => ({ takes, status: "stopped", reason: message }));
		takes = found.takes;
		setText(hint, hintOf(found));
		hint.hidden = !hint.textContent;
		afterTyping(list, show);
	}

	async function render({ number }, params) {
		const { element, tell } = makeRenderLine(`take ${number}`, renders);
		const own = (rendering = { number, element });
		opened = null;
		show();
		reveal(element);
		const sound = await resultOf(renders.render("take.render", { take: number, ...params }, tell));
		if (rendering === own) rendering = null;
		show();
		return sound;
	}

	/** A take that has ended is rendered once; then a tap pauses it, and lets it go on. */
	async function play(take) {
		const { number, current } = take;
		if (player?.number === number && !current) return player.audio.paused ? begin() : player.audio.pause();
		const sound = await render(take);
		if (!sound) return;
		if (player) {
			player.audio.pause();
			URL.revokeObjectURL(player.audio.src);
		}
		const src = URL.createObjectURL(new Blob(sound.files[0][1], { type: "audio/flac" }));
		player = { number, audio: element("audio", { controls: true, src, "aria-label": `Take ${number}` }) };
		show();
		reveal(player.audio);
		warnOf(sound);
		if (isOpen) begin();
		else tellReady();
	}

	const tellReady = () => announce(`Take ${player.number} is ready to play`);
	// Some browsers want a tap for it, after the long wait.
	const begin = () => player.audio.play().catch(tellReady);

	function makeRow(take) {
		const { number, pattern, starred, current } = take;
		const name = `take ${number}`;
		if (deletions.has(number)) return makeDeletedRow(`Take ${number}`, () => {
			deletions.keep(number);
			show();
		});
		const details = detailsOf(take);
		const star = button("icon-button star", "", () =>
			resultOf(connection.call("take.star", { take: number, starred: !starred })), icon("star"));
		relabel(star, `Star ${name}`, starred);
		const remove = button("icon-button", current ? `Delete ${name}: not while it goes on` : `Delete ${name}`, () => {
			deletions.begin(number, name, () => resultOf(connection.call("take.delete", { take: number })).then(() => show()));
			show();
		}, icon("delete"));
		remove.disabled = current;
		return element("li", {},
			button("load", `Play ${[name, pattern, ...details].filter(Boolean).join(", ")}`, () => play(take), icon("play"),
				element("strong", {}, pattern ? `${number} · ${pattern}` : `Take ${number}`),
				element("small", {}, details.join(" · "))),
			star,
			button("icon-button", `Download ${name}`, () => {
				opened = opened === number ? null : number;
				show();
				reveal(list.querySelector(".scene-choice"));
			}, icon("download")), remove,
			opened === number && makeDownloads(take),
			rendering?.number === number && rendering.element,
			player?.number === number && player.audio);
	}

	function makeDownloads(take) {
		const { number, pattern } = take;
		const name = `${pattern || "pixelboop"} take ${number}`;
		async function save(params) {
			const sound = await render(take, params);
			if (sound) saveSound(sound, name);
		}
		const choices = { WAV: { format: "pcm24" }, FLAC: {}, Stems: { stems: true } };
		return element("div.scene-choice", { role: "group", "aria-label": `Download take ${number}` },
			element("span.label", {}, "Download as"),
			...Object.entries(choices).map(([text, params]) =>
				element("button.secondary", { onclick: () => save(params) }, text)),
			element("button.secondary", { onclick: () => saveMIDI(connection.call("take.midi", { take: number }), name) },
				"MIDI"));
	}

	refresh();
	const endListening = takeFeed.listen(({ changed }) => changed && refresh());
	function close() {
		isOpen = false;
		endListening();
		player?.audio.pause();
	}
	return { element: element("div.fields", {}, hint, list), close };
}

export function hintOf({ takes, status, reason }) {
	if (status === "stopped") return `Nothing that is played is kept at the moment: ${reason}`;
	if (status === "off") return "Takes are switched off: nothing that is played is kept.";
	return takes.length ? "" : "Nothing has been played yet. Play: whatever you play is kept here by itself.";
}

/** When it began, in the reader's language and time zone, how long it is, and what is special about it. */
export function detailsOf({ began, seconds, exact, inexactFrom, current }) {
	const when = new Date(began).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
	const doubt = !exact && (inexactFrom ? `not exact from ${clock(inexactFrom)}` : "not exact");
	return [current && "now", when, clock(seconds), doubt].filter(Boolean);
}

const NOTHING = "There was no sound to record";
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

/** "3:02", or "1:03:02". */
export function clock(seconds) {
	const padded = (count) => String(Math.floor(count % 60)).padStart(2, "0");
	const [hours, minutes] = [seconds / 3600, seconds / 60].map(Math.floor);
	return `${hours ? `${hours}:${padded(minutes)}` : minutes}:${padded(seconds)}`;
}

/** What was played between two lists of takes, which are complete up to then: parts of takes in order, with their places in s. */
export function partsOf(first, last) {
	const [{ number: newest, seconds: start } = { number: 0 }] = first;
	return last.map(({ number, seconds: to }) => ({ take: number, from: number === newest ? start : 0, to }))
		.filter(({ take, from, to }) => take >= newest && to > from).reverse();
}

/** `takes` returns their list, `keeps` whether there is one; `listen` turns the loudspeaker on. */
export function makeRecorder({ listen, title, takes, keeps, renders }) {
	const button = byID("take");
	let recording = null; // what is heard here, or the time and the takes when it began
	let share = null; // of the rendering of takes that is done

	function show() {
		const { start, seconds = (performance.now() - start) / 1000 } = recording ?? {};
		const label = recording ? "Stop recording, and download it" : "Record the sound";
		relabel(button, share === null ? label : "Cancel the recording", Boolean(recording));
		setText(byID("take-time"), share !== null ? `${Math.floor(100 * share)} %` : recording ? clock(seconds) : "");
	}

	function showShare(done) {
		share = done;
		show();
	}

	function end(reason) {
		if (!recording?.take) return;
		const { file, seconds } = recording;
		recording = null;
		show();
		if (!file) return notice(NOTHING);
		download(`${title()}.wav`, "audio/wav", file);
		confirm([reason, `Recorded ${clock(seconds)} as ${title()}.wav`].filter(Boolean).join(". "));
	}

	async function renderTakes({ list, timer }) {
		clearInterval(timer);
		recording = null;
		showShare(0);
		const [first, last] = [await list, await resultOf(takes())];
		const unread = [first, last].find((found) => found?.reason && !found.takes.length);
		if (unread) notice(unread.reason);
		const sound = !unread && first && last && await renderParts(partsOf(first.takes, last.takes));
		if (sound === null) notice("The recording is among the takes of the library");
		if (sound?.files.length) saveSound(sound, title());
		showShare(null);
	}

	async function renderParts(parts) {
		if (!parts.length) notice(NOTHING);
		const files = [];
		let sound;
		for (const part of parts) {
			const tell = (done) => showShare((files.length + done) / parts.length);
			sound = share !== null && await resultOf(renders.render("take.render", { ...part, format: "pcm24" }, tell));
			if (!sound) return sound;
			files.push([files.length + 1, sound.files[0][1]]);
		}
		return { ...sound, files };
	}

	button.onclick = () => {
		if (share !== null) {
			share = null;
			renders.cancel();
		} else if (recording) recording.take ? end() : renderTakes(recording);
		else if (keeps()) recording = { start: performance.now(), list: resultOf(takes()), timer: setInterval(show, 250) };
		else {
			recording = makeRecording();
			listen();
		}
		show();
	};
	show();
	return {
		hear(block) {
			if (!recording?.take) return;
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
function wavOf(parts, rate) {
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

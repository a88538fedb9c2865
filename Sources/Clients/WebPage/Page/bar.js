// The bar: what plays, a place for words, the tempo to type, turn or tap, and buttons for everything else.

import { announce, byID, notice, relabel, setText } from "./dom.js";
import { TEMPO } from "./places.js";

const WORD = 1200; // ms
const AUDIO = { running: "JACK", "no server": "No JACK server", lost: "JACK has gone", off: "JACK is off" };

export function makeBar({ delay }) {
	let wordEnd, lastHealth;
	let health = { kind: "well", title: "", detail: "" };
	let xruns = 0;

	const xrunText = () => (xruns ? `${xruns} xrun${xruns === 1 ? "" : "s"} in the last hour` : "");

	/** The dot: a disc if all is well, a triangle with trouble, a ring without a connection. */
	function showDot() {
		const kind = health.kind === "well" && xruns ? "late" : health.kind;
		byID("health").dataset.kind = kind;
		const title = [[health.title, health.detail].filter(Boolean).join(": "), xrunText()].filter(Boolean).join(". ");
		byID("health").title = title;
		byID("health").setAttribute("aria-label", title);
	}

	function showHealth({ audio, storage }) {
		const isUnsaved = storage?.status === "failing";
		const isWell = audio.status === "running" && !isUnsaved;
		const isAlone = audio.driver === "internal" && audio.status === "running";
		const driver = isAlone ? "Connected, without JACK" : AUDIO[audio.status];
		const title = isUnsaved ? "Cannot save" : driver;
		const detail = isWell ? `${audio.rate / 1000} kHz, ${audio.period} frames` : (isUnsaved ? storage : audio).reason;
		health = { kind: isWell ? "well" : "trouble", title, detail };
		showDot();
		if (lastHealth && lastHealth !== title) announce(title);
		lastHealth = title;
	}

	function say(text, ms) {
		clearTimeout(wordEnd);
		setText(byID("tooltip"), text);
		byID("tooltip").hidden = ms === 0;
		if (ms) wordEnd = setTimeout(() => (byID("tooltip").hidden = true), ms);
	}

	byID("health").onclick = () => {
		const late = delay() && `The sound on this page is ${delay()} behind`;
		notice([byID("health").title, late].filter(Boolean).join(". "));
	};
	return {
		showTooltip({ text, ms, what }) {
			const words = what ? `${text.includes("UNDO") ? "Undid" : "Redid"} ${what}` : text;
			say(words, ms);
			if (ms !== 0) announce(spoken(words));
		},

		showWord(text) {
			say(text, WORD);
			announce(spoken(text));
		},

		showCell: (name) => setText(byID("cell-name"), name === "nothing" ? "" : name),

		showState(state) {
			const { state: playing, record } = state.transport;
			const isPlaying = playing === "playing";
			relabel(byID("play"), isPlaying ? "Stop (Space)" : "Play (Space)", isPlaying);
			relabel(byID("record"), "Record notes (R)", Boolean(record));
			byID("record").hidden = record === undefined;
			byID("undo").disabled = !state.history?.undo;
			byID("fill").setAttribute("aria-pressed", Boolean(state.fill));
			setText(byID("scene"), sceneText(state));
			showHealth(state);
		},

		showXruns(count) {
			xruns = count;
			showDot();
		},

		showLost(reason) {
			health = { kind: "lost", title: "Not connected", detail: reason ?? "" };
			showDot();
		},
	};
}

function sceneText({ slots = {} }) {
	const playing = new Set(Object.values(slots).map((slot) => slot.playing));
	return playing.size === 1 ? `Scene ${[...playing][0]}` : playing.size ? "Mixed scenes" : "";
}

const spoken = (text) => text.replace(/<<|>>/, "").replace("#", " sharp").toLowerCase();

/** From "112", "112,5" or "112 bpm"; else null. */
export function tempoIn(text) {
	const bpm = Number(text.trim().replace(",", ".").replace(/\s*bpm$/i, ""));
	return text.trim() && bpm >= TEMPO.least && bpm <= TEMPO.most ? Math.round(100 * bpm) / 100 : null;
}

export function makeTempo({ set, step, tap, refuse }) {
	const [field, unit] = ["tempo-field", "tempo-unit"].map(byID);
	let shown = "";

	function show({ bpm, sync }) {
		const isLed = Boolean(sync && sync.following !== "internal");
		shown = String(isLed ? sync.bpm : bpm);
		setText(unit, isLed ? `BPM · ${leaderName(sync.following)}` : "BPM");
		field.readOnly = isLed;
		byID("tap").disabled = isLed;
		if (document.activeElement !== field || isLed) field.value = shown;
	}

	function commit() {
		const bpm = tempoIn(field.value);
		if (field.value !== shown && !field.readOnly) {
			if (bpm === null) refuse(`The tempo is ${TEMPO.least} to ${TEMPO.most} BPM`);
			else set(bpm);
		}
		if (bpm === null) field.value = shown;
	}

	field.onfocus = () => field.select();
	field.onblur = commit;
	field.onkeydown = (event) => {
		if (event.key === "Escape") {
			event.stopPropagation();
			field.value = shown;
		}
		if (event.key === "ArrowUp" || event.key === "ArrowDown") {
			event.preventDefault();
			field.value = shown;
			if (!field.readOnly) step(event.key === "ArrowUp" ? 1 : -1);
			requestAnimationFrame(() => field.blur());
		}
		if (event.key === "Enter" || event.key === "Escape") field.blur();
	};
	byID("tempo").addEventListener("wheel", (event) => {
		event.preventDefault();
		if (!field.readOnly && event.deltaY) step(event.deltaY < 0 ? 1 : -1);
	}, { passive: false });
	// At once, not with the click: the time counts.
	byID("tap").addEventListener("pointerdown", (event) => {
		if (event.button !== 0) return;
		event.preventDefault();
		tap();
	});
	byID("tap").onclick = ({ detail }) => detail || tap(); // A key's.
	return { show };
}

const leaderName = (name) => (["jack", "midi"].includes(name) ? name.toUpperCase() : name);

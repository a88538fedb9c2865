// The bar's loudspeaker, which turns the daemon's sound on this device on and off: its connection with topic `audio`, and an
// audio context that plays its buffer. Browsers allow sound only after a tap, for which the button then asks.

import { findToken, makeConnection, recall, remember } from "./connection.js";
import { byID, notice, relabel, setText } from "./dom.js";
import { blockOf, makePlayback } from "./playback.js";

const CLOCK_INTERVAL = 2000; // ms
const CLOCKS = 8; // the one with the shortest round trip is used

/**
 * Listens until `close` is called. `show` is called with what to show: `delay` in ms, `gaps` and `bend` while it plays,
 * else `isPlaying` false; `failed` with why it has ended; `heard` with each notification of the sound. */
export function makeListening(url, { token, rate, volume, options, show, failed, heard = () => {} }) {
	const context = makeContext(rate);
	const connection = makeConnection(url, { token });
	let player = null;
	let isOpen = true;
	let clocks = [];
	let clockTimer;

	const shown = (report) => {
		const clock = clocks.reduce((best, each) => (each.way < best.way ? each : best), { way: Infinity });
		const delay = outputTime(context, report.time) - (report.usecs - clock.offset) / 1000;
		show({ ...report, delay: report.isPlaying && clock.way < Infinity ? delay : null });
	};

	/** Asks for the daemon's time, assumed to be read in the middle of the round trip. */
	async function readClock() {
		const start = performance.now();
		const time = await connection.call("time.get").catch(() => null);
		const end = performance.now();
		if (time) clocks = [...clocks, { way: end - start, offset: time.jack - 500 * (start + end) }].slice(-CLOCKS);
	}

	async function start() {
		player = await makePlayer(context, volume, options, shown);
		if (isOpen) connection.connect();
	}

	connection.on("welcome", () => {
		clocks = [];
		connection.call("subscribe", { topics: ["audio"] }).catch(({ code, message }) => code && failed(message));
		readClock();
		clearInterval(clockTimer);
		clockTimer = setInterval(readClock, CLOCK_INTERVAL);
	});
	connection.on("audio", (event) => {
		heard(event);
		// A suspended context would get all of it at once later.
		if (context.state === "running") player.take(blockOf(event));
	});
	connection.on("status", ({ phase, reason }) => {
		// Without a reason the daemon only takes its time.
		if (phase === "refused" && reason) failed(reason);
		if (phase !== "lost") return;
		player.finish();
		show({ isPlaying: false });
	});
	start().catch(({ message }) => failed(`The browser cannot play: ${message}`));

	return {
		context,
		hurry: connection.hurry,
		setVolume: (volume) => player?.setVolume(volume),

		close() {
			isOpen = false;
			clearInterval(clockTimer);
			connection.close();
			context.close();
		},
	};
}

const PERIOD = 1024; // frames per callback of a ScriptProcessor
const REPORT = 0.25; // s
const FADE = 0.03; // s, the time constant of volume changes

function makeContext(rate) {
	try {
		return new AudioContext({ latencyHint: "interactive", sampleRate: rate });
	} catch {
		return new AudioContext();
	}
}

/**
 * Plays in a context: `take(block)` and `finish()` are the buffer's. `report` is called four times a second with the
 * buffer's state and the context's `time`. */
async function makePlayer(context, volume, options, report) {
	const output = context.createGain();
	output.gain.value = volume;
	output.connect(context.destination);
	// Only pages from HTTPS or localhost have worklets.
	const make = context.audioWorklet ? makeWorklet : makeScript;
	const { node, take, finish } = await make(context, options, report);
	node.connect(output);
	return { take, finish, setVolume: (volume) => output.gain.setTargetAtTime(volume, context.currentTime, FADE) };
}

async function makeWorklet(context, processorOptions, report) {
	await context.audioWorklet.addModule("worklet.js");
	const node = new AudioWorkletNode(context, "playback", {
		numberOfInputs: 0, outputChannelCount: [2], processorOptions,
	});
	node.port.onmessage = ({ data }) => report(data);
	const say = (message) => node.port.postMessage(message);
	return { node, take: say, finish: () => say(null) };
}

function makeScript(context, options, report) {
	const playback = makePlayback(context.sampleRate, options);
	const node = context.createScriptProcessor(PERIOD, 0, 2);
	let reportTime = 0;
	node.onaudioprocess = ({ outputBuffer, playbackTime }) => {
		if (playbackTime >= reportTime) {
			reportTime = playbackTime + REPORT;
			report({ ...playback.report, time: playbackTime });
		}
		playback.render(outputBuffer.getChannelData(0), outputBuffer.getChannelData(1));
	};
	return { node, take: playback.take, finish: playback.finish };
}

function outputTime(context, time) {
	const { contextTime, performanceTime } = context.getOutputTimestamp?.() ?? {};
	if (performanceTime) return performanceTime + (time - contextTime) * 1000;
	const latency = context.outputLatency || context.baseLatency || 0;
	return performance.now() + (time - context.currentTime + latency) * 1000;
}

const GAP_SHOWN = 5000; // ms
const HIDDEN_SLACK = 1; // s that a context may be behind without having been suspended
const OFF = -60; // dB
const SILENT_SWITCH = "If you hear nothing, check the silent switch on the device's side, and its volume";

/** `heard` is called with each notification of the sound, `ended` when it is turned off. */
export function makeLoudspeaker(url, state, { heard, ended }) {
	const button = byID("listen");
	let listening = null;
	let isHeard = true; // without this page, as far as is known
	let gaps, gapEnd, hidden;
	let delayText = "";

	const isStanding = () => listening && listening.context.state !== "running";

	function start() {
		if (!globalThis.AudioContext) return notice("This browser cannot play sound");
		const { audio } = state.value;
		gaps = 0;
		try {
			listening = makeListening(url, {
				token: findToken(), rate: audio.rate ?? 48000, volume: gain(), show, failed: fail, heard,
				// Off in tests that compare the output with what was sent.
				options: { bends: recall("bends", true) },
			});
		} catch ({ message }) {
			return notice(`The browser cannot play: ${message}`);
		}
		listening.context.onstatechange = showStanding;
		if (navigator.audioSession) navigator.audioSession.type = "playback";
		else if (/iPhone|iPad/.test(navigator.userAgent)) notice(SILENT_SWITCH);
		if (audio.status !== "running") notice("The instrument makes no sound at the moment");
		remember("listens", true);
		resume();
		show({ isPlaying: false });
	}

	function end() {
		if (listening) ended();
		listening?.close();
		listening = null;
		clearTimeout(gapEnd);
		button.classList.remove("trouble");
		delayText = "";
		rest();
	}

	/** The button while it is off: it asks for a tap if nobody would hear anything, or if this page listened before. */
	function rest() {
		if (listening) return;
		const isWanted = !isHeard || recall("listens", false);
		button.classList.toggle("wanted", isWanted);
		setText(byID("listen-hint"), isWanted ? "tap" : "");
		relabel(button, isWanted ? "Tap to listen here" : "Listen here", false);
	}

	function fail(reason) {
		end();
		notice(reason);
	}

	function resume() {
		const { context } = listening;
		context.resume().catch(({ message }) => context.state !== "closed" && notice(`The browser cannot play: ${message}`));
	}

	function show({ isPlaying, delay, gaps: counted = gaps }) {
		if (!listening) return;
		const text = isPlaying && delay !== null ? `${Math.round(delay)} ms` : "";
		setText(byID("listen-hint"), isStanding() ? "tap" : "");
		delayText = text;
		button.classList.toggle("wanted", isStanding());
		const behind = text ? `, ${text} behind` : "";
		const broken = counted ? `, ${counted} gap${counted === 1 ? "" : "s"}` : "";
		relabel(button, isStanding() ? "Continue listening" : `Stop listening${behind}${broken}`, true);
		if (counted > gaps) showGap();
		gaps = counted;
	}

	function showGap() {
		button.classList.add("trouble");
		clearTimeout(gapEnd);
		gapEnd = setTimeout(() => button.classList.remove("trouble"), GAP_SHOWN);
	}

	function showStanding() {
		show({ isPlaying: false });
		if (listening?.context.state === "interrupted") notice("The sound was interrupted: tap to continue");
	}

	// Not from the button, whose click would then stop the sound.
	document.addEventListener("pointerup", ({ target }) => isStanding() && !button.contains(target) && resume());

	document.addEventListener("visibilitychange", () => {
		if (!listening) return;
		const [soundTime, time] = [listening.context.currentTime, performance.now() / 1000];
		if (document.hidden) {
			hidden = { soundTime, time };
			return;
		}
		listening.hurry();
		if (hidden && time - hidden.time - (soundTime - hidden.soundTime) > HIDDEN_SLACK) {
			notice("The browser silenced the page while it was hidden");
			if (isStanding()) resume();
		}
	});

	function gain() {
		const decibels = volume.value;
		return decibels <= OFF ? 0 : 10 ** (decibels / 20);
	}

	const volume = {
		get value() {
			return recall("volume", 0);
		},

		set value(decibels) {
			remember("volume", decibels);
			listening?.setVolume(gain());
		},
	};

	button.onclick = () => {
		if (isStanding()) return resume();
		if (!listening) return start();
		remember("listens", false);
		end();
	};
	end();
	return {
		volume,
		stop: end,

		/** How late the sound is, in words; empty while there is none. */
		get delay() {
			return delayText;
		},

		/** Unless somebody hears the daemon anyway, or turned it off here. Like `start` to be called by a tap. */
		startIfUnheard() {
			if (!button.hidden && !isHeard && !listening && recall("listens", true)) start();
		},

		start() {
			if (!button.hidden && !listening) start();
		},

		async look(call) {
			if (button.hidden) return;
			const { driver } = state.value.audio;
			const ports = driver === "internal" ? [] : await call("audio.ports").catch(() => null);
			if (Array.isArray(ports)) isHeard = isLed(ports);
			rest();
		},

		join: (api) => (button.hidden = !api.hasTopic("audio")),
	};
}

/** Whether one of the main ports is connected to something. */
export const isLed = (ports) => ports.some(({ name, connections }) => /^main_[LR]$/.test(name) && connections.length > 0);

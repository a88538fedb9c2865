// The page: makes its parts and connects them with the daemon, and does what keys and buttons ask for.

import { makeArrangement, makeFocus, makeViews } from "./arrangement.js";
import { makeBar, makeTempo } from "./bar.js";
import { sampleOf } from "./cells.js";
import {
	findToken, keepToken, makeAPI, makeConnection, makeFeed, makePicture, makeState, TOKEN_NEEDED, tokenIn,
} from "./connection.js";
import { makeLearning } from "./controls.js";
import { announce, byID, dressButtons, notice, resultOf, succeeds } from "./dom.js";
import { makeRenders } from "./exports.js";
import { cellToTap, listenToFingers, listenToPointer, showRing } from "./fingers.js";
import { makeGrid } from "./grid.js";
import { makeChips, makeEdges, makeGuide, makeVisit, makeZones } from "./guide.js";
import { listenToFill, listenToKeys, makeCursor, makeHeldKeys, makePunchKeys } from "./keyboard.js";
import { makeLoudspeaker } from "./loudspeaker.js";
import { TEMPO } from "./places.js";
import { makeScope } from "./scope.js";
import { fullScreen, haptics, keepAwake, makeNames, makeSheet, noteAddresses } from "./sheet.js";
import { makeRecorder } from "./takes.js";

function showStatus(phase, reason) {
	byID("line").textContent = {
		connecting: "Connecting…",
		joined: "Waiting for the picture…",
		lost: `${reason || "Connection lost"}. Trying again…`,
		refused: reason || TOKEN_NEEDED,
	}[phase] ?? "";
	byID("line").hidden = phase === "live";
	byID("token-form").hidden = phase !== "refused";
}

function listenToTokens(connection) {
	byID("token-form").onsubmit = (event) => {
		event.preventDefault();
		const token = tokenIn(byID("token").value);
		if (!token) return notice("The token is the part after # in the address that pixelboop-web printed");
		keepToken(token);
		connection.authenticate(token);
	};
	addEventListener("hashchange", () => connection.authenticate(findToken()));
}

function listenToDaemon({ connection, picture, state, grid, bar, greet, joined, left }) {
	async function subscribe(topics) {
		const present = await resultOf(connection.call("subscribe", { topics }));
		if (!present) return;
		if (present.labels) picture.applyLabels(present.labels);
		if (present.frame) picture.replace(present.frame);
		grid.update();
		if (!present.frame) return;
		if (present.state) state.replace(present.state);
		document.body.classList.add("live");
		showStatus("live");
	}

	connection.on("welcome", async (welcome) => {
		picture.applyLabels({ cells: [] }); // The daemon may be another one, without labels.
		greet();
		await subscribe(["frame", "state", "tooltip", "haptic"]);
		const description = await resultOf(connection.call("rpc.discover"));
		if (!description) return;
		const api = makeAPI(description);
		if (api.hasTopic("labels")) await subscribe(["labels"]);
		joined(api, welcome);
	});
	connection.on("frame", (diff) => {
		if (!picture.apply(diff)) subscribe(["frame"]);
		grid.update();
	});
	connection.on("labels", (labels) => {
		picture.applyLabels(labels);
		grid.update();
	});
	connection.on("state", (patch) => state.patch(patch));
	connection.on("tooltip", bar.showTooltip);
	connection.on("haptic", (haptic) => haptics.play(haptic));
	connection.on("gateway.addresses", noteAddresses);
	connection.on("status", ({ phase, reason }) => {
		left();
		bar.showTooltip({ text: "", ms: 0 }); // A drag's text would stay.
		document.body.classList.remove("live");
		if (phase !== "joined") bar.showLost(reason);
		showStatus(phase, reason);
	});
}

function showAbilities(api) {
	byID("toggle-scope").hidden = !api.hasTopic("scope");
	byID("take").hidden = !api.hasTopic("audio");
	document.querySelectorAll("[data-method]").forEach((shown) => (shown.hidden = !api.has(shown.dataset.method)));
}

function makeActions({ connection, state, names, word, api }) {
	async function act(method, params, text) {
		if (!api()?.has(method) || !(await succeeds(connection.call(method, params)))) return;
		word(text);
	}

	async function travel(way) {
		const { undo, redo } = state.value.history;
		const left = await resultOf(connection.call(`history.${way}`));
		if (!left || left.undo === undo && left.redo === redo) return;
		word(left.what ? `${way === "undo" ? "Undid" : "Redid"} ${left.what}` : way.toUpperCase());
	}

	const setTempo = (bpm) => act("tempo.set", { bpm }, `${bpm} BPM`);
	return {
		play: () => act("transport.toggle", {}, state.value.transport.state === "playing" ? "STOP" : "PLAY"),
		undo: () => travel("undo"),
		redo: () => travel("redo"),
		setTempo,
		tempo(change) {
			const bpm = Math.round(100 * (state.value.bpm + change)) / 100;
			setTempo(Math.min(Math.max(bpm, TEMPO.least), TEMPO.most));
		},
		tapTempo: () => resultOf(connection.call("tempo.tap")),
		record() {
			const on = !state.value.transport.record;
			act("transport.record", { on }, on ? "REC ON" : "REC OFF");
		},
		async catchKeys() {
			if (!api()?.has("transport.catch")) return;
			const caught = await resultOf(connection.call("transport.catch"));
			if (caught) word(caught.notes ? "CATCH" : "NOTHING");
		},
		scene: (scene) => act("scene.launch", { scene }, `SCENE ${scene}`),
		closeLens: (track) => resultOf(connection.call("lens.set", { track })),
		names: () => (names.on = !names.on),
		fullScreen: fullScreen.toggle,
		help: () => (byID("help").open ? byID("help").close() : byID("help").showModal()),
	};
}

const STATS_INTERVAL = 5000; // ms

dressButtons();

const socketURL = `${location.origin.replace("http", "ws")}/socket`;
const connection = makeConnection(socketURL, { token: findToken() });
const [scopeFeed, stepFeed, libraryFeed, takeFeed] =
	["scope", "step", "library", "take"].map((topic) => makeFeed(connection, topic));
const picture = makePicture();
const state = makeState();
const grid = makeGrid(byID("grid"), picture);
const names = makeNames(picture, state, grid.drawAll);
const bar = makeBar({ delay: () => loudspeaker.delay });
let api = null; // the daemon's, once it is known
let limits;

const isPlaying = () => state.value?.transport.state === "playing";
const actions = makeActions({ connection, state, names, word: bar.showWord, api: () => api });
const keys = makeHeldKeys(connection, resultOf);

const renders = makeRenders(connection, takeFeed);
let keepsTakes = false;
const recorder = makeRecorder({
	listen: () => loudspeaker.start(), title: () => state.value?.pattern.name || "pixelboop", renders,
	takes: () => connection.call("take.list"), keeps: () => keepsTakes && !state.value.storage.takes,
});
const loudspeaker = makeLoudspeaker(`${socketURL}?audio`, state, { heard: recorder.hear, ended: recorder.end });

const arrangeAll = () => arrangement.arrangeAll();
const scope = makeScope(byID("scope"), scopeFeed);
const sheet = makeSheet(arrangeAll);
const focus = makeFocus(stepFeed, actions.closeLens, arrangeAll);
const { closeLens, record, catchKeys } = actions;
const views = makeViews({ keys, closeLens, record, catchKeys, changed: arrangeAll });
const edges = makeEdges(actions.closeLens);
const chips = makeChips(actions.closeLens);
const placeZones = makeZones(grid);
const guide = makeGuide(grid);
const learning = makeLearning(connection);

const visit = makeVisit({
	cellBox: () => cellToTap(grid, focus),
	start() {
		loudspeaker.startIfUnheard();
		if (!isPlaying()) actions.play();
	},
});

const send = (phase, touch, position) => connection.notify("touch", { touch, phase, ...position });
function countFingers(count) {
	focus.touched(count);
	visit.touched(count);
}
const cancelTouches = listenToFingers(byID("stage"), {
	placeOf: grid.placeOf, send, changed: countFingers, shown: showRing,
});
const showCursor = makeCursor(byID("grid"), byID("cursor"), { grid, picture, send, announce, named: bar.showCell,
	held: (count) => focus.touched(count, "cursor"), lenses: () => state.value?.lenses, key: () => state.value });
listenToPointer({ grid, picture, state, connection, named: bar.showCell, limits: () => limits, api: () => api });

function greet() {
	const touch = { resolution: "subcell", cellPixels: Math.round(10 * grid.cellPixels) / 10 };
	connection.notify("hello", { client: "web page", touch, tooltips: false });
}
const arrangement = makeArrangement({ picture, grid, sheet, scope, focus, views, edges }, {
	moved: cancelTouches,
	arranged() {
		showCursor();
		placeZones();
		guide.arrange();
		visit.arrange();
		greet();
	},
});

const watchers = new Set();
/** Calls back with each picture; returns a function that ends it. */
function pictured(watcher) {
	watchers.add(watcher);
	return () => watchers.delete(watcher);
}
connection.on("frame", () => watchers.forEach((watcher) => watcher()));

function hear(track) {
	if (api.has("keys.press") && !isPlaying()) keys.sample(track, sampleOf(track, state.value));
}

async function joined(found, welcome) {
	[api, limits] = [found, welcome.limits];
	showAbilities(api);
	const sample = (...what) => api.has("keys.press") && keys.sample(...what);
	views.join({ connection, api, state, stepFeed, pictured, sample });
	sheet.join({
		connection, api, state, loudspeaker, scopeFeed, stepFeed, takeFeed, renders, welcome, limits, hear,
		names: api.hasTopic("labels") ? names : null, learning: api.has("midi.learn") ? learning : null,
		libraryFeed: api.hasTopic("library") ? libraryFeed : null,
	});
	loudspeaker.join(api);
	const { status } = api.has("take.list") ? await connection.call("take.list").catch(() => ({})) : {};
	keepsTakes = status && status !== "off";
	await loudspeaker.look(connection.call);
	visit.showFirst();
}
listenToDaemon({ connection, picture, state, grid, bar, greet, joined, left: cancelTouches });
listenToTokens(connection);
const holdsPunch = makePunchKeys(send);
listenToKeys(actions, (event) => views.plays(event) || holdsPunch(event));
listenToFill((on) => connection.notify("fill.set", { on }));

const tempo = makeTempo({ set: actions.setTempo, step: actions.tempo, refuse: notice, tap: actions.tapTempo });
state.watch((settings) => {
	bar.showState(settings);
	tempo.show(settings);
	edges.show(settings);
	chips.show(settings);
	grid.showPlaying(isPlaying());
	focus.showState(settings);
	names.show();
	keepAwake(isPlaying());
});

async function showStats() {
	if (document.hidden) return;
	const stats = await connection.call("stats.get").catch(() => null);
	if (stats) bar.showXruns(stats.audio.xrunsLastHour ?? stats.audio.xruns);
	if (api) loudspeaker.look(connection.call);
}
connection.on("welcome", showStats);
setInterval(showStats, STATS_INTERVAL);

function play() {
	if (visit.played()) return;
	if (!isPlaying()) loudspeaker.startIfUnheard();
	actions.play();
}
const clicks = {
	play, undo: actions.undo, record: actions.record, turn: arrangement.turn, focus: () => focus.toggle(),
	"full-screen": actions.fullScreen, "show-help": actions.help, "close-help": actions.help,
	"show-guide"() {
		byID("help").close();
		views.choose("grid");
		guide.show();
	},
	"toggle-scope"() {
		scope.toggle();
		byID("toggle-scope").setAttribute("aria-pressed", scope.isOpen);
		arrangeAll();
	},
};
for (const [id, act] of Object.entries(clicks)) byID(id).onclick = () => act();
byID("full-screen").hidden = !fullScreen.available;

addEventListener("resize", arrangeAll);
document.addEventListener("visibilitychange", () => document.hidden || connection.hurry());
// Browsers cache pages that were left, frozen and with open connections.
addEventListener("pagehide", () => {
	loudspeaker.stop();
	connection.close();
});
addEventListener("pageshow", ({ persisted }) => persisted && connection.connect());
arrangeAll();
connection.connect();

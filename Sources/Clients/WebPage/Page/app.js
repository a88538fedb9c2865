// The page: makes its parts and connects them.

import { makeActions } from "./actions.js";
import { makeArrangement } from "./arrangement.js";
import { makeBar, makeTempo } from "./bar.js";
import { makeConnection, makeFeed } from "./connection.js";
import { announce, byID, dressButtons, notice, resultOf } from "./dom.js";
import { makeTake } from "./exports.js";
import { listenToFingers, showRing } from "./fingers.js";
import { makeFocus } from "./focus.js";
import { makeGrid } from "./grid.js";
import { makeGuide, makeVisit } from "./guide.js";
import { listenToFill, makeHeldKeys, makePunchKeys } from "./held.js";
import { listenToDaemon, listenToTokens, showAbilities } from "./joining.js";
import { listenToKeys, makeCursor } from "./keyboard.js";
import { makeLearning } from "./learn.js";
import { makeLoudspeaker } from "./loudspeaker.js";
import { findToken } from "./memory.js";
import { sampleOf } from "./notes.js";
import { cellToTap, listenToPointer } from "./pointing.js";
import { makeScope } from "./scope.js";
import { fullScreen, keepAwake, makeNames } from "./settings.js";
import { makeSheet } from "./sheet.js";
import { makePicture, makeState } from "./state.js";
import { makeChips, makeEdges, makeZones } from "./tracks.js";
import { makeViews } from "./views.js";

const STATS_INTERVAL = 5000; // ms

dressButtons();

const socketURL = `${location.origin.replace("http", "ws")}/socket`;
const connection = makeConnection(socketURL, { token: findToken() });
const [scopeFeed, stepFeed, libraryFeed] = ["scope", "step", "library"].map((topic) => makeFeed(connection, topic));
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

const take = makeTake({ listen: () => loudspeaker.start(), title: () => state.value?.pattern.name || "pixelboop" });
const loudspeaker = makeLoudspeaker(`${socketURL}?audio`, state, { heard: take.hear, ended: take.end });

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

/** Calls back with each picture; returns a function that ends it. */
const watchers = new Set();
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
    connection, api, state, loudspeaker, scopeFeed, stepFeed, welcome, limits, hear,
    names: api.hasTopic("labels") ? names : null, learning: api.has("midi.learn") ? learning : null,
    libraryFeed: api.hasTopic("library") ? libraryFeed : null,
  });
  loudspeaker.join(api);
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

import { makeAPI } from "./api.js";
import { makeBar } from "./bar.js";
import { makeConnection, makeFeed, TOKEN_NEEDED } from "./connection.js";
import { fullScreen, haptics, keepAwake } from "./device.js";
import { announce, byID, element, icon, notice, place, rectangleOf, resultOf, succeeds } from "./dom.js";
import { nameOfCell, sceneOfCell } from "./cells.js";
import { listenToDrops } from "./drop.js";
import { makeEdges } from "./edges.js";
import { listenToFill } from "./fill.js";
import { listenToFingers } from "./fingers.js";
import { makeFocus } from "./focus.js";
import { makeGrid } from "./grid.js";
import { makeGuide } from "./guide.js";
import { listenToKeys, makeCursor } from "./keyboard.js";
import { arrange, placeFocus } from "./layout.js";
import { makeLearning } from "./learn.js";
import { makeChips } from "./lenses.js";
import { importFile, loadPattern } from "./library.js";
import { makeLoudspeaker } from "./loudspeaker.js";
import { recall, remember } from "./memory.js";
import { makePicture } from "./picture.js";
import { STEPS, TRACKS } from "./places.js";
import { makeScope } from "./scope.js";
import { noteAddresses } from "./settings.js";
import { makeSheet } from "./sheet.js";
import { makeState } from "./state.js";
import { makeTempo } from "./tempo.js";
import { findToken, keepToken, tokenIn } from "./token.js";
import { makeVisit } from "./visit.js";

const BAR = 48; // CSS pixels
/** CSS pixels of width below which a bar above the grid has three or two rows, the last for words. */
const NARROW = 600;
const MIDDLE = 1100;
const TIGHT = 900; // below which buttons that settings have too are left out
const SLIM = 130; // CSS pixels of width below which a bar on the left has no room for the tempo's unit
const LOW = 420; // CSS pixels of height below which a bar on the left is scarce of room
const SCOPE = { least: 88, greatest: 160 };
const STATS_INTERVAL = 5000; // ms

for (const button of document.querySelectorAll("[data-icon]")) {
  button.className = "icon-button";
  button.append(...button.dataset.icon.split(" ").map(icon));
  button.setAttribute("aria-label", button.title);
}

const socketURL = `${location.origin.replace("http", "ws")}/socket`;
const connection = makeConnection(socketURL, { token: findToken() });
const picture = makePicture();
const state = makeState();
const scopeFeed = makeFeed(connection, "scope");
const scope = makeScope(byID("scope"), scopeFeed);
const stepFeed = makeFeed(connection, "step");
const libraryFeed = makeFeed(connection, "library");
const grid = makeGrid(byID("grid"), picture);
const bar = makeBar({ delay: () => loudspeaker.delay });
const loudspeaker = makeLoudspeaker(`${socketURL}?audio`, state);
const sheet = makeSheet(() => arrangeAll());
const guide = makeGuide(grid);
const learning = makeLearning(connection);
const focus = makeFocus(stepFeed, () => arrangeAll());
let api, limits;
let shownView;

connection.on("welcome", async (welcome) => {
  limits = welcome.limits;
  picture.applyLabels({ cells: [] }); // The daemon may be another one, without labels.
  greet();
  await subscribe(["frame", "state", "tooltip", "haptic"]);
  const description = await resultOf(connection.call("rpc.discover"));
  if (!description) return;
  api = makeAPI(description);
  byID("toggle-scope").hidden = !api.hasTopic("scope");
  document.querySelectorAll("[data-method]").forEach((shown) => (shown.hidden = !api.has(shown.dataset.method)));
  const hasLabels = api.hasTopic("labels");
  if (hasLabels) await subscribe(["labels"]);
  sheet.join({
    connection, api, state, loudspeaker, scopeFeed, stepFeed, welcome, limits, names: hasLabels ? names : null,
    learning: api.has("midi.learn") ? learning : null, libraryFeed: api.hasTopic("library") ? libraryFeed : null,
  });
  loudspeaker.join(api);
  await loudspeaker.look(connection.call);
  visit.showFirst();
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
  cancelTouches();
  bar.showTooltip({ text: "", ms: 0 }); // A drag's text would stay.
  document.body.classList.remove("live");
  if (phase !== "joined") bar.showLost(reason);
  showStatus(phase, reason);
});

function greet() {
  const touch = { resolution: "subcell", cellPixels: Math.round(10 * grid.cellPixels) / 10 };
  connection.notify("hello", { client: "web page", touch, tooltips: false });
}

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

function showStatus(phase, reason) {
  byID("line").textContent = {
    connecting: "Connecting\u2026",
    joined: "Waiting for the picture\u2026",
    lost: `${reason || "Connection lost"}. Trying again\u2026`,
    refused: reason || TOKEN_NEEDED,
  }[phase] ?? "";
  byID("line").hidden = phase === "live";
  byID("token-form").hidden = phase !== "refused";
}

byID("token-form").onsubmit = (event) => {
  event.preventDefault();
  const token = tokenIn(byID("token").value);
  if (!token) return notice("The token is the part after # in the address that pixelboop-web printed");
  keepToken(token);
  connection.authenticate(token);
};

addEventListener("hashchange", () => connection.authenticate(findToken()));

/** Names on notes: as chosen, by default with the safe colours, which do not distinguish all notes. */
const names = {
  get on() {
    return recall("names") ?? state.value?.colors === "safe";
  },

  set on(on) {
    remember("names", on);
    showNames();
  },
};

function showNames() {
  if (picture.showsNames === names.on) return;
  picture.showsNames = names.on;
  grid.drawAll();
}

const rings = new Map();

/** Shows a ring under each finger at once, without waiting for the daemon. */
function showRing(pointer, event) {
  if (!event) {
    rings.get(pointer)?.remove();
    rings.delete(pointer);
    return;
  }
  if (!rings.has(pointer)) rings.set(pointer, byID("rings").appendChild(element("div", { className: "ring" })));
  rings.get(pointer).style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
}

/** The first shown step of the lowest note of the melody, or of the track that fills the display. */
function cellToTap() {
  const { track, half } = focus.shown;
  const { top, height } = TRACKS[byID("tracks").hidden ? 0 : track];
  const box = grid.rectangleOf(STEPS.first + (half && !byID("tracks").hidden ? 18 : 0), top + height - 1);
  return box && Object.fromEntries([["left", box.left], ["top", box.top], ["right", box.left + box.width],
    ["bottom", box.top + box.height]].map(([side, value]) => [side, value / devicePixelRatio]));
}
const visit = makeVisit({
  cellBox: cellToTap,
  start() {
    loudspeaker.startIfUnheard();
    if (state.value.transport.state !== "playing") actions.play();
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

function cellAt(event) {
  const place = grid.placeOf(event);
  return place && [Math.floor(place.x), Math.floor(place.y)];
}
byID("stage").addEventListener("pointermove", (event) => {
  if (event.pointerType === "touch") return;
  const [column, row] = cellAt(event) ?? [];
  bar.showCell(row === undefined ? "" : nameOfCell(column, row, picture.labels[row * picture.cols + column],
    state.value?.lenses, state.value));
});
byID("stage").addEventListener("pointerleave", () => bar.showCell(""));

/** Calls a method, and shows a word on success. */
async function act(method, params, word) {
  if (!api?.has(method) || !(await succeeds(connection.call(method, params)))) return;
  bar.showWord(word);
}
/** Shows no word if there was nothing to undo or redo. */
async function travel(way) {
  const { undo, redo } = state.value.history;
  const left = await resultOf(connection.call(`history.${way}`));
  if (left && (left.undo !== undo || left.redo !== redo)) bar.showWord(way.toUpperCase());
}
const actions = {
  play: () => act("transport.toggle", {}, state.value.transport.state === "playing" ? "STOP" : "PLAY"),
  undo: () => travel("undo"),
  redo: () => travel("redo"),
  tempo(change) {
    const bpm = Math.min(Math.max(Math.round(100 * (state.value.bpm + change)) / 100, 20), 300);
    act("tempo.set", { bpm }, `${bpm} BPM`);
  },
  record() {
    const on = !state.value.transport.record;
    act("transport.record", { on }, on ? "REC ON" : "REC OFF");
  },
  scene: (scene) => act("scene.launch", { scene }, `SCENE ${scene}`),
  names: () => (names.on = !names.on),
  fullScreen: fullScreen.toggle,
  help: () => (byID("help").open ? byID("help").close() : byID("help").showModal()),
};
listenToKeys(actions);

/** The scene's pad under the mouse, on the grid or in the sheet. */
function padAt(event) {
  if (!api?.has("scene.launch")) return null;
  const { dataset: { scene } = {} } = event.target.closest("[data-scene]") ?? {};
  if (scene) return { scene: Number(scene), rectangle: rectangleOf(event.target) };
  const at = event.target.closest("#stage") && cellAt(event);
  const sceneThere = at && sceneOfCell(...at);
  return sceneThere ? { scene: sceneThere, rectangle: grid.rectangleOf(...at) } : null;
}
listenToDrops({
  padAt,
  dropFile: (file) => limits && importFile(file, connection, limits),
  dropPattern: (name, scene) => loadPattern(name, scene, connection),
  named: bar.showCell,
});

const closeLens = (track) => resultOf(connection.call("lens.set", { track }));
const chips = makeChips(closeLens);
const edges = makeEdges(closeLens);
const tempo = makeTempo({
  set: (bpm) => act("tempo.set", { bpm }, `${bpm} BPM`), step: actions.tempo, refuse: notice,
  tap: () => resultOf(connection.call("tempo.tap")),
});
listenToFill((on) => connection.notify("fill.set", { on }));

state.watch((settings) => {
  bar.showState(settings);
  tempo.show(settings);
  edges.show(settings);
  chips.show(settings);
  grid.showPlaying(settings.transport.state === "playing");
  focus.showState(settings);
  showNames();
  keepAwake(settings.transport.state === "playing");
});
async function showStats() {
  if (document.hidden) return;
  const stats = await connection.call("stats.get").catch(() => null);
  if (stats) bar.showXruns(stats.audio.xrunsLastHour ?? stats.audio.xruns);
  if (api) loudspeaker.look(connection.call);
}
connection.on("welcome", showStats);
setInterval(showStats, STATS_INTERVAL);

/** Turned by a quarter in portrait, unless the user has turned it. */
const orientation = () => (innerHeight > innerWidth ? "portrait" : "landscape");
const turnsNow = () => recall(`turns.${orientation()}`, orientation() === "portrait" ? 1 : 0);

const rowsOf = (width) => (width < NARROW ? 3 : width < MIDDLE ? 2 : 1);

function arrangeAll() {
  const pixels = (length) => Math.floor(length * devicePixelRatio);
  const { left, top, width, height } = byID("app").getBoundingClientRect();
  const display = {
    left: pixels(left), top: pixels(top), width: pixels(width - sheet.width), height: pixels(height),
  };
  const turns = turnsNow();
  const places = arrange(display, { cols: picture.cols, rows: picture.rows, turns }, {
    bar: pixels(BAR), barAbove: pixels(BAR * rowsOf(width - sheet.width)), barBeside: pixels(2 * BAR),
    scale: devicePixelRatio,
    scope: scope.isOpen ? { least: pixels(SCOPE.least), greatest: pixels(SCOPE.greatest) } : null,
  });
  const isFocused = focus.isOn(places.grid.pitch / devicePixelRatio);
  const view = isFocused ? placeFocus(places.area, { turns, ...focus.shown }, devicePixelRatio) : places.grid;
  place(byID("bar"), places.bar);
  const isUpright = places.bar.height > places.bar.width;
  byID("bar").classList.toggle("upright", isUpright);
  const rows = isUpright ? 0 : rowsOf(width - sheet.width);
  byID("bar").classList.toggle("narrow", rows === 3);
  byID("bar").classList.toggle("middle", rows === 2);
  byID("bar").classList.toggle("tight", rows === 2 && width - sheet.width < TIGHT);
  byID("bar").classList.toggle("slim", isUpright && places.bar.width < pixels(SLIM));
  byID("bar").classList.toggle("low", isUpright && places.bar.height < pixels(LOW));
  // The cell under a finger would change.
  if (shownView !== JSON.stringify(view)) cancelTouches();
  shownView = JSON.stringify(view);
  grid.moveTo(view);
  edges.arrange(view);
  byID("tracks").hidden = !isFocused;
  if (isFocused) {
    place(byID("tracks"), view.tabs);
    byID("tracks").classList.toggle("upright", view.tabs.height > view.tabs.width);
  }
  showCursor();
  guide.arrange();
  visit.arrange();
  if (places.scope) {
    place(byID("scope"), places.scope);
    scope.resize(places.scope);
  }
  greet();
}

byID("undo").onclick = actions.undo;
byID("focus").onclick = () => focus.toggle();
byID("show-guide").onclick = () => {
  byID("help").close();
  guide.show();
};
byID("play").onclick = () => visit.played() || actions.play();
byID("record").onclick = actions.record;
byID("full-screen").onclick = actions.fullScreen;
byID("full-screen").hidden = !fullScreen.available;
byID("show-help").onclick = byID("close-help").onclick = actions.help;
byID("turn").onclick = () => {
  remember(`turns.${orientation()}`, (turnsNow() + 1) % 4);
  arrangeAll();
};
byID("toggle-scope").onclick = () => {
  scope.toggle();
  byID("toggle-scope").setAttribute("aria-pressed", scope.isOpen);
  arrangeAll();
};

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

import { makeAPI } from "./api.js";
import { makeBar } from "./bar.js";
import { makeConnection, makeFeed } from "./connection.js";
import { fullScreen, haptics, keepAwake } from "./device.js";
import { announce, byID, icon, notice, place, resultOf, succeeds } from "./dom.js";
import { listenToFingers } from "./fingers.js";
import { makeGrid } from "./grid.js";
import { listenToKeys, makeCursor } from "./keyboard.js";
import { arrange } from "./layout.js";
import { makeLearning } from "./learn.js";
import { importFile } from "./library.js";
import { recall, remember } from "./memory.js";
import { makePicture } from "./picture.js";
import { makeScope } from "./scope.js";
import { makeSheet } from "./sheet.js";
import { makeState } from "./state.js";
import { findToken, keepToken, tokenIn } from "./token.js";

const BAR = 48; // CSS pixels
const SCOPE = { least: 88, greatest: 160 };
const STATS_INTERVAL = 5000; // ms

for (const button of document.querySelectorAll("[data-icon]")) {
  button.className = "icon-button";
  button.append(...button.dataset.icon.split(" ").map(icon));
  button.setAttribute("aria-label", button.title);
}

const connection = makeConnection(`${location.origin.replace("http", "ws")}/socket`, { token: findToken() });
const picture = makePicture();
const state = makeState();
const scopeFeed = makeFeed(connection, "scope");
const scope = makeScope(byID("scope"), scopeFeed);
const grid = makeGrid(byID("grid"), picture);
const bar = makeBar();
const joinSheet = makeSheet();
let api, limits;

connection.on("welcome", async (welcome) => {
  limits = welcome.limits;
  greet();
  await subscribe(["frame", "state", "tooltip", "haptic"]);
  const description = await resultOf(connection.call("rpc.discover"));
  if (!description) return;
  api = makeAPI(description);
  byID("toggle-scope").hidden = !api.hasTopic("scope");
  document.querySelectorAll("[data-method]").forEach((shown) => (shown.hidden = !api.has(shown.dataset.method)));
  const learning = api.has("midi.learn") && makeLearning(connection);
  joinSheet({ connection, api, state, scopeFeed, learning, welcome, limits });
});
connection.on("frame", (diff) => {
  if (!picture.apply(diff)) subscribe(["frame"]);
  grid.update();
});
connection.on("state", (patch) => state.patch(patch));
connection.on("tooltip", bar.showTooltip);
connection.on("haptic", (haptic) => haptics.play(haptic));
connection.on("status", ({ phase, reason }) => {
  if (phase !== "joined") {
    cancelTouches();
    document.body.classList.remove("live");
  }
  showStatus(phase, reason);
});

function greet() {
  const touch = { resolution: "subcell", cellPixels: Math.round(10 * grid.cellPixels) / 10 };
  connection.notify("hello", { client: "web page", touch });
}

async function subscribe(topics) {
  const present = await resultOf(connection.call("subscribe", { topics }));
  if (!present) return;
  picture.replace(present.frame);
  grid.update();
  if (present.state) state.replace(present.state);
  document.body.classList.add("live");
  showStatus("live");
}

function showStatus(phase, reason) {
  byID("line").textContent = {
    connecting: "Connecting\u2026",
    joined: "Waiting for the picture\u2026",
    lost: `${reason || "The connection is lost"}. Trying again\u2026`,
    refused: reason || "A token is needed",
  }[phase] ?? "";
  byID("line").hidden = phase === "live";
  byID("token-form").hidden = phase !== "refused";
}

byID("token-form").onsubmit = (event) => {
  event.preventDefault();
  const token = tokenIn(byID("token").value);
  if (!token) return notice("The token is what follows # in the address that pixelboop-web printed");
  keepToken(token);
  connection.authenticate(token);
};

addEventListener("hashchange", () => connection.authenticate(findToken()));

const send = (phase, touch, position) => connection.notify("touch", { touch, phase, ...position });
const cancelTouches = listenToFingers(byID("stage"), { placeOf: grid.placeOf, send, changed: bar.hideFor });
const showCursor = makeCursor(byID("grid"), byID("cursor"), { grid, picture, send, announce });

const act = (method, params) => api?.has(method) && succeeds(connection.call(method, params));
const actions = {
  play: () => act("transport.toggle"),
  undo: () => act("history.undo"),
  redo: () => act("history.redo"),
  tempo: (change) => act("tempo.set", { bpm: Math.min(Math.max(state.value.bpm + change, 20), 300) }),
  record: () => act("transport.record", { on: !state.value.transport.record }),
  scene: (scene) => act("scene.launch", { scene }),
  fullScreen: fullScreen.toggle,
  help: () => (byID("help").open ? byID("help").close() : byID("help").showModal()),
};
listenToKeys(actions);

addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  if (limits) importFile(event.dataTransfer.files[0], connection, limits);
});

state.watch((settings) => {
  bar.showState(settings);
  keepAwake(settings.transport.state === "playing");
});
async function showStats() {
  if (document.hidden) return;
  const stats = await connection.call("stats.get").catch(() => null);
  if (stats) bar.showXruns(stats.audio.xruns);
}
connection.on("welcome", showStats);
setInterval(showStats, STATS_INTERVAL);

/** Turned by a quarter in portrait, unless somebody turned it otherwise. */
const orientation = () => (innerHeight > innerWidth ? "portrait" : "landscape");
const turnsNow = () => recall(`turns.${orientation()}`, orientation() === "portrait" ? 1 : 0);

function arrangeAll() {
  const pixels = (length) => Math.floor(length * devicePixelRatio);
  const { left, top, width, height } = byID("app").getBoundingClientRect();
  const display = { left: pixels(left), top: pixels(top), width: pixels(width), height: pixels(height) };
  const places = arrange(display, { cols: picture.cols, rows: picture.rows, turns: turnsNow() }, {
    bar: pixels(BAR),
    scope: scope.isOpen ? { least: pixels(SCOPE.least), greatest: pixels(SCOPE.greatest) } : null,
  });
  place(byID("bar"), places.bar);
  byID("bar").classList.toggle("upright", places.bar.height > places.bar.width);
  grid.moveTo(places.grid);
  showCursor();
  if (places.scope) {
    place(byID("scope"), places.scope);
    scope.resize(places.scope);
  }
  greet();
}

byID("play").onclick = actions.play;
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
arrangeAll();
connection.connect();

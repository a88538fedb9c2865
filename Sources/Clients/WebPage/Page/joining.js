// What is asked of the daemon when a connection begins, where its notifications go, and what is shown until then.

import { TOKEN_NEEDED } from "./connection.js";
import { byID, notice, resultOf } from "./dom.js";
import { findToken, keepToken, tokenIn } from "./memory.js";
import { haptics, noteAddresses } from "./settings.js";
import { makeAPI } from "./state.js";

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

export function listenToTokens(connection) {
  byID("token-form").onsubmit = (event) => {
    event.preventDefault();
    const token = tokenIn(byID("token").value);
    if (!token) return notice("The token is the part after # in the address that pixelboop-web printed");
    keepToken(token);
    connection.authenticate(token);
  };
  addEventListener("hashchange", () => connection.authenticate(findToken()));
}

export function listenToDaemon({ connection, picture, state, grid, bar, greet, joined, left }) {
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

export function showAbilities(api) {
  byID("toggle-scope").hidden = !api.hasTopic("scope");
  byID("take").hidden = !api.hasTopic("audio");
  document.querySelectorAll("[data-method]").forEach((shown) => (shown.hidden = !api.has(shown.dataset.method)));
}

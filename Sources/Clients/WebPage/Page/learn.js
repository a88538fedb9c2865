// Controllers: the next message at midi_in is bound to a parameter.

import { makeFeed } from "./connection.js";
import { element, notice, setText, succeeds } from "./dom.js";

const keyOf = ({ method, params = {}, value }) => JSON.stringify([method, params.track ?? null, value]);
const wordsOf = ({ type, channel, number }) => `${type} ${number}${channel ? `, channel ${channel}` : ""}`;

/**
 * Makes the controls beside each parameter: its binding, and a button that waits for a controller, one at a time. The
 * daemon learns while the page is subscribed to `midi`. */
export function makeLearning(connection) {
  const feed = makeFeed(connection, "midi");
  const corners = new Map(); // by what they bind
  const cancelAll = () => corners.forEach(({ cancel }) => cancel());

  async function refresh() {
    const { bindings = [] } = await connection.call("midi.bindings").catch(() => ({}));
    corners.forEach(({ show }) => show(""));
    bindings.forEach(showBinding);
  }

  function showBinding({ on, to }) {
    const words = wordsOf(on);
    corners.forEach(({ lose }) => lose(words)); // A controller has only one binding.
    corners.get(keyOf(to))?.show(words);
  }

  function makeCorner({ method, name, label }, track) {
    const to = { method, ...(track && { params: { track } }), value: name };
    const bound = element("span", { className: "bound" });
    const button = element("button", { className: "learn" });
    let stop = null; // while it waits
    let known = "";

    function wait(isWaiting, text) {
      button.textContent = isWaiting ? "Cancel" : "Learn";
      button.setAttribute("aria-label", `${isWaiting ? "Cancel learning" : "Learn"} ${label}`);
      setText(bound, text);
    }

    function end(text) {
      stop = void stop?.() ?? null;
      wait(false, text);
    }

    async function obstacle() {
      const ports = await connection.call("midi.ports").catch(() => null);
      if (!Array.isArray(ports)) return "";
      const input = ports.find(({ name }) => name === "midi_in");
      if (!input) return "There is no MIDI port: the instrument runs without JACK";
      return input.connections.length ? "" : "No controller is connected to midi_in";
    }

    function begin() {
      cancelAll();
      obstacle().then((reason) => {
        if (!reason || !stop) return;
        notice(reason);
        if (reason.startsWith("There is no")) end(known);
      });
      wait(true, "Move a knob\u2026");
      stop = feed.listen(({ learned }) => {
        if (!learned) return;
        if (learned.on) showBinding(learned);
        // The result of a cancelled lesson may still arrive.
        if (!learned.on || keyOf(learned.to) === keyOf(to)) end(known || "Nothing received");
      });
      succeeds(connection.call("midi.learn", { to })).then((isTaught) => isTaught || end(known || "Nothing received"));
    }

    const cancel = () => end(known);
    const show = (text) => ((known = text), stop || setText(bound, text));
    cancel();
    button.onclick = () => (stop ? cancel() : begin());
    corners.set(keyOf(to), { show, lose: (text) => known === text && show(""), cancel });
    return element("div", { className: "lesson" }, bound, button);
  }

  connection.on("status", cancelAll);
  return { makeCorner, refresh, cancelAll };
}

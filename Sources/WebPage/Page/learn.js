// Controllers: the next message at midi_in is bound to a parameter.

import { makeFeed } from "./connection.js";
import { element, setText, succeeds } from "./dom.js";

const keyOf = ({ method, params = {}, value }) => JSON.stringify([method, params.track ?? null, value]);
const wordsOf = ({ type, channel, number }) => `${type} ${number}${channel ? `, channel ${channel}` : ""}`;

/**
 * Makes the controls beside each parameter: its binding, and a button that waits for a controller. The daemon learns
 * one binding at a time, in the order of the requests, and reports how each ended. */
export function makeLearning(connection) {
  const feed = makeFeed(connection, "midi");
  const lessons = []; // those without a result, which comes on the same connection or never
  const corners = new Map(); // by what they bind
  let stop = null;

  async function refresh() {
    const { bindings = [] } = await connection.call("midi.bindings").catch(() => ({}));
    corners.forEach(({ show }) => show(""));
    for (const { on, to } of bindings) corners.get(keyOf(to))?.show(wordsOf(on));
  }

  connection.on("status", () => {
    stop = void stop?.() ?? null;
    lessons.splice(0).forEach(({ isCancelled, end }) => isCancelled || end());
  });

  function ended({ learned }) {
    const lesson = learned && lessons.shift();
    if (!lesson) return;
    if (!lessons.length) stop = void stop?.() ?? null;
    if (!lesson.isCancelled) lesson.end(learned.on);
    // A cancelled lesson that was learned is unbound again.
    else if (learned.on) connection.notify("midi.unbind", { on: learned.on });
  }

  function begin(to, end) {
    const lesson = { end };
    lessons.push(lesson);
    stop ??= feed.listen(ended);
    succeeds(connection.call("midi.learn", { to })).then((isTaught) => {
      if (isTaught) return;
      lessons.splice(lessons.indexOf(lesson), 1);
      end();
    });
    return lesson;
  }

  function makeCorner({ method, name, label }, track) {
    const to = { method, ...(track && { params: { track } }), value: name };
    const bound = element("span", { className: "bound" });
    const button = element("button", { className: "learn" });
    let lesson = null;
    let known = "";

    function wait(isWaiting, text) {
      button.textContent = isWaiting ? "Cancel" : "Learn";
      button.setAttribute("aria-label", `${isWaiting ? "Cancel learning" : "Learn"} ${label}`);
      setText(bound, text);
    }

    function cancel() {
      if (lesson) lesson.isCancelled = true;
      lesson = null;
      wait(false, known);
    }

    cancel();
    button.onclick = () => {
      if (lesson) return cancel();
      wait(true, "Move a knob\u2026");
      lesson = begin(to, (on) => {
        lesson = null;
        if (on) {
          corners.forEach((corner) => corner.lose(wordsOf(on))); // A controller has only one binding.
          known = wordsOf(on);
        }
        wait(false, known || "Nothing received");
      });
    };
    const show = (text) => ((known = text), lesson || setText(bound, text));
    corners.set(keyOf(to), { show, lose: (text) => known === text && show(""), cancel });
    return element("div", { className: "lesson" }, bound, button);
  }
  return { makeCorner, refresh, cancelAll: () => corners.forEach(({ cancel }) => cancel()) };
}

// Controllers: the next message at midi_in is bound to a parameter.

import { makeFeed } from "./connection.js";
import { button, notice, succeeds } from "./dom.js";

/** Makes a parameter's button. */
export function makeLearning(connection) {
  const feed = makeFeed(connection, "midi");
  return ({ method, name, label }, track) => {
    const to = { method, ...(track && { params: { track } }), value: name };
    const learn = async () => {
      const stop = feed.listen(({ learned }) => learned && end(learned.on ? told(learned.on) : "Nothing came in 30 s"));
      const end = (text) => {
        stop();
        made.disabled = false;
        if (text) notice(text);
      };
      made.disabled = true;
      if (!(await succeeds(connection.call("midi.learn", { to })))) end();
    };
    const told = ({ type, channel, number }) => `${label}: ${type} ${number}${channel ? `, channel ${channel}` : ""}`;
    const made = button("learn", `Learn ${label}`, learn, "Learn");
    return made;
  };
}

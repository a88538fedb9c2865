// What fills the middle of the page: the grid, or one track as wide keys, or as rows of steps.

import { titled } from "./controls.js";
import { byID, element, place } from "./dom.js";
import { makeDrums } from "./drums.js";
import { makeKeys } from "./keys.js";
import { recall, remember } from "./memory.js";
import { makeTrackTabs, TRACK_NAMES } from "./tracks.js";

const NAMES = ["grid", "keys", "drums"];
const FIRST_TRACK = { keys: 0, drums: 3 };

export function makeViews({ keys, closeLens, record, catchKeys, changed }) {
  const view = byID("view");
  let context = null; // once the daemon is known
  let wanted = recall("view", "grid");
  let open = null; // the view that is built
  let openName = "grid";
  let ending;

  const buttons = NAMES.map((name) => element("button", { className: "view-tab", onclick: () => choose(name) },
    titled(name)));
  byID("views").append(...buttons);

  const isThere = (name) => name === "grid" || Boolean(context) && (name !== "keys" || context.api.has("keys.press"));
  const trackOf = (name) => recall(`${name}.track`, FIRST_TRACK[name]);
  const tabs = makeTrackTabs((index) => {
    remember(`${openName}.track`, index);
    keys.releaseAll();
    show();
  }, closeLens);

  function close() {
    open?.close();
    ending?.();
    [open, ending] = [null, null];
    view.replaceChildren();
  }

  function build() {
    close();
    openName = isThere(wanted) ? wanted : "grid";
    buttons.forEach((button, index) => {
      button.setAttribute("aria-pressed", NAMES[index] === openName);
      button.hidden = !isThere(NAMES[index]);
    });
    view.hidden = openName === "grid";
    if (openName === "grid") return;
    const name = openName;
    const make = { keys: makeKeys, drums: makeDrums }[name];
    const track = () => TRACK_NAMES[trackOf(name)];
    open = make({ ...context, keys, record, catchKeys, sample: keys.sample, track });
    view.append(element("div", { className: "view-head" },
      element("nav", { className: "view-tracks", "aria-label": "Track" }, ...tabs.elements), ...open.tools), open.element);
    view.setAttribute("aria-label", titled(name));
    ending = context.state.watch(show);
  }

  function show() {
    if (!open || !context.state.value) return;
    tabs.show(trackOf(openName), context.state.value.lenses);
    open.show(context.state.value);
  }

  function choose(name) {
    wanted = name;
    remember("view", name);
    build();
    changed();
  }

  build();
  return {
    choose,

    get isGrid() {
      return openName === "grid";
    },

    plays: (event) => Boolean(open?.plays(event)),

    arrange(area) {
      if (!open) return;
      place(view, area);
      open.arrange({ width: area.width / devicePixelRatio, height: area.height / devicePixelRatio });
      show();
    },

    join(joined) {
      context = joined;
      build();
      changed();
    },
  };
}

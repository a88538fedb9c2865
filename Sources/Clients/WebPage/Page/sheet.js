// The sheet beside the grid: sections behind tabs, each only if the daemon supports it.

import { afterTyping, byID, element, icon } from "./dom.js";
import { buildLibrary } from "./library.js";
import { buildMixer } from "./mixer.js";
import { buildParameters, parametersBySection } from "./parameters.js";
import { buildScenes } from "./scenes.js";
import { buildPageSettings } from "./settings.js";

const SWIPE = 70; // CSS pixels towards the edge that it came from

function sectionsFor(context) {
  const { Mixer, Settings, ...others } = parametersBySection(context.api);
  const { Scenes = [] } = others;
  const both = (first, second) => ({
    element: element("div", {}, first.element, second.element),
    close: () => [first, second].forEach(({ close }) => close?.()),
  });
  const built = {
    ...(context.api.has("library.list") && { Library: () => buildLibrary(context) }),
    ...(context.api.has("scene.copy") && {
      Scenes: () => both(buildScenes(context), buildParameters(Scenes, context)),
    }),
    ...(Mixer.length && { Mixer: () => buildMixer(Mixer, context) }),
  };
  return {
    ...built,
    ...Object.fromEntries(Object.entries(others).filter(([title, parameters]) => parameters.length && !built[title])
      .map(([title, parameters]) => [title, () => buildParameters(parameters, context)])),
    Settings: () => both(buildParameters(Settings, context), { element: buildPageSettings(context) }),
  };
}

/** `changed` is called when it opens or closes. Returns `join`, to be called after each connection. */
export function makeSheet(changed) {
  const [sheet, tabs, content, opener] = ["sheet", "tabs", "section", "open-sheet"].map(byID);
  let sections = {};
  let chosen = "Library";
  let learning = null;
  let closeSection;

  function close() {
    learning?.cancelAll();
    closeSection?.();
    closeSection = null;
  }

  function show() {
    close();
    tabs.replaceChildren(...Object.keys(sections).map(makeTab));
    const built = sections[chosen]();
    closeSection = built.close;
    content.replaceChildren(built.element);
    content.setAttribute("aria-label", chosen);
    content.scrollTop = 0;
    byID("learn").hidden = !learning || !content.querySelector(".lesson");
    if (sheet.classList.contains("learning")) learning?.refresh();
    changed();
  }

  function makeTab(title) {
    const isChosen = title === chosen;
    return element("button", { role: "tab", "aria-selected": isChosen, "aria-controls": "section",
      tabIndex: isChosen ? 0 : -1, onclick: () => choose(title), ondragenter: () => isChosen || choose(title) },
    icon(title.toLowerCase()), title);
  }

  function choose(title) {
    chosen = title;
    show();
    tabs.querySelector("[aria-selected=true]").focus({ preventScroll: true });
  }

  function toggle() {
    sheet.hidden = !sheet.hidden;
    opener.setAttribute("aria-expanded", !sheet.hidden);
    if (!sheet.hidden) return choose(chosen);
    close();
    opener.focus({ preventScroll: true });
    changed();
  }

  byID("learn").onclick = ({ currentTarget }) => {
    currentTarget.setAttribute("aria-pressed", sheet.classList.toggle("learning"));
    learning?.cancelAll();
    learning?.refresh();
  };
  opener.onclick = byID("close-sheet").onclick = toggle;
  document.addEventListener("keydown", ({ key }) => key === "Escape" && !sheet.hidden && !byID("help").open && toggle());
  tabs.addEventListener("keydown", ({ key }) => {
    const titles = Object.keys(sections);
    const title = titles[titles.indexOf(chosen) + { ArrowLeft: -1, ArrowRight: 1 }[key]];
    if (title) choose(title);
  });

  // A swipe towards its edge closes it: to the right, or down from its head where it opens from below.
  let start = null;
  sheet.addEventListener("pointerdown", (event) => {
    start = event.pointerType === "mouse" || event.target.closest(".slide, input") ? null : event;
  });
  addEventListener("pointerup", swiped);
  addEventListener("pointercancel", () => (start = null));
  function swiped({ pointerId, clientX, clientY }) {
    if (pointerId !== start?.pointerId) return;
    const [across, down] = [clientX - start.clientX, clientY - start.clientY];
    const { left, top } = sheet.getBoundingClientRect();
    const isFromHead = start.target.closest(".sheet-head");
    start = null;
    if (across > SWIPE && across > 2 * Math.abs(down) || left === 0 && top > 0 && isFromHead && down > SWIPE) toggle();
  }

  return {
    get width() {
      return sheet.hidden || innerWidth < 900 ? 0 : sheet.offsetWidth;
    },

    join(context) {
      sections = sectionsFor(context);
      learning = context.learning;
      if (!sections[chosen]) chosen = "Settings";
      opener.disabled = false;
      afterTyping(sheet, () => sheet.hidden || show());
    },
  };
}

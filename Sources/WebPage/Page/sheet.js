// The sheet beside the grid: sections behind tabs, each of them there if the daemon has what it shows.

import { byID, element } from "./dom.js";
import { buildLibrary } from "./library.js";
import { buildMixer } from "./mixer.js";
import { buildParameters, parametersBySection } from "./parameters.js";
import { buildPageSettings } from "./settings.js";

/** The sections, by title: what builds each one's `element`, and what to `close` when it goes. */
function sectionsFor(context) {
  const { Mixer, Settings, ...others } = parametersBySection(context.api);
  return {
    ...(context.api.has("library.list") && { Library: () => buildLibrary(context) }),
    ...(Mixer.length && { Mixer: () => buildMixer(Mixer, context) }),
    ...Object.fromEntries(Object.entries(others).filter(([, parameters]) => parameters.length)
      .map(([title, parameters]) => [title, () => buildParameters(parameters, context)])),
    Settings() {
      const { element: fields, close } = buildParameters(Settings, context);
      return { element: element("div", {}, fields, buildPageSettings(context)), close };
    },
  };
}

/** Returns `join`, which takes what the daemon has from then on. */
export function makeSheet() {
  const [sheet, tabs, content, opener] = ["sheet", "tabs", "section", "open-sheet"].map(byID);
  let sections = {};
  let chosen = "Library";
  let close;

  function show() {
    close?.();
    tabs.replaceChildren(...Object.keys(sections).map(makeTab));
    const built = sections[chosen]();
    close = built.close;
    content.replaceChildren(built.element);
    content.setAttribute("aria-label", chosen);
    content.scrollTop = 0;
  }

  function makeTab(title) {
    const isChosen = title === chosen;
    return element("button", { role: "tab", "aria-selected": isChosen, "aria-controls": "section",
      tabIndex: isChosen ? 0 : -1, onclick: () => choose(title) }, title);
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
    close?.();
    close = null;
    opener.focus({ preventScroll: true });
  }

  byID("learn").onclick = ({ target }) => target.setAttribute("aria-pressed", sheet.classList.toggle("learning"));
  opener.onclick = byID("close-sheet").onclick = toggle;
  sheet.addEventListener("keydown", ({ key }) => key === "Escape" && toggle());
  tabs.addEventListener("keydown", ({ key }) => {
    const titles = Object.keys(sections);
    const title = titles[titles.indexOf(chosen) + { ArrowLeft: -1, ArrowRight: 1 }[key]];
    if (title) choose(title);
  });

  return (context) => {
    sections = sectionsFor(context);
    if (!sections[chosen]) chosen = "Settings";
    opener.disabled = false;
    if (!sheet.hidden) show();
  };
}

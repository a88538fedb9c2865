// Where everything is: the bar, the grid or another view, and the scope.

import { byID, place } from "./dom.js";
import { arrange, placeFocus } from "./layout.js";
import { recall, remember } from "./memory.js";

const BAR = 48; // CSS pixels
/** CSS pixels of width below which a bar above the grid has three or two rows, the last for words. */
const NARROW = 700;
const MIDDLE = 1280;
const TIGHT = 900; // below which buttons that settings have too are left out
const SLIM = 130; // CSS pixels of width below which a bar on the left has no room for the tempo's unit
const LOW = 420; // CSS pixels of height below which a bar on the left is scarce of room
const SCOPE = { least: 88, greatest: 160 };

const pixels = (length) => Math.floor(length * devicePixelRatio);
const rowsOf = (width) => (width < NARROW ? 3 : width < MIDDLE ? 2 : 1);

/** Beside the sheet a tablet's grid has a portrait's room, and is turned as in one: its cells are half as large again. */
const orientation = (sheet) => (innerHeight > innerWidth - sheet.width ? "portrait" : "landscape");
const turnsNow = (sheet) => recall(`turns.${orientation(sheet)}`, orientation(sheet) === "portrait" ? 1 : 0);

function arrangeBar(bar, free) {
  place(byID("bar"), bar);
  const isUpright = bar.height > bar.width;
  const rows = isUpright ? 0 : rowsOf(free);
  const are = {
    upright: isUpright, narrow: rows === 3, middle: rows === 2, tight: rows === 2 && free < TIGHT,
    slim: isUpright && bar.width < pixels(SLIM), low: isUpright && bar.height < pixels(LOW),
  };
  for (const [name, isSo] of Object.entries(are)) byID("bar").classList.toggle(name, isSo);
}

export function makeArrangement({ picture, grid, sheet, scope, focus, views, edges }, { moved, arranged }) {
  let shownView;

  function arrangeTracks(view, isFocused) {
    byID("tracks").hidden = !isFocused;
    if (!isFocused) return;
    place(byID("tracks"), view.tabs);
    byID("tracks").classList.toggle("upright", view.tabs.height > view.tabs.width);
  }

  function arrangeAll() {
    const { left, top, width, height } = byID("app").getBoundingClientRect();
    const free = width - sheet.width;
    const display = { left: pixels(left), top: pixels(top), width: pixels(free), height: pixels(height) };
    const turns = turnsNow(sheet);
    const places = arrange(display, { cols: picture.cols, rows: picture.rows, turns }, {
      bar: pixels(BAR), barAbove: pixels(BAR * rowsOf(free)), barBeside: pixels(2 * BAR), scale: devicePixelRatio,
      scope: scope.isOpen ? { least: pixels(SCOPE.least), greatest: pixels(SCOPE.greatest) } : null,
    });
    arrangeBar(places.bar, free);
    const isFocused = focus.isOn(places.grid.pitch / devicePixelRatio) && views.isGrid;
    const view = isFocused ? placeFocus(places.area, { turns, ...focus.shown }, devicePixelRatio) : places.grid;
    // The cell under a finger would change.
    const now = JSON.stringify([view, views.isGrid]);
    if (shownView !== now) moved();
    shownView = now;
    grid.moveTo(view);
    for (const id of ["stage", "edges"]) byID(id).hidden = !views.isGrid;
    if (views.isGrid) edges.arrange(view);
    else byID("focus").hidden = true;
    arrangeTracks(view, isFocused);
    views.arrange(places.area);
    if (places.scope) {
      place(byID("scope"), places.scope);
      scope.resize(places.scope);
    }
    arranged();
  }

  return {
    arrangeAll,

    turn() {
      remember(`turns.${orientation(sheet)}`, (turnsNow(sheet) + 1) % 4);
      arrangeAll();
    },
  };
}

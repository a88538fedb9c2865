// Fingers, mouse and pen on the grid: each pointer is a touch, and every position that the browser knows is sent.

/**
 * `placeOf(event, clamped)` gives a place in cells, null beside the grid; `changed(count)` is told how many fingers are
 * down. Returns what cancels all touches.
 */
export function listenToFingers(surface, { placeOf, send, changed }) {
  const touches = new Map(); // by pointer: the touch's id and its last place
  let lastTouch = 0;

  function down(event) {
    const place = placeOf(event);
    if (!place || event.button !== 0) return;
    document.activeElement?.blur(); // Keys are for what is played now.
    surface.setPointerCapture(event.pointerId);
    touches.set(event.pointerId, { touch: ++lastTouch, ...place });
    changed(touches.size);
    send("down", lastTouch, place);
  }

  function move(event) {
    const last = touches.get(event.pointerId);
    if (!last) return;
    const positions = event.getCoalescedEvents?.() ?? [];
    for (const position of positions.length ? positions : [event]) {
      const place = placeOf(position, true);
      if (place.x === last.x && place.y === last.y) continue;
      Object.assign(last, place);
      send("move", last.touch, place);
    }
  }

  function end(phase, pointer, place) {
    const last = touches.get(pointer);
    if (!last) return;
    touches.delete(pointer);
    changed(touches.size);
    send(phase, last.touch, place);
  }

  const cancel = ({ pointerId }) => end("cancel", pointerId);
  const cancelAll = () => [...touches.keys()].forEach((pointer) => end("cancel", pointer));

  surface.addEventListener("pointerdown", down);
  surface.addEventListener("pointermove", move);
  surface.addEventListener("pointerup", (event) => end("up", event.pointerId, placeOf(event, true)));
  surface.addEventListener("pointercancel", cancel);
  surface.addEventListener("lostpointercapture", cancel);
  // Menus, focus, Safari's loupe, its double-tap zoom and swipes from the edge; pointer events come all the same.
  for (const unwanted of ["contextmenu", "mousedown", "touchstart"]) {
    surface.addEventListener(unwanted, (event) => event.preventDefault(), { passive: false });
  }
  addEventListener("blur", cancelAll);
  addEventListener("pagehide", cancelAll);
  document.addEventListener("visibilitychange", () => document.hidden && cancelAll());
  return cancelAll;
}

// Fingers, mouse and pen on the grid: each pointer is a touch; all its positions are sent, with their times. A resting
// finger is reported repeatedly, because a hold needs reports. A ring shows each at once.

import { byID, element, listen, refuse, whenLeft } from "./dom.js";

const REPORT = 100; // ms

/**
 * `placeOf(event, region)` returns a place in cells with its region, null outside the grid. `changed(count)` is called
 * with the number of fingers, `shown(pointer, event)` with each one's position, and null when it is lifted. Returns a
 * function that cancels all touches. */
export function listenToFingers(surface, { placeOf, send, changed, shown = () => {} }) {
  const touches = new Map(); // by pointer: the touch's id, its last place and when it was sent
  let lastTouch = 0;
  let reporting = null;
  let latest = 0;

  /** Never earlier than the last time that was sent. */
  const timeOf = (moment) => (latest = Math.max(latest, Math.round(10 * moment) / 10));

  function say(phase, last, moment) {
    last.sent = timeOf(moment);
    send(phase, last.touch, phase === "cancel" ? { ms: last.sent } : { x: last.x, y: last.y, ms: last.sent });
  }

  function counted() {
    changed(touches.size);
    if (touches.size && !reporting) reporting = setInterval(report, REPORT / 2);
    if (touches.size) return;
    clearInterval(reporting);
    reporting = null;
  }

  function report() {
    const now = performance.now();
    for (const last of touches.values()) if (now - last.sent >= REPORT - 1) say("move", last, now);
  }

  function down(event) {
    const place = placeOf(event);
    if (!place || event.button !== 0) return;
    document.activeElement?.blur(); // Gives the keys back to the instrument.
    surface.setPointerCapture(event.pointerId);
    const last = { touch: ++lastTouch, ...place };
    touches.set(event.pointerId, last);
    counted();
    shown(event.pointerId, event);
    say("down", last, event.timeStamp);
  }

  function move(event) {
    const last = touches.get(event.pointerId);
    if (!last) return;
    shown(event.pointerId, event);
    const positions = event.getCoalescedEvents?.() ?? [];
    for (const position of positions.length ? positions : [event]) {
      const place = placeOf(position, last.region ?? true);
      if (place.x === last.x && place.y === last.y) continue;
      Object.assign(last, place);
      say("move", last, position.timeStamp ?? event.timeStamp);
    }
  }

  function end(phase, pointer, moment, place) {
    const last = touches.get(pointer);
    if (!last) return;
    touches.delete(pointer);
    counted();
    shown(pointer, null);
    say(phase, Object.assign(last, place), moment);
  }

  function up(event) {
    const last = touches.get(event.pointerId);
    if (last) end("up", event.pointerId, event.timeStamp, placeOf(event, last.region ?? true));
  }

  const cancel = ({ pointerId, timeStamp }) => end("cancel", pointerId, timeStamp);
  const cancelAll = () => [...touches.keys()].forEach((pointer) => end("cancel", pointer, performance.now()));

  surface.addEventListener("pointerdown", down);
  surface.addEventListener("pointermove", move);
  surface.addEventListener("pointerup", up);
  listen(surface, "pointercancel lostpointercapture", cancel);
  // Menus, focus, Safari's loupe, its double-tap zoom and swipes from the edge; pointer events still arrive.
  refuse(surface, "contextmenu mousedown touchstart");
  whenLeft(cancelAll);
  return cancelAll;
}

const rings = new Map();

export function showRing(pointer, event) {
  if (!event) {
    rings.get(pointer)?.remove();
    rings.delete(pointer);
    return;
  }
  if (!rings.has(pointer)) rings.set(pointer, byID("rings").appendChild(element("div", { className: "ring" })));
  rings.get(pointer).style.transform = `translate(${event.clientX}px, ${event.clientY}px)`;
}

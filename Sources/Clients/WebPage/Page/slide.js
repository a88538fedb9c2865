// A finger on a slider moves it by its own movement: the value never jumps, and scrolling past does not change it.

const SLOP = 6; // CSS pixels before a movement counts as sliding
const NEAR = 60; // CSS pixels from the slider beyond which it moves slower
const DOUBLE_TAP = 350; // ms

/** `move(share)` is called with movements as a share of the slider's width, `reset` after a double tap. */
export function listenToSlide(surface, { begin, move, end, reset }) {
  let finger = null; // the pointer, where it was, and whether it slides
  let lastTap = -Infinity;

  surface.addEventListener("pointerdown", (event) => {
    if (finger || event.button !== 0) return;
    finger = { id: event.pointerId, x: event.clientX, startX: event.clientX, startY: event.clientY, slides: false };
    // Touches are captured anyway; a mouse that left before sliding would seem to be still pressed.
    surface.setPointerCapture(event.pointerId);
  });
  surface.addEventListener("pointermove", (event) => {
    if (event.pointerId !== finger?.id) return;
    const [across, down] = [event.clientX - finger.startX, event.clientY - finger.startY].map(Math.abs);
    if (!finger.slides) {
      if (across < SLOP || across < down) return;
      Object.assign(finger, { slides: true, x: event.clientX });
      return begin();
    }
    const slowness = 1 + Math.max(0, down - NEAR) / NEAR;
    move((event.clientX - finger.x) / surface.clientWidth / slowness);
    finger.x = event.clientX;
  });
  const lift = (event) => {
    if (event.pointerId !== finger?.id) return;
    const { slides } = finger;
    finger = null;
    if (slides) return end();
    if (event.type !== "pointerup") return;
    if (event.timeStamp - lastTap < DOUBLE_TAP) reset();
    lastTap = event.timeStamp;
  };
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) surface.addEventListener(type, lift);
}

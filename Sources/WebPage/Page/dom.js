// Making and finding elements, and words for everybody.

export const byID = (id) => document.getElementById(id);

/** An element with properties or attributes, and those children that there are. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children.filter(Boolean));
  return made;
}

export function icon(name) {
  const SVG = "http://www.w3.org/2000/svg";
  const [svg, use] = [document.createElementNS(SVG, "svg"), document.createElementNS(SVG, "use")];
  use.setAttribute("href", `icons.svg#${name}`);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

export function button(className, label, onclick, ...children) {
  return element("button", { className, title: label, "aria-label": label, onclick }, ...children);
}

export function relabel(button, label, pressed) {
  button.title = label;
  button.setAttribute("aria-label", label);
  button.setAttribute("aria-pressed", pressed);
}

/** Puts an element onto a rectangle that is given in the device's pixels. */
export function place({ style }, rectangle) {
  for (const side of ["left", "top", "width", "height"]) style[side] = `${rectangle[side] / devicePixelRatio}px`;
}

/** Acts once, with the display's next frame, however often it is called until then. */
export function oncePerFrame(act) {
  let frame = null;
  return () => {
    frame ??= requestAnimationFrame(() => {
      frame = null;
      act();
    });
  };
}

export function announce(text) {
  byID("announcer").textContent = text;
}

export function notice(text) {
  const shown = element("p", { className: "notice" }, text);
  byID("notices").replaceChildren(shown);
  setTimeout(() => shown.remove(), 6000);
}

/** What a promise gives; if it is refused, undefined, and the daemon's own words are shown. */
export const resultOf = (promise) => promise.catch(({ message }) => notice(message));

export const succeeds = async (promise) => (await resultOf(promise)) !== undefined;

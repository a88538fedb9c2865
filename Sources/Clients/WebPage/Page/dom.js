// Making and finding elements, and messages to the user.

export const byID = (id) => document.getElementById(id);

/** `kind` is a tag, or a tag and its classes as in "div.line". */
export function element(kind, properties = {}, ...children) {
	const [tag, className = ""] = kind.split(".");
	const made = Object.assign(document.createElement(tag), { className });
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

export function dressButtons() {
	for (const button of document.querySelectorAll("[data-icon]")) {
		button.classList.add("icon-button");
		button.prepend(...button.dataset.icon.split(" ").map(icon));
		button.setAttribute("aria-label", button.title);
	}
}

export function listen(target, types, listener, options) {
	for (const type of types.split(" ")) target.addEventListener(type, listener, options);
}

/** Calls back when the page is hidden, left or without the keyboard. */
export function whenLeft(act) {
	listen(globalThis, "blur pagehide", act);
	document.addEventListener("visibilitychange", () => document.hidden && act());
}

/** The events that end a press. */
export const LIFTS = "pointerup pointercancel lostpointercapture";

export const refuse = (target, types) => listen(target, types, (event) => event.preventDefault(), { passive: false });

export function relabel(button, label, pressed) {
	button.title = label;
	button.setAttribute("aria-label", label);
	button.setAttribute("aria-pressed", pressed);
}

export function place({ style }, rectangle) {
	for (const side of ["left", "top", "width", "height"]) style[side] = `${rectangle[side] / devicePixelRatio}px`;
}

export function rectangleOf(shown) {
	const box = shown.getBoundingClientRect();
	return Object.fromEntries(["left", "top", "width", "height"].map((side) => [side, box[side] * devicePixelRatio]));
}

export function oncePerFrame(act) {
	let frame = null;
	return () => {
		frame ??= requestAnimationFrame(() => {
			frame = null;
			act();
		});
	};
}

/** Acts once nothing in an area is typed in or pressed: the next key or click would get lost. */
export function afterTyping(area, act) {
	const later = () => requestAnimationFrame(() => afterTyping(area, act));
	const form = document.activeElement?.closest("form");
	if (area.contains(form)) form.addEventListener("focusout", later, { once: true });
	else if (area.matches(":active")) later();
	else act();
}

/** Sets a text only if it differs: screen readers read it again each time. */
export function setText(shown, text) {
	if (shown.textContent !== text) shown.textContent = text;
}

export const reveal = (shown) => shown?.scrollIntoView({ block: "nearest" });

export function announce(text) {
	byID("announcer").textContent = text;
}

/** `content` is a text, bytes, or both in pieces. */
export function download(name, type, content) {
	const url = URL.createObjectURL(new Blob([content].flat(), { type }));
	element("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

let vanishing;

function show(className, text) {
	clearTimeout(vanishing);
	const onclick = () => byID("notices").replaceChildren();
	byID("notices").replaceChildren(element("p", { className, onclick }, text));
	vanishing = setTimeout(() => byID("notices").replaceChildren(), 6000);
}

/** Shows an error or a hint until the next action succeeds. */
export const notice = (text) => show("notice", text);

export const confirm = (text) => show("notice done", text);

/** The result of a promise; undefined, with a notice, if it is rejected. */
export const resultOf = (promise) => promise.then((result) => {
	if (byID("notices").querySelector(".notice:not(.done)")) byID("notices").replaceChildren();
	return result;
}, ({ message }) => notice(message));

export const succeeds = async (promise) => (await resultOf(promise)) !== undefined;

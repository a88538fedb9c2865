// The sections of the sheet for the daemon's parameters. Parameters that this page does not know are under Settings, or
// in the mixer if tracks have them.

import { makeControl, titled } from "./controls.js";
import { element, succeeds } from "./dom.js";

export const trackColours = { melody: "#f7dc6f", chords: "#4ecdc4", bass: "#45b7d1", rhythm: "#ff6b6b" };

const SECTIONS = {
	Sounds: ["track.set/preset", "track.set/kit", "track.set/tone", "reverb.set", "delay.set", "master.set"],
	MIDI: ["track.set/channel", "track.set/target", "track.set/velocityNormal", "track.set/velocityAccent"],
	Sync: ["sync.set"],
	Scenes: ["launch.set"],
};
/** What titles made of the names would not say well: SUBJECT.PARAMETER. */
const LABELS = {
	"track.duck": "Ducking", "track.velocityNormal": "Velocity", "track.velocityAccent": "Accent velocity",
	"sync.offsetIn": "Sync input offset", "sync.offsetOut": "Sync output offset", "sync.startStop": "Shared start and stop",
	"colors.mode": "Colours", "launch.quantum": "Launch on the next", "ghosts.on": "Ghosts of other tracks",
	"root.root": "Key", "track.lfoTo": "LFO to", "track.lfoShape": "LFO shape", "track.lfoRate": "LFO rate",
	"track.lfoDepth": "LFO depth",
	"reverb.early": "Early reflections", "master.loud": "Loudness",
};
/** They edit the pattern, set a number that is not for dragging, or have their own menu. */
const NO_PARAMETERS = ["note.set", "pattern.set", "dice.set", "lens.set"];
const SOUNDS = ["preset", "kit"];

export function parametersBySection(api) {
	const titles = ["Mixer", ...Object.keys(SECTIONS), "Settings"];
	const sections = Object.fromEntries(titles.map((title) => [title, []]));
	for (const parameter of allParameters(api)) {
		const { method, name } = parameter;
		const claims = ([, claimed]) => claimed.includes(method) || claimed.includes(`${method}/${name}`);
		const other = parameter.isPerTrack ? "Mixer" : "Settings";
		sections[Object.entries(SECTIONS).find(claims)?.[0] ?? other].push(parameter);
	}
	// The sound comes before its tone.
	const place = ({ method, name }) => SECTIONS.Sounds.findIndex((each) => each.startsWith(method) && !each.includes("/")
		|| each === `${method}/${name}`);
	sections.Sounds.sort((one, other) => place(one) - place(other));
	return sections;
}

function allParameters(api) {
	const methods = api.methods.filter((method) => method.endsWith(".set") && !NO_PARAMETERS.includes(method));
	return methods.flatMap((method) => {
		const parameters = api.parameters(method).filter(({ name }) => name !== "track" && name !== "mutedDrums");
		const subject = method.split(".")[0];
		const isPerTrack = subject === "track";
		const labelOf = (name) => LABELS[`${subject}.${name}`] ?? (isPerTrack ? name : parameters.length > 1 ? `${subject} ${name}` : subject);
		return parameters.map(({ name, schema }) => ({
			method, subject, name, schema, isPerTrack, label: schema.title ?? titled(labelOf(name)),
			schemaOn: (track) => api.schemaOn(track, name) ?? schema,
		}));
	});
}

export function valueIn(state, { subject, name }, track) {
	const own = track ? state.tracks[track] : state[subject];
	return typeof own === "object" ? own[name] : own ?? state[name];
}

/** A parameter's control, with `show(state)`, which hides it without a value. Null for an unsupported kind. */
export function bindControl({ connection, learning, hear }, parameter, track, make = makeControl) {
	const { method, name } = parameter;
	const control = make({ ...parameter, schema: parameter.schemaOn(track) }, async (value) => {
		const isDone = await succeeds(connection.call(method, { ...(track && { track }), [name]: value }));
		if (isDone && SOUNDS.includes(name)) hear?.(track);
		return isDone;
	});
	// A controller's position cannot stand for a list.
	if (learning && control && !parameter.schema.items) control.element.append(learning.makeCorner(parameter, track));
	return control && {
		element: control.element,
		parameter, track, control,
		show(state) {
			const value = valueIn(state, parameter, track);
			control.element.hidden = value === undefined;
			// The names in `kits` are the choices of `kit`.
			if (value !== undefined) control.update(value, state[`${name}s`]);
		},
	};
}

export function buildParameters(parameters, context) {
	const { state } = context;
	const content = element("div.fields");
	const controls = [];
	function add(parameter, track) {
		const control = bindControl(context, parameter, track);
		if (!control) return;
		controls.push(control);
		content.append(control.element);
	}
	const perTrack = parameters.filter(({ isPerTrack }) => isPerTrack);
	for (const track of perTrack.length ? Object.keys(state.value.tracks) : []) {
		content.append(trackTitle(track));
		perTrack.forEach((parameter) => add(parameter, track));
	}
	if (perTrack.length && perTrack.length < parameters.length) content.append(element("h3", {}, "All tracks"));
	parameters.filter(({ isPerTrack }) => !isPerTrack).forEach((parameter) => add(parameter));
	return { element: content, close: state.watch((value) => controls.forEach((control) => control.show(value))) };
}

export function trackTitle(track) {
	const swatch = element("span.swatch");
	swatch.style.background = trackColours[track];
	return element("h3.track-title", {}, swatch, titled(track));
}

// What the daemon says: its settings, its methods, and the picture with each cell's colour and label.

import { GRID } from "./places.js";

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Applies a JSON merge patch (RFC 7386) and returns the result; the target stays as it was. */
export function mergePatch(target, patch) {
	if (!isObject(patch)) return patch;
	const result = isObject(target) ? { ...target } : {};
	for (const [name, value] of Object.entries(patch)) {
		if (value === null) delete result[name];
		else result[name] = mergePatch(result[name], value);
	}
	return result;
}

export function makeState() {
	const watchers = new Set();
	return {
		value: null,

		replace(value) {
			this.value = value;
			watchers.forEach((watcher) => watcher(value));
		},

		patch(patch) {
			if (this.value) this.replace(mergePatch(this.value, patch));
		},

		/** Calls back with the settings, now if they are known, and at every change. Returns a function that ends it. */
		watch(watcher) {
			watchers.add(watcher);
			if (this.value) watcher(this.value);
			return () => watchers.delete(watcher);
		},
	};
}

export function makeAPI({ methods, components }) {
	const tracks = components?.schemas.State.properties.tracks.properties;
	const byName = new Map(methods.map((method) => [method.name, method]));
	const parameters = (method) => byName.get(method)?.params ?? [];
	return {
		methods: [...byName.keys()],
		has: (method) => byName.has(method),
		parameters,
		/** The schema of a track's own parameter, which may be narrower than that of `track.set`. */
		schemaOn: (track, name) => tracks?.[track]?.properties[name],
		hasTopic: (topic) =>
			parameters("subscribe").some(({ name, schema }) => name === "topics" && schema.items.enum.includes(topic)),
	};
}

export function makePicture({ cols, rows } = GRID) {
	const rgb = new Uint32Array(cols * rows);
	const labels = Array(cols * rows).fill("");
	let seq = null;
	let changed = new Set(rgb.keys());

	return {
		cols, rows, rgb, labels,
		showsNames: false,

		replace(frame) {
			seq = frame.seq;
			rgb.set(frame.rgb);
			changed = new Set(rgb.keys());
		},

		apply(frame) {
			if (frame.base !== seq) return false;
			seq = frame.seq;
			for (let i = 0; i < frame.cells.length; i += 2) {
				rgb[frame.cells[i]] = frame.cells[i + 1];
				changed.add(frame.cells[i]);
			}
			return true;
		},

		applyLabels({ base, cells }) {
			if (base === undefined) {
				labels.forEach((label, index) => label && changed.add(index));
				labels.fill("");
			}
			for (let i = 0; i < cells.length; i += 2) {
				labels[cells[i]] = cells[i + 1];
				changed.add(cells[i]);
			}
		},

		takeChanges() {
			const taken = changed;
			changed = new Set();
			return taken;
		},
	};
}

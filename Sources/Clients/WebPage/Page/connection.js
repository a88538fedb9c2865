// The control socket of docs/protocol.md over a WebSocket, and what the daemon says there: its settings, its methods, the
// picture. And what is kept between visits; the token stays in the address too, and is sent through the WebSocket only.

import { GRID } from "./places.js";

const forgotten = {};

export function recall(name, otherwise = null) {
	try {
		return JSON.parse(localStorage.getItem(`pixelboop.${name}`)) ?? otherwise;
	} catch {
		return forgotten[name] ?? otherwise;
	}
}

export function remember(name, value) {
	try {
		localStorage.setItem(`pixelboop.${name}`, JSON.stringify(value));
	} catch {
		forgotten[name] = value;
	}
}

export function tokenIn(text) {
	const fragment = text.slice(text.indexOf("#") + 1).trim();
	return /^[\w-]{16,}$/.test(fragment) ? fragment : null;
}

export function findToken() {
	const token = tokenIn(location.hash);
	if (token) remember("token", token);
	return token ?? recall("token");
}

export function keepToken(token) {
	remember("token", token);
	history.replaceState(null, "", `#${token}`);
}

const FIRST_DELAY = 250; // ms, doubled with each attempt
const LONGEST_DELAY = 4000;
const LONGEST_SILENCE = 3000; // ms until the daemon is pinged, and then until the connection is given up
const LONGEST_JOINING = 8000; // ms; the gateway waits 5 s for the daemon
const NOT_AUTHENTICATED = 4401;
const TOKEN_LATE = "no token came in time"; // the gateway's reason
export const TOKEN_NEEDED = "A token is needed";
const LONGEST_GREETING = 700; // ms, then a token is probably needed

/**
 * `on(name, handler)` listens to the daemon's notifications, and to "status": `phase` is "connecting", "joined" once
 * the daemon has greeted, "lost" until it greets again, or "refused" without the right token; `reason` says why. */
export function makeConnection(url, { token = null, WebSocket = globalThis.WebSocket } = {}) {
	const handlers = new Map();
	const calls = new Map();
	let phase = "connecting";
	let needsNoToken = false; // once that is known
	let socket = null;
	let lastCall = 0;
	let delay = FIRST_DELAY;
	let retry, silence, farewell, greeting;

	const dispatch = (name, params) => handlers.get(name)?.forEach((handler) => handler(params));
	const send = (message) => socket.send(JSON.stringify({ jsonrpc: "2.0", ...message }));

	function enter(newPhase, reason) {
		phase = newPhase;
		dispatch("status", { phase, reason });
	}

	function connect() {
		clearTimeout(retry);
		if (socket) return;
		socket = new WebSocket(url, "pixelboop.v1");
		silence = setTimeout(end, LONGEST_JOINING);
		socket.onopen = () => {
			if (token) send({ method: "authenticate", params: { token } });
			else if (!needsNoToken) greeting = setTimeout(() => enter("refused"), LONGEST_GREETING);
		};
		socket.onmessage = ({ data }) => receive(JSON.parse(data));
		socket.onclose = ({ code, reason }) => end(code, reason);
	}

	function receive({ method, params, id, result, error }) {
		if (phase === "joined") listen();
		if (method === "welcome") join();
		if (method === "bye") farewell = params.reason;
		if (method) dispatch(method, params);
		else if (calls.has(id)) answer(calls.get(id), id, result, error);
		else if (error) farewell = error.message;
	}

	function answer({ resolve, reject }, id, result, error) {
		calls.delete(id);
		if (error) reject(Object.assign(new Error(error.message), error));
		else resolve(result);
	}

	function join() {
		delay = FIRST_DELAY;
		needsNoToken ||= !token;
		farewell = "";
		clearTimeout(greeting);
		enter("joined");
		listen();
	}

	/** A lost network closes no connection: a silent daemon is pinged, and given up if it does not answer. */
	function listen() {
		clearTimeout(silence);
		silence = setTimeout(() => {
			send({ method: "ping", id: 0 });
			silence = setTimeout(end, LONGEST_SILENCE);
		}, LONGEST_SILENCE);
	}

	function leave() {
		socket.onopen = socket.onmessage = socket.onclose = null;
		socket.close();
		socket = null;
		clearTimeout(silence);
		clearTimeout(greeting);
	}

	function refuseCalls() {
		calls.forEach(({ reject }) => reject(new Error("The connection was lost")));
		calls.clear();
	}

	function end(code, reason) {
		const isLate = reason === TOKEN_LATE;
		leave();
		refuseCalls();
		if (code === NOT_AUTHENTICATED && !(token && isLate)) return enter("refused", isLate ? TOKEN_NEEDED : reason);
		// Without a token that it needs the gateway tells nothing of the daemon.
		needsNoToken ||= !token && /pixelboopd/.test(reason);
		retry = setTimeout(connect, delay);
		delay = Math.min(2 * delay, LONGEST_DELAY);
		enter("lost", reason || farewell);
	}

	return {
		connect,

		close() {
			clearTimeout(retry);
			if (socket) leave();
			phase = "closed";
			refuseCalls();
		},

		on(name, handler) {
			handlers.set(name, [...(handlers.get(name) ?? []), handler]);
		},

		hurry() {
			delay = FIRST_DELAY;
			if (phase === "lost") connect();
		},

		authenticate(newToken) {
			token = newToken;
			if (socket && phase === "refused") leave();
			if (socket) return;
			enter("connecting");
			connect();
		},

		call(method, params = {}) {
			if (phase !== "joined") return Promise.reject(new Error("Not connected"));
			const id = ++lastCall;
			send({ method, params, id });
			return new Promise((resolve, reject) => calls.set(id, { resolve, reject }));
		},

		notify(method, params) {
			if (phase === "joined") send({ method, params });
		},
	};
}

/** A topic that is subscribed to only while it has listeners: `listen(listener)` returns a function that ends it. */
export function makeFeed(connection, topic) {
	const listeners = new Set();
	const ask = (method) => connection.notify(method, { topics: [topic] });
	connection.on(topic, (params) => listeners.forEach((listener) => listener(params)));
	connection.on("welcome", () => listeners.size && ask("subscribe"));
	return {
		listen(listener) {
			listeners.add(listener);
			if (listeners.size === 1) ask("subscribe");
			return () => {
				listeners.delete(listener);
				if (!listeners.size) ask("unsubscribe");
			};
		},
	};
}

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

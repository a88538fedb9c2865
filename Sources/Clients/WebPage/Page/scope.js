// The scope: the main output's waveform, and how loud each track was in the last seconds.

import { oncePerFrame } from "./dom.js";
import { trackColours } from "./parameters.js";

const SOFT = 125;
const HISTORY = 150; // notifications, 30 a second

export function makeScope(canvas, feed) {
	const context = canvas.getContext("2d", { alpha: false });
	const peaks = Object.keys(trackColours).map((track) => ({ track, values: [] }));
	let main = [];
	let stop = null;

	function take(sound) {
		main = sound.main;
		for (const { track, values } of peaks) {
			values.push(sound.tracks[track]);
			if (values.length > HISTORY) values.shift();
		}
		update();
	}

	function drawBars({ left, top, width, height }, colour, count, extentOf) {
		const line = Math.max(1, Math.round(devicePixelRatio));
		const y = (value) => top + (height / 2) * (1 - value);
		context.fillStyle = colour;
		for (let i = 0; i < count; i++) {
			const [low, high] = extentOf(i);
			const [from, to] = [left + Math.round((i * width) / count), left + Math.round(((i + 1) * width) / count)];
			context.fillRect(from, y(high) - line / 2, Math.max(1, to - from - line), y(low) - y(high) + line);
		}
	}

	function draw() {
		const { width, height } = canvas;
		const margin = 8 * devicePixelRatio;
		const [left, lane] = [0.62 * width, height / peaks.length];
		const loudest = Math.max(SOFT, ...main.map(Math.abs), ...peaks.flatMap(({ values }) => values));
		context.fillStyle = "#000";
		context.fillRect(0, 0, width, height);
		drawBars({ left: margin, top: 0, width: 0.6 * width - margin, height }, "#ececf1", main.length / 2,
			(i) => [main[2 * i] / loudest, main[2 * i + 1] / loudest]);
		peaks.forEach(({ track, values }, i) => {
			const area = { left, top: i * lane, width: width - left - margin, height: 0.9 * lane };
			drawBars(area, trackColours[track], HISTORY, (at) => {
				const peak = (values[at - HISTORY + values.length] ?? 0) / loudest;
				return [-peak, peak];
			});
		});
	}

	const update = oncePerFrame(draw);
	return {
		get isOpen() {
			return stop !== null;
		},

		toggle() {
			stop = stop ? stop() ?? null : feed.listen(take);
			canvas.hidden = !stop;
		},

		resize({ width, height }) {
			canvas.width = width;
			canvas.height = height;
			draw();
		},
	};
}

// The grid on a canvas, whole or one track of it, with signs on its controls.

import { darkened, signOf } from "./cells.js";
import { oncePerFrame, place } from "./dom.js";
import { boxOf, placeIn } from "./layout.js";
import { CONTROLS } from "./places.js";

const REACH = 1;
const LEAST_NAME = 18; // CSS pixels of a cell that has room for a sign or a note's name

/** In portrait less and more change places, so that the upper one means more. */
const EXCHANGED = new Map([["tempoDown", "tempoUp"], ["lengthDown", "lengthUp"]].flatMap(([less, more]) =>
	[[CONTROLS[less][0], CONTROLS[more][0]], [CONTROLS[more][0], CONTROLS[less][0]]]));

export function makeGrid(canvas, picture) {
	const { cols, rows, rgb, labels } = picture;
	const context = canvas.getContext("2d", { alpha: false });
	let view;
	let boxes = []; // by cell: its place in the canvas, if it is shown
	let showsNames = false;
	let signs = []; // by cell, where there is room
	let isPlaying = false;

	/** Draws cells, then their names, colour by colour, because changing the colour takes time. */
	function draw(cells) {
		const named = { "#000": [], "#fff": [] };
		for (const index of cells) {
			const box = boxes[index];
			if (!box) continue;
			context.fillStyle = `#${darkened(index, rgb[index]).toString(16).padStart(6, "0")}`;
			context.fillRect(box.left, box.top, box.width, box.height);
			if (signs[index] || showsNames && labels[index]) named[isDark(rgb[index]) ? "#fff" : "#000"].push(index);
		}
		for (const colour in named) {
			context.fillStyle = colour;
			for (const index of named[colour]) {
				const { left, top, width, height } = boxes[index];
				context.fillText(signs[index] ?? labels[index], left + width / 2, top + height / 2, 0.8 * width);
			}
		}
	}

	function drawAll() {
		const hasRoom = (box) => Math.min(box.width, box.height) + 1 >= LEAST_NAME * devicePixelRatio;
		signs = boxes.map((box, index) => (hasRoom(box) ? signOf(index, isPlaying) : undefined));
		showsNames = picture.showsNames && view.pitch >= LEAST_NAME * devicePixelRatio;
		context.fillStyle = "#000";
		context.fillRect(0, 0, canvas.width, canvas.height);
		context.font = `600 ${Math.round(0.52 * view.side)}px system-ui, sans-serif`;
		[context.textAlign, context.textBaseline] = ["center", "middle"];
		draw(rgb.keys());
	}

	// A canvas that the browser lost comes back empty.
	canvas.oncontextrestored = drawAll;

	const shownColumn = (column, row) => (row === 0 && view.turns === 1 && EXCHANGED.get(column)) || column;

	const within = (value, count) => Math.round(1000 * Math.min(Math.max(value, 0), count - 0.001)) / 1000;

	function distance({ left, top, width, height }, x, y) {
		return Math.max(left - x, x - left - width, top - y, y - top - height, 0);
	}

	function regionAt(x, y) {
		const reach = view.main ? 0 : REACH * view.pitch;
		const distances = view.regions.map((region) => distance(region, x, y));
		const least = Math.min(...distances);
		return least <= reach ? view.regions[distances.indexOf(least)] : undefined;
	}

	return {
		/** A cell's width with its gap, in CSS pixels, by which the daemon judges the precision of fingers. */
		get cellPixels() {
			return view.pitch / devicePixelRatio;
		},

		get turns() {
			return view.turns;
		},

		moveTo(newView) {
			view = newView;
			boxes = [];
			for (const region of view.regions) {
				for (let row = region.row; row < region.row + region.rows; row++) {
					for (let column = region.column; column < region.column + region.cols; column++) {
						boxes[row * cols + column] = boxOf(region, shownColumn(column, row), row);
					}
				}
			}
			place(canvas, view);
			canvas.width = view.width;
			canvas.height = view.height;
			drawAll();
		},

		drawAll,

		showPlaying(plays) {
			if (plays === isPlaying) return;
			isPlaying = plays;
			drawAll();
		},

		update: oncePerFrame(() => draw(picture.takeChanges())),

		/**
		 * An event's place in cells, and its `region`; null well outside the grid. A finger that is down keeps its given
		 * region wherever it moves, clamped to the shown steps. */
		placeOf({ clientX, clientY }, given) {
			const [x, y] = [clientX * devicePixelRatio - view.left, clientY * devicePixelRatio - view.top];
			const region = given ?? regionAt(x, y);
			if (!region) return null;
			const place = placeIn(region, x, y);
			if (region === view.main) {
				place.x = Math.min(Math.max(place.x, region.column), region.column + region.cols - 0.001);
			}
			const column = Math.floor(place.x);
			place.x += shownColumn(column, Math.floor(place.y)) - column;
			return { x: within(place.x, cols), y: within(place.y, rows), region };
		},

		rectangleOf(column, row, lastColumn = column, lastRow = row) {
			const ends = [boxes[row * cols + column], boxes[lastRow * cols + lastColumn]];
			if (!ends[0] || !ends[1]) return null;
			const [left, top] = ["left", "top"].map((side) => Math.min(ends[0][side], ends[1][side]));
			const right = Math.max(...ends.map((box) => box.left + box.width));
			const bottom = Math.max(...ends.map((box) => box.top + box.height));
			return { left: view.left + left, top: view.top + top, width: right - left, height: bottom - top };
		},
	};
}

const LINEAR = Float64Array.from({ length: 256 }, (_, value) =>
	((value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));

/** Whether white stands out more on a colour than black; the contrast is at least 4.5 either way. */
export const isDark = (rgb) =>
	0.2126 * LINEAR[rgb >> 16] + 0.7152 * LINEAR[(rgb >> 8) & 0xff] + 0.0722 * LINEAR[rgb & 0xff] < 0.179;

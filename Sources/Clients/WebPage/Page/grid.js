// The grid: where its cells are on the display, in whole and for one track, and how they are drawn on a canvas.

import { darkened, signOf } from "./cells.js";
import { oncePerFrame, place } from "./dom.js";
import { CONTROLS, GRID, LENS, OVERVIEW, PADS, STEPS, TRACKS } from "./places.js";

const GAP = 1;
const TRACK_GAP = 6; // CSS pixels that set tracks apart
const EDGE = 18; // CSS pixels beside the grid for the tracks' names
const WORTH = 1.1; // how much larger cells must become for the bar to go to the left
const BAR_ROOM = 168; // CSS pixels that a bar on the left may use if the grid leaves them

/**
 * Makes the cells as large as possible: the bar goes above or on the left, the scope below.
 *
 * `shape` has the grid's `cols` and `rows`, and `turns`, in quarters clockwise; `bar` is the bar's thickness, `scope`
 * the scope's least and greatest height, or null; `scale` is device pixels per CSS pixel. `barAbove` and `barBeside`
 * are its thickness where it has several rows or columns.
 */
export function arrange({ left, top, width, height }, shape, { bar, barAbove = bar, barBeside = bar, scope, scale = 1 }) {
	const above = [{ left, top, width, height: barAbove }, { left, top: top + barAbove, width, height: height - barAbove }];
	const beside = [{ left, top, width: barBeside, height },
		{ left: left + barBeside, top, width: width - barBeside, height }];
	const [first, second] = [above, beside].map(([bar, rest]) => ({ bar, ...addScope(rest, shape, scope, scale) }));
	if (second.grid.pitch <= WORTH * first.grid.pitch) return first;
	// The bar gets the room beside the grid, because its words need it.
	const room = width - barBeside - second.grid.width - second.grid.edge;
	const spare = Math.max(0, Math.min(room, Math.round(BAR_ROOM * scale) - barBeside));
	const taken = barBeside + spare;
	const rest = { left: left + taken, top, width: width - taken, height };
	return { bar: { ...second.bar, width: taken }, ...addScope(rest, shape, scope, scale) };
}

function addScope(area, shape, scope, scale) {
	if (!scope) return { area, grid: placeGrid(area, shape, scale) };
	const smallest = placeGrid({ ...area, height: area.height - scope.least }, shape, scale);
	const size = Math.max(scope.least, Math.min(scope.greatest, area.height - smallest.height));
	const rest = { ...area, height: area.height - size };
	return { scope: { ...area, top: area.top + rest.height, height: size }, area: rest, grid: placeGrid(rest, shape, scale) };
}

const BANDS = [
	{ row: 0, rows: TRACKS[0].top },
	...TRACKS.map(({ top, height }) => ({ row: top, rows: height })),
	{ row: OVERVIEW.top, rows: OVERVIEW.bottom - OVERVIEW.top + 1 },
];

/**
 * The largest grid of square cells that fits into an area, in its middle, with room for the tracks' names at the edge of
 * the first column; `pitch` is a cell's side with its gap. */
export function placeGrid(area, { cols, rows, turns }, scale = 1) {
	const isTurned = turns % 2 === 1;
	const [trackGap, edge] = [TRACK_GAP, EDGE].map((pixels) => Math.round(pixels * scale));
	const gaps = (BANDS.length - 1) * trackGap;
	const [length, thickness] = isTurned ? [area.height, area.width] : [area.width, area.height];
	const pitch = Math.max(2, Math.floor(Math.min((length + GAP - edge) / cols, (thickness + GAP - gaps) / rows)));
	const [long, high] = [cols * pitch - GAP, rows * pitch + gaps - GAP];
	const [width, height] = isTurned ? [high, long] : [long, high];
	// The names' room counts only where it is needed.
	const shift = Math.max(0, edge - Math.floor((length - long) / 2));
	const [across, down] = [[shift, 0], [0, shift], [-shift, 0], [0, -shift]][turns];
	const left = area.left + Math.max(0, Math.floor((area.width - width) / 2) + across);
	const top = area.top + Math.max(0, Math.floor((area.height - height) / 2) + down);
	const regions = BANDS.map(({ row, rows }, index) => {
		const at = row * pitch + index * trackGap;
		const size = rows * pitch;
		return turned({ column: 0, row, cols, rows, turns }, [0, at, cols * pitch, size], long + GAP, high + GAP);
	});
	return { left, top, width, height, pitch, side: pitch - GAP, cols, rows, turns, regions, isWhole: true, edge };
}

/** The rectangles for the tracks' names, at the edge of the first column, in device pixels from the display's corner. */
export function edgesOf({ left, top, width, height, turns, regions, edge }) {
	return regions.slice(1, -1).map((region) => {
		const [wide, high] = [region.width - GAP, region.height - GAP];
		const along = { left: left + region.left, top: top + region.top, width: wide, height: high };
		return [
			{ ...along, left: left - edge, width: edge }, { ...along, top: top - edge, height: edge },
			{ ...along, left: left + width, width: edge }, { ...along, top: top + height, height: edge },
		][turns];
	});
}

const HEAD = LENS; // mute, solo, meter
/** The halves of a long pattern, shown one at a time: eight steps, a separator, eight steps. */
export const HALVES = [0, 2].map((bar) => (
	{ column: STEPS.first + bar * (STEPS.perBar + 1), cols: 2 * STEPS.perBar + 1 }
));

/**
 * One track in the grid's place, as large as fits: its left columns, half of its steps and its pads, between strips of
 * controls and step markers, and of overview, scene pads and tabs.
 */
export function placeFocus(area, { turns, track, half }, scale) {
	const isTurned = turns % 2 === 1;
	const [length, thickness] = isTurned ? [area.height, area.width] : [area.width, area.height];
	const size = (pixels) => Math.round(pixels * scale);
	const { top: row, height: rows } = TRACKS[track];
	const gap = size(6);
	const { column, cols } = HALVES[half];
	const fixed = { markers: size(10), overview: size(44), tabs: size(44) };
	const room = thickness - fixed.markers - fixed.overview - fixed.tabs - 4 * gap;
	const pitch = Math.max(2, Math.floor(Math.min((length - 2 * gap) / (HEAD + cols + 4), (room - size(40)) / rows)));
	const controls = Math.max(size(28), Math.min(size(64), room - rows * pitch));
	const used = (HEAD + cols + 4) * pitch + 2 * gap;
	const from = Math.floor((length - used) / 2);
	const rest = Math.max(0, room - rows * pitch - controls);
	// Fingers rest on the overview, in one of its rows.
	const strip = fixed.overview + Math.min(fixed.overview, rest);
	const spare = rest + fixed.overview - strip;

	const regions = [];
	let at = Math.floor(spare / 3);
	const add = (column, row, cols, rows, along, across, width, height) =>
		regions.push(turned({ column, row, cols, rows, turns }, [along, across, width, height], length, thickness));
	add(0, 0, GRID.cols, 1, 0, at, length, controls);
	at += controls + gap;
	const steps = from + HEAD * pitch + gap;
	add(column, 1, cols, 1, steps, at, cols * pitch, fixed.markers);
	at += fixed.markers + gap;
	add(0, row, HEAD, rows, from, at, HEAD * pitch, rows * pitch);
	add(column, row, cols, rows, steps, at, cols * pitch, rows * pitch);
	add(PADS.first, row, 4, rows, steps + cols * pitch + gap, at, 4 * pitch, rows * pitch);
	at += rows * pitch + gap + Math.floor(spare / 3);
	const overview = Math.floor(0.55 * length);
	add(STEPS.first, OVERVIEW.top, 36, 2, 0, at, overview, strip);
	add(PADS.first, OVERVIEW.top, 4, 2, overview + gap, at, length - overview - gap, strip);
	at += strip + gap;
	const tabs = turned({ turns }, [0, at, length, fixed.tabs], length, thickness);
	const { left, top, width, height } = area;
	const main = regions[3];
	return {
		left, top, width, height, pitch, side: pitch - GAP, ...GRID, turns, regions, main,
		tabs: { ...tabs, left: left + tabs.left, top: top + tabs.top },
	};
}

function turned(region, [along, across, width, height], length, thickness) {
	const [u, v] = [length - along - width, thickness - across - height];
	const [left, top] = [[along, across], [v, along], [u, v], [across, u]][region.turns];
	const box = region.turns % 2 ? { left, top, width: height, height: width } : { left, top, width, height };
	const { cols, rows, turns } = region;
	const [wide, high] = turns % 2 ? [rows, cols] : [cols, rows];
	return { ...region, ...box, pitches: [box.width / wide, box.height / high] };
}

export function boxOf(region, column, row) {
	const [across, down] = turnCell(region, column - region.column, row - region.row);
	const [wide, high] = region.pitches;
	const [left, top] = [Math.round(region.left + across * wide), Math.round(region.top + down * high)];
	const [right, bottom] = [region.left + (across + 1) * wide, region.top + (down + 1) * high].map(Math.round);
	return { left, top, width: right - left - GAP, height: bottom - top - GAP };
}

const turnCell = ({ cols, rows, turns }, column, row) => {
	const [right, bottom] = [cols - 1 - column, rows - 1 - row];
	return [[column, row], [bottom, column], [right, bottom], [row, right]][turns];
};

export function placeIn(region, left, top) {
	const { cols, rows, turns, pitches: [wide, high] } = region;
	const [across, down] = [(left - region.left) / wide, (top - region.top) / high];
	const [x, y] = [[across, down], [down, rows - across], [cols - across, rows - down], [cols - down, across]][turns];
	return { x: x + region.column, y: y + region.row };
}

export function stepOnGrid(turns, [across, down]) {
	return [[across, down], [down, -across], [-across, -down], [-down, across]][turns];
}

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

// The loudspeaker's buffer: receives blocks as they arrive, and renders sound on request. It does not depend on Web
// Audio: a worklet, a ScriptProcessor and the tests use it alike.

const SIZE = 1 << 17; // frames, a power of two; never even half full
const FADE = 5; // ms, wherever sound begins, ends, or is skipped
const LEAST = 60; // ms in reserve at first
const MOST = 400;
const GROWTH = 20; // ms per gap
const SHRINKING = 5; // ms per minute without a gap
const MINUTE = 60; // s
const EXCESS = 100; // ms beyond the reserve
const LARGEST_BEND = 0.005; // how much faster or slower it plays to keep the reserve
const BEND = 1e-4; // per ms of excess or shortage
const SMOOTHING = 0.02; // the weight of each block, 50 a second

export function makePlayback(outputRate, { bends = true } = {}) {
	const [left, right] = [new Float32Array(SIZE), new Float32Array(SIZE)];
	const rings = [left, right];
	const wrapped = (place) => place & (SIZE - 1);
	let rate, valueAt; // of the blocks
	let at = 0; // the place that is played next, in frames since the beginning
	let end = 0; // where the next block goes
	let stop = 0; // where the sound ends until the reserve is full again; infinite while it plays
	let nextFrame, endUsecs;
	let reserve = LEAST;
	let level = 0; // ms in the buffer after the last blocks
	let steadyTime = 0; // s that were played since the last gap
	let shrinkTime = MINUTE; // when the reserve shrinks
	let gaps = 0;

	const frames = (ms) => Math.round((ms * rate) / 1000);
	const length = () => ((end - at) * 1000) / rate;

	begin(outputRate);

	function begin(newRate) {
		rate = newRate;
		valueAt = makeKernel(Math.min(1, outputRate / rate));
		at = end = stop = 0;
		rings.forEach((ring) => ring.fill(0));
	}

	/** Missing blocks before anything was heard are not another gap. */
	function noteGap() {
		if (!steadyTime) return;
		gaps++;
		reserve = Math.min(reserve + GROWTH, MOST);
		steadyTime = 0;
		shrinkTime = MINUTE;
	}

	function fadeOut() {
		const first = Math.max(Math.ceil(at), end - frames(FADE));
		for (let place = first; place < end; place++) {
			for (const ring of rings) ring[wrapped(place)] *= (end - place) / (end - first);
		}
	}

	function fadeIn(first) {
		for (let i = 0; i < Math.min(frames(FADE), end - first); i++) {
			for (const ring of rings) ring[wrapped(first + i)] *= i / frames(FADE);
		}
	}

	function finish() {
		if (stop !== Infinity) return;
		fadeOut();
		for (let i = 0; i < TAPS; i++) for (const ring of rings) ring[wrapped(end + i)] = 0;
		stop = end;
	}

	function take({ frame, usecs, rate: newRate, count, samples }) {
		if (newRate !== rate) begin(newRate);
		const isFirst = end === stop;
		const isJump = !isFirst && frame !== nextFrame;
		if (isJump) {
			fadeOut();
			noteGap();
		}
		const first = end;
		for (; end < first + count; end++) {
			const i = 2 * (end - first);
			left[wrapped(end)] = samples ? samples[i] : 0;
			right[wrapped(end)] = samples ? samples[i + 1] : 0;
		}
		if (isFirst || isJump) fadeIn(first);
		nextFrame = frame + count;
		endUsecs = usecs + (count * 1e6) / rate;
		if (length() > reserve + EXCESS) dropExcess();
		level += (length() - level) * SMOOTHING;
	}

	/** Skips to the newest blocks: crossfades, or fades in from silence. */
	function dropExcess() {
		const isSilent = at >= stop;
		const dropped = Math.floor(end - at - frames(reserve));
		const [from, to] = [Math.floor(at), Math.floor(at) + dropped];
		// Starts before the new place, because the kernel reads there too.
		for (let i = -TAPS / 2; i < frames(FADE); i++) {
			for (const ring of rings) {
				const former = isSilent ? 0 : ring[wrapped(from + i)];
				ring[wrapped(to + i)] = former + ((ring[wrapped(to + i)] - former) * Math.max(i, 0)) / frames(FADE);
			}
		}
		at += dropped;
		stop = isSilent ? at : Infinity;
		level = length();
		noteGap();
	}

	function stride() {
		const bend = bends ? (level - reserve) * BEND : 0;
		return (rate / outputRate) * (1 + Math.min(Math.max(bend, -LARGEST_BEND), LARGEST_BEND));
	}

	function render(leftOut, rightOut) {
		const count = leftOut.length;
		if (stop < end && length() >= reserve) {
			stop = Infinity;
			level = length();
		}
		const step = stride();
		if (stop === Infinity && end - at < count * step + TAPS + frames(FADE)) {
			finish();
			noteGap();
		}
		const played = stop === Infinity ? count : Math.min(count, Math.max(0, Math.ceil((stop - at) / step)));
		for (let i = 0; i < played; i++) {
			const place = at + i * step;
			leftOut[i] = Number.isInteger(place) ? left[wrapped(place)] : valueAt(left, place);
			rightOut[i] = Number.isInteger(place) ? right[wrapped(place)] : valueAt(right, place);
		}
		leftOut.fill(0, played);
		rightOut.fill(0, played);
		at = Math.min(at + played * step, stop);
		if (stop === Infinity) growSteady(count);
	}

	function growSteady(count) {
		steadyTime += count / outputRate;
		if (steadyTime < shrinkTime) return;
		shrinkTime += MINUTE;
		reserve = Math.max(reserve - SHRINKING, LEAST);
	}

	return {
		take,
		finish,
		render,

		/** Its state; `usecs` is the daemon's time of the next frame. */
		get report() {
			const isPlaying = stop === Infinity;
			return { isPlaying, gaps, reserve, bend: stride() * (outputRate / rate) - 1, usecs: endUsecs - length() * 1000 };
		},
	};
}

const TAPS = 16;
const PHASES = 256; // places between two samples; values between these are interpolated
const BETA = 8; // of the window: aliases are 80 dB down

function bessel(x) {
	let [sum, term] = [1, 1];
	for (let i = 1; term > 1e-12 * sum; i++) sum += term *= (x / (2 * i)) ** 2;
	return sum;
}

function sineCardinal(x) {
	return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Interpolation with a windowed sinc, to play at another sample rate: `cutoff` is the highest frequency that may pass, in halves of the sound's own rate. */
function makeKernel(cutoff) {
	const table = new Float32Array((PHASES + 1) * TAPS);
	for (let phase = 0; phase <= PHASES; phase++) {
		const row = table.subarray(phase * TAPS, (phase + 1) * TAPS);
		for (let tap = 0; tap < TAPS; tap++) {
			const distance = tap - (TAPS / 2 - 1) - phase / PHASES;
			const edge = Math.min(Math.abs(distance) / (TAPS / 2), 1);
			row[tap] = sineCardinal(cutoff * distance) * bessel(BETA * Math.sqrt(1 - edge * edge));
		}
		const sum = row.reduce((sum, value) => sum + value, 0);
		row.forEach((value, tap) => (row[tap] = value / sum));
	}

	return function valueAt(ring, place) {
		const first = Math.floor(place);
		const phase = (place - first) * PHASES;
		const row = Math.floor(phase);
		const share = phase - row;
		let value = 0;
		for (let tap = 0; tap < TAPS; tap++) {
			const low = table[row * TAPS + tap];
			const high = table[(row + 1) * TAPS + tap];
			value += ring[(first + tap - TAPS / 2 + 1) & (ring.length - 1)] * (low + share * (high - low));
		}
		return value;
	};
}

/** Samples as the daemon sends them: 16-bit integers, little-endian, left and right interleaved. */
export function bytesOf(base64) {
	const text = atob(base64);
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}

function samplesOf(pcm) {
	const bytes = bytesOf(pcm);
	const samples = new Float32Array(bytes.length / 2);
	for (let i = 0; i < samples.length; i++) {
		const bits = bytes[2 * i] | (bytes[2 * i + 1] << 8);
		samples[i] = ((bits << 16) >> 16) / 32768;
	}
	return samples;
}

export const blockOf = ({ frame, usecs, rate, pcm }) =>
	({ frame, usecs, rate, count: Math.floor(rate / 50), samples: pcm ? samplesOf(pcm) : null });

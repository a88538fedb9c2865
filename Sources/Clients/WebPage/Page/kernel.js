// Interpolation between samples with a windowed sinc, to play sound at another sample rate.

export const TAPS = 16;
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

/** `cutoff` is the highest frequency that may pass, in halves of the sound's own rate. */
export function makeKernel(cutoff) {
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

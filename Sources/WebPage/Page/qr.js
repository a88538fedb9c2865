// A QR code for this page's address (ISO/IEC 18004): bytes, error correction L, versions 1 to 5 (one block), mask 0.

/** By version: bytes in all, and how many of them correct errors. */
const VERSIONS = [[26, 7], [44, 10], [70, 15], [100, 20], [134, 26]];
/** "Error correction L, mask 0". */
const FORMAT = 0b111011111000100;

/** The code's modules, row by row, true where it is dark; null for more than 106 bytes. */
export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  // Mode, count and terminator need two bytes.
  const version = 1 + VERSIONS.findIndex(([total, correction]) => bytes.length + 2 <= total - correction);
  if (!version) return null;
  const [total, correction] = VERSIONS[version - 1];
  const data = pack(bytes, total - correction);
  return draw(17 + 4 * version, [...data, ...remainder(data, generator(correction))]);
}

/** Mode and count have one and a half bytes, which shifts the data by half a byte; padding fills the rest. */
function pack(bytes, room) {
  const shift = (byte, i, all) => ((byte << 4) | (all[i + 1] >> 4)) & 0xff;
  const packed = [4, bytes.length, ...bytes].map(shift);
  for (let pad = 0xec; packed.length < room; pad ^= 0xec ^ 0x11) packed.push(pad);
  return packed;
}

/** The product of two elements of GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return product;
}

/** The Reed-Solomon generator polynomial, without its leading 1. */
function generator(degree) {
  let result = [...Array(degree - 1).fill(0), 1];
  for (let i = 0, root = 1; i < degree; i++, root = multiply(root, 2)) {
    result = result.map((coefficient, j) => multiply(coefficient, root) ^ (result[j + 1] ?? 0));
  }
  return result;
}

function remainder(data, divisor) {
  return data.reduce((rest, byte) => {
    const factor = byte ^ rest[0];
    return divisor.map((coefficient, i) => (rest[i + 1] ?? 0) ^ multiply(coefficient, factor));
  }, divisor.map(() => 0));
}

function draw(size, codewords) {
  const modules = Array.from({ length: size }, () => Array(size).fill(null));
  const set = (x, y, dark) => {
    if (modules[y]?.[x] !== undefined) modules[y][x] = Boolean(dark);
  };
  drawPatterns(set, size);
  drawFormat(set, size);
  drawCodewords(modules, codewords);
  return modules;
}

/** The timing patterns, the three finders, and the alignment pattern that versions from 2 on have. */
function drawPatterns(set, size) {
  const square = (x, y, radius, isDark) => {
    for (let i = -radius; i <= radius; i++) {
      for (let j = -radius; j <= radius; j++) set(x + i, y + j, isDark(Math.max(Math.abs(i), Math.abs(j))));
    }
  };
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) square(x, y, 4, (ring) => ring !== 2 && ring !== 4);
  if (size > 21) square(size - 7, size - 7, 2, (ring) => ring !== 1);
}

function drawFormat(set, size) {
  for (let i = 0; i < 15; i++) {
    const bit = (FORMAT >> i) & 1;
    set(i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, 8, bit);
    set(8, i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, bit);
  }
  set(8, size - 8, true);
}

/** Fills the free modules, two columns at a time from the right, upwards and downwards in turns. */
function drawCodewords(modules, codewords) {
  const size = modules.length;
  let bit = 0;
  for (let right = size - 1, isUpwards = true; right > 0; right -= 2, isUpwards = !isUpwards) {
    if (right === 6) right = 5; // The timing pattern's column.
    for (let i = 0; i < size; i++) {
      const y = isUpwards ? size - 1 - i : i;
      for (const x of [right, right - 1]) {
        if (modules[y][x] !== null) continue;
        const dark = (codewords[bit >> 3] >> (7 - (bit & 7))) & 1;
        modules[y][x] = Boolean(dark) !== ((x + y) % 2 === 0);
        bit++;
      }
    }
  }
}

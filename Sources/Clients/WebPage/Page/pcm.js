// Samples as the daemon sends them: 16-bit integers, little-endian, left and right interleaved.

export const bytesOf = (base64) => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));

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

const HEADER = 44; // bytes of a WAV file
const FRAME = 4;

const sizeOf = (part) => (typeof part === "number" ? part * FRAME : part.length);

/** `parts` are samples as bytes, or numbers of silent frames. */
export function wavOf(parts, rate) {
  const size = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  const file = new Uint8Array(HEADER + size);
  const view = new DataView(file.buffer);
  const [formatAndChannels, frameAndBits] = [1 | (2 << 16), FRAME | (16 << 16)]; // two numbers in each word
  ["RIFF", HEADER - 8 + size, "WAVE", "fmt ", 16, formatAndChannels, rate, rate * FRAME, frameAndBits, "data", size]
    .forEach((word, index) => {
      if (typeof word === "number") view.setUint32(4 * index, word, true);
      else file.set(new TextEncoder().encode(word), 4 * index);
    });
  let at = HEADER;
  for (const part of parts) {
    if (typeof part !== "number") file.set(part, at);
    at += sizeOf(part);
  }
  return file;
}

// Samples as the daemon sends them: 16-bit integers, little-endian, left and right interleaved.

/** Base64 as numbers from -1 to 1. */
function samplesOf(pcm) {
  const bytes = atob(pcm);
  const samples = new Float32Array(bytes.length / 2);
  for (let i = 0; i < samples.length; i++) {
    const bits = bytes.charCodeAt(2 * i) | (bytes.charCodeAt(2 * i + 1) << 8);
    samples[i] = ((bits << 16) >> 16) / 32768;
  }
  return samples;
}

/** A notification of topic `audio` as a block for the buffer; silence has no samples. */
export const blockOf = ({ frame, usecs, rate, pcm }) =>
  ({ frame, usecs, rate, count: Math.floor(rate / 50), samples: pcm ? samplesOf(pcm) : null });

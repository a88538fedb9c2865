// The loudspeaker where browsers have worklets: the buffer on the audio thread.

import { makePlayback } from "./playback.js";

const REPORT = 0.25; // s

registerProcessor("playback", class extends AudioWorkletProcessor {
	constructor({ processorOptions }) {
		super();
		this.playback = makePlayback(sampleRate, processorOptions);
		this.reportTime = 0;
		this.port.onmessage = ({ data }) => (data ? this.playback.take(data) : this.playback.finish());
	}

	process(_, [[left, right]]) {
		if (currentTime >= this.reportTime) {
			this.reportTime = currentTime + REPORT;
			this.port.postMessage({ ...this.playback.report, time: currentTime });
		}
		this.playback.render(left, right);
		return true;
	}
});

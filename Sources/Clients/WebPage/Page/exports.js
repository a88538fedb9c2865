// MIDI files: what plays, one scene, all filled scenes in order, or the chain.

import { download, element, resultOf } from "./dom.js";
import { bytesOf } from "./pcm.js";

export function exportsOf({ slots = {}, scenes = {} }, api) {
  const tracks = Object.values(slots);
  const has = (name) => api.parameters("export.midi").some((parameter) => parameter.name === name);
  const filled = [1, 2, 3, 4, 5, 6, 7, 8].filter((scene) => tracks.some((track) => track.filled?.includes(scene)));
  const isChained = [scenes, ...tracks].some(({ chain }) => chain?.length);
  const one = filled.map((scene) => ({ text: `Scene ${scene}`, params: { scenes: [scene] }, name: ` scene ${scene}` }));
  return [
    { text: "What is playing", params: {}, name: "" },
    ...(has("scenes") ? one : []),
    has("scenes") && filled.length > 1
      && { text: `All filled scenes: ${filled.join(", ")}`, params: { scenes: filled }, name: " scenes" },
    has("chain") && isChained && { text: "The chain", params: { chain: true }, name: " chain" },
  ].filter(Boolean);
}

export function makeExportChoice({ connection, api, state }, title, done) {
  async function save({ params, name }) {
    const { data } = (await resultOf(connection.call("export.midi", params))) ?? {};
    if (!data) return;
    download(`${title}${name}.mid`, "audio/midi", bytesOf(data));
    done();
  }
  return element("div", { className: "scene-choice", role: "group", "aria-label": "What to export as MIDI" },
    element("span", { className: "label" }, "Export as MIDI"),
    ...exportsOf(state.value, api).map((choice) =>
      element("button", { className: choice.params.scenes?.length === 1 ? "secondary" : "secondary wide",
        onclick: () => save(choice) }, choice.text)));
}

// What keys and buttons do.

import { fullScreen } from "./settings.js";
import { byID, resultOf, succeeds } from "./dom.js";
import { TEMPO } from "./places.js";

export function makeActions({ connection, state, names, word, api }) {
  async function act(method, params, text) {
    if (!api()?.has(method) || !(await succeeds(connection.call(method, params)))) return;
    word(text);
  }

  async function travel(way) {
    const { undo, redo } = state.value.history;
    const left = await resultOf(connection.call(`history.${way}`));
    if (!left || left.undo === undo && left.redo === redo) return;
    word(left.what ? `${way === "undo" ? "Undid" : "Redid"} ${left.what}` : way.toUpperCase());
  }

  const setTempo = (bpm) => act("tempo.set", { bpm }, `${bpm} BPM`);
  return {
    play: () => act("transport.toggle", {}, state.value.transport.state === "playing" ? "STOP" : "PLAY"),
    undo: () => travel("undo"),
    redo: () => travel("redo"),
    setTempo,
    tempo(change) {
      const bpm = Math.round(100 * (state.value.bpm + change)) / 100;
      setTempo(Math.min(Math.max(bpm, TEMPO.least), TEMPO.most));
    },
    tapTempo: () => resultOf(connection.call("tempo.tap")),
    record() {
      const on = !state.value.transport.record;
      act("transport.record", { on }, on ? "REC ON" : "REC OFF");
    },
    async catchKeys() {
      if (!api()?.has("transport.catch")) return;
      const caught = await resultOf(connection.call("transport.catch"));
      if (caught) word(caught.notes ? "CATCH" : "NOTHING");
    },
    scene: (scene) => act("scene.launch", { scene }, `SCENE ${scene}`),
    closeLens: (track) => resultOf(connection.call("lens.set", { track })),
    names: () => (names.on = !names.on),
    fullScreen: fullScreen.toggle,
    help: () => (byID("help").open ? byID("help").close() : byID("help").showModal()),
  };
}

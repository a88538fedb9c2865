// Sliders whose parameters move: while the music plays they show the motion's value at the step that is heard.

/**
 * The value of a motion at a step: its points are pairs of step and value, with straight lines between them, round the
 * loop. Undefined without points. */
export function valueAt(points, step, length) {
  const shown = points.filter(([at]) => at < length);
  if (!shown.length) return undefined;
  const next = shown.find(([at]) => at > step) ?? [shown[0][0] + length, shown[0][1]];
  const last = shown.findLast(([at]) => at <= step) ?? [shown.at(-1)[0] - length, shown.at(-1)[1]];
  return last[1] + ((next[1] - last[1]) * (step - last[0])) / (next[0] - last[0]);
}

export function followMotions({ connection, state, stepFeed }, controls) {
  const motions = {}; // by track: what is known of its motions, and their points
  const sliders = controls.filter(({ control }) => control?.follow);

  const slotOf = (track) => {
    const { playing, slots } = state.value.slots?.[track] ?? {};
    return slots?.[playing] ?? {};
  };

  async function read(track) {
    const key = JSON.stringify([state.value.slots?.[track]?.playing, slotOf(track).motions ?? null]);
    if (motions[track]?.key === key) return;
    motions[track] = { key, points: {} };
    if (!slotOf(track).motions) return;
    const points = await connection.call("motion.get", { track }).catch(() => ({}));
    if (motions[track].key === key) motions[track].points = points;
  }

  function show({ step, tracks }) {
    const isPlaying = state.value.transport.state === "playing";
    for (const { parameter, track, control } of sliders) {
      const points = motions[track]?.points[parameter.name];
      const length = slotOf(track).length ?? state.value.length;
      control.follow(isPlaying && points ? valueAt(points, tracks?.[track] ?? step, length) : undefined);
    }
  }

  const endings = [
    state.watch((value) => {
      Object.keys(value.tracks).forEach(read);
      if (value.transport.state !== "playing") show({ step: 0 });
    }),
    stepFeed.listen(show),
  ];
  return () => endings.forEach((end) => end());
}

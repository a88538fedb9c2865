// The daemon's methods, as `rpc.discover` describes them.

export function makeAPI({ methods, components }) {
  const tracks = components?.schemas.State.properties.tracks.properties;
  const byName = new Map(methods.map((method) => [method.name, method]));
  const parameters = (method) => byName.get(method)?.params ?? [];
  return {
    methods: [...byName.keys()],
    has: (method) => byName.has(method),
    parameters,
    /** The schema of a track's own parameter, which may be narrower than that of `track.set`. */
    schemaOn: (track, name) => tracks?.[track]?.properties[name],
    hasTopic: (topic) =>
      parameters("subscribe").some(({ name, schema }) => name === "topics" && schema.items.enum.includes(topic)),
  };
}

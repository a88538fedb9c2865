// The daemon's settings, updated with its merge patches.

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Applies a JSON merge patch (RFC 7386) and returns the result; the target stays as it was. */
export function mergePatch(target, patch) {
  if (!isObject(patch)) return patch;
  const result = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name];
    else result[name] = mergePatch(result[name], value);
  }
  return result;
}

export function makeState() {
  const watchers = new Set();
  return {
    value: null,

    replace(value) {
      this.value = value;
      watchers.forEach((watcher) => watcher(value));
    },

    patch(patch) {
      if (this.value) this.replace(mergePatch(this.value, patch));
    },

    /** Calls back with the settings, now if they are known, and at every change. Returns a function that ends it. */
    watch(watcher) {
      watchers.add(watcher);
      if (this.value) watcher(this.value);
      return () => watchers.delete(watcher);
    },
  };
}

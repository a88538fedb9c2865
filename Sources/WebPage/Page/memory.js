// What this page remembers between visits; in a browser that keeps nothing, until it is closed.

const forgotten = {};

export function recall(name, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(`pixelboop.${name}`)) ?? otherwise;
  } catch {
    return forgotten[name] ?? otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(`pixelboop.${name}`, JSON.stringify(value));
  } catch {
    forgotten[name] = value;
  }
}

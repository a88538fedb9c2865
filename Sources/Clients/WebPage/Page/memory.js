// Settings of this page that are kept between visits, or until it is closed in a browser that stores nothing.

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

// What is kept between visits, or until the page is closed in a browser that stores nothing; and the token, which stays
// in the address too, and is sent through the WebSocket only.

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

export function tokenIn(text) {
  const fragment = text.slice(text.indexOf("#") + 1).trim();
  return /^[\w-]{16,}$/.test(fragment) ? fragment : null;
}

export function findToken() {
  const token = tokenIn(location.hash);
  if (token) remember("token", token);
  return token ?? recall("token");
}

export function keepToken(token) {
  remember("token", token);
  history.replaceState(null, "", `#${token}`);
}

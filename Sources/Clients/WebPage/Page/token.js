// The token that lets this page in. It stays in the address, which can be kept or put on a home screen, and is sent
// through the WebSocket only.

import { recall, remember } from "./memory.js";

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

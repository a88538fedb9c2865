// The token that lets this page in. It stays in the address, which can be kept or put on a home screen, and is sent
// through the WebSocket only.

import { recall, remember } from "./memory.js";

/** The token in an address's fragment, or in a pasted text; null if there is none. */
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

// The page's addresses for other machines, from the gateway, the most likely first.
let addresses = [];

export function noteAddresses(noted) {
  addresses = noted;
}

/** What another device can open; undefined if only this machine can. */
export function addressToShare() {
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
  const token = findToken();
  // Only this machine gets in without one, by whatever name of its own.
  return isLocal || !token ? addresses[0] : `${location.origin}${location.pathname}#${token}`;
}

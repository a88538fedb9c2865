import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenIn } from "../../../Sources/Clients/WebPage/Page/connection.js";

const TOKEN = "abcdefghijklmnop_-QRST";

for (const [text, token] of [
  [`#${TOKEN}`, TOKEN], [TOKEN, TOKEN], [` http://tablet.local:8044/#${TOKEN}\n`, TOKEN], ["", null], ["#", null],
  ["http://tablet.local:8044/", null], ["#short", null], ["#no token, but a sentence", null],
]) {
  test(`the token in ${JSON.stringify(text)} is ${token}`, () => assert.equal(tokenIn(text), token));
}

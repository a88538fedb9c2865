import assert from "node:assert/strict";
import { test } from "node:test";
import { qrCode } from "../../Sources/WebPage/Page/qr.js";
import { addressToShare, noteAddresses, tokenIn } from "../../Sources/WebPage/Page/token.js";

const TOKEN = "abcdefghijklmnop_-QRST";

for (const [text, token] of [
  [`#${TOKEN}`, TOKEN], [TOKEN, TOKEN], [` http://tablet.local:8044/#${TOKEN}\n`, TOKEN], ["", null], ["#", null],
  ["http://tablet.local:8044/", null], ["#short", null], ["#no token, but a sentence", null],
]) {
  test(`the token in ${JSON.stringify(text)} is ${token}`, () => assert.equal(tokenIn(text), token));
}

test("a page on this machine, which needs no token, shares what the gateway says, any other its own address", () => {
  const locations = ["localhost", "myhost"].map((hostname) =>
    ({ hostname, origin: `http://${hostname}:8044`, pathname: "/", hash: "" }));
  const shared = () => locations.map((location) => Object.assign(globalThis, { location }) && addressToShare());
  assert.deepEqual(shared(), [undefined, undefined]);
  const addresses = [`http://192.168.1.2:8044/#${TOKEN}`, "http://10.0.0.1:8044/"];
  noteAddresses(addresses);
  assert.deepEqual(shared(), [addresses[0], addresses[0]]);
  globalThis.location =
    { hostname: "10.0.0.1", origin: "http://10.0.0.1:8044", pathname: "/", hash: `#${TOKEN}` };
  assert.equal(addressToShare(), `http://10.0.0.1:8044/#${TOKEN}`);
});

/** Made by python-qrcode 7.4.2 with error correction L and mask 0; a row's modules as a hexadecimal number. */
const reference = {
  hi: "1fc57f 104141 17545d 17415d 174b5d 104e41 1fd57f 1400 1df5c4 c26af ffaef 603ba 12d6e4 1447 1fdd13 " +
    "105c47 175955 174aaa 175eed 105bba 1fd2ef",
  "http://192.168.178.123:8044/#abcdefghijklmnop_-QRST":
    "1fc0eb7f 104fb341 1757675d 174b635d 174ceb5d 1046aa41 1fd5557f 10d800 1df09cc4 31b1c69 354c4f7 " +
    "80ebaea 10649c6b 1cbf1c6d 670d103 233f99a 13479f43 5981ce5 1448018b e158aea 13ce9ff0 1f1117 1fdd1b5b " +
    "105ecf19 17509df9 17411999 17548f9d 1051ad8a 1fdb99cb",
};

for (const [text, rows] of Object.entries(reference)) {
  test(`the QR code of "${text}" is the reference's`, () => {
    const modules = qrCode(text).map((row) => BigInt(`0b${row.map(Number).join("")}`).toString(16));
    assert.deepEqual(modules, rows.split(" "));
  });
}

test("a text of 106 bytes has a code, a longer one has none", () => {
  assert.equal(qrCode("x".repeat(106)).length, 37);
  assert.equal(qrCode("x".repeat(107)), null);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { isDark } from "../../Sources/WebPage/Page/grid.js";

const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = (rgb) => [0.2126, 0.7152, 0.0722]
  .reduce((sum, weight, index) => sum + weight * linear(((rgb >> (16 - 8 * index)) & 0xff) / 255), 0);

test("a name is black or white, whichever stands out more, with a contrast of 4.5 at least", () => {
  for (let rgb = 0; rgb <= 0xffffff; rgb += 4099) {
    const [black, white] = [(luminance(rgb) + 0.05) / 0.05, 1.05 / (luminance(rgb) + 0.05)];
    const [chosen, other] = isDark(rgb) ? [white, black] : [black, white];
    assert.ok(chosen >= 4.5 && chosen >= other - 0.05, `${rgb.toString(16)}: ${chosen}`);
  }
});

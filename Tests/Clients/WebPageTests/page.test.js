import assert from "node:assert/strict";
import { test } from "node:test";
import { pageFiles, readText } from "./support.js";

const text = (name) => readText(`Sources/Clients/WebPage/Page/${name}`);
const scripts = pageFiles.filter((name) => name.endsWith(".js"));

test("nothing is inline, and nothing comes from another host", () => {
  const page = text("index.html");
  assert.doesNotMatch(page, /<script(?![^>]*src)|<style|\sstyle=|\son\w+=/);
  for (const name of pageFiles.filter((name) => !name.endsWith(".png"))) {
    assert.doesNotMatch(text(name).replaceAll("http://www.w3.org/2000/svg", ""), /(https?:)?\/\/\w[\w-]*\.\w/, name);
  }
});

test("every imported module exists, and exports what is imported", async () => {
  for (const name of scripts) {
    for (const [, names, from] of text(name).matchAll(/import \{([^}]+)\} from "\.\/(.+)";/g)) {
      assert.ok(scripts.includes(from), `${name} imports ${from}`);
      for (const imported of names.split(",").map((each) => each.trim())) {
        const exported = new RegExp(`export (async )?(function|const) ${imported}\\b`);
        assert.match(text(from), exported, `${name} imports ${imported}`);
      }
    }
  }
});

test("every icon that is shown exists", () => {
  const icons = [...text("icons.svg").matchAll(/id="([\w-]+)"/g)].map(([, id]) => id);
  const shown = [...text("index.html").matchAll(/data-icon="([\w -]+)"/g)].flatMap(([, names]) => names.split(" "));
  const made = scripts.flatMap((name) => [...text(name).matchAll(/\bicon\("([\w-]+)"\)/g)].map(([, id]) => id));
  for (const icon of [...shown, ...made]) assert.ok(icons.includes(icon), icon);
});

test("every element that scripts look for is in the page", () => {
  const ids = [...text("index.html").matchAll(/\bid="([\w-]+)"/g)].map(([, id]) => id);
  for (const name of scripts) {
    for (const [, id] of text(name).matchAll(/byID\("([\w-]+)"\)/g)) assert.ok(ids.includes(id), `${name}: ${id}`);
  }
});

test("the manifest has no start_url, so that the token in the address is kept", () => {
  const manifest = JSON.parse(text("manifest.webmanifest"));
  assert.equal(manifest.start_url, undefined);
  for (const { src } of manifest.icons) assert.ok(pageFiles.includes(src), src);
});

// Patterns that the daemon keeps, and files that come from and go to this device.

import { announce, button, element, icon, notice, resultOf, succeeds } from "./dom.js";

const SECOND_TAP = 3000; // ms

export function buildLibrary({ connection, api, state, limits }) {
  const list = element("ul", { className: "library", "aria-label": "Patterns" });
  const files = {
    async refresh() {
      const patterns = (await resultOf(connection.call("library.list"))) ?? [];
      list.replaceChildren(...patterns.map((pattern) => makeRow(pattern, files)));
    },

    async act(method, params, done) {
      const isDone = await succeeds(connection.call(`library.${method}`, params));
      if (isDone) announce(done);
      return isDone;
    },

    async change(method, params, done) {
      if (await files.act(method, params, done)) files.refresh();
    },
  };
  const save = (name) => files.change("save", { name }, `Saved ${name}`);
  const { form, input } = makeNameForm("Name to save under", "Save", save);
  files.refresh();
  return {
    element: element("div", { className: "fields" }, form, makeFileButtons(connection, api, state, limits), list,
      element("p", { className: "hint" }, "Nothing saved yet: give what plays a name and save it.")),
    close: state.watch(({ pattern }) => document.activeElement === input || (input.value = pattern.name)),
  };
}

function makeNameForm(label, action, use) {
  const input = element("input",
    { type: "text", maxLength: 64, placeholder: "Name", "aria-label": label, autocomplete: "off" });
  const form = element("form", { className: "line" }, input, element("button", { className: "primary" }, action));
  form.onsubmit = (event) => {
    event.preventDefault();
    use(input.value);
  };
  return { form, input };
}

function makeRow({ name, bpm, scale, length, modified }, files) {
  const date = new Date(modified).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  const row = element("li", {});
  row.append(
    button("load", `Load ${name}`, () => files.act("load", { name }, `Loaded ${name}`), element("strong", {}, name),
      element("small", {}, `${bpm} BPM \u00b7 ${scale} \u00b7 ${length} steps \u00b7 ${date}`)),
    button("icon-button", `Rename ${name}`, () => beginRename(row, name, files), icon("rename")),
    makeDelete(name, files));
  return row;
}

function beginRename(row, name, files) {
  const { form, input } = makeNameForm(`New name of ${name}`, "Rename", (to) =>
    files.change("rename", { name, to }, `Renamed to ${to}`));
  input.value = name;
  form.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    files.refresh();
  };
  row.replaceChildren(form);
  input.select();
}

function makeDelete(name, files) {
  let disarming = null;
  const arm = (isArmed) => {
    made.classList.toggle("armed", isArmed);
    made.replaceChildren(isArmed ? "Delete?" : icon("delete"));
    disarming = isArmed ? setTimeout(arm, SECOND_TAP, false) : null;
  };
  const made = button("icon-button", `Delete ${name}`, () => {
    if (disarming) files.change("delete", { name }, `Deleted ${name}`);
    else {
      arm(true);
      announce(`Tap again to delete ${name}`);
    }
  }, icon("delete"));
  return made;
}

function makeFileButtons(connection, api, state, limits) {
  const chooser = element("input", { type: "file", accept: ".json,application/json", hidden: true });
  chooser.onchange = () => importFile(chooser.files[0], connection, limits);
  const title = () => state.value.pattern.name || "pixelboop";
  const make = (name, text, label, act) => button("secondary", label, act, icon(name), text);
  return element("div", { className: "line" }, chooser,
    make("import", "Import", "Import a pattern's file", () => chooser.click()),
    make("download", "JSON", "Download as JSON", async () => {
      const pattern = await resultOf(connection.call("pattern.get"));
      if (pattern) download(`${title()}.json`, "application/json", JSON.stringify(pattern, null, 2));
    }),
    api.has("export.midi") && make("download", "MIDI", "Download as MIDI", async () => {
      const { data } = (await resultOf(connection.call("export.midi"))) ?? {};
      if (data) download(`${title()}.mid`, "audio/midi", Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0)));
    }));
}

export async function importFile(file, connection, limits) {
  if (!file) return;
  const pattern = await resultOf(file.text().then(JSON.parse));
  if (pattern === undefined) return;
  if (JSON.stringify(pattern).length > limits.line - 1000) return notice(`A pattern may have ${limits.line} bytes`);
  if (await succeeds(connection.call("pattern.set", { pattern }))) announce(`Imported ${file.name}`);
}

function download(name, type, content) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

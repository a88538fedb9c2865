"""Tools of the loudspeaker's tests: an ear in the page, one at the daemon, and a bad network between them."""

import array
import base64
import collections
import json
import random
import re
import socket
import threading
import time

from stage import DEADLINE, until

# Runs before the page: keeps its Web Audio objects, and records on the audio thread what goes to the
# destination. `isWithoutWorklet` takes worklets away from the page, as plain HTTP does.
EAR = """
(() => {
  // The browser's own empty page has no storage.
  if (location.protocol === "about:") return;
  const getter = Object.getOwnPropertyDescriptor(BaseAudioContext.prototype, "audioWorklet");
  if (sessionStorage.isWithoutWorklet) delete BaseAudioContext.prototype.audioWorklet;
  const heard = (window.heard = { contexts: [], outputs: [], chunks: [], labels: [] });
  const { connect } = AudioNode.prototype;
  const recorder = `registerProcessor("recorder", class extends AudioWorkletProcessor {
    chunk = new Float32Array(8192); filled = 0;
    process([channels]) {
      if (!channels.length) return true;
      for (let i = 0; i < channels[0].length; i++) {
        this.chunk[this.filled++] = channels[0][i];
        this.chunk[this.filled++] = channels[1][i];
      }
      if (this.filled === this.chunk.length) {
        this.port.postMessage(this.chunk);
        this.filled = 0;
      }
      return true;
    }
  });`;
  async function record(source) {
    const { context } = source;
    await getter.get.call(context).addModule(URL.createObjectURL(new Blob([recorder], { type: "text/javascript" })));
    const node = new AudioWorkletNode(context, "recorder", { channelCount: 2, channelCountMode: "explicit" });
    node.port.onmessage = ({ data }) => heard.chunks.push(data);
    connect.call(source, node);
    connect.call(node, context.destination);
  }
  AudioNode.prototype.connect = function (target, ...rest) {
    if (target instanceof AudioDestinationNode) {
      heard.contexts.push(this.context);
      heard.outputs.push(this);
      if (sessionStorage.isRecorded) record(this);
    }
    return connect.call(this, target, ...rest);
  };
  addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("listen");
    new MutationObserver(() => heard.labels.push([performance.now(), button.title]))
      .observe(button, { attributes: true, attributeFilter: ["title"] });
  });
})();
"""

# The recording, as base64 of the floats' bytes.
RECORDED = """
const { chunks } = window.heard;
const samples = new Float32Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
chunks.reduce((at, chunk) => (samples.set(chunk, at), at + chunk.length), 0);
const bytes = new Uint8Array(samples.buffer);
let text = "";
for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
return btoa(text);
"""

LABEL = re.compile(r"Stop listening(?:, (\d+) ms behind)?(?:, (\d+) gaps?)?$")
Label = collections.namedtuple("Label", "time delay gaps")


class Loudspeaker:
    """The page's loudspeaker: its button, and what comes out."""

    def __init__(self, browser):
        self.browser = browser

    @property
    def button(self):
        return self.browser.find("listen")

    @property
    def is_on(self):
        return self.button.get_attribute("aria-pressed") == "true"

    def label(self):
        """The button's label while it is on, else None."""
        title = self.browser.run("return document.getElementById('listen').title")
        match = LABEL.match(title)
        return match and Label(time.monotonic(), match[1] and int(match[1]), int(match[2] or 0))

    def labels(self):
        """All its labels since the page was opened."""
        said = self.browser.run("return window.heard.labels")
        matches = [(when, LABEL.match(title)) for when, title in said]
        return [Label(when / 1000, match[1] and int(match[1]), int(match[2] or 0)) for when, match in matches if match]

    def plays(self):
        label = self.label()
        return label is not None and label.delay is not None

    def start(self):
        until(self.button.is_displayed, "the button")
        self.button.click()
        until(self.plays, "sound")

    def context(self, expression):
        """Evaluates an expression with its audio context."""
        return self.browser.run(f"const context = window.heard.contexts.at(-1); return {expression}")

    def recorded_seconds(self):
        return self.browser.run("return window.heard.chunks.length") * 4096 / 48000

    def recorded(self):
        samples = array.array("f")
        samples.frombytes(base64.b64decode(self.browser.run(RECORDED)))
        return samples


class Ear:
    """A listener at the daemon's socket: all blocks, by their frames."""

    def __init__(self, path):
        self.blocks = {}
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(DEADLINE)
        self.socket.connect(str(path))
        request = {"jsonrpc": "2.0", "method": "subscribe", "params": {"topics": ["audio"]}, "id": 1}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        threading.Thread(target=self.listen, daemon=True).start()
        until(lambda: self.blocks, "the first block")

    def listen(self):
        try:
            for line in self.socket.makefile("r", encoding="utf-8"):
                message = json.loads(line)
                if message.get("method") == "audio":
                    block = message["params"]
                    silence = bytes(4 * block["rate"] // 50)
                    self.blocks[block["frame"]] = base64.b64decode(block["pcm"]) if "pcm" in block else silence
        except OSError:
            pass

    def heard(self):
        """All blocks in order, as bytes."""
        blocks = sorted(self.blocks.copy().items())
        for (frame, pcm), (following, _) in zip(blocks, blocks[1:]):
            assert frame + len(pcm) // 4 == following, "a block is missing"
        return b"".join(pcm for _, pcm in blocks)

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


class JitterRelay:
    """Relays connections to a port; what comes back is up to `jitter` seconds late, in order."""

    def __init__(self, port, jitter):
        self.port, self.jitter, self.random = port, jitter, random.Random(1)
        self.ends = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.own_port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.port))
            for end in (client, server):
                self.ends.append(end)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.carry, args=(client, server, 0), daemon=True).start()
            threading.Thread(target=self.carry, args=(server, client, self.jitter), daemon=True).start()

    def carry(self, source, target, jitter):
        # Each piece has a time when it is due, so that reading continues meanwhile.
        pieces, ready = collections.deque(), threading.Condition()

        def hand_on():
            while True:
                with ready:
                    ready.wait_for(lambda: pieces)
                    due, piece = pieces.popleft()
                time.sleep(max(0, due - time.monotonic()))  # The delay is what is made here.
                try:
                    target.sendall(piece)
                    if not piece:
                        return target.shutdown(socket.SHUT_WR)
                except OSError:
                    return

        threading.Thread(target=hand_on, daemon=True).start()
        piece = b"?"
        while piece:
            try:
                piece = source.recv(65536)
            except OSError:
                piece = b""
            with ready:
                pieces.append((time.monotonic() + self.random.uniform(0, jitter), piece))
                ready.notify()

    def close(self):
        for end in [self.listener, *self.ends]:
            end.close()

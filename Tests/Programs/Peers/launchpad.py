"""A Launchpad, as far as Novation's programmer's references describe one, as a JACK MIDI client.

usage: launchpad.py SERVER CLIENT DEVICE [ALIAS ALIAS]

DEVICE is the byte of its messages: 13 Mini MK3, 12 X, 14 Pro MK3. The aliases are those of its ports.

Lines of input: `midi BYTE...` sends a message, `lights` asks for all lights that are on, `mode` for the mode. Lines of
output: `ready`, `mode live`, `mode programmer`, `lights {NUMBER: [R, G, B]}`.
"""

import json
import queue
import sys
import threading

import jack

server, name, device = sys.argv[1], sys.argv[2], int(sys.argv[3])
header = bytes([0xF0, 0x00, 0x20, 0x29, 0x02, device])
client = jack.Client(name, servername=server, no_start_server=True, use_exact_name=True)
source = client.midi_outports.register("MIDI Out")
sink = client.midi_inports.register("MIDI In")
for port, alias in zip((source, sink), sys.argv[4:]):
    port.set_alias(alias)
outgoing, incoming = queue.SimpleQueue(), queue.SimpleQueue()


@client.set_process_callback
def process(_):
    source.clear_buffer()
    while not outgoing.empty():
        source.write_midi_event(0, outgoing.get())
    for _, data in sink.incoming_midi_events():
        incoming.put(bytes(data))


mode, lights = "live", {}
lock = threading.Lock()


def say(*words):
    print(*words, flush=True)


def take(message):
    global mode
    if not message.startswith(header) or not message.endswith(b"\xf7"):
        say("strange", message.hex())
        return
    command, content = message[6], message[7:-1]
    if command == 0x0E:
        mode = "programmer" if content == b"\1" else "live"
        lights.clear()
        say("mode", mode)
    elif command == 0x03 and mode == "programmer":
        if len(content) % 5 or any(content[place] != 3 for place in range(0, len(content), 5)) or max(content) > 127:
            say("strange", message.hex())
            return
        for place in range(0, len(content), 5):
            lights[content[place + 1]] = list(content[place + 2:place + 5])
    else:
        say("strange", message.hex())


def listen():
    while True:
        message = incoming.get()
        with lock:
            take(message)


threading.Thread(target=listen, daemon=True).start()
client.activate()
say("ready")
for line in sys.stdin:
    words = line.split()
    if words[0] == "midi":
        outgoing.put(bytes(map(int, words[1:])))
    elif words[0] == "lights":
        with lock:
            say("lights", json.dumps({number: color for number, color in sorted(lights.items()) if any(color)}))
    elif words[0] == "mode":
        with lock:
            say("mode", mode)
client.deactivate()
client.close()

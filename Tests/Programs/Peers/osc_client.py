"""A client of pixelboop-osc that is python-osc: sends what its input says, and prints what comes.

usage: osc_client.py udp|tcp PORT [HOST [OWN-PORT]]

Lines of input: an address and values, as JSON. Lines of output: the same.
"""

import json
import socket
import sys
import threading

from pythonosc import slip
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

kind, port = sys.argv[1], int(sys.argv[2])
peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM if kind == "udp" else socket.SOCK_STREAM)
if len(sys.argv) > 4:
    peer.bind(("", int(sys.argv[4])))
peer.connect((sys.argv[3] if len(sys.argv) > 3 else "127.0.0.1", port))


def show(packet):
    message = OscMessage(packet)
    print(json.dumps([message.address, *message.params]), flush=True)


def receive():
    stream = b""
    while data := peer.recv(65536):
        if kind == "udp":
            show(data)
            continue
        stream += data
        *packets, stream = stream.split(slip.END)
        for packet in packets:
            if packet:
                show(slip.decode(slip.END + packet + slip.END))
    print("closed", flush=True)


threading.Thread(target=receive, daemon=True).start()
print("ready", flush=True)
for line in sys.stdin:
    address, *values = json.loads(line)
    builder = OscMessageBuilder(address=address)
    for value in values:
        builder.add_arg(value)
    packet = builder.build().dgram
    peer.send(packet if kind == "udp" else slip.encode(packet))

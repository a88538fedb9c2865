"""Open Sound Control, which SuperCollider and ZynAddSubFX are driven by."""

import socket
import struct


def osc_string(text):
    data = text.encode() + b"\0"
    return data + b"\0" * (-len(data) % 4)


def osc(address, *arguments):
    tags, data = ",", b""
    for argument in arguments:
        if isinstance(argument, int):
            tags, data = tags + "i", data + struct.pack(">i", argument)
        elif isinstance(argument, float):
            tags, data = tags + "f", data + struct.pack(">f", argument)
        elif isinstance(argument, str):
            tags, data = tags + "s", data + osc_string(argument)
        else:
            padded = argument + b"\0" * (-len(argument) % 4)
            tags, data = tags + "b", data + struct.pack(">i", len(argument)) + padded
    return osc_string(address) + osc_string(tags) + data


class OSC:
    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.2)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.socket.connect(("127.0.0.1", self.port))

    def send(self, *message):
        self.socket.send(osc(*message))

    def is_answered(self, *message):
        try:
            self.send(*message)
            self.socket.recv(65536)
            return True
        except OSError:
            return False


def saw_definition():
    """A SuperCollider synth definition (SCgf 2): Out.ar(0, Saw.ar(freq) * 0.02)."""

    def name(text):
        return bytes([len(text)]) + text.encode()

    def unit(kind, rate, inputs, outputs, special=0):
        wires = b"".join(struct.pack(">ii", *wire) for wire in inputs)
        return name(kind) + struct.pack(">biih", rate, len(inputs), len(outputs), special) + wires + bytes(outputs)

    units = [
        unit("Control", 1, [], [1]), unit("Saw", 2, [(0, 0)], [2]),
        unit("BinaryOpUGen", 2, [(1, 0), (-1, 0)], [2], special=2), unit("Out", 2, [(-1, 1), (2, 0)], []),
    ]
    body = name("saw") + struct.pack(">iff", 2, 0.02, 0.0) + struct.pack(">if", 1, 440.0)
    body += struct.pack(">i", 1) + name("freq") + struct.pack(">i", 0)
    body += struct.pack(">i", len(units)) + b"".join(units) + struct.pack(">h", 0)
    return b"SCgf" + struct.pack(">ih", 2, 1) + body

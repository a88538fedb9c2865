"""A fake daemon: pictures in which every cell changes, and answers as a test wants them."""

import itertools
import json
import pathlib
import random
import socket
import threading

OPENRPC = json.loads((pathlib.Path(__file__).parents[3] / "docs/openrpc.json").read_text())
TRACKS = ("melody", "chords", "bass", "rhythm")
NAMES = ("C#", "E", "BD", "G#", "OH")
STATE = {
    "transport": {"state": "stopped", "step": 0}, "bpm": 120, "swing": 0.5, "scale": "major", "root": "C", "length": 32,
    "colors": "chromatic", "ghosts": True, "history": {"undo": 0, "redo": 0}, "pattern": {"name": ""},
    "tracks": {track: {"mute": False, "solo": False, "gain": 0, "pan": 0} for track in TRACKS},
    "audio": {"status": "running", "reason": "", "rate": 48000, "period": 64},
    "storage": {"status": "running", "reason": ""},
}


class PretendedDaemon:
    """Listens on a Unix-domain socket; answers a page's requests, and sends it what the test wants."""

    def __init__(self, path, state=None):
        self.state = {**STATE, **(state or {})}
        self.random = random.Random(1)
        self.sequence = 0
        self.topics = set()
        self.description = OPENRPC
        self.patterns = []
        self.takes = {"takes": [], "status": "keeping"}
        self.refusals = {}  # by method: the message of its error
        self.calls = []  # that were answered
        self.connection = None
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        self.send(connection, {"method": "welcome", "params": self.greeting()})
        for line in connection.makefile("r", encoding="utf-8"):
            message = json.loads(line)
            name, params = message["method"], message.get("params", {})
            result = self.answer(name, params)
            if name in self.refusals:
                self.send(connection, {"id": message["id"], "error": {"code": -32005, "message": self.refusals[name]}})
            elif "id" in message:
                self.send(connection, {"id": message["id"], "result": result})
            if name == "subscribe":
                self.connection = connection
            self.calls.append((name, params))

    def greeting(self):
        return {"server": "pretended", "version": "0", "protocol": 1, "cols": 44, "rows": 24,
                "limits": {"line": 2097152, "unread": 4194304}}

    def answer(self, name, params):
        if name == "hello":
            return {**self.greeting(), "remote": params.get("remote", False)}
        if name == "subscribe":
            self.topics |= set(params["topics"])
            key_frame = {"seq": self.sequence, "cols": 44, "rows": 24, "rgb": [0] * 1056}
            return {"frame": key_frame, "state": self.state}
        if name == "unsubscribe":
            self.topics -= set(params["topics"])
        if name == "stats.get":
            return {"audio": {"xruns": 3}}
        return {"rpc.discover": self.description, "library.list": self.patterns, "take.list": self.takes}.get(name, {})

    def send(self, connection, message):
        connection.sendall(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def tell(self, name, params):
        self.send(self.connection, {"method": name, "params": params})

    def cut(self):
        """Ends the page's connection."""
        self.connection.shutdown(socket.SHUT_RDWR)

    def change_every_cell(self):
        cells = itertools.chain.from_iterable((index, self.random.randrange(1 << 24)) for index in range(1056))
        self.tell("frame", {"seq": self.sequence + 1, "base": self.sequence, "cells": list(cells)})
        self.sequence += 1

    def name_every_note(self):
        """Labels all step cells of all tracks, as with the safe colours."""
        cells = [row * 44 + 4 + step + step // 8 for row in range(2, 22) for step in range(32)]
        named = itertools.chain.from_iterable((cell, NAMES[cell % len(NAMES)]) for cell in cells)
        self.tell("labels", {"seq": self.sequence, "cells": list(named)})

    def close(self):
        self.listener.close()

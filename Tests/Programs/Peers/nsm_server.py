"""A session manager as the New Session Manager API 1.1 describes one (new-session-manager.jackaudio.org/api), by python-osc.

usage: nsm_server.py accept|refuse

It answers the client that announces itself, and then sends it what it is told to.

Lines of input, as JSON: an address and values, behind "stranger" to be sent from another port, behind "neighbour" from
the same port of another address. Lines of output, as JSON too: `["port", N]` at first, then every message of the client. Whatever the API forbids is told as `["wrong", WHAT]`.
"""

import json
import socket
import sys
import threading

from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder

ANNOUNCE = "/nsm/server/announce"
# Addresses with their types, and the client's capability that they need.
KNOWN = {
    ANNOUNCE: ("sssiii", None),
    "/reply": ("ss", None),
    "/error": ("sis", None),
    "/nsm/client/progress": ("f", "progress"),
    "/nsm/client/is_dirty": ("", "dirty"),
    "/nsm/client/is_clean": ("", "dirty"),
    "/nsm/client/message": ("is", "message"),
    "/nsm/client/gui_is_hidden": ("", "optional-gui"),
    "/nsm/client/gui_is_shown": ("", "optional-gui"),
}
ERRORS = range(-10, 0)

server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 0))
client = None
capabilities = []
processes = set()
# Requests that are not answered yet; each is answered once.
unanswered = []
lock = threading.Lock()


def say(*values):
    print(json.dumps(values), flush=True)


def send(address, *values, by=server):
    builder = OscMessageBuilder(address=address)
    for value in values:
        builder.add_arg(value)
    by.sendto(builder.build().dgram, client)


def types(values):
    return "".join({str: "s", int: "i", float: "f"}[type(value)] for value in values)


def check(address, values, sender):
    """What the API says of a message, besides what it means."""
    if address not in KNOWN:
        return "unknown address"
    expected, capability = KNOWN[address]
    if types(values) != expected:
        return f"types {types(values)} and not {expected}"
    if address == ANNOUNCE:
        return "announced twice" if values[5] in processes else None
    if client is None:
        return "not announced before"
    if sender != client:
        return "from another socket than the announcement"
    if capability and capability not in capabilities:
        return f"without the capability {capability}"
    if address == "/nsm/client/message" and not 0 <= values[0] <= 3:
        return "priority"
    if address == "/error" and values[1] not in ERRORS:
        return "error code"
    if address in ("/reply", "/error"):
        with lock:
            if values[0] not in unanswered:
                return "answer to nothing"
            unanswered.remove(values[0])
    return None


def receive():
    global client, capabilities
    while True:
        packet, sender = server.recvfrom(65536)
        message = OscMessage(packet)
        address, values = message.address, list(message.params)
        wrong = check(address, values, sender)
        if wrong:
            say("wrong", f"{address} {values}: {wrong}")
        if address == ANNOUNCE:
            client, capabilities = sender, values[1].strip(":").split(":")
            processes.add(values[5])
        say(address, *values)
        if address == ANNOUNCE and sys.argv[1] == "accept":
            send("/reply", ANNOUNCE, "hello", "small test manager", ":server-control:optional-gui:")
        elif address == ANNOUNCE:
            send("/error", ANNOUNCE, -3, "not this one")


threading.Thread(target=receive, daemon=True).start()
say("port", server.getsockname()[1])
strangers = {name: socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for name in ("stranger", "neighbour")}
strangers["neighbour"].bind(("127.0.0.2", server.getsockname()[1]))
for line in sys.stdin:
    address, *values = json.loads(line)
    if address in strangers:
        send(*values, by=strangers[address])
        continue
    if address in ("/nsm/client/open", "/nsm/client/save"):
        with lock:
            unanswered.append(address)
    send(address, *values)

"""serialosc with a grid, as monome.org/docs/serialosc/osc describes them, by python-osc.

usage: serialosc.py COLUMNS ROWS

Lines of input: `key X Y STATE` presses or releases, `lights` asks for all lights, `unplug` and `plug` are what hands do, `forget` what a serialosc
that is started later has missed. `restart` starts serialosc anew, with its ports but without the program that had the grid; with `restart kept`
that is kept, too. `take PORT` is what another program does, right after the next answer to `/sys/info`. `owner` asks, two lists later, who has the
grid.
Lines of output: `port N` (serialosc's own), `lights [LEVEL...]`, row by row, `owner PORT`.
"""

import json
import sys
import threading

from pythonosc.dispatcher import Dispatcher
from pythonosc.osc_message_builder import OscMessageBuilder
from pythonosc.osc_server import BlockingOSCUDPServer

columns, rows = int(sys.argv[1]), int(sys.argv[2])
lights = [0] * (columns * rows)
lock = threading.Lock()
owner = {"host": "127.0.0.1", "port": 0, "prefix": "/monome"}
is_plugged = True
waiting = []
takers = []
lists = threading.Semaphore(0)


def say(*words):
    print(*words, flush=True)


def tell(server, host, port, address, *values):
    """Sends from the server's own port, as lo_send_from does in serialosc."""
    builder = OscMessageBuilder(address=address)
    for value in values:
        builder.add_arg(value)
    server.socket.sendto(builder.build().dgram, (host, port))


def listed(_, host, port):
    if is_plugged:
        tell(serialosc, host, port, "/serialosc/device", "m0000001", "monome test", grid.server_address[1])
    lists.release()


def notify(_, host, port):
    waiting.append((host, port))


def told(address, *values):
    if address == "/sys/port":
        former, owner["port"] = owner["port"], values[0]
        for port in filter(None, [former, values[0]]):
            tell(grid, owner["host"], port, "/sys/port", values[0])
    elif address == "/sys/host":
        owner["host"] = values[0]
    elif address == "/sys/prefix":
        owner["prefix"] = values[0]
    elif address == "/sys/info":
        tell(grid, *values, "/sys/id", "m0000001")
        tell(grid, *values, "/sys/size", columns, rows)
        for name in ["host", "port", "prefix"]:
            tell(grid, *values, "/sys/" + name, owner[name])
        if takers:
            told("/sys/port", takers.pop())
    elif address == owner["prefix"] + "/grid/led/level/map":
        left, top, *levels = values
        assert len(levels) == 64 and left % 8 == 0 and top % 8 == 0
        with lock:
            for place, level in enumerate(levels):
                column, row = left + place % 8, top + place // 8
                if column < columns and row < rows:
                    lights[row * columns + column] = level
    elif address == owner["prefix"] + "/grid/led/all":
        with lock:
            lights[:] = [15 * values[0]] * len(lights)


mine = Dispatcher()
mine.map("/serialosc/list", listed)
mine.map("/serialosc/notify", notify)
device = Dispatcher()
device.set_default_handler(told)
# One message after the other: with a thread for each, an old picture could overtake a newer one.
grid = BlockingOSCUDPServer(("127.0.0.1", 0), device)
serialosc = BlockingOSCUDPServer(("127.0.0.1", 0), mine)
for each in (grid, serialosc):
    threading.Thread(target=each.serve_forever, daemon=True).start()
say("port", serialosc.server_address[1])


def announce(address):
    while waiting:
        tell(serialosc, *waiting.pop(), address, "m0000001", "monome test", grid.server_address[1])


for line in sys.stdin:
    words = line.split()
    if words[0] == "key":
        tell(grid, owner["host"], owner["port"], owner["prefix"] + "/grid/key", *map(int, words[1:]))
    elif words[0] == "lights":
        with lock:
            say("lights", json.dumps(lights))
    elif words[0] == "forget":
        waiting.clear()
    elif words[0] == "restart":
        waiting.clear()
        lights[:] = [0] * len(lights)
        if words[1:] == ["kept"]:
            tell(grid, owner["host"], owner["port"], "/sys/connect")
        else:
            owner.update(port=0, prefix="/monome")
    elif words[0] == "take":
        takers.append(int(words[1]))
    elif words[0] == "owner":
        while lists.acquire(blocking=False):
            pass
        for _ in range(2):
            lists.acquire()
        say("owner", owner["port"])
    elif words[0] == "unplug":
        is_plugged = False
        announce("/serialosc/remove")
    elif words[0] == "plug" and not is_plugged:
        is_plugged = True
        lights[:] = [0] * len(lights)
        announce("/serialosc/add")

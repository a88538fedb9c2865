"""Receives E1.31 with PyPI's sacn and prints what comes: `data UNIVERSE PRIORITY SOURCE HEX`, `timeout UNIVERSE`.

usage: sacn_receiver.py FIRST LAST [multicast]    the universes to listen to, on loopback or by multicast
"""

import sys

import sacn


def say(*words):
    print(*words, flush=True)


by_multicast = sys.argv[3:] == ["multicast"]
receiver = sacn.sACNreceiver(bind_address="0.0.0.0" if by_multicast else "127.0.0.1")


@receiver.listen_on("availability")
def availability(universe, changed):
    say(changed, universe)


def received(packet):
    say("data", packet.universe, packet.priority, packet.sourceName.rstrip("\0"), bytes(packet.dmxData).hex())


for number in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    receiver.register_listener("universe", received, universe=number)
receiver.start()
if by_multicast:
    for number in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
        receiver.join_multicast(number)
say("ready")
sys.stdin.read()
receiver.stop()

"""Listening to sequencers in JACK."""

import json
import os
import subprocess

from programs import JackServer, Missing

SECONDS = 30


class Silent(Missing):
    """A sequencer runs, but does not play."""


def record(server, midi_port, audio_port, is_rolling, meanwhile):
    """Frames at which notes and sounds began within SECONDS, and the result of `meanwhile`, which is given most of that
    time. On request starts JACK's transport."""
    command = ["/usr/bin/python3", "-B", f"{os.path.dirname(os.path.abspath(__file__))}/recorder.py", str(SECONDS),
               midi_port, audio_port, *(["--roll"] if is_rolling else [])]
    with subprocess.Popen(command, env={**os.environ, **server.environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as recorder:
        if not recorder.stdout.readline():
            raise Silent(recorder.stderr.read()[-300:].strip())
        result = meanwhile(SECONDS - 1)
        output, _ = recorder.communicate(timeout=60)
    heard = json.loads(output)
    if audio_port and not heard["audio"]:
        raise Silent("no sound was heard")
    return heard, result


def on_own_server(place, play):
    """The result of `play` on a server of its own, with up to four attempts while nothing is heard: one time in ten
    Hydrogen 1.2 runs, but never follows the transport.

    A synchronous server skips no period when the machine is busy, but waits for clients that die.
    """
    for attempt in range(4):
        server = JackServer(place, "--sync")
        try:
            return play(server)
        except Silent:
            if attempt == 3:
                raise
        finally:
            server.end()

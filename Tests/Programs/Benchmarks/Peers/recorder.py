"""Records when notes and sounds begin, as a JACK client.

usage: recorder.py SECONDS MIDI_PORT AUDIO_PORT [--roll]    an empty AUDIO_PORT for none

Prints `heard` with the first note, which must come within 5 s, and SECONDS later {"midi": [FRAME...], "audio":
[FRAME...]}: JACK's times of the note-ons and of the onsets. With --roll it starts JACK's transport. The server is the one
that JACK_DEFAULT_SERVER names.
"""

import gc
import json
import sys
import time
from array import array

import jack

RATE = 48000


def record(seconds, midi_port, audio_port, is_rolling):
    """The frames of the note-ons, and the periods of sound with the frames that they begin at."""
    client = jack.Client("recorder", no_start_server=True)
    midi, audio = client.midi_inports.register("midi"), client.inports.register("audio")
    notes, periods = [], []

    @client.set_process_callback
    def process(_):
        start = client.last_frame_time
        periods.append((start, bytes(audio.get_buffer())))
        for offset, message in midi.incoming_midi_events():
            if len(message) == 3 and message[0][0] & 0xF0 == 0x90 and message[2][0] > 0:
                notes.append(start + offset)

    gc.disable()
    with client:
        client.connect(midi_port, midi)
        if audio_port:
            client.connect(audio_port, audio)
        if is_rolling:
            client.transport_start()
        patience = time.monotonic() + 5
        while not notes:
            if time.monotonic() > patience:
                sys.exit("no note was heard")
            time.sleep(0.05)
        print("heard", flush=True)
        time.sleep(seconds)
    return notes, periods


def onsets(periods):
    """The frames at which it gets loud after 10 ms of quiet."""
    sounds = [(start, array("f", data)) for start, data in periods]
    threshold = max((max(map(abs, sound)) for _, sound in sounds), default=0) / 20
    found, last_loud = [], None
    for start, sound in sounds:
        if threshold == 0 or max(map(abs, sound)) <= threshold:
            continue
        for frame, value in enumerate(sound, start):
            if abs(value) > threshold:
                if last_loud is None or frame - last_loud > RATE // 100:
                    found.append(frame)
                last_loud = frame
    return found


if __name__ == "__main__":
    seconds, midi_port, audio_port = float(sys.argv[1]), sys.argv[2], sys.argv[3]
    notes, periods = record(seconds, midi_port, audio_port, "--roll" in sys.argv)
    print(json.dumps({"midi": notes, "audio": onsets(periods)}))

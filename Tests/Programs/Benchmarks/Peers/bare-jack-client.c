// A minimal JACK client with pixelboopd's ports: in every period it fetches its buffers and clears the outputs, and plays the
// voices of bare-voices.h on the first two.
//
// cc -O3 -ffast-math bare-jack-client.c -ljack -lm
//
// usage: bare-jack-client NAME VOICES    plays until it is killed

#include "../bare-voices.h"
#include <jack/jack.h>
#include <jack/midiport.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define AUDIO_OUTPUTS 10
#define MIDI_OUTPUTS 2

static jack_port_t *audio[AUDIO_OUTPUTS], *midi[MIDI_OUTPUTS], *input;

static int process(jack_nframes_t frames, void *context) {
    (void)context;
    float *outputs[AUDIO_OUTPUTS];
    for (int i = 0; i < AUDIO_OUTPUTS; i++) {
        outputs[i] = jack_port_get_buffer(audio[i], frames);
        memset(outputs[i], 0, frames * sizeof(float));
    }
    if (voice_count > 0) render(outputs[0], outputs[1], frames);
    for (int i = 0; i < MIDI_OUTPUTS; i++) jack_midi_clear_buffer(jack_port_get_buffer(midi[i], frames));
    jack_midi_get_event_count(jack_port_get_buffer(input, frames));
    return 0;
}

static jack_port_t *add(jack_client_t *client, const char *kind, int number, const char *type, unsigned long flags) {
    char name[32];
    snprintf(name, sizeof name, "%s_%d", kind, number);
    return jack_port_register(client, name, type, flags, 0);
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    jack_client_t *client = jack_client_open(arguments[1], JackNoStartServer, NULL);
    if (!client) return 1;
    prepare(atoi(arguments[2]), jack_get_sample_rate(client));
    for (int i = 0; i < AUDIO_OUTPUTS; i++) audio[i] = add(client, "out", i, JACK_DEFAULT_AUDIO_TYPE, JackPortIsOutput);
    for (int i = 0; i < MIDI_OUTPUTS; i++) midi[i] = add(client, "midi_out", i, JACK_DEFAULT_MIDI_TYPE, JackPortIsOutput);
    input = add(client, "midi_in", 0, JACK_DEFAULT_MIDI_TYPE, JackPortIsInput);
    jack_set_process_callback(client, process, NULL);
    if (jack_activate(client)) return 1;
    for (;;) pause();
}

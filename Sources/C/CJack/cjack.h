// The parts of JACK's headers that Swift cannot import, and a wake-up for process callbacks.

#ifndef CJACK_H
#define CJACK_H

#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/ringbuffer.h>
#include <jack/statistics.h>
#include <jack/transport.h>
#include <jack/uuid.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>

// jack_client_open is variadic. A NULL server name means JACK_DEFAULT_SERVER, or "default".
static inline jack_client_t *cjack_client_open(
    const char *client_name, const char *server_name, jack_options_t options, jack_status_t *status) {
    if (server_name) {
        return jack_client_open(client_name, (jack_options_t)(options | JackServerName), status, server_name);
    }
    return jack_client_open(client_name, options, status);
}

// Whether the program was started with PipeWire's library in place of jackd's.
static inline bool cjack_is_pipewire(void) {
    const char *version = jack_get_version_string();
    return version && strstr(version, "PipeWire");
}

// Prepares a port for the closing of a client whose server has gone. PipeWire's library (seen with 1.6.9) then frees the
// memory of connected ports twice, which ends the program, unless they are unregistered before. While there is a server,
// the process thread may be using the port. NULL is no port.
static inline void cjack_forget_port(jack_client_t *client, jack_port_t *port) {
    if (port && cjack_is_pipewire()) jack_port_unregister(client, port);
}

// JACK declares the keys as variables, which Swift treats as shared mutable state.
static inline const char *cjack_key_pretty_name(void) { return JACK_METADATA_PRETTY_NAME; }
static inline const char *cjack_key_order(void) { return JACK_METADATA_ORDER; }
static inline const char *cjack_key_port_group(void) { return JACK_METADATA_PORT_GROUP; }
static inline const char *cjack_key_event_types(void) { return JACK_METADATA_EVENT_TYPES; }
static inline const char *cjack_key_icon_name(void) { return JACK_METADATA_ICON_NAME; }

// The Swift compiler lets the process callback call only functions that are marked as free of locks and allocation.
// JACK makes the functions below for use in it.
#define CJACK_REALTIME __attribute__((swift_attr("@_noLocks")))

CJACK_REALTIME int jack_get_cycle_times(
    const jack_client_t *client, jack_nframes_t *current_frames, jack_time_t *current_usecs, jack_time_t *next_usecs,
    float *period_usecs);
CJACK_REALTIME jack_nframes_t jack_last_frame_time(const jack_client_t *client);
CJACK_REALTIME jack_time_t jack_get_time(void);
CJACK_REALTIME float jack_cpu_load(jack_client_t *client);
CJACK_REALTIME void *jack_port_get_buffer(jack_port_t *port, jack_nframes_t frames);

CJACK_REALTIME uint32_t jack_midi_get_event_count(void *port_buffer);
CJACK_REALTIME int jack_midi_event_get(jack_midi_event_t *event, void *port_buffer, uint32_t event_index);
CJACK_REALTIME void jack_midi_clear_buffer(void *port_buffer);
CJACK_REALTIME int jack_midi_event_write(
    void *port_buffer, jack_nframes_t time, const jack_midi_data_t *data, size_t data_size);
CJACK_REALTIME jack_midi_data_t *jack_midi_event_reserve(void *port_buffer, jack_nframes_t time, size_t data_size);

// One thread writes, another one reads.
CJACK_REALTIME size_t jack_ringbuffer_read_space(const jack_ringbuffer_t *buffer);
CJACK_REALTIME size_t jack_ringbuffer_write_space(const jack_ringbuffer_t *buffer);
CJACK_REALTIME void jack_ringbuffer_read_advance(jack_ringbuffer_t *buffer, size_t count);

CJACK_REALTIME void jack_transport_start(jack_client_t *client);
CJACK_REALTIME void jack_transport_stop(jack_client_t *client);
CJACK_REALTIME int jack_transport_locate(jack_client_t *client, jack_nframes_t frame);
CJACK_REALTIME int jack_transport_reposition(jack_client_t *client, const jack_position_t *position);
CJACK_REALTIME jack_transport_state_t jack_transport_query(const jack_client_t *client, jack_position_t *position);

// The members of jack_position_t that we need: Swift cannot import its packed layout.
typedef struct {
    bool is_rolling;
    jack_nframes_t frame;
    // Whether the members below are set.
    bool has_bar;
    int32_t bar;
    int32_t beat;
    double tick;
    // Whether the tick has a fraction.
    bool is_exact;
    double bar_start_tick;
    jack_nframes_t frame_offset;
    double beats_per_bar;
    double beat_type;
    double ticks_per_beat;
    double bpm;
} cjack_transport_t;

CJACK_REALTIME static inline cjack_transport_t cjack_query_transport(const jack_client_t *client) {
    jack_position_t position = {0};
    jack_transport_state_t state = jack_transport_query(client, &position);
    bool is_exact = position.valid & JackTickDouble;
    return (cjack_transport_t){
        .is_rolling = state == JackTransportRolling || state == JackTransportLooping,
        .frame = position.frame,
        .has_bar = position.valid & JackPositionBBT,
        .bar = position.bar,
        .beat = position.beat,
        .tick = is_exact ? position.tick_double : position.tick,
        .is_exact = is_exact,
        .bar_start_tick = position.bar_start_tick,
        .frame_offset = position.valid & JackBBTFrameOffset ? position.bbt_offset : 0,
        .beats_per_bar = position.beats_per_bar,
        .beat_type = position.beat_type,
        .ticks_per_beat = position.ticks_per_beat,
        .bpm = position.beats_per_minute,
    };
}

// Writes bar and beat into a position.
CJACK_REALTIME static inline void cjack_write_bar(jack_position_t *position, const cjack_transport_t *transport) {
    position->valid = (jack_position_bits_t)(JackPositionBBT | JackTickDouble);
    position->bar = transport->bar;
    position->beat = transport->beat;
    position->tick = (int32_t)transport->tick;
    position->tick_double = transport->tick;
    position->bar_start_tick = transport->bar_start_tick;
    position->beats_per_bar = (float)transport->beats_per_bar;
    position->beat_type = (float)transport->beat_type;
    position->ticks_per_beat = transport->ticks_per_beat;
    position->beats_per_minute = transport->bpm;
}

// Moves the transport, and publishes bar and beat with it: after jack_transport_locate they would be missing for a
// cycle. JACK accepts only whole ticks here.
CJACK_REALTIME static inline void cjack_reposition(jack_client_t *client, const cjack_transport_t *transport) {
    jack_position_t position = {0};
    cjack_write_bar(&position, transport);
    position.valid = JackPositionBBT;
    position.frame = transport->frame;
    jack_transport_reposition(client, &position);
}

CJACK_REALTIME static inline jack_nframes_t cjack_frame(const jack_position_t *position) { return position->frame; }

// ringbuffer.h promises that one thread may write while another one reads. Before version 1.9.22 (Debian 12 has 1.9.21) libjack's
// ring buffers have no fences (jackaudio/jack2 pull request 886), without which ARM may show a thread a buffer's new end before
// what was written there.

// Writes bytes for which there is space, in one piece.
CJACK_REALTIME static inline void cjack_ringbuffer_write(jack_ringbuffer_t *buffer, const void *source, size_t count) {
    jack_ringbuffer_data_t space[2];
    jack_ringbuffer_get_write_vector(buffer, space);
    // Pairs with the reader's fence: it has read what is overwritten here.
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    size_t first = count < space[0].len ? count : space[0].len;
    memcpy(space[0].buf, source, first);
    if (first < count) memcpy(space[1].buf, (const char *)source + first, count - first);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    jack_ringbuffer_write_advance(buffer, count);
}

// Copies bytes that are there, which stay.
CJACK_REALTIME static inline void cjack_ringbuffer_peek(jack_ringbuffer_t *buffer, void *target, size_t count) {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    jack_ringbuffer_peek(buffer, target, count);
}

// Reads bytes that are there.
CJACK_REALTIME static inline void cjack_ringbuffer_read(jack_ringbuffer_t *buffer, void *target, size_t count) {
    cjack_ringbuffer_peek(buffer, target, count);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    jack_ringbuffer_read_advance(buffer, count);
}

// Wakes the thread that waits for an eventfd; for the callback of `Controllers`. It is a system call, which would block only if the
// counter were full, and that never happens.
CJACK_REALTIME static inline void cjack_signal(int descriptor) { eventfd_write(descriptor, 1); }

#endif

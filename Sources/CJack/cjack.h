// What Swift cannot import of JACK's headers, and the two system interfaces that its driver needs beside them.

#ifndef CJACK_H
#define CJACK_H

#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/statistics.h>
#include <jack/uuid.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <time.h>

// jack_client_open is variadic. A NULL server name means JACK_DEFAULT_SERVER, or "default".
static inline jack_client_t *cjack_client_open(
    const char *client_name, const char *server_name, jack_options_t options, jack_status_t *status) {
    if (server_name) {
        return jack_client_open(client_name, (jack_options_t)(options | JackServerName), status, server_name);
    }
    return jack_client_open(client_name, options, status);
}

// JACK declares the keys as variables, which Swift takes for shared mutable state.
static inline const char *cjack_key_pretty_name(void) { return JACK_METADATA_PRETTY_NAME; }
static inline const char *cjack_key_order(void) { return JACK_METADATA_ORDER; }
static inline const char *cjack_key_port_group(void) { return JACK_METADATA_PORT_GROUP; }
static inline const char *cjack_key_icon_name(void) { return JACK_METADATA_ICON_NAME; }

// The calling thread's name in tools like top; at most 15 characters. prctl is variadic.
static inline void cjack_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// Swift's compiler lets the process callback call nothing that is not known to be free of locks and allocation. These are,
// and carry that knowledge across: of JACK's own functions those which it makes for the process callback.
#define CJACK_REALTIME __attribute__((swift_attr("@_noLocks")))

CJACK_REALTIME int jack_get_cycle_times(
    const jack_client_t *client, jack_nframes_t *current_frames, jack_time_t *current_usecs, jack_time_t *next_usecs,
    float *period_usecs);
CJACK_REALTIME jack_nframes_t jack_last_frame_time(const jack_client_t *client);
CJACK_REALTIME jack_time_t jack_get_time(void);
CJACK_REALTIME float jack_cpu_load(jack_client_t *client);
CJACK_REALTIME void *jack_port_get_buffer(jack_port_t *port, jack_nframes_t frames);

// The time since some fixed moment in ns; answered without entering the kernel.
CJACK_REALTIME static inline uint64_t cjack_monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Makes the calling thread's arithmetic treat denormal numbers as zero: MXCSR bits 15 (flush to zero) and 6 (denormals
// are zero) on x86, FPCR bit 24 on arm64. Each costs many times a normal operation on most processors.
CJACK_REALTIME static inline void cjack_flush_denormals(void) {
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr | (UINT64_C(1) << 24)));
#endif
}

#endif

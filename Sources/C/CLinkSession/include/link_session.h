// Ableton Link's session (GPL-2.0-or-later) for Swift: a peer, what it knows about the session, and what it may change.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct link_session link_session;

// The session at a time.
typedef struct {
    // The time in µs on the clock of link_session_now, and the beat then.
    int64_t usecs;
    double beat;
    double bpm;
    // Whether the peers that share starts and stops play, and since when.
    bool is_playing;
    int64_t playing_usecs;
    // Other peers in the session.
    uint64_t peers;
} link_session_state;

// A peer that is in no session yet. NULL if the system has no sockets or threads left.
link_session *link_session_create(double bpm);
// Leaves the session; `changed` is no longer called.
void link_session_destroy(link_session *session);

// Sets the function that Link calls, on its own threads, when the number of peers, the tempo, or the start and stop
// state changes. Call this before enabling the session.
void link_session_on_change(link_session *session, void (*changed)(void *), void *context);

// Joins the session on the network or begins one; or leaves it.
void link_session_enable(link_session *session, bool is_enabled);
// Whether starts and stops are shared with the peers that share theirs.
void link_session_share_starts(link_session *session, bool is_shared);

// Link's time in µs: CLOCK_MONOTONIC_RAW on Linux.
int64_t link_session_now(const link_session *session);

// The session at a time; beats are in phase with the other peers' for a quantum.
link_session_state link_session_at(link_session *session, int64_t usecs, double quantum);

// Changes the session, for all peers.
void link_session_set_tempo(link_session *session, double bpm, int64_t usecs);
void link_session_set_playing(link_session *session, bool is_playing, int64_t usecs);

// Maps a beat to a time: exactly while there are no other peers, else at the next time that is in phase with them.
void link_session_request_beat(link_session *session, double beat, int64_t usecs, double quantum);

#ifdef __cplusplus
}
#endif

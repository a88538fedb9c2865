#include "link_session.h"

#include <ableton/Link.hpp>
#include <algorithm>
#include <chrono>
#include <new>

using std::chrono::microseconds;

struct link_session {
    explicit link_session(double bpm) : link(bpm) {}

    ableton::Link link;
};

// Link throws when the system has no sockets or threads left. Exceptions must not reach Swift.
link_session *link_session_create(double bpm) {
    try {
        return new link_session(bpm);
    } catch (...) {
        return nullptr;
    }
}

void link_session_destroy(link_session *session) { delete session; }

void link_session_on_change(link_session *session, void (*changed)(void *), void *context) {
    session->link.setNumPeersCallback([=](std::size_t) { changed(context); });
    session->link.setTempoCallback([=](double) { changed(context); });
    session->link.setStartStopCallback([=](bool) { changed(context); });
}

void link_session_enable(link_session *session, bool is_enabled) { session->link.enable(is_enabled); }

void link_session_share_starts(link_session *session, bool is_shared) { session->link.enableStartStopSync(is_shared); }

int64_t link_session_now(const link_session *session) { return session->link.clock().micros().count(); }

link_session_state link_session_at(link_session *session, int64_t usecs, double quantum) {
    const auto state = session->link.captureAppSessionState();
    return {
        usecs,
        state.beatAtTime(microseconds(usecs), quantum),
        state.tempo(),
        state.isPlaying(),
        state.timeForIsPlaying().count(),
        session->link.numPeers(),
    };
}

void link_session_set_tempo(link_session *session, double bpm, int64_t usecs) {
    auto state = session->link.captureAppSessionState();
    state.setTempo(bpm, microseconds(usecs));
    session->link.commitAppSessionState(state);
}

void link_session_set_playing(link_session *session, bool is_playing, int64_t usecs) {
    auto state = session->link.captureAppSessionState();
    // Of two starts or stops, Link keeps the one with the later time, and the clocks of peers differ by some
    // milliseconds. So this one gets a time after the last known one.
    state.setIsPlaying(is_playing, std::max(microseconds(usecs), state.timeForIsPlaying() + microseconds(1)));
    session->link.commitAppSessionState(state);
}

void link_session_request_beat(link_session *session, double beat, int64_t usecs, double quantum) {
    auto state = session->link.captureAppSessionState();
    state.requestBeatAtTime(beat, microseconds(usecs), quantum);
    session->link.commitAppSessionState(state);
}

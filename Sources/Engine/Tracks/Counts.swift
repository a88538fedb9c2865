// How much there is of everything: computed, because a stored global would be initialised behind a lock.

/// Tracks, in the order of `Music.Track`.
var trackCount: Int {
    4
}

/// Notes of a track.
var noteCount: Int {
    12
}

/// Steps of a track that a score has room for.
var stepCount: Int {
    32
}

/// One value for each track.
public typealias PerTrack<Value> = InlineArray<4, Value>

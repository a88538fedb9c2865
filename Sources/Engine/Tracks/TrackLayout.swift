import Music

/// What the engine has to know of a track, as data: nothing else in it tells one track from another.
struct TrackLayout {
    /// What a track's notes are, and what a new instrument plays them with.
    enum Kind {
        /// Pitches, upward from a MIDI note number.
        case pitched(lowestPitch: Int, PitchedVoice)
        /// Drums, in the order of `Music.Drum`.
        case drums(Kit)
    }

    let kind: Kind

    /// What a new instrument plays the track with.
    var voice: VoiceDescription {
        switch kind {
        case .pitched(_, let voice): .pitched(voice)
        case .drums(let kit): .drums(kit)
        }
    }

    /// All tracks, in their order.
    static let all = Track.allCases.map { TrackLayout(kind: kind(of: $0)) }

    private static func kind(of track: Track) -> Kind {
        switch track {
        case .melody: .pitched(lowestPitch: track.lowestPitch, PitchedVoice(source: .sine, cutoff: 2000))
        case .chords:
            .pitched(lowestPitch: track.lowestPitch, PitchedVoice(source: .table(.chordsTriangle), cutoff: 1500))
        case .bass: .pitched(lowestPitch: track.lowestPitch, PitchedVoice(source: .table(.bassSaw), cutoff: 400))
        case .rhythm: .drums(.classic)
        }
    }
}

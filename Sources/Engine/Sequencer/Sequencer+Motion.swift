import Music

/// How parameters move with the music.
extension Sequencer {
    /// How a track's parameters move with the present frame, nil while nothing does.
    func motion(of track: Int) -> Motion? {
        guard transport.runs || endFrame < .max else { return nil }
        let motion = motions.motion(of: track)
        return motion.isEmpty ? nil : motion
    }

    /// How many of a track's steps have passed with a frame, the part of the present one that is over included.
    func count(of track: Int, at frame: Int64) -> Double {
        let clock = transport.clock
        return time(of: track).count(at: clock.position(at: min(frame, endFrame)), on: clock.timing.grid)
    }

    /// The time in which a track counts its steps.
    private func time(of track: Int) -> TrackTime {
        TrackTime(length: nil, speed: .normal, whole: loop(of: track))
    }

    /// Gives tracks whose tone moves the one of the present frame, and the others that of their parameters.
    func moveTones(_ voices: inout VoiceSet) {
        for track in 0..<trackCount { moveTone(of: track, &voices) }
    }

    /// The same for one track.
    func moveTone(of track: Int, _ voices: inout VoiceSet) {
        guard let motion = motion(of: track), motion.moves(.tone) else { return voices.settleTone(of: track) }
        voices.moveTone(of: track, to: motion.value(.tone, at: count(of: track, at: frame)))
    }
}

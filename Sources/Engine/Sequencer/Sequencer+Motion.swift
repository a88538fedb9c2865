import Music

/// How parameters move with the music.
extension Sequencer {
    /// How a track's parameters move with the present frame, nil while nothing does.
    func motion(of track: Int) -> Motion? {
        guard transport.runs || endFrame < .max else { return nil }
        let motion = motions.motion(of: track)
        return motion.isEmpty ? nil : motion
    }

    /// How many steps of a track's slot have passed with a frame since one of its beginnings, the part of the present one that is
    /// over included.
    func count(of track: Int, at frame: Int64) -> Double {
        let clock = transport.clock
        let place = clock.timing.grid.place(at: clock.position(at: min(frame, endFrame)))
        return times[track].count(at: place) - Double(times[track].start(ofPass: 0))
    }

    /// Gives tracks whose tone moves the one of the present frame, and the others that of their parameters.
    func moveTones(_ voices: inout VoiceSet) {
        for track in 0..<trackCount { moveTone(of: track, &voices) }
    }

    /// The same for one track.
    func moveTone(of track: Int, _ voices: inout VoiceSet) {
        guard let motion = motion(of: track), motion.moves(.tone) else { return voices.moveTone(of: track, to: nil) }
        voices.moveTone(of: track, to: motion.value(.tone, at: count(of: track, at: frame)))
    }
}

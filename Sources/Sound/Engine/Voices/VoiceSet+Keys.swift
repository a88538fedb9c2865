import Music

// Notes are sent to the MIDI output as well as to the voices, or instead: whatever starts, ends or cuts off a voice
// does the same to the key.

extension VoiceSet {
    /// The MIDI keys of all notes, by track * 12 + note.
    static func midiKeys() -> FixedArray<UInt8> {
        FixedArray(count: trackCount * noteCount) { index in
            UInt8(Track.allCases[index / noteCount].midiPitch(of: index % noteCount))
        }
    }

    /// Applies new routes from a frame on.
    mutating func apply(routes parameters: LiveParameters, silent: TrackSet, at frame: Int64) {
        for track in 0..<trackCount {
            let new = NoteRoute(parameters.of(track), isSilent: silent.contains(track))
            let old = routes[track]
            routes[track] = new
            if old.sendsKeys && (!new.sendsKeys || new.channel != old.channel) { sender.stop(track: track, at: frame) }
            if old.playsVoices && !new.playsVoices { fadeVoices(of: track, at: frame) }
        }
    }

    /// Presses a note's key if its track sends notes.
    mutating func press(track: Int, note: Int, _ stroke: Stroke, velocity: UInt8, at frame: Int64) {
        let route = routes[track]
        guard route.sendsKeys else { return }
        let velocity = velocity > 0 ? velocity : route.velocity(of: stroke)
        let end = stroke.isHeld ? .max : frame + Int64(heldFrames(of: track, stroke))
        sender.start(
            track * noteCount + note, channel: route.channel, key: keys[track * noteCount + note],
            velocity: velocity, end: end, isAtOnce: stroke.isHeld, at: frame)
        if !route.playsVoices { loudest[track] = max(loudest[track], velocity) }
    }

    /// Frames from a note's start to its release, as in a voice of the first preset; half a step for drums.
    private func heldFrames(of track: Int, _ stroke: Stroke) -> Int {
        guard isPitched(track) else {
            return frames(stroke.seconds(of: 0.5 * stroke.stepSeconds), sampleRate: sampleRate)
        }
        let seconds = NoteEnvelope.length(of: stroke)
        return frames(seconds, sampleRate: sampleRate) - frames(min(0.3 * seconds, 0.15), sampleRate: sampleRate)
    }

    /// Reports the loudest keys of tracks whose own voices are silent.
    mutating func reportKeys(to peaks: borrowing TrackPeaks) {
        for track in 0..<trackCount where loudest[track] > 0 {
            peaks.report(Float(loudest[track]) / 127, track: track)
            loudest[track] = 0
        }
    }
}

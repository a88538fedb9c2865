// The notes that are sent to the MIDI output, beside the voices or in their place: whatever starts, ends or cuts off a voice
// does it to the key as well.

extension VoiceSet {
    /// The MIDI keys of all notes, by track * 12 + note.
    static func midiKeys() -> FixedArray<UInt8> {
        FixedArray(count: trackCount * noteCount) { index in
            UInt8(TrackLayout.all[index / noteCount].midiKey(of: index % noteCount))
        }
    }

    /// Goes by other routes with a frame.
    mutating func apply(routes parameters: borrowing LiveParameters, silent: TrackSet, at frame: Int64) {
        for track in 0..<trackCount {
            let new = NoteRoute(parameters.of(track), isSilent: silent.contains(track))
            let old = unsafe routes.elements[track]
            unsafe routes.elements[track] = new
            if old.sendsKeys && (!new.sendsKeys || new.channel != old.channel) { sender.stop(track: track, at: frame) }
            if old.playsVoices && !new.playsVoices { fadeVoices(of: track, at: frame) }
        }
    }

    /// Presses a note's key if its track has them sent.
    mutating func press(track: Int, note: Int, _ stroke: Stroke, velocity: UInt8, at frame: Int64) {
        let route = unsafe routes.elements[track]
        guard route.sendsKeys else { return }
        let velocity = velocity > 0 ? velocity : route.velocity(of: stroke)
        let end = stroke.isHeld ? .max : frame + Int64(heldFrames(of: track, stroke))
        unsafe sender.start(
            track * noteCount + note, channel: route.channel, key: keys.elements[track * noteCount + note],
            velocity: velocity, end: end, isAtOnce: stroke.isHeld, at: frame)
        if !route.playsVoices { loudest[track] = max(loudest[track], velocity) }
    }

    /// Frames from a note's start to its release, as a voice of the first instrument has them; drums have half a step.
    private func heldFrames(of track: Int, _ stroke: Stroke) -> Int {
        guard holdsNotes(of: track) else {
            return frames(stroke.seconds(of: 0.5 * stroke.stepSeconds), sampleRate: sampleRate)
        }
        let seconds = NoteEnvelope.length(of: stroke)
        return frames(seconds, sampleRate: sampleRate) - frames(min(0.3 * seconds, 0.15), sampleRate: sampleRate)
    }

    /// Shows the loudest keys of tracks whose own voices are silent.
    mutating func reportKeys(to peaks: borrowing TrackPeaks) {
        for track in 0..<trackCount where loudest[track] > 0 {
            peaks.report(Float(loudest[track]) / 127, track: track)
            loudest[track] = 0
        }
    }
}

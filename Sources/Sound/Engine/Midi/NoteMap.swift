import Music

/// Which note of a track a key plays, as tables for the process callback.
struct NoteMap: ~Copyable {
    /// By track * 128 + key: the note, -1 for none.
    private let notes: FixedArray<Int8>
    /// By (scale * 12 + root) * 12 + note: the nearest note of the scale.
    private let nearest: FixedArray<Int8>
    private let isPitched: FixedArray<Bool>
    /// Where the nearest notes of the current scale begin.
    private var start = 0

    init() {
        notes = FixedArray(count: trackCount * 128) { index in
            NoteMap.note(of: Track.allCases[index / 128], key: index % 128)
        }
        nearest = FixedArray(count: Scale.allCases.count * noteCount * noteCount) { index in
            let root = PitchClass(index / noteCount % noteCount)
            return Int8(Key(root: root, scale: Scale.allCases[index / (noteCount * noteCount)]).snap(index % noteCount))
        }
        isPitched = FixedArray(count: trackCount) { Track.allCases[$0].isPitched }
    }

    private static func note(of track: Track, key: Int) -> Int8 {
        guard track.isPitched else { return Int8(track.note(atMIDIPitch: key) ?? -1) }
        return Int8(((key - track.lowestPitch) % noteCount + noteCount) % noteCount)
    }

    /// Sets scale and root from their parameters.
    mutating func apply(scale: Double, root: Double) {
        start = (Int(scale) * noteCount + Int(root)) * noteCount
    }

    /// The note that a key plays, folded into the track's twelve and moved into the scale; nil for a key without a
    /// drum.
    func note(of track: Int, key: UInt8) -> Int? {
        let note = Int(notes[track * 128 + Int(key & 0x7f)])
        guard note >= 0 else { return nil }
        guard isPitched[track] else { return note }
        return Int(nearest[start + note])
    }
}
